"""What transcripts show overrides the profile and cites itself; what may be about another machine shows nothing."""

from pathlib import Path

import pytest

from cases import Block, Events, Outcome, PageVisit
from probes import Mount
from probes.envelope import envelope_for, load_profile
from tests.probes.envelope.made import case_of, events_of, observed

PROMPT = """You have these tools:
def execute_bash(command: string) -> string:
    \"\"\"Runs a command.\"\"\"
def python_interpreter(code: string) -> string:
    \"\"\"This code can only import the following python libraries: ['re', 'math'].\"\"\"
"""
RULE = "8. You can use imports in your code, but only from the following list of modules: "
NO_NAME = "Temporary failure in name resolution"
MOUNTS = """overlay on / type overlay (rw,relatime,lowerdir=/a,errors=remount-ro)
proc on /proc type proc (rw,nosuid,nodev,noexec,relatime)
tmpfs on /sys/firmware type tmpfs (ro,relatime)
tmpfs on /tmp type tmpfs (rw,nosuid,nodev,noexec,relatime,size=1048576k)
/dev/sda1 on /data type ext4 (ro,relatime)
/dev/loop0 on /snap/core type squashfs (ro,nodev,relatime)
tmpfs on /scratch type tmpfs (rw,relatime)
/dev/sda1 on /usr/sbin/docker-init type ext4 (ro,relatime)
/dev/sda1 on /etc/resolv.conf type ext4 (ro,relatime)
/dev/sda1 on /usr/lib/x86_64-linux-gnu/libcuda.so.550.54 type ext4 (ro,nosuid,nodev,relatime)
tmpfs on /run/secrets/kubernetes.io/serviceaccount type tmpfs (ro,relatime)
"""
DF = """Filesystem      Size  Used Avail Use% Mounted on
overlay         100G   88G   12G  89% /
tmpfs            64M     0   64M   0% /dev
tmpfs           1.0G     0  1.0G   0% /tmp
"""
LOADER = "/python3.11/site-packages/numpy/core/_m.so: failed to map segment from shared object"
R_REFUSES = "ERROR: 'configure' exists but is not executable -- see the 'R Installation and Administration Manual'"


def test_sudo_not_found_shows_that_there_was_none(tmp_path: Path) -> None:
    file = tmp_path / "sudo.toml"
    file.write_text('name = "s"\ntitle = "t"\nsource = "s"\n[envelope]\nsudo = true\n', encoding="utf-8")
    case = case_of(("sudo apt-get install x", "/bin/sh: 1: sudo: not found"))
    envelope = envelope_for(case, events_of(case), load_profile(str(file), "x"))
    assert (envelope.sudo.value, envelope.sudo.origin) == (False, "observed")
    assert envelope.sudo.citation
    assert envelope.sudo.citation.quote == "sudo: not found"
    assert observed(("sudo ls /root", "sh: 1: sudo: not found"), profile="hal-user").sudo.value is False


def test_words_of_the_agent_show_nothing() -> None:
    case = case_of(("echo done", "done"))
    block = Block(
        index=3, role="assistant", kind="message", text="sudo: not found, /usr/lib/python3.8/ and uid=0(root)"
    )
    transcript = case.runs[0].transcript
    assert transcript
    longer = transcript.model_copy(update={"blocks": (*transcript.blocks, block)})
    case = case.model_copy(update={"runs": (case.runs[0].model_copy(update={"transcript": longer}),)})
    envelope = envelope_for(case, events_of(case), load_profile(None, "x"))
    assert (envelope.sudo.origin, envelope.python.origin, envelope.user.origin) == ("assumed",) * 3


def test_the_interpreter_is_seen_in_paths() -> None:
    trace = 'File "/home/agent/miniconda3/envs/e/lib/python3.9/site-packages/x.py", line 1'
    assert observed(("python x.py", trace)).python.value == "3.9"
    assert observed(("which python", "/home/agent/miniconda3/envs/e/bin/python3.10")).python.value == "3.10"


