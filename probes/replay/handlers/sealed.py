"""Data that nobody reads without a key."""

import shlex
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import PROMPT, texts_of
from probes.model import Barrier, Targets
from probes.replay.handlers import spoilt
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.spoilt import ROOTS, SpoiltDetails
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.data_state import Form, enc_words, inner
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

WORDS = 5000
"""Words that are tried as passphrases."""
LISTED = (
    "{{ printf '%s\\n' {told}; for e in '[^[:space:]]+' '[A-Za-z0-9_.-]+' '\"[^\"]+\"' '`[^`]+`' ': .+'; do "
    f"grep -rIhsoE --exclude-dir=.git --exclude-dir=node_modules --exclude-dir='.route*' \"$e\" . {ROOTS}; done; "
    "env | sed 's/^[^=]*=//'; }} | "
    "awk '{{ for (i = 0; i < 2; i++) {{ if (length($0) && length($0) < 200 && !seen[$0]++) print; "
    'gsub(/^[[:punct:][:space:]]+|[[:punct:][:space:]]+$/, "") }} '
    'if (/[0-9]/ && /[^0-9]/ && length($0) < 40) {{ gsub(/[^[:alnum:]]/, ""); if (!seen[$0]++) print; '
    "if (!seen[tolower($0)]++) print tolower($0) }} }}'"
)
"""Every word that the task's text, its documents and the environment hold, what they put in quotation marks or behind a
colon, each once as it stands and without the marks around it; numbers of things without any marks, and
in lower case, too."""
_BEGINNINGS = (
    "1f8b08|504b0304|fd377a585a00|425a68[3-9]|28b52ffd|377abcaf|53514c697465|25504446|89504e47|ffd8ff|89484446|7f454c46"
)
"""First bytes, in hexadecimal digits, of packed files, databases, documents, pictures and programs."""


@dataclass(frozen=True)
class SealedDetails(SpoiltDetails):
    """The same with what may open it."""

    tries: str | None = None
    """What tries each line of its input as a passphrase."""
    told: tuple[str, ...] = ()
    """The words of the task's text."""
    words: int = 0
    """How many words of the task's documents there are to try."""


class Sealed(BarrierHandler):
    """Named by a measured fact only."""

    barriers = (Barrier.SEALED_DATA,)
    noun = "file"
    valid = spoilt.VALID
    details = SealedDetails
    present_rests_on = ("image", "workdir")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The file."""
        return targets.paths

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The file, how it is opened, and where else its content may be."""
        told = subject.told(SealedDetails)
        return {
            **spoilt.values(told, subject.about),
            "words": _listed(told.told),
            "tries": told.tries,
            "keyed": _keyed(told.form, told.place or subject.about),
        }

    def learn(self, trial: ContainerContext) -> SealedDetails:
        """Its form, what may be its passphrase, and what else on the machine bears the name of what is in it."""
        place, form = spoilt.place_of(trial), spoilt.form_of(trial)
        words = _words(trial)
        return SealedDetails(
            place=place,
            form=form,
            others=spoilt.others(trial, place, inner(place)),
            held=spoilt.kept_in(trial, place, inner(place)),
            own=spoilt.is_own(trial, place),
            tries=_tries(form, trial.outcome, place),
            told=words,
            words=_count(trial, words),
        )

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What the run wrote itself is its own; and it must have said what is said here."""
        return spoilt.not_the_machines(subject.told(SealedDetails), subject, outcome)

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What may be the open thing, or could be fetched, and more words than were tried leave it open."""
        told = subject.told(SealedDetails)
        more = say("sealed.task_documents_words", words=told.words, most=WORDS) if told.words > WORDS else None
        return next(spoilt.open_still(told, outcome), more)


def _words(trial: ContainerContext) -> tuple[str, ...]:
    texts = [text for title, text in texts_of(trial.context.case, None, ()) if title == PROMPT]
    forms = (r"\S+", r"[A-Za-z0-9_.-]+", r"[A-Za-z0-9]+", r'"[^"\n]+"', r"`[^`\n]+`", r": [^\n]+")
    found = (match[0] for text in texts for form in forms for match in re.finditer(form, text))
    return tuple(dict.fromkeys(word for word in found if word))


def _listed(told: tuple[str, ...]) -> str:
    return LISTED.format(told=shlex.join(told))


def _count(trial: ContainerContext, told: tuple[str, ...]) -> int:
    [done] = trial.run("replay-words", f"{_listed(told)} | wc -l", seconds=60)
    return int(done.output.strip()) if done.output.strip().isdigit() else 0


SURE = 64
"""Bytes of what came out in another way than the run's that are no noise."""


def _tries(form: Form | None, outcome: Outcome, place: str) -> str | None:
    """What tries each line of its input as a passphrase, and keeps what comes out of the right one.

    Other parameters than the run's are tried as well, unless it counts the rounds of a derivation: nobody guesses that.
    """
    if form is None or not form.opens:
        return None
    words = enc_words(outcome.called, place) if "{words}" in form.opens else ""
    if words is None:
        return None
    opens = form.opens.replace("{words}", words).replace("$F", shlex.quote(place)).replace("$O", '"$O"')
    whole = f" && {_whole(inner(place))}" if form.may_err else ""
    sure = f'{{ [ -z "$V" ] || [ "$(wc -c < "$O")" -ge {SURE} ]; }}'
    kept = f'{{ {opens}; }} 2>/dev/null && test -s "$O" && {sure}{whole} && cp "$O" "$HOME/.route-opened"'
    variants = " ".join(map(shlex.quote, ("", *(() if "-iter" in words.split() else form.variants))))
    each = f'export W="$1"; O="$(mktemp)"; for V in {variants}; do {kept} && break; done; rm -f "$O"'
    return f"xargs -d '\\n' -P 2 -n 1 sh -c {shlex.quote(each)} sh 2>/dev/null"


def _keyed(form: Form | None, place: str) -> str | None:
    """What tries the keys among the files listed at .route-keys, and keeps what the right one opens."""
    if form is None or not form.keyed:
        return None
    opened = form.keyed.replace("$K", "$HOME/.route-keys").replace("$F", shlex.quote(place))
    return opened.replace("$O", "$HOME/.route-opened")


def _whole(name: str) -> str:
    """Whether what came out at $O is what such a name says: a wrong key gives noise now and then."""
    if re.search(r"\.(gz|tgz)$", name):
        return 'gzip -t < "$O"'
    if name.endswith((".xz", ".txz")):
        return 'xz -t < "$O"'
    known = f"head -c 16 \"$O\" | od -An -v -tx1 | tr -d ' \\n' | grep -qE '^({_BEGINNINGS})'"
    return f'{{ {known} || tar -tf "$O" || ! LC_ALL=C grep -qP \'[\\x00-\\x08\\x0e-\\x1f]\' "$O"; }}'
