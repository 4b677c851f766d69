"""What convinces, on one screen: the same error then and now, what was tried, what removed it, what was assumed."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from cases import Outcome
from cases import patterns as re
from cases.sentences import Sentences, counted
from evidence.artifacts import EvidenceFile, path_of
from graph.aggregate import settle
from graph.conflicts import reconciled
from graph.rules import Settled
from graph.verdict import Audit, Status
from graph.words import say as words
from probes import LIFTED, STANDS_IN, Answer, Finding, Ground, Hypothesis, Question, Route, Value
from probes.barriers import titled
from probes.replay.resources.recipe import NAME, Recipe, read_recipe

say = Sentences(__name__)

_BEARING = ("user", "sudo", "network", "shell", "python", "allowed_imports")
"""What a replay's outcome may rest on."""
_NAMED = 3
_FIRST = 8
"""Assumed values that the first screen names."""
_INSTALLERS = ("install", "add")
_COREUTILS = "install"
"""The program of this name makes directories and copies files."""
_PACKAGE = re.compile(r"[A-Za-z0-9@][\w.+@/:-]*(?:[=<>~!]=?[\w.*]+)?")
_AT_HAND = {Ground.MACHINE, Ground.REFERENCE}

Sign = Literal["yes", "no", "open"]


@dataclass(frozen=True)
class Link:
    """One line of the chain."""

    sign: Sign
    """Whether it holds, does not, or is open."""
    text: str
    detail: str = ""
    anchor: str = ""
    """Where the report shows it."""


@dataclass(frozen=True)
class Fate:
    """What became of one hypothesis."""

    hypothesis: Hypothesis
    title: str
    told: str
    status: Status
    leads: bool


