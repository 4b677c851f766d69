"""One audit from the command's side: where its state is kept, how it is resumed, where its pack goes."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cases import Case, InputError
from cases import patterns as re
from cases.masking import Mask
from cases.remembered import forget_most
from cases.sentences import Sentences
from probes import ArtifactStore, Resources
from sandboxes.temporary import own_folder
from verify.config import SHARING, Configuration
from verify.model import model_options
from verify.progress import Loudness, Reporter
from verify.settings import settings_of
from verify.shutdown import Drain, run, side_by_side
from verify.state import checkpoints_in, clear_finished, held, make_directory, note_pack, remove, set_aside
from verify.terminal import warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evidence import Packed
    from evidence.pack import ReadyPack
    from evidence.signing import CryptoSigner
    from graph import AuditOptions, Plan
    from graph.checkpoints import Shared
    from graph.verdict import Audit, Review
    from verify.review import Reviewer

say = Sentences(__name__)


T = TypeVar("T")


def _raised(_: object, error: Exception) -> None:
    raise error


def _itself(case: object) -> Any:  # noqa: ANN401 - what is loaded already
    return case


def _nowhere(_: object, _packed: object, _seconds: float) -> None:
    """Nothing is kept but the pack."""


@dataclass(frozen=True)
class _Round(Generic[T]):
    """How the tasks of one call are taken."""

    load: "Callable[[T], Case | None]"
    kept: "Callable[[T, Packed, float], None]"
    drain: Drain | None

    @property
    def ending(self) -> bool:
        """Whether nothing more is to be begun."""
        return self.drain is not None and self.drain.asked


class Auditor:
    """Audits cases with the settings of one command.

    State of unfinished audits lives in the configuration's `state` directory, in a folder for each: its checkpoints and
    artifacts, which are removed once they are in a pack.
    """

    def __init__(
        self,
        configuration: Configuration,
        loudness: Loudness,
        reviewer: "Reviewer | None" = None,
        reporter: "Callable[[Callable[[str], str], str], Reporter] | None" = None,
    ) -> None:
        """Check the settings; a `reviewer` is asked where they say so, a `reporter` is made for each of many tasks.

        Raises:
            CredentialsError: a model was asked for without a key.
            InputError: a file that does not exist, an address that is none.
        """
        own_folder()
        self._configuration = configuration
        self._loudness = loudness
        self._reviewer = reviewer
        self._reporters = reporter
        self._signer = _signer(configuration.key)
        self.settings = settings_of(configuration)
        self.model = model_options(configuration)

    def plan(self, case: Case) -> "Plan":
        """What would be tried; sends nothing.

        Raises:
            InputError: the profile cannot be used.
            KeyboardInterrupt: somebody ended it.
        """
        from graph import plan

        with TemporaryDirectory(prefix="impassable-plan-") as directory:
            return run(plan(case, self._options(), ArtifactStore(Path(directory))))

    def audit(self, case: Case) -> "Packed":
        """Audit one case and write its pack; see `audit_all`."""
        done: list[Packed] = []
        self.audit_all([case], done.append)
        return done[0]

    def audit_all(
        self,
        tasks: "Sequence[T]",
        tell: "Callable[[Packed], None]",
        failed: "Callable[[T, Exception], None]" = _raised,
        *,
        load: "Callable[[T], Case | None]" = _itself,
        kept: "Callable[[T, Packed, float], None]" = _nowhere,
        drain: Drain | None = None,
    ) -> None:
        """Audit tasks with one browser for all, and `tell` of each once its pack is written.

        Each is loaded when its turn comes, and passed over where that gives nothing. `kept` is told with the seconds
        before anything that a repeated call would go on from is removed: after a kill at any moment the same call gives
        the same pack. Where one cannot be audited, `failed` is told why, and the others go on unless it raises.

        Raises:
            OSError: the disk is full or a directory cannot be written; nothing half-written stays in the pack's place.
        """
        from graph.review import ReviewNeeded

        left = list(tasks)
        answer = self._given
        how = _Round(load, kept, drain)
        while left and not how.ending:
            try:
                run(self._audit_all(left, tell, failed, answer, how), drain)
            except ReviewNeeded as needed:
                if self._reviewer is None:
                    raise
                try:
                    answer = self._reviewer.ask(needed.audit)
                except InputError as error:
                    failed(left.pop(0), error)

    async def _audit_all(
        self,
        left: "list[T]",
        tell: "Callable[[Packed], None]",
        failed: "Callable[[T, Exception], None]",
        answer: "Review | None",
        how: "_Round[T]",
    ) -> None:
        """Those that are `left`, taken from it one by one, some side by side; the `answer` is about the first.

        A person is asked of one at a time.
        """
        from graph import open_batch
        from graph.review import ReviewNeeded

        answers = [answer]

        async def next_ones() -> None:
            while left and not how.ending:
                task, given = left.pop(0), answers.pop() if answers else self._given
                try:
                    case = how.load(task)
                    packed = await self._audit(case, batch, given, partial(how.kept, task)) if case else None
                except ReviewNeeded:
                    left.insert(0, task)
                    raise
                except Exception as error:  # noqa: BLE001 - `failed` raises it where the others are not to go on
                    failed(task, error)
                else:
                    if packed:
                        tell(packed)
                await asyncio.sleep(0)  # so that a request to end is heard between two that nothing waits in

        async with open_batch() as batch:
            await side_by_side(next_ones, 1 if self._reviewer else min(len(left), self._configuration.at_once))

    @property
    def _given(self) -> "Review | None":
        """What a person has answered beforehand."""
        return self._reviewer.given if self._reviewer else None

    async def one(self, case: Case, batch: Resources, kept: "Callable[[Packed, float], None]") -> "Packed":
        """Audit a case in the caller's event loop and batch; `kept` is told as by `audit_all`."""
        return await self._audit(case, batch, None, kept)

    async def _audit(
        self, case: Case, batch: Resources, answer: "Review | None", kept: "Callable[[Packed, float], None]"
    ) -> "Packed":
        from evidence import masked
        from graph.checkpoints import Shared
        from graph.review import ReviewNeeded

        began, database = monotonic(), self._configuration.checkpoints
        shared = Shared(database.get_secret_value()) if database else None
        work = self._configuration.state / _folder_name(case, self._configuration)
        make_directory(self._configuration.out, "--out")
        async with held(work, lambda text: warn(f"{case.task_id} {text}")):
            store = ArtifactStore(work / "artifacts")
            try:
                ready = self._ready(await self._settled(case, work, store, batch, answer, shared), store)
                packed = await asyncio.to_thread(self._placed, ready)
            except ReviewNeeded as needed:
                raise ReviewNeeded(masked(needed.audit, store, public=self._configuration.public)) from None
            except Exception as error:
                Mask(case).error(error)
                raise
            note_pack(work, packed.path.name)
            kept(packed, monotonic() - began)
            forget_most()
            if shared:
                await shared.forget()
            remove(work)
            return packed

    async def _settled(
        self,
        case: Case,
        work: Path,
        store: ArtifactStore,
        batch: Resources,
        answer: "Review | None",
        shared: "Shared | None",
    ) -> "Audit":
        """The audit, once more from its beginning where what is kept of it cannot be read."""
        from graph import StateDamaged, audit

        async def settled() -> "Audit":
            with self._reporter(case) as progress:
                return await audit(
                    case,
                    self._options(),
                    store,
                    checkpoints=shared or checkpoints_in(work),
                    progress=None if self._loudness == "quiet" else progress,
                    batch=batch,
                    answer=answer,
                )

        try:
            return await settled()
        except (StateDamaged, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            warn(say("auditor.earlier_audit_left_cannot", task_id=case.task_id, error=error, set_aside=set_aside(work)))
        return await settled()

    def _placed(self, ready: "ReadyPack") -> "Packed":
        """The pack on the disk, and its zip in the store where there is one."""
        packed = ready.placed(self._configuration.out)
        if self._configuration.evidence:
            from evidence.placing import store

            store(packed.path, self._configuration.evidence)
        return packed

    def _ready(self, settled: "Audit", store: ArtifactStore) -> "ReadyPack":
        from evidence import ready_pack

        return ready_pack(settled, store, self._signer, public=self._configuration.public)

    def _reporter(self, case: Case) -> Reporter:
        told: Callable[[str], str] = str
        if self._configuration.public:
            from evidence.public import Public

            told = Public(case).text
        return self._reporters(told, case.task_id) if self._reporters else Reporter(self._loudness, told)

    def repeat(self, earlier: "Audit", pack: str) -> "Packed":
        """Ask the probes of an audit again, whose pack has this digest; writes a pack of its own.

        Raises:
            OSError: the disk is full or a directory cannot be written.
        """
        from graph import audit
        from graph.rerun import Rerun

        make_directory(self._configuration.out, "--out")
        with TemporaryDirectory(prefix="impassable-rerun-") as directory, self._reporter(earlier.case) as progress:
            store = ArtifactStore(Path(directory))
            again = Rerun(earlier, pack)
            work = audit(earlier.case, self._options(), store, progress=progress, repeat=again)
            settled = run(work)
            return self._placed(self._ready(settled, store))

    def _options(self) -> "AuditOptions":
        from graph import AuditOptions

        configuration = self._configuration
        return AuditOptions(
            rubric=configuration.rubric,
            profile=configuration.profile,
            network=configuration.network,
            settings=self.settings,
            model=self.model,
            review=configuration.review,
        )


def clear(configuration: Configuration, finished: "Callable[[], Collection[str]]" = tuple) -> None:
    """Remove what killed commands have left in the folders of packs and state; `finished` are a ledger's packs."""
    from evidence.placing import clear_partial

    clear_partial(configuration.out)
    clear_finished(configuration.state, finished)


def _signer(key: Path | None) -> "CryptoSigner | None":
    if key is None:
        return None
    from evidence.signing import load_signer

    return load_signer(key)


def _folder_name(case: Case, configuration: Configuration) -> str:
    """Readable, safe as a file name, and different for audits of the same task with other inputs or settings."""
    inputs = [case.benchmark, case.task_id, *(run.run_id for run in case.runs), *(one.claim_id for one in case.claims)]
    told = repr((inputs, configuration.model_copy(update=dict.fromkeys(SHARING)))).encode("utf-8", "backslashreplace")
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", case.task_id)[:60].strip(".-")
    return f"{readable}-{hashlib.sha256(told).hexdigest()[:12]}"
