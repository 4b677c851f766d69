"""What a hypothesis is about: packages, modules, programs and paths, each in one spelling."""

import posixpath

from cases import patterns as re
from probes import Barrier, Hypothesis
from probes.barriers import Trait, entry, having
from probes.names import modules


def about_the_same(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses are about one package, module, program or path."""
    return not things(one).isdisjoint(things(other))


def things(hypothesis: Hypothesis) -> set[tuple[str, str]]:
    """Names in one spelling, a module under its package's name too; R's packages and paths are apart from the rest."""
    targets = hypothesis.targets
    if entry(hypothesis.barrier).about == "paths":
        return {("path", posixpath.normpath(path.strip())) for path in targets.paths}
    if hypothesis.barrier not in having(Trait.CHOSEN):
        return set()
    roots = [module.partition(".")[0] for module in targets.modules]
    packages = [modules()[root].package for root in roots if root in modules()]
    space = "R" if hypothesis.barrier is Barrier.R_PACKAGE else "name"
    return {(space, spelt(name)) for name in (*roots, *packages, *targets.packages, *targets.programs)} - {(space, "")}


def spelt(name: str) -> str:
    """A package's name as indexes compare it (PEP 503), without its version and extras."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~;@ ]", name.strip())[0]).lower()
