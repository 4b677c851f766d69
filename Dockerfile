# The program with a browser, run by an ordinary user. The Docker engine that replays commands is outside:
#   docker run --rm -e DOCKER_HOST=… IMAGE doctor
#   docker run --rm -v /var/run/docker.sock:/var/run/docker.sock --group-add "$(stat -c %g /var/run/docker.sock)" IMAGE doctor
# Chromium keeps its own sandbox only where user namespaces are allowed: add --security-opt seccomp=unconfined, or a
# seccomp profile that allows them; without, the browser's checks say so.
# Any Debian 12 with Python 3.11 or newer can be the base.
ARG BASE=python:3.12-slim-bookworm
FROM ${BASE}

# Certificate authorities of a network that inspects TLS: put them into docker/ca/ as *.crt, one PEM bundle a file.
COPY docker/ca/ /opt/verify-ca/

RUN set -eu; \
    export DEBIAN_FRONTEND=noninteractive; \
    # Manuals, translations, and drivers of graphics cards: a quarter of a gigabyte that nothing here looks at.
    for left in doc man locale; do echo "path-exclude=/usr/share/$left/*"; done > /etc/dpkg/dpkg.cfg.d/left-out; \
    for left in 'libLLVM*' 'dri/*'; do echo "path-exclude=/usr/lib/*-linux-gnu/$left"; done >> /etc/dpkg/dpkg.cfg.d/left-out; \
    apt-get update; \
    python3 -c 'import ensurepip, venv' 2>/dev/null || apt-get install -y --no-install-recommends python3-venv; \
    apt-get install -y --no-install-recommends ca-certificates chromium fonts-liberation libatomic1; \
    apt-get clean; rm -rf /var/lib/apt/lists/*; \
    cat /etc/ssl/certs/ca-certificates.crt > /opt/verify-ca/bundle.pem; \
    for extra in /opt/verify-ca/*.crt; do [ ! -e "$extra" ] || cat "$extra" >> /opt/verify-ca/bundle.pem; done

ENV SSL_CERT_FILE=/opt/verify-ca/bundle.pem \
    REQUESTS_CA_BUNDLE=/opt/verify-ca/bundle.pem \
    PIP_CERT=/opt/verify-ca/bundle.pem \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PATH=/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# What it needs comes first: a change of its own code leaves that layer as it is.
COPY pyproject.toml constraints.txt /src/
RUN python3 -m venv /opt/venv; \
    python3 -c 'import tomllib; print(*tomllib.load(open("/src/pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
        > /src/needs.txt; \
    /opt/venv/bin/pip install --no-cache-dir -c /src/constraints.txt -r /src/needs.txt

COPY setup.py README.md LICENSE /src/
COPY cases /src/cases
COPY sandboxes /src/sandboxes
COPY probes /src/probes
COPY graph /src/graph
COPY evidence /src/evidence
COPY verify /src/verify
COPY impassable /src/impassable
ARG COMMIT=
RUN IMPASSABLE_COMMIT=$COMMIT /opt/venv/bin/pip install --no-cache-dir --no-deps /src

RUN useradd --uid 10001 --create-home verify
USER verify
WORKDIR /home/verify
ENTRYPOINT ["verify"]
CMD ["--help"]
