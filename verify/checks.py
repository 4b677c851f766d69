"""What this machine has and lacks, one check each: for `verify doctor` and the set-up scripts."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from tempfile import TemporaryDirectory
from typing import Literal

from cases import ImpassableError
from cases.sentences import Sentences, counted
from verify.condition import Check
from verify.config import Configuration

say = Sentences(__name__)

ROOM_FAIL_GB = 1.0
ROOM_WARN_GB = 5.0
INDEX_PACKAGE = "six"
"""Small, without dependencies, and on every Python index."""
INDEX_SECONDS = 30
WEB_SECONDS = 15


def python(_: Configuration) -> Check:
    """The Python that runs this; an older one than the program supports cannot have installed it."""
    version = ".".join(map(str, sys.version_info[:3]))
    return Check(name="python", state="ok", detail=say("checks.python", version=version, prefix=sys.prefix))


def disk(configuration: Configuration) -> Check:
    """Room for packs and for the state of audits."""
    place = configuration.out.absolute()
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free / 1e9
    detail = say("checks.gb_free_packs", free=free, place=place)
    if free < ROOM_WARN_GB:
        state: Literal["warn", "fail"] = "fail" if free < ROOM_FAIL_GB else "warn"
        return Check(name="disk", state=state, detail=detail, remedy=say("checks.free_some_space_use"))
    if not os.access(place, os.W_OK):
        return Check(
            name="disk",
            state="fail",
            detail=say("checks.cannot_written", place=place),
            remedy=say("checks.use_out_verify_state"),
        )
    return Check(name="disk", state="ok", detail=detail)


def engine(_: Configuration) -> Check:
    """A Docker engine that answers."""
    from sandboxes import Engine
    from sandboxes.errors import SandboxError

    try:
        connected = Engine.connect(sweep=False)
    except SandboxError as error:
        remedy = say("checks.make_setup_installs_starts")
        return Check(name="engine", state="fail", detail=str(error), remedy=remedy)
    try:
        versions = connected.versions()
    finally:
        connected.close()
    return Check(
        name="engine",
        state="ok",
        detail=say("checks.docker_answers_storage", serverversion=versions["ServerVersion"], driver=versions["Driver"]),
    )


def indexes(configuration: Configuration) -> Check:
    """Package indexes, asked through pip with this machine's own settings."""
    if configuration.offline:
        return Check(name="indexes", state="ok", detail=say("checks.not_asked_offline"))
    with TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--no-cache-dir", "--retries", "0", "--timeout", "10", "--dest", directory, INDEX_PACKAGE]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=INDEX_SECONDS, check=False)
            why = "" if done.returncode == 0 else (done.stderr.strip().splitlines() or [say("checks.pip_failed")])[-1]
        except (OSError, subprocess.TimeoutExpired) as error:
            why = f"{type(error).__name__}"
    if why:
        remedy = say("checks.check_proxy_certificates_pip")
        return Check(name="indexes", state="warn", detail=say("checks.pip_reaches_no_package", why=why), remedy=remedy)
    return Check(name="indexes", state="ok", detail=say("checks.pip_reaches_package_index"))


def model(_: Configuration) -> Check:
    """A language model is optional."""
    if os.environ.get("OPENAI_API_KEY"):
        return Check(name="model", state="ok", detail=say("checks.openai_api_key_set"))
    return Check(name="model", state="ok", detail=say("checks.none_configured_rules_decide"))


def inputs(configuration: Configuration) -> Check:
    """What `verify.toml` and the environment name."""
    from verify.inputs import open_library

    if not (configuration.run or configuration.claims or configuration.outcomes):
        remedy = say("checks.them_run_claims_outcomes")
        return Check(name="inputs", state="warn", detail=say("checks.none_configured"), remedy=remedy)
    try:
        tasks = open_library(configuration).tasks()
    except ImpassableError as error:
        return Check(name="inputs", state="fail", detail=str(error), remedy=say("checks.mend_verify_toml_environment"))
    return Check(
        name="inputs", state="ok", detail=say("checks.tasks_verify_cases_lists", tasks=counted(len(tasks), "task"))
    )