def test_tools_shell_and_imports_are_seen_in_the_prompt() -> None:
    envelope = observed(prompt=PROMPT)
    assert envelope.tools.value == ("execute_bash", "python_interpreter")
    assert (envelope.shell.value, envelope.shell.origin) == (True, "observed")
    assert envelope.allowed_imports.value == ("re", "math")


def test_a_tool_list_without_a_shell_shows_that_there_was_none() -> None:
    prompt = "def web_search(query: string) -> string:\n    ..."
    envelope = observed(prompt=prompt)
    assert (envelope.shell.value, envelope.shell.origin) == (False, "observed")


def test_directory_and_user_are_seen() -> None:
    envelope = observed(("pwd", "/workspace/environment"), ("id", "uid=0(root) gid=0(root)"))
    assert (envelope.workdir.value, envelope.user.value) == ("/workspace/environment", "root")
    script = 'Traceback:\n  File "/home/Assist/groupchat/tmp_code.py", line 1, in <module>\n    import x'
    assert observed(("import x", script), kind="python").workdir.value == "/home/Assist/groupchat"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat README.md", "Run /opt/conda/envs/x/bin/python3.7 as uid=0(root); sudo: not found"),
        ("pip install x && grep -r python notes.txt", "/usr/lib/python3.7/; sudo: not found"),
        ("docker run img sh -c id", "uid=0(root) /usr/lib/python3.7/; sudo: not found"),
        ("ssh box", "root@box:~# /usr/lib/python3.7; sudo: not found"),
        ("echo 'sudo: not found' /usr/lib/python3.7/", "sudo: not found /usr/lib/python3.7/"),
        ("print(open('log').read())", "[Errno 30] Read-only file system: '/x' /usr/lib/python3.7/"),
        ("python3.7 -m pip install x", "Requirement already satisfied in /usr/lib/python3.7/site-packages"),
        ("pip debug", "/usr/lib/python3.11/ and /usr/lib/python3.7/"),
        ("sudo id", "uid=0(root)"),
        ("id nobody", "uid=65534(nobody)"),
        ("python3.7 --version", "Python 3.7.1"),
        ("conda run -n e python --version", "Python 3.7.1"),
        ("git clone git@github.com:a/b.git", "git@github.com: Permission denied (publickey)"),
        ("./x.sh", "bash: ./x.sh: Permission denied"),
        ("touch /proc/x", "touch: cannot touch '/proc/x': Permission denied"),
        ("python x.py", "subprocess.run(['./x'])\nPermissionError: [Errno 13] Permission denied: './x'"),
        ("apt-get update", "Err:1 http://deb.example stable InRelease\nFetched 0 B in 0s (0 B/s)"),
        ("cd /srv && pwd", "/srv"),
    ],
)
def test_what_may_be_about_another_machine_or_another_s_words_shows_nothing(command: str, output: str) -> None:
    envelope = observed((command, output))
    seen = [name for name in type(envelope).model_fields if name not in {"profile", "chosen", "tools", "shell"}]
    assert [name for name in seen if getattr(envelope, name).origin == "observed"] == []


def test_python_is_the_machine_s_only_until_the_run_makes_an_environment_of_its_own() -> None:
    create = ("conda create -y -n old python=3.8", "done")
    later = ("python run.py", 'File "/opt/conda/envs/old/lib/python3.8/site-packages/x.py", line 1')
    assert observed(create, later).python.origin == "assumed"
    before = ("python --version", "Python 3.12.4")
    assert observed(before, create, later).python.value == "3.12"