class Proof:
    """One audit, as few lines as it takes to believe or to doubt it."""

    def __init__(self, audit: Audit, evidence: tuple[EvidenceFile, ...] = ()) -> None:
        """Nothing is worked out before it is asked for."""
        self.audit = audit
        self._files = {file.artifact.sha256: file for file in evidence}

    @cached_property
    def settled(self) -> list[Settled]:
        """Every hypothesis with its three answers."""
        return reconciled([settle(one, self.audit.findings) for one in self.audit.hypotheses])

    @cached_property
    def leading(self) -> Settled | None:
        """The one that the verdict speaks about."""
        return next((one for one in self.settled if one.hypothesis.id == self.audit.verdict.leading), None)

    @cached_property
    def recipe(self) -> Recipe | None:
        """How the leading one was replayed."""
        for finding in self.leading.findings if self.leading else ():
            for artifact in finding.artifacts:
                file = self._files.get(artifact.sha256)
                if artifact.name == NAME and file and file.text and (found := read_recipe(file.text)):
                    return found
        return None

    @property
    def chain(self) -> list[Link]:
        """The lines, in the order in which they convince."""
        if self.leading is None:
            return []
        if self.leading.present is Answer.NO:
            return [self._same()]
        return [self._same(), *self._tried(), *self._lifted(), self._caused()]

    @property
    def strength(self) -> list[str]:
        """How firm it is, in a few words each; nothing that the verdict does not rest on."""
        return list(self._strength())

    @property
    def told(self) -> str:
        """The same as a sentence; empty where there is nothing to say."""
        return f"{_upper('; '.join(self.strength))}." if self.strength else ""

    @property
    def fates(self) -> list[Fate]:
        """What became of each hypothesis."""
        return [self._fate(one) for one in self.settled]

    @property
    def assumed(self) -> list[str]:
        """What the outcome may rest on and neither log nor profile says."""
        envelope = self.audit.envelope
        if not any(one.ground in _AT_HAND for one in self._decisive):
            return []
        values = ((name, getattr(envelope, name)) for name in _BEARING)
        return [words(f"envelope.{n}") for n, value in values if isinstance(value, Value) and value.origin == "assumed"]

    @property
    def assumption(self) -> str:
        """What the assumed values mean for this verdict; empty where none is."""
        if not self.assumed or self.audit.verdict.status is Status.INCONCLUSIVE:
            return ""
        if self.audit.verdict.status is Status.NOT_SUPPORTED:
            return say("assumption.counts")
        return say("assumption.never")

    @property
    def unknown(self) -> str:
        """What nobody knows of the agent's machine, what bears on a replay first; empty where all is known."""
        begun, _, _ = words.all["limit.assumed"].partition("{")
        if not any(limit.startswith(begun) for limit in self.audit.verdict.limits):
            return ""
        fields = dict.fromkeys((*_BEARING, *type(self.audit.envelope).model_fields))
        values = ((name, getattr(self.audit.envelope, name)) for name in fields)
        names = [
            words(f"envelope.{n}") for n, value in values if isinstance(value, Value) and value.origin == "assumed"
        ]
        return words("limit.assumed", names=_listed(names, _FIRST))

    @cached_property
    def routes(self) -> list[Route]:
        """Every permitted way around the leading barrier that was really tried."""
        found = (route for finding in self._about(Question.PASSABLE) for route in finding.routes)
        return [one for one in found if one.result in {"passed", "failed"} and one.tier != "T3"]

    @property
    def of_forms(self) -> bool:
        """Whether they are other forms of a right answer, put to a grader."""
        return bool(self.routes) and all(route.id.startswith("form: ") for route in self.routes)

    @cached_property
    def peers(self) -> int:
        """How many other runs passed."""
        return sum(run.outcome is Outcome.PASSED for run in self.audit.case.runs)

    @cached_property
    def lifted_with(self) -> str:
        """What removed the barrier: packages, or the command; empty where nothing did."""
        arm = next((arm for arm in self.recipe.arms if arm.kind == "lifted"), None) if self.recipe else None
        if arm is None or not self._is_lifted:
            return ""
        commands = [step.command for step in arm.steps if step.do == "run"][:-1]
        packages = dict.fromkeys(name for command in commands for name in _installed(command))
        return _listed([f"`{name}`" for name in packages]) if packages else ""

    @cached_property
    def _decisive(self) -> list[Finding]:
        wanted = set(self.audit.verdict.decisive)
        return [finding for finding in self.audit.findings if finding.id in wanted]

    @cached_property
    def _is_lifted(self) -> bool:
        return any(c.passed for one in self._about() for c in one.controls if c.name == LIFTED)

    def _about(self, question: Question | None = None) -> list[Finding]:
        found = self.leading.findings if self.leading else ()
        return [one for one in found if question in (None, one.question)]

    def _same(self) -> Link:
        leading, verdict = self.leading, self.audit.verdict
        assert leading is not None
        then, detail = verdict.barrier_then, self._summary(Question.PRESENT)
        if leading.present is Answer.YES:
            return Link("yes", say("proof.same_error" if then else "proof.fails_now"), detail, "then-now")
        if leading.present is Answer.NO:
            return Link("no", say("proof.gone" if then else "proof.not_met"), detail, "then-now")
        name = "only_log" if then else "unsettled" if self._about(Question.PRESENT) else "claimed"
        return Link("open", say(f"proof.{name}"), detail, "then-now")

    def _tried(self) -> Iterator[Link]:
        worked = [route for route in self.routes if route.result == "passed"]
        others = [route for route in worked if route.id != "another-agent-passed"]
        tried = [route for route in self.routes if route.id != "another-agent-passed"]
        if self.peers and len(worked) > len(others):
            name = "peers" if self.peers == 1 else "peers_more"
            yield Link("no", _upper(say(f"proof.{name}", passed=self.peers)), "", "runs")
        if not tried:
            if not worked:
                yield Link("open", _upper(say("proof.none_tried")), self._summary(Question.PASSABLE), "routes")
            return
        ways = counted(len(tried), "permitted way", "permitted ways")
        if others:
            names = _listed([f"`{route.id}`" for route in others])
            name = "proof.the_one_worked" if len(tried) == 1 else "proof.some_worked"
            told = say(name, worked=len(others), tried=ways, names=names)
            yield Link("no", _upper(told), self._summary(Question.PASSABLE), "routes")
        else:
            sign: Sign = "yes" if self.leading and self.leading.passable is Answer.NO else "open"
            told = say("proof.the_one_failed" if len(tried) == 1 else "proof.none_worked", tried=ways)
            if self.of_forms:
                told = say("proof.forms", tried=counted(len(tried), "other form", "other forms"))
            yield Link(sign, _upper(told), self._summary(Question.PASSABLE), "routes")

    def _lifted(self) -> Iterator[Link]:
        controls = [c for one in self._about() for c in one.controls if c.name == LIFTED]
        if not controls or any(route.result == "passed" for route in self.routes):
            return  # a way that worked says more
        control = next((one for one in controls if one.passed), controls[0])
        thing, gone = self.lifted_with, "is gone" in control.observed
        name = "not_lifted" if not control.passed else f"lifted{'_gone' if gone else ''}{'_with' if thing else ''}"
        yield Link("yes" if control.passed else "open", _upper(say(f"proof.{name}", thing=thing)), "", "controls")

    def _caused(self) -> Link:
        answer = self.leading.caused if self.leading else Answer.UNKNOWN
        name = {Answer.YES: "caused", Answer.NO: "not_caused", Answer.UNKNOWN: "caused_open"}[answer]
        if name == "caused" and self.leading and self.leading.passable is Answer.YES:
            name = "stopped_there"
        sign: Sign = "yes" if answer is Answer.YES else "no" if answer is Answer.NO else "open"
        return Link(sign, _upper(say(f"proof.{name}")), self._summary(Question.CAUSED), "findings")

    def _summary(self, question: Question) -> str:
        """The sentence that decides the question, or the first about it."""
        found = self._about(question)
        mine = [one for one in found if one in self._decisive] or found
        return mine[0].summary if mine else ""

    def _strength(self) -> Iterator[str]:
        verdict, audit = self.audit.verdict, self.audit
        yield from self._of_routes()
        known = [run for run in audit.case.runs if run.outcome is not Outcome.UNKNOWN]
        if self.peers:
            yield say("strength.peers", passed=self.peers, known=len(known))
        if self._is_lifted and verdict.status is not Status.NOT_SUPPORTED:
            yield say("strength.lifted")
        if any(STANDS_IN in one.limits for one in self._decisive):
            yield say("strength.stand_in")
        if audit.envelope.chosen and any(one.ground in _AT_HAND for one in self._decisive):
            yield say("strength.profile", profile=audit.envelope.profile)
        if self.assumed:
            yield say("strength.assumed", names=_listed(self.assumed))
        if any(one.ground is Ground.WEB for one in self._decisive):
            yield say("strength.lab" if verdict.lab else "strength.vantage")
        if verdict.by_person:
            yield say("strength.person")
        controls = {c for one in self._decisive for c in one.controls}
        if controls:
            yield say("strength.controls", passed=sum(c.passed for c in controls), all=len(controls))

    def _of_routes(self) -> Iterator[str]:
        tried = [route for route in self.routes if route.id != "another-agent-passed"]
        failed = sum(route.result == "failed" for route in tried)
        if len(tried) == 1 and not self.of_forms:
            yield say("strength.only_failed" if failed else "strength.only_worked")
        elif failed < len(tried) and not self.of_forms:
            yield say("strength.worked", worked=len(tried) - failed, tried=len(tried))
        elif tried:
            yield say("strength.forms" if self.of_forms else "strength.routes", failed=failed, tried=len(tried))

    def _fate(self, one: Settled) -> Fate:
        told = self._told(one)
        leads = one.hypothesis.id == self.audit.verdict.leading
        title = titled(one.hypothesis)
        return Fate(one.hypothesis, _upper(title), told, one.status, leads)

    @staticmethod
    def _told(one: Settled) -> str:
        if one.status is Status.SUPPORTED:
            return say("fate.supported")
        if one.status is Status.NOT_SUPPORTED:
            name = "passable" if one.passable is Answer.YES else "caused" if one.caused is Answer.NO else "absent"
            return say(f"fate.refuted_{name}")
        if one.present is Answer.NO:
            return say("fate.gone")
        if one.rival:
            return say("fate.rival", why=one.rival)
        answers = zip(Question, (one.present, one.passable, one.caused), strict=True)
        asked = [say(f"fate.open_{question}") for question, answer in answers if answer is Answer.UNKNOWN]
        return say("fate.unanswered", questions=" ".join(asked))


def recipes_of(audit: Audit, pack: Path) -> tuple[EvidenceFile, ...]:
    """How things were replayed, as a pack's folder that was just written holds it."""
    named = {one.sha256: one for finding in audit.findings for one in finding.artifacts if one.name == NAME}
    places = {digest: path_of(one, b"{}") for digest, one in named.items()}
    kept = {digest: pack / path for digest, path in places.items() if (pack / path).is_file()}
    return tuple(EvidenceFile(named[digest], places[digest], path.read_bytes()) for digest, path in kept.items())


def _installed(command: str) -> list[str]:
    """The packages that an installer's command names."""
    try:
        parts = shlex.split(command)
    except ValueError:
        return []
    at = next((place for place, word in enumerate(parts) if word in _INSTALLERS), None)
    if parts[:1] == [_COREUTILS]:
        return []
    named = parts[at + 1 :] if at is not None else []
    return [word for word in named if _PACKAGE.fullmatch(word)]


def _listed(names: list[str], most: int = _NAMED) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (say("more", number=more) if more > 0 else "")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
