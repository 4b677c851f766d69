# ruff: noqa: T201 - it is a command: what it prints is what it says
"""A stand-in for the `conda` command of the lab, and for `mamba` when it is called so: no conda of anybody's.

Its arguments, states and error texts are conda's; what it solves and installs is real, done by rattler.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import rattler

sys.path.insert(0, str(Path(__file__).resolve().parent))
import terms

CONDA = Path(__file__).resolve().parent.parent
TOOL = Path(sys.argv[0]).name


class CondaError(Exception):
    """Ends with exit code 1 and conda's own words."""


def settings() -> dict[str, object]:
    """What the configuration file says."""
    return json.loads((CONDA / ".condarc").read_text(encoding="utf-8"))


def channels_of(args: argparse.Namespace) -> list[str]:
    """Channels as URLs: those of the command line, then the defaults unless these are overridden."""
    alias = str(settings()["channel_alias"])
    named = []
    for name in args.channel or ():
        named += _defaults() if name == "defaults" else [name if "://" in name else f"{alias}/{name}"]
    return named if args.override_channels else named + [url for url in _defaults() if url not in named]


def _defaults() -> list[str]:
    return [str(url) for url in settings()["default_channels"]]


def prefix_of(args: argparse.Namespace) -> Path:
    """The environment that is meant."""
    if args.prefix:
        return Path(args.prefix).expanduser().absolute()
    if args.name in {None, "base"}:
        return Path(os.environ.get("CONDA_PREFIX") or CONDA) if args.name is None else CONDA
    places = [CONDA / "envs", Path("~/.conda/envs").expanduser()]
    found = [place / args.name for place in places if (place / args.name / "conda-meta").is_dir()]
    writable = [place / args.name for place in places if os.access(place, os.W_OK) or place != places[0]]
    return (found or writable)[0]


def packages_folder() -> Path:
    """Where archives are unpacked."""
    own = [entry for entry in os.environ.get("CONDA_PKGS_DIRS", "").split(",") if entry]
    for place in [Path(entry) for entry in own] or [CONDA / "pkgs", Path("~/.conda/pkgs").expanduser()]:
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK):
            return place
    raise CondaError("NoWritablePkgsDirError: No writeable pkgs directories configured.\n")


def change(args: argparse.Namespace) -> None:
    """`create`, `install`, `update`, `search`."""
    channels, prefix = channels_of(args), prefix_of(args)
    if TOOL == "conda" and os.environ.get("CONDA_NO_PLUGINS", "").lower() not in terms.YES:
        terms.check(channels, CONDA, yes=args.yes or args.json)
    if args.verb in {"install", "update"}:
        _must_be_ours(prefix)
    for channel in channels:
        _must_answer(channel)
    records = asyncio.run(_solved(channels, args.specs))
    if args.verb == "search" or args.dry_run:
        print("\n".join(f"{record.name.normalized} {record.version}" for record in records))
        return
    packages = packages_folder()
    try:
        prefix.mkdir(parents=True, exist_ok=True)
        asyncio.run(_installed(records, prefix, packages, keep=args.verb != "create"))
        (prefix / "conda-meta").mkdir(exist_ok=True)
        (prefix / "conda-meta" / "history").touch()
    except PermissionError as error:
        raise _not_writable(prefix) from error
    print("Executing transaction: done")


def _must_be_ours(prefix: Path) -> None:
    if not prefix.is_dir():
        raise CondaError(f"EnvironmentLocationNotFound: Not a conda environment: {prefix}\n")
    if not (prefix / "conda-meta" / "history").is_file():
        raise CondaError(
            "DirectoryNotACondaEnvironmentError: The target directory exists, but it is not a conda environment.\n"
            f"Use 'conda create' to convert the directory to a conda environment.\n  target directory: {prefix}\n"
        )
    if not os.access(prefix / "conda-meta" / "history", os.W_OK):
        raise _not_writable(prefix)


def _not_writable(prefix: Path) -> CondaError:
    return CondaError(
        "EnvironmentNotWritableError: The current user does not have write permissions to the target environment.\n"
        f"  environment location: {prefix}\n  uid: {os.getuid()}\n  gid: {os.getgid()}\n"
    )


def _must_answer(channel: str) -> None:
    url = f"{channel}/noarch/repodata.json"
    try:
        urllib.request.urlopen(url, timeout=10).close()
    except (urllib.error.URLError, OSError) as error:
        raise CondaError(
            f"CondaHTTPError: HTTP 000 CONNECTION FAILED for url <{url}>\nElapsed: -\n\n"
            "An HTTP error occurred when trying to retrieve this URL.\n"
            "HTTP errors are often intermittent, and a simple retry will get you on your way.\n"
        ) from error