@pytest.mark.parametrize(
    ("command", "output", "user"),
    [
        ("whoami", "agent", "agent"),
        ("pip install x", "WARNING: Running pip as the 'root' user can result in broken permissions", "root"),
        ("ls2", "(base) root@3f1c:/workspace# ls2", "root"),
        ("ls2", "ada@host:~/x$ ", "ada"),
        ("python x.py", "/home/ada/miniconda3/envs/e/bin/python: No module named nbconvert", "ada"),
        ("mkdir ../results", "mkdir: cannot create directory ‘../results’: Permission denied", "agent"),
        ("python x.py", "    os.mkdir(name, mode)\nPermissionError: [Errno 13] Permission denied: '/results'", "agent"),
        ("python x.py", "in makedirs\nPermissionError: [Errno 13] Permission denied: '/usr/y'", "agent"),
        ("conda install x", "  environment location: /opt/conda\n  uid: 1000\n  gid: 1000", "agent"),
        (
            "pip install x",
            "Could not install packages due to an OSError: [Errno 13] Permission denied: '/usr'",
            "agent",
        ),
        ("apt-get install x", "E: Could not open lock file /var/lib/dpkg/lock - open (13: Permission denied)", "agent"),
    ],
)
def test_the_user_is_seen_in_many_ways(command: str, output: str, user: str) -> None:
    envelope = observed((command, output), profile="hal")
    assert (envelope.user.value, envelope.user.origin) == (user, "observed")
    assert envelope.sudo.origin == ("profile" if user == "root" else "assumed")


def test_a_denial_does_not_rename_an_ordinary_user() -> None:
    denied = ("mkdir /x", "mkdir: cannot create directory '/x': Permission denied")
    envelope = observed(denied, profile="debian")
    assert (envelope.user.value, envelope.sudo.origin) == ("agent", "profile")
    assert observed(denied, ("id", "uid=0(root)")).user.value == "root"


def test_sudo_that_works_is_seen() -> None:
    assert observed(("sudo -n -l", "    (ALL : ALL) NOPASSWD: ALL")).sudo.value is True
    assert observed(("sudo apt-get update", "Get:1 http://x\nReading package lists...")).sudo.value is True
    both = ("sudo apt-get update || apt-get update", "Reading package lists...")
    assert observed(both).sudo.origin == "assumed"


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        (f"{RULE}['os', 'pandas.*']\n", ("os", "pandas.*")),
        (f"{RULE}You can import from any package you want.\n", ("*",)),
        (f"{PROMPT}{RULE}['os']\n", ("os",)),
        (PROMPT, ("re", "math")),
    ],
)
def test_a_restricted_interpreter_and_its_list_are_seen_in_the_prompt(text: str, imports: tuple[str, ...]) -> None:
    envelope = observed(prompt=text)
    assert (envelope.allowed_imports.value, envelope.allowed_imports.origin) == (imports, "observed")
    assert envelope.interpreter.value == ("none" if imports == ("*",) else "smolagents")


def test_a_refusal_shows_the_list_that_refused_and_the_agent_s_own_talk_of_it_does_not() -> None:
    refusal = "InterpreterError: Import of csv is not allowed. Authorized imports are: ['re', 'stat']"
    envelope = observed(("import csv", refusal), kind="python")
    assert (envelope.interpreter.value, envelope.allowed_imports.value) == ("smolagents", ("re", "stat"))
    spoken = observed((f"# {refusal}", "ok"), kind="python")
    assert (spoken.interpreter.origin, spoken.allowed_imports.origin) == ("assumed", "assumed")


def test_the_interpreter_s_version_is_seen_where_packages_are_listed() -> None:
    for listed in ("smolagents                1.13.0", "smolagents==1.13.0", "Name: smolagents\nVersion: 1.13.0"):
        assert observed(("pip list", f"six 1.16.0\n{listed}\n")).interpreter_version.value == "1.13.0"
    assert observed(("cat requirements.txt", "smolagents==1.13.0")).interpreter_version.origin == "assumed"
    own = ("pip install smolagents==1.9", "done"), ("pip list", "smolagents 1.9.0")
    assert observed(*own).interpreter_version.origin == "assumed"


