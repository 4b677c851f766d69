"""What a container needs before the first command: certificate authorities, the working directory, sudo."""

import shlex

from sandboxes.spec import CA_PATH, CA_VARIABLES, HELD, INDEX_VARIABLES, PROXY_VARIABLES, Spec

APT_CONF = f'Acquire::https::CAInfo "{CA_PATH}";\n'
OURS = "/usr/local/share/ca-certificates/impassable.crt"
"""Where `update-ca-certificates` finds the authority of our proxy again."""
MADE = "made"
"""Said where the image lacked something."""
TRUST = f"""for store in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
    if [ -s {OURS} ] && [ -f $store ] && ! grep -qF "$(sed -n 3p {OURS})" $store; then
        cat {OURS} >>$store; echo {MADE}
    fi
done"""
"""For programs that take no setting, or whose settings sudo drops."""


KEPT = f'Defaults env_keep += "{" ".join((*PROXY_VARIABLES, *INDEX_VARIABLES, *CA_VARIABLES))}"'
"""The way to the package indexes is ours and not the machine's: who has sudo has it too."""


def preparation(spec: Spec) -> str:
    """The script that root runs."""
    user, workdir = shlex.quote(spec.user), shlex.quote(spec.workdir)
    parts = spec.workdir.split("/")
    top = shlex.quote("/".join(parts[:3])) if spec.workdir.startswith("/home/") else workdir
    lines = [
        TRUST,
        f"if [ ! -d {HELD} ]; then mkdir -p {HELD}; echo {MADE}; fi",
        f"id -u {user} >/dev/null",
        f"if [ ! -d {workdir} ]; then mkdir -p {workdir}; chown -R {user}: {top}; echo {MADE}; fi",
    ]
    if spec.sudo:
        lines += [
            "command -v sudo >/dev/null || dpkg -i /opt/impassable/sudo_*.deb >/dev/null",
            f"printf '%s ALL=(ALL) NOPASSWD: ALL\\n%s\\n' {user} {shlex.quote(KEPT)} >/etc/sudoers.d/impassable",
        ]
    return "\n".join(lines)
