"""What a person says of a verdict before it becomes final."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from cases import InputError

if TYPE_CHECKING:
    from graph.verdict import Audit, Review

REASONED = ("reject", "yes", "no")
"""What needs a reason."""
_NOTHING_ASKED = "yes and no answer an open question, and nothing is asked here"


@dataclass(frozen=True)
class Reviewer:
    """A person, at the terminal or in the command's own words."""

    name: str
    given: "Review | None"
    """What the command itself answers."""

    @classmethod
    def of(cls, answer: str | None, because: str | None, name: str | None) -> Self:
        """From the command's options.

        Raises:
            InputError: the answer is no answer, or lacks its reason.
        """
        known = name or known_name("--reviewer")
        return cls(known, _checked(answer, because or "", known) if answer else None)

    def ask(self, audit: "Audit") -> "Review":
        """Show what is decided and take an answer.

        Raises:
            InputError: nobody sits at the terminal; says how to answer.
        """
        from graph.review import decisions
        from verify import terminal
        from verify.printing import show

        words = decisions(audit.verdict)
        console = terminal.err()
        show(console, audit, None)
        question = audit.verdict.open_question or "Is this right?"
        console.print(f"  question  {terminal.one_line(question)}")
        if self.given and self.given.decision not in words:
            raise InputError(
                f"the answer {self.given.decision} does not apply to {audit.case.task_id}: {_NOTHING_ASKED}; answer "
                "with the same command and --answer accept, or --answer reject --because TEXT"
            )
        if self.given or not sys.stdin.isatty():
            raise InputError(
                f"the verdict on {audit.case.task_id} waits for a review; look at it, then answer with the same "
                f"command and --answer {'|'.join(words)} --because TEXT"
            )
        return self._typed(words)

    def _typed(self, words: tuple[str, ...]) -> "Review":
        from verify import terminal

        while True:
            terminal.err().print(f"{', '.join(words)}; all but accept with a reason on the same line: ", end="")
            line = sys.stdin.readline()
            if not line:
                raise InputError("the review was left without an answer; the same command asks again")
            word, _, reason = line.strip().partition(" ")
            try:
                review = _checked(word.lower(), reason, self.name)
            except InputError as error:
                terminal.warn(str(error))
                continue
            if review.decision in words:
                return review
            terminal.warn(f"{review.decision} does not apply: {_NOTHING_ASKED}; type accept, or reject with a reason")


def _checked(answer: str, because: str, name: str) -> "Review":
    from pydantic import ValidationError

    from graph.verdict import Review

    reason = " ".join(because.split())
    if answer in REASONED and not reason:
        raise InputError(f"the answer {answer} needs a reason; give it with --because TEXT")
    try:
        return Review.model_validate({"decision": answer, "reason": reason, "reviewer": name, "at": datetime.now(UTC)})
    except ValidationError:
        raise InputError(f"{answer!r} is no answer to a review; say accept, reject, yes or no") from None


def known_name(option: str) -> str:
    """Who runs the program, as git or the system calls them.

    Raises:
        InputError: nobody says; the option does.
    """
    if shutil.which("git"):
        told = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, check=False)
        if told.stdout.strip():
            return told.stdout.strip()
    try:
        import getpass

        return getpass.getuser()
    except (KeyError, OSError):
        raise InputError(f"nobody says who you are; give {option} NAME") from None