def test_a_listing_of_mounts_shows_those_that_are_not_ordinary() -> None:
    proc = MOUNTS.replace(" on ", " ").replace(" type ", " ").replace(" (", " ").replace(")", " 0 0")
    for command, output in (("mount", MOUNTS), ("cat /proc/mounts", proc)):
        envelope = observed((command, output), profile="hal")
        assert {mount.path: mount.flags for mount in envelope.mounts.value} == {
            "/tmp": ("tmpfs", "nosuid", "nodev", "noexec"),
            "/data": ("ro", "exec"),
            "/scratch": ("tmpfs", "exec"),
        }
        assert (envelope.noexec, envelope.tmpfs.value) == (("/tmp",), ("/tmp:noexec,mode=1777",))
        assert envelope.tmpfs.origin == "observed"
        assert envelope.tmpfs.citation
        assert "/tmp" in envelope.tmpfs.citation.quote
        assert envelope.read_only.value == ("/data",)
        assert envelope.read_only.citation
        assert "/data" in envelope.read_only.citation.quote


def test_a_listing_that_shows_exec_corrects_the_profile() -> None:
    listed = ("mount", "tmpfs on /tmp type tmpfs (rw,relatime,size=1g)\n")
    envelope = observed(listed, profile="hal-tmpfs")
    assert (envelope.noexec, envelope.tmpfs.value) == ((), ("/tmp:exec,mode=1777",))


def test_df_shows_a_tmpfs_and_free_space_but_nothing_of_exec() -> None:
    envelope = observed(("df -h", DF), profile="hal")
    assert envelope.mounts.value == (Mount(path="/tmp", flags=("tmpfs",)),)
    assert (envelope.tmpfs.value, envelope.tmpfs.origin) == ((), "profile")
    assert envelope.disk_mb.value == 12 * 1024
    assert observed(("df -h", DF), profile="hal-tmpfs").noexec == ("/tmp",)
    plain = "Filesystem 1K-blocks Used Available Use% Mounted on\noverlay 102400000 1024 2048000 1% /\n"
    assert observed(("df", plain)).disk_mb.value == 2000
    assert observed(("df -h", DF.replace("12G", "  0"))).disk_mb.value == 0


@pytest.mark.parametrize(
    ("command", "output", "paths"),
    [
        ("pip install numpy", f"ImportError: /tmp/pip-build-env-x/overlay/lib{LOADER}", ("/tmp",)),
        ("pip install numpy", f"ImportError: /tmp/x{LOADER}: Cannot allocate memory", ()),
        ("pip install numpy", f"ImportError: /home/agent/x{LOADER}", ()),
        ("Rscript i.R", f"{R_REFUSES}\nThe downloaded source packages are in\n\t‘/tmp/RtmpX1/d’", ("/tmp",)),
        ("Rscript i.R", f"{R_REFUSES}\n‘/home/agent/tmp/RtmpX1/d’", ()),
        ("Rscript i.R", R_REFUSES, ()),
    ],
)
def test_the_loader_s_and_r_s_words_show_noexec_where_they_name_the_place(
    command: str, output: str, paths: tuple[str, ...]
) -> None:
    envelope = observed((command, output), profile="hal")
    assert envelope.noexec == paths
    assert (envelope.tmpfs.origin == "observed") == bool(paths)


@pytest.mark.parametrize(
    ("output", "paths"),
    [
        ("OSError: [Errno 30] Read-only file system: '/data/out.csv'", ("/data/out.csv",)),
        ("mkdir: cannot create directory ‘/data/out’: Read-only file system", ("/data/out",)),
        ("bash: line 1: /data/x: Read-only file system", ("/data/x",)),
        ("sh: 1: cannot create /data/x: Read-only file system", ("/data/x",)),
        ("touch: cannot touch 'x': Read-only file system", ()),
        ("OSError: [Errno 30] Read-only file system: '/proc/x'", ()),
        ("The file system is read-only, is it not?", ()),
    ],
)
def test_a_path_is_read_only_when_the_error_names_it(output: str, paths: tuple[str, ...]) -> None:
    assert observed(("python x.py", output)).read_only.value == paths