def image(_: Configuration) -> Check:
    """The base image that commands are replayed in."""
    from sandboxes import Engine, SandboxError
    from sandboxes.images import base_tag

    try:
        connected = Engine.connect(sweep=False)
        try:
            identity = connected.identity(base_tag())
        finally:
            connected.close()
    except SandboxError as error:
        remedy = say("checks.make_setup_python_sandboxes")
        return Check(name="image", state="fail", detail=str(error), remedy=remedy)
    return Check(name="image", state="ok", detail=f"{identity['image']}, {identity['pullable']}")


def container(configuration: Configuration) -> Check:
    """A container of the base image that runs a command as the ordinary user."""
    from sandboxes import ContainerPool, Engine, SandboxError, Spec
    from sandboxes.images import base_tag

    remedy = say("checks.see_user_may_start")
    try:
        connected = Engine.connect(sweep=False)
        try:
            with (
                ContainerPool(connected, configuration.runtime) as containers,
                containers.start(Spec(image=base_tag())) as session,
            ):
                done = session.run("id -un", seconds=30)
        finally:
            connected.close()
    except SandboxError as error:
        return Check(name="container", state="fail", detail=str(error), remedy=remedy)
    if not done.ok:
        return Check(
            name="container", state="fail", detail=say("checks.command_ended", exit_code=done.exit_code), remedy=remedy
        )
    told = say("checks.runtime", runtime=configuration.runtime) if configuration.runtime else ""
    return Check(
        name="container",
        state="ok",
        detail=say("checks.container_runs_commands", output=done.output.strip(), told=told),
    )


def browser(_: Configuration) -> Check:
    """A Chromium that starts."""
    from cases import EnvironmentNotReady
    from sandboxes.browser.chromium import check_browser

    remedy = say("checks.make_setup_gets_hand")
    try:
        detail, sandboxed = asyncio.run(check_browser())
    except EnvironmentNotReady as error:
        return Check(name="browser", state="fail", detail=str(error))
    except Exception as error:  # noqa: BLE001 - Playwright raises bare exceptions when its driver does not start
        lacking = say("checks.playwright_driver_not_start", error=error)
        return Check(name="browser", state="fail", detail=lacking, remedy=remedy)
    if sandboxed:
        return Check(name="browser", state="ok", detail=detail)
    guard = say("checks.allow_user_namespaces_docker")
    return Check(name="browser", state="warn", detail=detail, remedy=guard)


def web(configuration: Configuration) -> Check:
    """The open web, by the positive controls that audits use."""
    import httpx

    if configuration.offline:
        return Check(name="web", state="ok", detail=say("checks.not_asked_offline"))
    urls = configuration.control or _default_controls()
    failed = []
    for url in urls:
        try:
            httpx.get(url, timeout=WEB_SECONDS, follow_redirects=True).raise_for_status()
        except httpx.HTTPError as error:
            failed.append(f"{url}: {type(error).__name__} {error}")
        else:
            return Check(name="web", state="ok", detail=f"{url} answers")
    remedy = say("checks.audits_web_sites_end")
    return Check(name="web", state="warn", detail="; ".join(failed), remedy=remedy)


def _default_controls() -> tuple[str, ...]:
    from probes.web.controls import defaults

    return tuple(control.url for control in defaults().control)


CHECKS: Mapping[str, Callable[[Configuration], Check]] = {
    "python": python,
    "browser": browser,
    "engine": engine,
    "image": image,
    "container": container,
    "disk": disk,
    "indexes": indexes,
    "web": web,
    "model": model,
    "inputs": inputs,
}
"""Every check by its name, in the order in which they are told."""


def looked(name: str, configuration: Configuration) -> Check:
    """The outcome of one check, also where the program itself is not installed whole."""
    try:
        return CHECKS[name](configuration)
    except ImportError as error:
        return Check(
            name=name,
            state="fail",
            detail=say("checks.package_missing", error=error),
            remedy=say("checks.make_setup_installs"),
        )
