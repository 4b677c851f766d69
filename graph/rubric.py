"""The two rubrics as data: categories, indicators, and which barrier belongs to which."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from cases import Model
from probes import Barrier

RubricName = Literal["assistantbench", "environmental_barrier"]
RubricChoice = Literal["auto", "assistantbench", "environmental_barrier"]
NO_CATEGORY = "none"


class Indicator(Model):
    """One line of a rubric, word for word."""

    text: str
    barriers: tuple[Barrier, ...]


class Category(Model):
    """A numbered group of indicators; `title` is what a verdict gives as deficiency type."""

    number: int
    title: str
    indicator: tuple[Indicator, ...]


class Rubric(Model):
    """One rubric; `text` names the file that holds it word for word."""

    name: RubricName
    title: str
    benchmarks: tuple[str, ...]
    text: str
    category: tuple[Category, ...]

    def category_of(self, barrier: Barrier) -> Category | None:
        """The category that holds the barrier, or None when the rubric does not speak of it."""
        return next(
            (item for item in self.category if any(barrier in indicator.barriers for indicator in item.indicator)), None
        )

    def wording(self) -> str:
        """The rubric word for word."""
        return files("graph").joinpath("rubrics", self.text).read_text("utf-8")


@lru_cache
def rubrics() -> dict[str, Rubric]:
    """Both rubrics by name."""
    folder = files("graph").joinpath("rubrics")
    names = ("assistantbench", "environmental_barrier")
    loaded = (
        Rubric.model_validate(tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))) for name in names
    )
    return {rubric.name: rubric for rubric in loaded}


def main_rubric(choice: RubricChoice, benchmark: str) -> Rubric:
    """The rubric that was chosen, or the benchmark's own."""
    if choice != "auto":
        return rubrics()[choice]
    named = (rubric for rubric in rubrics().values() if benchmark in rubric.benchmarks)
    return next(named, rubrics()["environmental_barrier"])


def place(barrier: Barrier, choice: RubricChoice, benchmark: str) -> tuple[str, str] | None:
    """Rubric and category of a barrier; with `auto`, what the main rubric leaves out goes to the other one.

    None when the chosen rubric does not speak of the barrier.
    """
    main = main_rubric(choice, benchmark)
    if barrier is Barrier.UNSPECIFIED:
        return main.name, NO_CATEGORY
    others = [rubric for rubric in rubrics().values() if rubric is not main] if choice == "auto" else []
    for rubric in (main, *others):
        category = rubric.category_of(barrier)
        if category:
            return rubric.name, category.title
    return None
