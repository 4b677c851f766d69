"""What a command does with the tasks that it is about: tell a plan, audit one, or audit many."""

import json
from typing import TYPE_CHECKING, Literal

from cases.sentences import Sentences
from verify import terminal
from verify.inputs import given_grader, with_grader, with_oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cases import Case
    from cases.library import Library, TaskSummary
    from evidence import Packed
    from graph import Plan
    from graph.verdict import Verdict
    from verify.auditor import Auditor
    from verify.batch.lines import Finished
    from verify.batch.selection import Shard
    from verify.config import Configuration
    from verify.progress import Loudness
    from verify.review import Reviewer
    from verify.several import PassedOver

say = Sentences(__name__)

Form = Literal["text", "json", "rubric"]


class Course:
    """The settings of one command, and how its answers look."""

    def __init__(
        self,
        configuration: "Configuration",
        library: "Library",
        failed: "PassedOver",
        reviewer: "Reviewer | None",
        loudness: "Loudness",
        form: Form,
        kept: "Callable[[Packed], None] | None" = None,
    ) -> None:
        """Read what is given with every task; of many, `kept` is told of each whose pack is there.

        Raises:
            InputError: the grader is none.
        """
        self._configuration, self._library, self._failed = configuration, library, failed
        self._reviewer, self._loudness, self._form = reviewer, loudness, form
        self._kept = kept
        self._script = given_grader(configuration)
        self.statuses: set[str] = set()
        """Those that occurred."""

    def plan(self, tasks: "Sequence[TaskSummary]") -> None:
        """Tell what would be tried; send nothing."""
        auditor = self._auditor()
        for task in tasks:
            try:
                case = self._load(task)
                plan = auditor.plan(case)
            except Exception as error:  # noqa: BLE001 - raised again where the others are not to go on
                self._failed(task.task_id, error, own=True)
            else:
                _show_plan(case, plan, auditor, as_json=self._form == "json")

    def one(self, task: "TaskSummary") -> None:
        """Audit a task and tell the whole answer."""
        from verify.auditor import clear

        clear(self._configuration)
        self._tell(self._auditor().audit(self._load(task)))

    def many(self, tasks: "Sequence[TaskSummary]", shard: "Shard | None", *, again: bool, whole: bool) -> None:
        """Audit tasks, tell each answer (the `whole` of it, or a line), and at the end what they come to.

        Raises:
            KeyboardInterrupt: it was asked to end, and some are left.
        """
        from verify.batch.closing import close
        from verify.batch.ledger import Reading, ledger_in
        from verify.batch.running import Batch

        def tell(line: "Finished", packed: "Packed | None") -> None:
            if packed and self._kept:
                self._kept(packed)
            if packed and (whole or self._form != "text"):
                self._tell(packed)
            else:
                self.statuses.add(line.status.value)
                self._line(line)

        if not tasks:
            return
        whole = whole or self._form != "text"
        how = (self._configuration, self._library, self._load, tell, self._failed, self._loudness)
        batch = Batch(*how, reviewer=self._reviewer, shard=shard, again=again, whole=whole or bool(self._kept))
        done = batch.run(tasks)
        out, left = self._configuration.out, done.left - done.errors
        keys = set(batch.keys.values())
        del batch
        self._library.forget()
        ledger = Reading(ledger_in(out, shard))
        lines = close(ledger, out, keys, share=shard is not None, errors=done.errors, left=left)
        if self._form == "text" or self._loudness != "quiet":
            console = terminal.out() if self._form == "text" else terminal.err()
            for text in lines:
                console.print(text)
        if done.interrupted:
            raise KeyboardInterrupt

    def _line(self, line: "Finished") -> None:
        from verify.printing import STYLES

        terminal.out().print(line.brief(self._configuration.out), style=STYLES[line.status.value])

    def _load(self, task: "TaskSummary") -> "Case":
        return with_oracle(with_grader(self._library.case(task), self._script), self._configuration)

    def _auditor(self) -> "Auditor":
        from verify.auditor import Auditor

        return Auditor(self._configuration, self._loudness, self._reviewer)

    def _tell(self, packed: "Packed") -> None:
        from evidence import document
        from verify.printing import show

        verdict: Verdict = packed.audit.verdict
        self.statuses.add(verdict.status.value)
        if self._form == "json":
            terminal.answer(json.dumps(document(packed), ensure_ascii=True))
        elif self._form == "rubric":
            terminal.answer(json.dumps(verdict.rubric_fields(), ensure_ascii=True))
        else:
            show(terminal.out(), packed.audit, packed.path)


def _show_plan(case: "Case", plan: "Plan", auditor: "Auditor", *, as_json: bool) -> None:
    from verify.failures import SCHEMA

    console = terminal.out()
    if as_json:
        steps = [step.model_dump(mode="json") for step in plan.steps]
        hypotheses = [one.model_dump(mode="json") for one in plan.hypotheses]
        named = {"benchmark": case.benchmark, "task_id": case.task_id}
        envelope = plan.envelope.model_dump(mode="json")
        first = {"case": named, "envelope": envelope, "retraced": plan.retraced}
        document = {**first, "hypotheses": hypotheses, "steps": steps}
        terminal.answer(json.dumps({"schema": SCHEMA, "plan": document}))
        return
    statements = {one.id: one.statement for one in plan.hypotheses}
    console.print(
        terminal.one_line(
            say(
                "batch.course.steps_nothing_sent",
                task_id=case.task_id,
                benchmark=case.benchmark,
                number=len(plan.steps),
            )
        )
    )
    if auditor.model:
        console.print(
            say(
                "batch.course.most_calls",
                name=terminal.one_line(auditor.model.name),
                calls=auditor.model.calls,
            )
        )
    for run in plan.retraced:
        told = say("batch.course.retraced", run=terminal.one_line(run))
        console.print(f"  {'retracer':<10} {told}")
    for step in plan.steps:
        statement = statements.get(step.hypothesis or "", say("batch.course.no_hypothesis_records_say"))
        console.print(f"  {step.probe:<10} {terminal.one_line(statement)}")
        for target in step.targets:
            console.print(f"  {'':<10} {terminal.shorten(target, 200)}")
