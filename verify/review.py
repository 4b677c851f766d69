"""What a person says of a verdict before it becomes final."""

import getpass
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from cases import InputError
from cases.sentences import Sentences

if TYPE_CHECKING:
    from graph.verdict import Audit, Review

say = Sentences(__name__)

REASONED = ("reject", "yes", "no")
"""What needs a reason."""
_NOTHING_ASKED = say("review.yes_no_answer_open")


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
        question = audit.verdict.open_question or say("review.right")
        console.print(f"  question  {terminal.one_line(question)}")
        if self.given and self.given.decision not in words:
            raise InputError(
                say(
                    "review.answer_not_apply_answer",
                    decision=self.given.decision,
                    task_id=audit.case.task_id,
                    nothing_asked=_NOTHING_ASKED,
                )
            )
        if self.given or not sys.stdin.isatty():
            raise InputError(say("review.verdict_waits_review_look", task_id=audit.case.task_id, words="|".join(words)))
        return self._typed(words)

    def _typed(self, words: tuple[str, ...]) -> "Review":
        from verify import terminal

        while True:
            terminal.err().print(say("review.all_but_accept_reason", words=", ".join(words)), end="")
            line = sys.stdin.readline()
            if not line:
                raise InputError(say("review.review_left_without_answer"))
            word, _, reason = line.strip().partition(" ")
            try:
                review = _checked(word.lower(), reason, self.name)
            except InputError as error:
                terminal.warn(str(error))
                continue
            if review.decision in words:
                return review
            terminal.warn(say("review.not_apply_type_accept", decision=review.decision, nothing_asked=_NOTHING_ASKED))


def _checked(answer: str, because: str, name: str) -> "Review":
    from pydantic import ValidationError

    from graph.verdict import Review

    reason = " ".join(because.split())
    if answer in REASONED and not reason:
        raise InputError(say("review.answer_needs_reason_because", answer=answer))
    try:
        return Review.model_validate({"decision": answer, "reason": reason, "reviewer": name, "at": datetime.now(UTC)})
    except ValidationError:
        raise InputError(say("review.no_answer_review_say", answer=answer)) from None


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
        return getpass.getuser()
    except (KeyError, OSError):
        raise InputError(say("review.nobody_says_you", option=option)) from None
