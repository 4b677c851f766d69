"""An image of ours made liker to the run's machine: what that had of itself, and without what it had not."""

import shlex
from dataclasses import replace

from cases import patterns as re
from cases.sentences import Sentences
from probes.replay.resources.log import Log, run
from probes.replay.resources.run import ReplayRun
from sandboxes import ImageUnavailable, Spec
from sandboxes.images import BASE

say = Sentences(__name__)

SECONDS = 60
_ANEW = """echo 'APT::Get::ReInstall "true";' >/etc/apt/apt.conf.d/90anew"""
"""Lets apt bring a package again of which it believes that all of it is there."""


def extended(work: ReplayRun, image: str) -> str:
    """The image with it; the image itself where nothing is needed or it could not be had, which is then a limit."""
    commands = work.subject.handler.extras(work.subject, work.context.envelope)
    if not commands:
        return image
    lacking = say("extending.what_run_machine")
    if work.context.settings.offline:
        work.outcome.limits.append(say("extending.offline_asked", lacking=lacking))
        return image
    try:
        image = work.shop.extended(image, commands, work.context.say)
        work.outcome.changes = commands
    except ImageUnavailable as error:
        work.outcome.limits.append(f"{lacking}: {error}.")
    return image


def reduced(work: ReplayRun, spec: Spec) -> Spec:
    """The container without the programs that the record shows the run's machine not to have had.

    Only the base image is reduced: it has more than a machine that nobody knows; any other image is the run's own.
    """
    envelope, missed = work.context.envelope, work.subject.missed
    if not missed or envelope.dockerfile.value or envelope.image.value != BASE:
        return spec
    log, command = Log("replay-reduced"), " ".join((*map(_without, missed), _ANEW))
    with work.containers.start(Spec(image=spec.image, user="root", workdir="/")) as session:
        taken = run(session, log, command, SECONDS).output.split()
        if not taken:
            return spec
        work.keep(log)
        image = session.snapshot()
    work.outcome.limits.append(say("extending.taken_out_image", taken=", ".join(taken)))
    work.outcome.changes += (command,)
    return replace(spec, image=image)


def _without(program: str) -> str:
    """Prints the program's paths, those of its versions too, and removes them."""
    named = shlex.quote(rf".*/([^/]*-linux-gnu-)?{re.escape(program)}(-[0-9.]+)?")
    lying = r"find / -xdev -regextype posix-extended \( -path /proc -o -path /sys -o -path /opt/impassable \) -prune"
    return rf"{lying} -o -regex {named} \( -type f -o -type l \) -perm /111 -print -exec rm -f {{}} \; 2>/dev/null;"
