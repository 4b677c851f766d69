"""Files that may be the missing one under another name, each tried in its place."""

import posixpath
import shlex
from collections.abc import Collection
from dataclasses import replace

from cases import patterns as re
from cases.sentences import Sentences
from probes.replay.arms.measuring import traced_in
from probes.replay.handlers.file_details import FileDetails
from probes.replay.handlers.searching import NOT_LOOKED_INTO
from probes.replay.resources.log import Log
from probes.replay.resources.outcome import Replayed
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from sandboxes import SandboxError, Session

say = Sentences(__name__)

MOST = 3
"""Files that are tried; where there are more, they stay a doubt."""
SECONDS = 60


def try_kin(work: ReplayRun, decisive: Replayed) -> None:
    """Put files that may be the missing one under another name into its place: those that were read, and with which the
    command fails all the same and gets no further, to no other file, though nothing else is missing, are not it. The
    only such file is not it either where the command then misses another one of the same set, which lies nowhere.
    """
    details = work.subject.details
    if not isinstance(details, FileDetails) or not details.kin or len(details.kin) > MOST:
        return
    left = tuple(one for one in details.kin if not _is_another(work, one, details.place, decisive.command))
    work.subject = replace(work.subject, details=replace(details, kin=left))


def _is_another(work: ReplayRun, kin: str, place: str, command: str) -> bool:
    folder, log = shlex.quote(posixpath.dirname(place)), Log("replay-like-named")
    whole = f"test -e {folder} || test ! -L {folder} || rm {folder}"
    put = f"{{ {whole}; }} && mkdir -p {folder} && cp -r {shlex.quote(kin)} {shlex.quote(place)}"
    try:
        with work.containers.start(work.spec) as session:
            if work.steps(session, log, (put,), "", COMMAND_SECONDS):
                return False
            traced = traced_in(work, session, command, SECONDS)
            further = _kept(session, set(traced.opened) - {*work.outcome.opened, place})
            last = [fact for fact in traced.facts if fact.kind == "file missing" and fact.named and fact.last]
            missed = [fact.subject for fact in last if fact.subject != place]
            beside = [path for path in missed if _of_one_set(path, place, kin)]
            alone = len(work.subject.told(FileDetails).kin) == 1 and _nowhere(session, beside)
    except SandboxError as error:
        work.observe(f"{kin} in its place", say("settling.could_not_tried", error=error), None, work.keep(log))
        return False
    known = {fact.key for fact in work.outcome.facts}
    other = [fact for fact in traced.facts if fact.named and fact.key not in known]
    log.note(say("like_named.traced", how=traced.done.how, output=traced.done.output[-2000:]))
    log.note(say("like_named.opened", further=", ".join(further) or say("like_named.nothing")))
    work.observe(
        f"{kin} in its place", say("positive_control.same_command_ended", how=traced.done.how), None, work.keep(log)
    )
    ended = not traced.done.ok and traced.done.limit is None
    return ended and place in traced.opened and (alone or (not further and not other))


def _of_one_set(path: str, place: str, kin: str) -> bool:
    """Whether two files of a folder have one beginning and one ending, up to a separator, that a third one has, too."""
    if posixpath.dirname(path) != posixpath.dirname(place):
        return False
    (one, ending), (other, its), (third, last) = (
        posixpath.splitext(posixpath.basename(each)) for each in (path, place, kin)
    )
    begins = re.sub(r"[^-_. ]*$", "", posixpath.commonprefix([one, other]))
    return ending == its == last and bool(begins) and third.startswith(begins)


def _nowhere(session: Session, paths: Collection[str]) -> bool:
    """Whether there is one of these files of whose name no file has what comes behind the last separator."""
    stems = {posixpath.splitext(posixpath.basename(path))[0] for path in paths}
    names = sorted({re.split(r"[-_. ]", stem)[-1] for stem in stems})[:MOST]
    look = f"find / {NOT_LOOKED_INTO} -iname"
    asked = f'for n in {shlex.join(names)}; do {look} "*$n*" -print 2>/dev/null | grep -q . || echo "$n"; done; true'
    return bool(names) and bool(session.run(asked, seconds=SECONDS, looks=True).output.strip())


def _kept(session: Session, paths: Collection[str]) -> list[str]:
    """Those of the files that are still there: a temporary one was no step further."""
    asked = f'for f in {shlex.join(sorted(paths))}; do test -e "$f" && echo "$f"; done; true'
    return session.run(asked, seconds=20, looks=True).output.splitlines() if paths else []
