"""Whether an answer is the expected one but for forms that say nothing of their own."""

from collections import Counter

from cases import patterns as re
from cases.answers.equivalence import Comparison
from cases.answers.words import asks_amount, asks_label, asks_letters, normal_differences, readable

_LONG = 4
"""Letters from which on a word is the same word in any case; US and us, CO and Co may be two."""
_LETTERS = {"case", "surrounding punctuation"}


def normal_forms(comparison: Comparison, answer: str, gold: str, task: str) -> tuple[str, ...]:
    """In which documented forms alone two equal answers differ; none where anything else, or the task, may matter."""
    differences = comparison.differences
    if comparison.likeness != "same" or not differences or not differences <= normal_differences():
        return ()
    if not readable(task) or (differences & _LETTERS and (asks_letters(task) or asks_label(task))):
        return ()
    if "trailing zeros" in differences and not asks_amount(task):
        return ()
    doubted = "?" in answer and "?" not in gold
    return tuple(sorted(differences)) if _same_words(answer, gold) and not doubted else ()


def _same_words(answer: str, gold: str) -> bool:
    """Whether words that differ in case can only be the same words."""
    mine, theirs = (Counter(re.findall(r"\w+", text)) for text in (answer, gold))
    others = {word.casefold(): word for word in theirs - mine}
    pairs = ((word, others.get(word.casefold())) for word in mine - theirs)
    return all(_same_word(word, other) for word, other in pairs if other is not None)


def _same_word(one: str, other: str) -> bool:
    if not one.isalpha() or not other.isalpha():
        return False
    return len(one) >= _LONG or all(word in {word.lower(), word.capitalize()} for word in (one, other))