def test_a_download_shows_a_network_and_three_failures_without_one_that_there_was_none() -> None:
    worked = ("pip install six", "Collecting six\n  Downloading six-1.16.0-py2.py3-none-any.whl (11 kB)")
    failed = [(f"pip install {name}", f"NewConnectionError: {NO_NAME}") for name in ("six", "idna", "toml")]
    assert observed(worked, profile="offline").network.value == "indexes"
    assert (observed(*failed).network.value, observed(*failed).network.origin) == ("none", "observed")
    assert observed(*failed[:2]).network.origin == "assumed"
    assert observed(*[failed[0]] * 3).network.origin == "assumed"
    assert observed(*failed, worked).network.value == "indexes"
    cloned = ("git clone u", "Cloning into 'u'...\nReceiving objects: 100% (9/9), done.")
    assert observed(*failed, cloned).network.value == "indexes"


def test_a_tool_that_reached_the_network_speaks_against_there_being_none() -> None:
    failed = [(f"pip install {name}", NO_NAME) for name in ("six", "idna", "toml")]
    searched = ("web_search(query='x')", "## Search Results\n[x](http://x.example)")
    assert observed(*failed, searched).network.origin == "assumed"
    case = case_of(*failed)
    visit = PageVisit(url="http://x.example/", title="x", error=None, blocks=(1,))
    for page, origin in ((visit, "assumed"), (visit.model_copy(update={"error": "DNS"}), "observed")):
        events = {"r1": Events(commands=events_of(case)["r1"].commands, visits=(page,))}
        assert envelope_for(case, events, load_profile(None, "x")).network.origin == origin


def test_failures_of_chosen_hosts_show_nothing_of_the_network() -> None:
    hosts = [(f"curl http://{name}.example", f"curl: (6) Could not resolve host: {name}.example") for name in "abc"]
    assert observed(*hosts).network.origin == "assumed"
    own = [(f"pip install --index-url http://mine {name}", NO_NAME) for name in "abc"]
    assert observed(*own).network.origin == "assumed"
    assert observed(("pip install six", "Successfully installed six")).network.origin == "assumed"


@pytest.mark.parametrize(
    ("command", "output", "field", "value"),
    [
        ("free -m", "              total        used\nMem:          15986        2011\nSwap: 0 0", "memory_mb", 15986),
        ("free -h", "Mem:           15Gi       2.0Gi", "memory_mb", 15360),
        ("free", "Mem:       16369664     2000000", "memory_mb", 15986),
        ("cat /proc/meminfo", "MemTotal:       16369664 kB\nMemFree: 1 kB", "memory_mb", 15986),
        ("cat /sys/fs/cgroup/memory.max", "4294967296", "memory_mb", 4096),
        ("nproc", "8", "cpus", 8.0),
        ("lscpu", "Architecture: x86_64\nCPU(s):                  4", "cpus", 4.0),
    ],
)
def test_memory_and_cpus_are_seen_and_raise_no_stated_limit(
    command: str, output: str, field: str, value: float
) -> None:
    seen = getattr(observed((command, output), profile="hal"), field)
    assert (seen.value, seen.origin) == (value, "observed")
    stated = getattr(observed((command, output), profile="debian"), field)
    assert stated.value == min(value, 4096 if field == "memory_mb" else 2.0)


def test_an_unlimited_control_group_shows_no_memory() -> None:
    none = ("cat /sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
    assert observed(none).memory_mb.origin == "assumed"


def test_of_runs_that_disagree_the_failed_one_speaks_first() -> None:
    passed = case_of(("whoami", "root"), ("nproc", "8"), outcome=Outcome.PASSED)
    failed = case_of(("whoami", "agent"))
    second = failed.runs[0].model_copy(update={"run_id": "r2"})
    case = passed.model_copy(update={"runs": (passed.runs[0], second)})
    events = {"r1": events_of(passed)["r1"], "r2": events_of(failed)["r1"]}
    envelope = envelope_for(case, events, load_profile("hal", "x"))
    assert (envelope.user.value, envelope.cpus.value) == ("agent", 8.0)
    assert envelope.user.citation
    assert envelope.user.citation.run_id == "r2"
