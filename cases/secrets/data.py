"""What counts as a secret, as the data files beside this say."""

from functools import cache, cached_property
from typing import Literal

from pydantic import Field

from cases import patterns as re
from cases.loading import load
from cases.model import Model

TAIL, PUBLIC = "tail", "public"
"""Groups of a pattern that are no secret: what follows its name, and what says that everybody may know it."""
Judged = Literal["any", "value", "telling", "strange", "random", "mixed", "letters"]
"""Which values count; `named.toml` says what each means. `any` is whatever is no placeholder."""


class SecretPattern(Model):
    """One kind of secret."""

    id: str
    pattern: str
    hints: tuple[str, ...] = Field(min_length=1)
    judged: Judged | None = None
    """Which values count; None for all but placeholders, whatever they look like."""
    source: str = Field(min_length=1)


class Words(Model):
    """Names whose whole value is secret, or values that never are."""

    pattern: re.Pattern[str]
    source: str = Field(min_length=1)

    def search(self, text: str) -> bool:
        """Whether it is in a text."""
        return self.pattern.search(text) is not None


class Option(Model):
    """Options that give programs a secret."""

    programs: tuple[str, ...] = Field(min_length=1)
    options: tuple[str, ...] = Field(min_length=1)
    glued: Literal["no", "also", "only"] = "no"
    """Whether the value may or must follow without a space."""
    bundled: bool = False
    """Whether other single letters may stand before an option's."""
    after: str = ""
    """What the secret comes after within the value."""
    judged: Judged = "any"
    source: str = Field(min_length=1)

    @cached_property
    def hints(self) -> frozenset[str]:
        """Words of which one stands in every command line that has such an option."""
        return frozenset(name.split()[0].lower() for name in self.programs)


class Named(Model):
    """The content of `named.toml`."""

    names: Words
    placeholders: Words
    tails: Words
    code: Words
    words: dict[str, str]
    """What stands for a name in the patterns, by the name in angle brackets."""
    secret: tuple[SecretPattern, ...]


class Name(Model):
    """What names a secret that stands near it."""

    id: str
    pattern: str
    tight: Judged
    """Which values count behind nothing but signs and markup."""
    ended: Judged | None = None
    """Which values count behind words that end in a sign or verb that introduces; None as behind any words."""
    spaced: re.Pattern[str] = re.compile(r"\x00")
    """The names after which a space is a sign."""
    letters: bool = False
    """Whether a long value of small letters counts behind signs."""
    numbers: bool = False
    """Whether a UUID counts behind a sign that assigns."""
    phrases: bool = False
    """Whether quoted words count."""
    back: bool = False
    """Whether what stands before it counts too."""
    below: bool = False
    """Whether what stands alone on the next line counts."""
    shortest: int = 6
    source: str = Field(min_length=1)


class Allowed(Model):
    """Header fields whose values may be shown."""

    names: tuple[str, ...]
    source: str = Field(min_length=1)


class Kind(Model):
    """One kind of secret, ready to be looked for."""

    id: str
    pattern: re.Pattern[str]
    hints: frozenset[str]
    judged: Judged | None
    format: bool
    """Whether the value itself shows what it is."""
    groups: tuple[str, ...]
    """The groups of which each that matched is secret; the whole match where none did."""

    def of_something_else(self, match: re.Match[str]) -> bool:
        """Whether a match is about something else that only sounds like it, such as the name or the id of a key."""
        named = self.pattern.groupindex
        return bool((TAIL in named and words().tails.search(match[TAIL])) or (PUBLIC in named and match[PUBLIC]))


@cache
def words() -> Named:
    """Names, placeholders, and what only stands for a value."""
    return load(Named, __package__, "named.toml")


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind of secret that a pattern finds; those that show by themselves what they are come first.

    Raises:
        ValueError: two entries share an id.
    """
    formats = load(tuple[SecretPattern, ...], __package__, "formats.toml", "secret")
    told = [_kind(entry, entry.pattern, format=True) for entry in formats]
    told += [_kind(entry, _spelt(entry.pattern), format=False) for entry in words().secret]
    if len({one.id for one in told}) != len(told):
        raise ValueError("two secrets share an id")
    return tuple(told)


def _spelt(pattern: str) -> str:
    """A pattern with the words for which names in angle brackets stand."""
    for name, said in words().words.items():
        pattern = pattern.replace(f"<{name}>", said)
    return pattern


def _kind(entry: SecretPattern, pattern: str, *, format: bool) -> Kind:  # noqa: A002 - the field's name
    compiled = re.compile(pattern)
    groups = tuple(name for name in compiled.groupindex if name not in (TAIL, PUBLIC))
    hints = frozenset(entry.hints)
    return Kind(id=entry.id, pattern=compiled, hints=hints, judged=entry.judged, format=format, groups=groups)


@cache
def hints() -> tuple[str, ...]:
    """Every word near which a pattern or an option is looked for."""
    told = [*(kind.hints for kind in kinds()), *(option.hints for option in options())]
    return tuple(sorted(frozenset().union(*told)))


@cache
def options() -> tuple[Option, ...]:
    """Every option that gives a program a secret."""
    return load(tuple[Option, ...], __package__, "options.toml", "option")


@cache
def names() -> tuple[Name, ...]:
    """What names secrets that stand near it."""
    told = load(tuple[Name, ...], __package__, "near.toml", "name")
    return tuple(name.model_copy(update={"pattern": _spelt(name.pattern)}) for name in told)


@cache
def shown_headers() -> frozenset[str]:
    """Lower-case names of the header fields whose values may be shown."""
    allowed = load(tuple[Allowed, ...], __package__, "headers.toml", "allowed")
    return frozenset(name for one in allowed for name in one.names)


@cache
def ordinary_variables() -> Words:
    """Names of variables whose values say nothing that a stranger may not know."""
    return load(Words, __package__, "ordinary.toml", "variables")
