"""The one service of a task's compose file, as far as a container of ours can be the same."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cases.folders.model import Machine
from cases.folders.parsing import megabytes, number, plain_env, said_by_dockerfile, table, yaml_in
from cases.sentences import Sentences

say = Sentences(__name__)

NAMES = ("docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml")
_MAIN = ("client", "main")
"""What the harnesses call the service that the agent works in."""
_HARMLESS = frozenset(
    {"build", "image", "command", "environment", "working_dir", "user", "network_mode", "networks", "mem_limit"}
    | {"cpus", "deploy", "volumes", "container_name", "labels", "hostname", "restart", "stdin_open", "tty", "init"}
    | {"platform", "pull_policy", "stop_grace_period", "logging", "profiles", "expose", "ports"}
)
"""Keys that are read, or that make no difference inside."""
_SLEEPS = ("sleep infinity", "tail -f /dev/null")


def compose_file(folder: Path) -> Path | None:
    """The folder's compose file."""
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def machine_of(folder: Path) -> Machine:
    """The machine of a folder with a Dockerfile, a compose file, or both.

    Raises:
        InputError: a file cannot be read.
    """
    dockerfile, compose = folder / "Dockerfile", compose_file(folder)
    if compose is None:
        return _built(dockerfile)
    whole = yaml_in(compose)
    services = table(whole, "services")
    if len(services) != 1:
        named = ", ".join(map(str, services)) or "none"
        return Machine(refused=say("folders.compose.services_task_machine_can", name=compose.name, named=named))
    name, service = next(iter(services.items()))
    if not isinstance(service, dict):
        return Machine(refused=say("folders.compose.says_nothing_service", file=compose.name, service=name))
    return _of_service(folder, compose.name, whole, service)


def _of_service(folder: Path, file: str, whole: Mapping[str, Any], service: Mapping[str, Any]) -> Machine:
    found = _image(folder, file, service)
    reasons = [*([found.refused] if found.refused else []), *_unlike(file, service)]
    limits = table(table(table(service, "deploy"), "resources"), "limits")
    user, workdir = service.get("user"), service.get("working_dir")
    told = {
        "network": "none" if _closed(whole, service) else None,
        "memory_mb": megabytes(service.get("mem_limit") or limits.get("memory")),
        "cpus": number(service.get("cpus") or limits.get("cpus")),
        "env": plain_env(service.get("environment")),
        "refused": "; ".join(reasons),
        "beside": _started(file, service),
    }
    told |= {"user": str(user).partition(":")[0]} if user else {}
    told |= {"workdir": str(workdir)} if str(workdir).startswith("/") else {}
    return found.model_copy(update=told)


def _built(dockerfile: Path) -> Machine:
    if not dockerfile.is_file():
        return Machine()
    said = said_by_dockerfile(dockerfile)
    return Machine(dockerfile=dockerfile.resolve(), user=said.get("user"), workdir=said.get("workdir"))


def _image(folder: Path, file: str, service: Mapping[str, Any]) -> Machine:
    """Built where the file says so, else the image that it names."""
    build, image = service.get("build"), str(service.get("image") or "")
    if build is None:
        return (
            Machine(image=image)
            if image and "$" not in image
            else Machine(refused=say("folders.compose.names_neither_build_nor", file=file))
        )
    context = build if isinstance(build, str) else build.get("context", ".") if isinstance(build, dict) else "."
    named = build.get("dockerfile", "Dockerfile") if isinstance(build, dict) else "Dockerfile"
    if "$" in f"{context}{named}":
        return Machine(refused=say("folders.compose.builds_place_harness_knows", file=file, context=context))
    dockerfile = (folder / str(context) / str(named)).resolve()
    if dockerfile.parent != (folder / str(context)).resolve():
        return Machine(refused=say("folders.compose.builds_another_folder_than", file=file, named=named))
    if isinstance(build, dict) and (build.get("args") or build.get("target")):
        return Machine(refused=say("folders.compose.builds_arguments_up_stage", file=file))
    if not dockerfile.is_relative_to(folder.resolve()):
        return Machine(refused=say("folders.compose.builds_outside_task_folder", file=file))
    return _built(dockerfile)


def _unlike(file: str, service: Mapping[str, Any]) -> Iterator[str]:
    """What it asks for and a container of ours has not."""
    strange = sorted(str(key) for key in service if key not in _HARMLESS)
    if strange:
        yield say("folders.compose.asks_container_not", file=file, strange=", ".join(strange))
    mounted = [str(one) for one in service.get("volumes") or () if "T_BENCH" not in str(one)]
    if mounted:
        yield say("folders.compose.mounts_container_not", file=file, mounted=", ".join(mounted)[:100])
    if table(table(table(service, "deploy"), "resources"), "reservations").get("devices"):
        yield say("folders.compose.asks_devices_container_not", file=file)
    mode = str(service.get("network_mode") or "none")
    if mode not in {"none", "bridge", "default"}:
        yield say("folders.compose.asks_network_never_given", file=file, mode=mode)


def _closed(whole: Mapping[str, Any], service: Mapping[str, Any]) -> bool:
    """Whether nothing outside can be reached."""
    if service.get("network_mode") == "none":
        return True
    used, known = service.get("networks"), table(whole, "networks")
    names = [str(name) for name in used] if isinstance(used, list | dict) else ["default"]
    return bool(names) and all(table(known, name).get("internal") is True for name in names)


def _started(file: str, service: Mapping[str, Any]) -> str:
    """The command of its own, where it does more than wait."""
    command = service.get("command")
    words = " ".join(map(str, command)) if isinstance(command, list) else str(command or "")
    waits = not words or any(words.strip().endswith(one) for one in _SLEEPS)
    return "" if waits else say("folders.compose.starts_command_own", file=file)
