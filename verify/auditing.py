"""One audit from the command's side: where its state is kept, how it is resumed, where its pack goes."""

import hashlib
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cases import Case, InputError
from cases import patterns as re
from cases.masking import Mask
from probes import ArtifactStore, Resources, Settings, WebSettings
from verify.config import Configuration, parse_resolve
from verify.ending import run
from verify.model import model_options
from verify.progress import Loudness, Reporter
from verify.state import checkpoints_in, held, make_directory, remove, set_aside
from verify.terminal import warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from evidence import Packed
    from evidence.signing import CryptoSigner
    from graph import AuditOptions, Plan
    from graph.verdict import Audit, Review
    from verify.review import Reviewer


def _raised(_: Case, error: Exception) -> None:
    raise error


class Auditor:
    """Audits cases with the settings of one command.

    State of unfinished audits lives in the configuration's `state` directory, in a folder for each: its checkpoints and
    artifacts, which are removed once they are in a pack.
    """

    def __init__(self, configuration: Configuration, loudness: Loudness, reviewer: "Reviewer | None" = None) -> None:
        """Check the settings; a `reviewer` is asked where the configuration says so.

        Raises:
            CredentialsError: a model was asked for without a key.
            InputError: a file that does not exist, an address that is none.
        """
        self._configuration = configuration
        self._loudness = loudness
        self._reviewer = reviewer
        if configuration.lab_ca is not None and not configuration.lab_ca.is_file():
            raise InputError(f"--lab-ca {configuration.lab_ca}: no such file; give a certificate authority in PEM form")
        if configuration.workspace is not None:
            _check_workspace(configuration.workspace)
        for url in configuration.control:
            if not re.match(r"https?://[^\s/]", url):
                raise InputError(f"--control {url}: not an http or https URL")
        if configuration.vantage is not None:
            _check_vantage(configuration.vantage.get_secret_value())
        self._signer = _signer(configuration.key)
        self.settings = Settings(
            web=WebSettings(
                resolve=parse_resolve(configuration.resolve),
                lab_ca=configuration.lab_ca,
                controls=configuration.control,
                vantage=configuration.vantage,
                caps=configuration.web,
            ),
            thorough=configuration.thorough,
            offline=configuration.offline,
            workspace=configuration.workspace and configuration.workspace.resolve(),
            runtime=configuration.runtime,
        )

        self.model = model_options(configuration)

    def plan(self, case: Case) -> "Plan":
        """What would be tried; sends nothing."""
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
        cases: "Sequence[Case]",
        tell: "Callable[[Packed], None]",
        failed: "Callable[[Case, Exception], None]" = _raised,
    ) -> None:
        """Audit cases with one browser for all, and `tell` of each once its pack is written.

        The same call after a kill goes on where it stopped. Where one cannot be audited, `failed` is told why, and the
        others go on unless it raises.

        Raises:
            OSError: the disk is full or a directory cannot be written; nothing half-written stays in the pack's place.
        """
        from graph.review import ReviewNeeded

        left = list(cases)
        answer = self._reviewer.given if self._reviewer else None
        while left:
            try:
                run(self._audit_all(left, tell, failed, answer))
            except ReviewNeeded as needed:
                if self._reviewer is None:
                    raise
                answer = self._reviewer.ask(needed.audit)

    async def _audit_all(
        self,
        left: "list[Case]",
        tell: "Callable[[Packed], None]",
        failed: "Callable[[Case, Exception], None]",
        answer: "Review | None",
    ) -> None:
        """Those that are `left`, taken from it one by one; the `answer` is about the first."""
        from graph import open_batch
        from graph.review import ReviewNeeded

        async with open_batch() as batch:
            while left:
                try:
                    packed = await self._audit(left[0], batch, answer)
                except ReviewNeeded:
                    raise
                except Exception as error:  # noqa: BLE001 - `failed` raises it where the others are not to go on
                    failed(left[0], error)
                else:
                    tell(packed)
                del left[0]
                answer = self._reviewer.given if self._reviewer else None

    async def _audit(self, case: Case, batch: Resources, answer: "Review | None") -> "Packed":
        from evidence import masked
        from graph.review import ReviewNeeded

        work = self._configuration.state / _folder_name(case, self._configuration)
        make_directory(self._configuration.out, "--out")
        async with held(work, lambda text: warn(f"{case.task_id} {text}")):
            store = ArtifactStore(work / "artifacts")
            try:
                packed = self._packed(await self._settled(case, work, store, batch, answer), store)
            except ReviewNeeded as needed:
                raise ReviewNeeded(masked(needed.audit, store, public=self._configuration.public)) from None
            except Exception as error:
                Mask(case).error(error)
                raise
            remove(work)
            return packed

    async def _settled(
        self, case: Case, work: Path, store: ArtifactStore, batch: Resources, answer: "Review | None"
    ) -> "Audit":
        """The audit, once more from its beginning where what is kept of it cannot be read."""
        from graph import StateDamaged, audit

        async def settled() -> "Audit":
            with self._reporter(case) as progress:
                return await audit(
                    case,
                    self._options(),
                    store,
                    checkpoints=checkpoints_in(work),
                    progress=progress,
                    batch=batch,
                    answer=answer,
                )

        try:
            return await settled()
        except (StateDamaged, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            warn(
                f"{case.task_id}: what an earlier audit left cannot be read ({error}); it was set aside as "
                f"{set_aside(work)}, and the audit begins anew"
            )
        return await settled()

    def _packed(self, settled: "Audit", store: ArtifactStore) -> "Packed":
        from evidence import write_pack

        return write_pack(settled, store, self._configuration.out, self._signer, public=self._configuration.public)

    def _reporter(self, case: Case) -> Reporter:
        if not self._configuration.public:
            return Reporter(self._loudness)
        from evidence.public import Public

        return Reporter(self._loudness, Public(case).text)

    def repeat(self, earlier: "Audit", pack: str) -> "Packed":
        """Ask the probes of an audit again, whose pack has this digest; writes a pack of its own.

        Raises:
            OSError: the disk is full or a directory cannot be written.
        """
        from graph import audit
        from graph.repeat import Repeat

        make_directory(self._configuration.out, "--out")
        with TemporaryDirectory(prefix="impassable-rerun-") as directory, self._reporter(earlier.case) as progress:
            store = ArtifactStore(Path(directory))
            again = Repeat(earlier, pack)
            work = audit(earlier.case, self._options(), store, progress=progress, repeat=again)
            settled = run(work)
            return self._packed(settled, store)

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


def _signer(key: Path | None) -> "CryptoSigner | None":
    if key is None:
        return None
    from evidence.signing import load_signer

    return load_signer(key)


def _check_vantage(url: str) -> None:
    from sandboxes.egress import Via

    try:
        Via.parse(url)
    except ValueError as error:
        raise InputError(f"--vantage: {error}") from None


def _check_workspace(path: Path) -> None:
    try:
        empty = not any(path.iterdir())
    except OSError as error:
        raise InputError(f"--workspace {path}: {error.strerror}; name the directory with the task's files") from None
    if empty:
        raise InputError(f"--workspace {path}: an empty directory; name the one with the task's files")


def _folder_name(case: Case, configuration: Configuration) -> str:
    """Readable, safe as a file name, and different for audits of the same task with other inputs or settings."""
    inputs = [case.benchmark, case.task_id, *(run.run_id for run in case.runs), *(one.claim_id for one in case.claims)]
    told = repr((inputs, configuration)).encode("utf-8", "backslashreplace")
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", case.task_id)[:60].strip(".-")
    return f"{readable}-{hashlib.sha256(told).hexdigest()[:12]}"