async def _solved(channels: list[str], specs: list[str]) -> list[rattler.RepoDataRecord]:
    names = [spec.rpartition("::")[2] for spec in specs]
    gateway = rattler.Gateway(cache_dir=f"/tmp/rattler-{os.getuid()}")
    found = await gateway.query([rattler.Channel(url) for url in channels], ["linux-64", "noarch"], names, False)
    known = {record.name.normalized for records in found for record in records}
    missing = [name for name in names if rattler.MatchSpec(name).name.normalized not in known]
    if missing:
        listed, current = ("\n".join(f"  - {name}" for name in group) for group in (missing, channels))
        raise CondaError(
            "PackagesNotFoundInChannelsError: The following packages are not available from current channels:\n\n"
            f"{listed}\n\nCurrent channels:\n\n{current}\n\n"
            "To search for alternate channels that may provide the conda package you're\n"
            "looking for, navigate to\n\n    https://anaconda.org\n\nand use the search bar at the top of the page.\n"
        )
    return await rattler.solve([rattler.Channel(url) for url in channels], names, gateway=gateway)


async def _installed(records: list[rattler.RepoDataRecord], prefix: Path, packages: Path, *, keep: bool) -> None:
    wanted = {record.name.normalized for record in records}
    there = [rattler.PrefixRecord.from_path(path) for path in (prefix / "conda-meta").glob("*.json")] if keep else []
    kept = [record for record in there if record.name.normalized not in wanted]
    await rattler.install([*records, *kept], prefix, cache_dir=packages, show_progress=False)


def answer(args: argparse.Namespace) -> None:
    """`tos accept` and `tos reject`."""
    if TOOL != "conda":
        raise CondaError(f"{TOOL}: error: unrecognised arguments: tos\n")
    if args.action is None:
        print("\n".join(f"{url} {terms.answer_to(url, CONDA)}" for url in channels_of(args)))
        return
    root = Path("/etc/conda/tos") if args.site else CONDA / "conda-meta/tos" if args.system else Path("~/.conda/tos")
    for channel in channels_of(args):
        if terms.terms_of(channel):
            terms.write(channel, root, accepted=args.action == "accept")
            print(f"{args.action}ed Terms of Service for {channel}")
        else:
            print(f"Terms of Service not found for {channel}")


def look(args: argparse.Namespace) -> None:
    """`info --base`, `config --show`, `list`."""
    if args.verb == "info":
        print(CONDA)
    elif args.verb == "config":
        print("\n".join(f"{key}: {value}" for key, value in settings().items()))
    else:
        print("\n".join(path.stem for path in sorted((prefix_of(args) / "conda-meta").glob("*.json"))))


def uninitialised(_: argparse.Namespace) -> None:
    """`activate`, which only a shell with conda's hook can do."""
    raise CondaError("CondaError: Run 'conda init' before 'conda activate'\n")


def run(args: argparse.Namespace) -> int:
    """`run -n NAME COMMAND…`: in the environment."""
    prefix = prefix_of(args)
    if not (prefix / "conda-meta").is_dir():
        raise CondaError(f"EnvironmentLocationNotFound: Not a conda environment: {prefix}\n")
    path = f"{prefix}/bin:{os.environ['PATH']}"
    environment = {**os.environ, "CONDA_PREFIX": str(prefix), "PATH": path}
    return subprocess.run(args.specs, env=environment, check=False).returncode


def parser() -> argparse.ArgumentParser:
    """Conda's arguments, as far as the lab needs them."""
    top = argparse.ArgumentParser(prog=TOOL)
    top.add_argument("-V", "--version", action="version", version=f"{TOOL} stand-in of the lab")
    verbs = top.add_subparsers(dest="verb", required=True)
    for verb in ("activate", "create", "install", "update", "search", "run", "list", "info", "config", "tos"):
        sub = verbs.add_parser(verb)
        sub.add_argument("-n", "--name")
        sub.add_argument("-p", "--prefix")
        sub.add_argument("-c", "--channel", action="append")
        for flag in ("--override-channels", "--dry-run", "--json", "--base", "--show", "--site", "--system"):
            sub.add_argument(flag, action="store_true")
        sub.add_argument("-y", "--yes", action="store_true")
        sub.add_argument("-q", "--quiet", action="store_true")
        if verb == "tos":
            sub.add_argument("action", nargs="?", choices=("accept", "reject"))
        else:
            sub.add_argument("specs", nargs=argparse.REMAINDER if verb == "run" else "*")
    return top


def main() -> int:
    """Exit code 1 and conda's words for its own errors."""
    args = parser().parse_args()
    try:
        if args.verb == "run":
            return run(args)
        {"activate": uninitialised, "tos": answer, "info": look, "config": look, "list": look}.get(args.verb, change)(
            args
        )
    except (CondaError, terms.TermsError) as error:
        sys.stderr.write(f"\n{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # rattler's threads may outlive the interpreter, which then crashes while it ends
