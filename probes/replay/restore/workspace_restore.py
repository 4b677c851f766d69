"""The files that belong into the first container: the task's, those that the run wrote, those that it printed."""

import posixpath
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from cases import FileWrite
from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import files_of
from probes.replay.resources.log import Log, run
from probes.replay.resources.run import ReplayRun
from probes.replay.restore.printed import Printed, printed
from probes.replay.restore.rights import entries, given_back, shows
from probes.replay.target.needs import codes_of, gone_to, needs, paths_of
from sandboxes import Executed, SandboxError, Session
from sandboxes.packing import Packed

say = Sentences(__name__)

SHOWN = 5
"""Paths named in one sentence."""
SECONDS = 60
IMAGE = "the image"
_SPEAKING = ("readme*", "liesmich*", "lisezmoi*", "leeme*", "install*", "*.md", "*.rst", "*sums", "*.md5", "*.sha256")
DOCUMENTS = (
    "find . -maxdepth 5 -type f -size -200k -not -path '*/.*/*' -not -path '*/node_modules/*' "
    rf"\( {' -o '.join(map('-iname {!r}'.format, _SPEAKING))} \) -print 2>/dev/null | sort | head -40 "
    '| while IFS= read -r f; do echo "==> $f <=="; head -c 60000 "$f"; echo; done; true'
)
"""Names and texts of the files that speak for a task."""
HELD = (
    "test $PWD != / && find . -maxdepth 5 -type f -not -path '*/.*' -not -path '*/node_modules/*' "
    "-not -path '*/site-packages/*' -printf '%d %p\\n' 2>/dev/null | sort -n | cut -d ' ' -f 2- | head -200; true"
)
_NAME = re.Whole(r"[\w.-]", r"[\w-]|\.\w")
ENOUGH = 3
"""Files of the task's that an image holds, to know it for the task's own."""
PATH = re.compile(r"(?<![\w./-])(?:/[\w./-]+|[\w./-]*\w\.\w+)")
"""What looks like one in source code."""


