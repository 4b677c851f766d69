"""Many worlds, each audited as often as was asked."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from cases import InputError
from cases.sentences import Sentences
from sandboxes import Engine
from verify.labelled.machine import image_of
from verify.labelled.rewriting import REWRITINGS
from verify.labelled.running import judge
from verify.labelled.scores import Tried
from verify.labelled.sets import LabelledSet
from verify.labelled.world import Recording, World

say = Sentences(__name__)


@dataclass(frozen=True)
class Done:
    """What was tried, and ids of worlds without a recording of what they are now."""

    tried: list[Tried]
    left: list[str]


class Bench:
    """One way to go about it."""

    def __init__(
        self, labelled: LabelledSet, at_once: int, repeats: int, rewritten: str | None, tell: Callable[[Tried], None]
    ) -> None:
        """`tell` hears of each world when it is done.

        Raises:
            InputError: there is no such rewriting.
        """
        if rewritten is not None and rewritten not in REWRITINGS:
            raise InputError(
                say("labelled.benching.rewritten_choose", rewritten=rewritten, rewritings=", ".join(REWRITINGS))
            )
        self._labelled, self._at_once, self._repeats, self._tell = labelled, at_once, repeats, tell
        self._rewritten = REWRITINGS[rewritten] if rewritten else None

    def run(self, worlds: Sequence[World]) -> Done:
        """Audit those that are recorded."""
        found = [(world, self._labelled.recording(world)) for world in worlds]
        recorded = [(world, recording) for world, recording in found if recording is not None]
        if self._rewritten:
            changed = [(self._rewritten(*pair), pair) for pair in recorded]
            recorded = [new for new, old in changed if new is not None and new != old]
        engine = Engine.connect()
        try:
            images = {world.id: image_of(world, self._labelled, engine, later=True) for world, _ in recorded}
        finally:
            engine.close()

        def tried(pair: tuple[World, Recording]) -> Tried:
            world, recording = pair
            one = Tried(world, tuple(judge(world, recording, images[world.id]) for _ in range(self._repeats)))
            self._tell(one)
            return one

        with ThreadPoolExecutor(self._at_once) as pool:
            try:
                return Done(list(pool.map(tried, recorded)), [world.id for world, kept in found if kept is None])
            except BaseException:  # whoever ends it waits for the audits that run, and for no others
                pool.shutdown(wait=False, cancel_futures=True)
                raise
