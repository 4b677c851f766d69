"""Whether the machine has a Python package or module somewhere, in whatever form."""

import posixpath
import shlex

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from cases import patterns as re
from cases.sentences import Sentences
from probes.replay.handlers.archives import list_archives
from probes.replay.handlers.package import wheel_name
from probes.replay.resources.context import ContainerContext

say = Sentences(__name__)

FIND = (
    "find / \\( -path /proc -o -path /sys -o -path /dev -o -path /opt/impassable \\) -prune -o "
    "\\( {patterns} \\) -print 2>/dev/null | head -20"
)
VERSIONS = (
    "find / -xdev \\( -path /proc -o -path /sys -o -path /opt/impassable \\) -prune -o -path '*/bin/python3.*' -print "
    "2>/dev/null | sed -n 's#.*/python\\(3[.][0-9]*\\)$#\\1#p' | sort -u"
)
FORMS = ("whl", "tar.gz", "zip", "tgz", "egg", "conda", "tar.bz2")


def lying_copy(trial: ContainerContext, distribution: str | None, top: str | None = None) -> str | None:
    """Why it is open, where a file or archive that the command does not name may bring the package; ends a sentence.

    What the failing command is known to have opened it failed with. `top` is the top of the module that is asked for,
    where one is.
    """
    wheel = wheel_name(distribution) if distribution else None
    patterns = copies(wheel, top)
    if not patterns:
        return None
    done, *_ = trial.run("replay-on-disk", FIND.format(patterns=" -o ".join(patterns)))
    command = trial.subject.attempts[0].command
    found = (path for path in done.output.splitlines() if path.startswith("/") and path not in trial.outcome.opened)
    paths = [path for path in found if posixpath.basename(path) not in command]
    wheels = [path for path in paths if path.endswith(".whl")]
    versions = trial.run("replay-versions", VERSIONS)[0].output.split() if wheels else []
    paths = [path for path in paths if path not in wheels or any(takes(one, path) for one in versions)]
    copy = next(iter(paths), "") or _packed(trial, wheel, top)
    trial.observe("copies on disk", copy or "none", None, None)
    return say("on_disk.bring_though_no", found=copy) if copy else None


def takes(version: str, path: str) -> bool:
    """Whether a Python of this version, such as 3.11, takes a wheel by its name; what is no name of a wheel it may."""
    try:
        tags = parse_wheel_filename(posixpath.basename(path))[3]
    except InvalidWheelFilename:
        return True
    minor = int(version.partition(".")[2] or 0)
    for tag in tags:
        built = re.fullmatch(r"(py|cp)3(\d*)", tag.interpreter)
        if built and (not built[2] or int(built[2]) == minor or (_stable(tag.abi) and int(built[2]) <= minor)):
            return True
    return False


def _stable(abi: str) -> bool:
    return abi in {"abi3", "none"}


def copies(wheel: str | None, top: str | None) -> list[str]:
    """Tests of find(1) for a package, `wheel` being a pattern of its name, and a module's top package."""
    named = [f"-iname {shlex.quote(f'{wheel}-*.{form}')}" for form in FORMS] if wheel else []
    named += [f"-iname {shlex.quote(f'python3-{wheel}_*.deb')}"] if wheel else []
    named += [f"-type d -iname {shlex.quote(f'{wheel}-[0-9]*')}"] if wheel else []
    sources = (f"{top}.py", f"{top}.py[cxz]", f"{top}.*.pyc", f"{top}.so", f"{top}.*.so")
    named += [f"-name {shlex.quote(name)}" for name in sources] if top else []
    mirrors = (f"{name}{ending}" for name in (wheel, top) if name for ending in (".git", ".bundle"))
    named += [f"-iname {shlex.quote(mirror)}" for mirror in mirrors]
    return named + ([f"-path {shlex.quote(f'*/{top}/__init__.py')}"] if top else [])


def brings(member: str, wheel: str | None, top: str | None) -> bool:
    """Whether a member of an archive may bring the package or the module."""
    parts = member.rstrip("/").split("/")
    if top and (top in parts[:-1] or parts[-1] == f"{top}.py"):
        return True
    forms = "|".join(map(re.escape, FORMS))
    named = wheel and re.fullmatch(rf"(?i){wheel.replace('?', '.')}-.*\.(?:{forms})", posixpath.basename(member))
    return bool(named)


def _packed(trial: ContainerContext, wheel: str | None, top: str | None) -> str:
    stems = [name.split("?")[0] for name in (wheel, top) if name]
    for archive in list_archives(trial, *stems):
        if any(brings(member, wheel, top) for member in archive.members or ()):
            return archive.path
    return ""