@dataclass
class Furnishing:
    """What is put into one container, in order with the run's commands."""

    work: ReplayRun
    stage: Session
    log: Log = field(default_factory=lambda: Log("replay-files"))
    written: list[str] = field(default_factory=list)
    reconstructed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    packed: Packed | None = None
    _writes: list[FileWrite] = field(default_factory=list)
    _printed: list[Printed] = field(default_factory=list)

    def begin(self) -> None:
        """Copy the task's files into the working directory and look through the record for others.

        Raises:
            SandboxError: they cannot be copied.
        """
        subject, failing = self.work.subject, self.work.subject.event
        if failing is not None:
            self._writes = [write for write in subject.events.writes if write.after <= failing]
            self._printed = printed(subject.events.commands, subject.events.writes, failing)
        workspace = self.work.context.settings.workspace
        if workspace is not None:
            self._copy(workspace)
        elif self._holds_what_was_seen() or self._holds_what_was_told():
            self.work.outcome.documents = self._documents()
        self.work.outcome.given = tuple(self._present(self._named()))

    def begin_after(self) -> None:
        """Only what the run wrote after the failing command is to be put back."""
        subject = self.work.subject
        failing = subject.event if subject.event is not None else len(subject.events.commands)
        self._printed = []
        self._writes = [write for write in subject.events.writes if write.after > failing]

    def _holds_what_was_seen(self) -> bool:
        """Whether all that the run's first look showed lies in the image."""
        seen = [self._whole(path) for path in self.work.subject.seen]
        return bool(seen) and not self._absent(seen)

    def _holds_what_was_told(self) -> bool:
        """Whether what the run was shown names the files that lie in the image's working directory before anything of
        the run's is put there: all of them, or several of many.
        """
        names = set(map(posixpath.basename, run(self.stage, self.log, HELD, SECONDS, looks=True).output.splitlines()))
        told = "\n".join(command.output or "" for command in self.work.subject.events.commands)
        found = {name for name in names if _NAME.within(name, told)}
        return bool(found) and len(found) >= min(len(names), ENOUGH)

    def _documents(self) -> tuple[tuple[str, str], ...]:
        """What of the image's own files speaks for the task; the image itself where none does."""
        done = run(self.stage, self.log, DOCUMENTS, SECONDS, looks=True)
        texts = re.split(r"(?m)^==> (.+) <==$\n", done.output)
        named = {posixpath.normpath(name): text for name, text in zip(texts[1::2], texts[2::2], strict=True)}
        return tuple(named.items()) or ((IMAGE, ""),)

    def up_to(self, place: int) -> None:
        """Put back what was there before the run's command of this index."""
        while self._writes and self._writes[0].after <= place:
            self._write(self._writes.pop(0))
        while self._printed and self._printed[0].before <= place:
            self._put_back(self._printed.pop(0))

    def end(self) -> bool:
        """Put back the rest, and say what was and what could not be; whether the container was changed."""
        self.up_to(len(self.work.subject.events.commands))
        outcome = self.work.outcome
        self._look_for_needs()
        if self.packed:
            place = self.work.context.envelope.workdir.value
            outcome.limits.append(
                say("workspace_restore.task_files_those", task_files=len(outcome.task_files or ()), place=place)
            )
            if self.packed.skipped:
                outcome.limits.append(say("workspace_restore.not_copied", skipped=_list(list(self.packed.skipped))))
        if self.written:
            outcome.limits.append(say("workspace_restore.files_run_wrote", written=_list(self.written)))
        if self.reconstructed:
            told = _list(self.reconstructed)
            outcome.limits.append(say("workspace_restore.files_reconstructed_what", told=told))
        if self.failed:
            outcome.limits.append(say("workspace_restore.files_run_wrote_could", failed=_list(self.failed)))
        if self.log.lines:
            self.work.keep(self.log)
        return bool(self.written or self.reconstructed or outcome.task_files)

    def _copy(self, workspace: Path) -> None:
        outcome, place = self.work.outcome, self.work.context.envelope.workdir.value
        self.packed = self.stage.put_tree(place, workspace)
        outcome.task_files = files_of(workspace)
        self.log.note(say("workspace_restore.copied", number=len(outcome.task_files), place=place))
        commands, user = self.work.subject.events.commands, self.stage.spec.user
        if shows(user, commands) and (back := given_back(entries(commands, place), place, user)):
            run(self.stage, self.log, back, SECONDS, user="root")
            outcome.limits.append(say("workspace_restore.rights"))

    def _write(self, write: FileWrite) -> None:
        content = write.content
        if write.how in {"replace", "insert"}:
            edited = self._edited(write)
            if edited is None:
                self.failed.append(write.path)
                return
            content = edited
        done = self._place(write.path, content, ">>" if write.how == "append" else ">")
        (self.written if done.ok else self.failed).append(write.path)

    def _edited(self, write: FileWrite) -> str | None:
        """The whole text after an edit, or None where the file is not as the edit expects it."""
        try:
            text = self.stage.get(self._whole(write.path)).decode("utf-8")
        except (SandboxError, UnicodeDecodeError):
            return None
        if write.how == "replace":
            return text.replace(write.old or "", write.content, 1) if write.old and write.old in text else None
        lines = text.splitlines(keepends=True)
        if write.line is None or write.line > len(lines):
            return None
        added = write.content if write.content.endswith("\n") else f"{write.content}\n"
        return "".join((*lines[: write.line], added, *lines[write.line :]))

    def _put_back(self, file: Printed) -> None:
        path = posixpath.join(file.cwd, file.path) if file.cwd else file.path
        there = run(self.stage, self.log, f"test -e {shlex.quote(self._whole(path))}", SECONDS, looks=True)
        if not there.ok and self._place(path, file.content, ">").ok:
            self.reconstructed.append(path)

    def _place(self, path: str, content: str, how: str) -> Executed:
        whole = shlex.quote(self._whole(path))
        command = f"mkdir -p $(dirname {whole}) && printf %s {shlex.quote(content)} {how} {whole}"
        return run(self.stage, self.log, command, SECONDS)

    def _whole(self, path: str) -> str:
        home = self.work.subject.home
        path = f"{home}/{path[2:]}" if path.startswith("~/") else path
        return posixpath.join(self.stage.spec.workdir, path)

    def _look_for_needs(self) -> None:
        """What the failing command, or an earlier one that went otherwise than in the run, needs and has not."""
        work = self.work
        attempt = work.subject.attempts[0]
        place = self.stage.spec.workdir
        if not attempt.reconstructed:
            wanted = [path for path in needs(attempt.command, place) if not _missed(path, work.subject.output)]
            about = posixpath.basename(work.subject.about)
            wanted = [path for path in wanted if posixpath.basename(path) != about]
            work.outcome.absent += self._absent(wanted)
        lost = [step for step in work.outcome.prior if not step.rebuilt and step.recorded == 0]
        earlier = self._absent([path for step in lost for path in needs(step.command, place)])
        if earlier:
            work.outcome.limits.append(say("workspace_restore.earlier_commands_needed", earlier=_list(earlier)))

    def _named(self) -> list[str]:
        """Paths that the failing command names, what the failure is about, and its directory."""
        subject, place = self.work.subject, self.stage.spec.workdir
        command = subject.attempts[0].command
        here = posixpath.join(place, gone_to(command))
        words = [*paths_of(command), *(match[0] for code in codes_of(command) for match in PATH.finditer(code))]
        about = [subject.about, posixpath.dirname(subject.about)] if "/" in subject.about else [subject.about]
        return [posixpath.normpath(posixpath.join(here, word)) for word in (*words, *about) if word]

    def _present(self, paths: list[str]) -> list[str]:
        missing = set(self._absent(paths))
        return [path for path in dict.fromkeys(paths) if path not in missing]

    def _absent(self, paths: list[str]) -> list[str]:
        if not paths:
            return []
        words = " ".join(shlex.quote(path) for path in dict.fromkeys(paths))
        done = run(self.stage, self.log, f'for p in {words}; do [ -e "$p" ] || echo "$p"; done', SECONDS, looks=True)
        return [line for line in done.output.splitlines() if line in paths] if done.ok else []


def _missed(path: str, output: str) -> bool:
    """Whether the run's own output already said that it was not there."""
    name = posixpath.basename(path)
    return any(name in line and "No such file or directory" in line for line in output.splitlines())


def _list(paths: list[str]) -> str:
    named = list(dict.fromkeys(paths))
    more = say("workspace_restore.more", number=len(named) - SHOWN) if len(named) > SHOWN else ""
    return f"{', '.join(named[:SHOWN])}{more}"
