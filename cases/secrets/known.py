"""Known secrets, all looked for at once: by how they begin, not one by one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from cases import patterns as re

_HEAD = 8
"""Signs of a beginning by which a secret is known."""
_FEW, _MANY = 12, 2000
"""Up to so many beginnings it is quicker to look for each, and to so many to ask first which are there."""


class Known:
    """An index of secrets: what finding them costs hangs on the text, not on how many they are."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Take all of them, however many."""
        self._secrets = frozenset(filter(None, secrets))
        self._head = min([_HEAD, *map(len, self._secrets)])
        lengths: dict[str, set[int]] = defaultdict(set)
        for secret in self._secrets:
            lengths[secret[: self._head]].add(len(secret))
        self._words = re.Words(lengths) if _FEW < len(lengths) <= _MANY else None
        self._lengths = {head: sorted(told, reverse=True) for head, told in lengths.items()}

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._secrets)

    def within(self, text: str) -> Iterator[tuple[str, int]]:
        """The longest secret at each place of a text at which one stands, and the place."""
        for at in self._heads(text):
            for length in self._lengths[text[at : at + self._head]]:
                if (secret := text[at : at + length]) in self._secrets:
                    yield secret, at
                    break

    def _heads(self, text: str) -> list[int]:
        """Where a secret may begin."""
        size, heads = self._head, set(self._lengths)
        if self._words:
            heads = set(self._words.within(text))
        if len(heads) > _FEW:
            return [at for at in range(len(text) - size + 1) if text[at : at + size] in heads]
        places: list[int] = []
        for head in heads:
            at = text.find(head)
            while at >= 0:
                places.append(at)
                at = text.find(head, at + 1)
        return places
