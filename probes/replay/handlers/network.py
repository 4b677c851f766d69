"""A network that is not there, or a host that does not answer."""

import posixpath
import shlex
from dataclasses import dataclass, field
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.hosts import own_machine
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import prompt_of
from cases.touches.installing import bare, requirements
from cases.touches.speakers import for_users
from probes.model import Answer, Barrier, Control, Envelope, Hypothesis, Targets
from probes.replay.handlers.answers_kept import called_like, holds_what_is_asked, kept, served, spells_it
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.clones import Lying, clones, folders_made, lying_repository, name_at
from probes.replay.handlers.history import CutOff, cut_off, without_the_commit
from probes.replay.handlers.offers import Offers, settings_of
from probes.replay.handlers.on_disk import lying_copy
from probes.replay.handlers.package import PackageDetails, package_values
from probes.replay.handlers.promised import texts_about
from probes.replay.handlers.settings import READ
from probes.replay.handlers.sources import sources
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.data import canaries, placeholders
from probes.replay.target.data_state import whole_by_name
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import scripts_of
from probes.replay.target.symptom import symptoms
from sandboxes.tracing import Fact

say = Sentences(__name__)

HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+", re.IGNORECASE)
URL = re.compile(r"(?:https?|ftp|git|ssh)://(?:[^@/\s'\"]*@)?(?P<host>[^/:\s'\"]+)(?::\d+)?(?P<path>/[^\s'\"?#;|&)]*)?")
_OF_PAGES = frozenset({"http", "https", "ftp", "git", "git+https", "git+ssh", "ssh"})
"""Schemes of what is only fetched."""
ANY = "network"
THROUGH = {"task": "package indexes and the task's own hosts", "open": "web ports of public addresses"}
"""By network, what our proxy lets through."""
PRIVATE = frozenset({"internal", "intranet", "local", "localdomain", "lan", "corp", "home", "svc"})
"""Last labels of names that no public server tells: a service's beside the machine."""
AWAY = frozenset({"host unresolved", "unreachable"})
"""A host by its name or by its address, to which no network leads."""
OF_A_NETWORK = {"host unresolved", "unreachable", "refused", "timed out"}
"""Kinds of facts that a network's want brings about."""
ENOUGH = 3
"""Failures of anything that can flicker (verdict rule 10)."""


@dataclass(frozen=True)
class NetworkDetails(PackageDetails):
    """What was to be fetched, and what the task's own program offers to do without."""

    offered: Offers = field(default_factory=Offers)
    served: str = ""
    """What may serve it here, or hold what it has."""
    kept: str = ""
    """Data in no text that the task's own program opened before it called the host: what it may keep of its answers."""
    history: CutOff | None = None
    """The repository whose history the failing command was to complete, where the task asks for one of its commits."""
    clone: Lying | None = None
    """What may be the repository that was to be cloned."""
    connection: str = ""
    """The host, where the task's own words give a connection to a service there and nothing in the run got to it."""

    def lies_here(self) -> str | None:
        """Why it is open, where something on the machine may bring what was asked for."""
        if self.history and self.history.elsewhere:
            return say("network.history_elsewhere", elsewhere=self.history.elsewhere)
        if self.clone and not self.clone.is_known:
            return say("network.may_be_repository", path=self.clone.path)
        served = self.served or self.kept
        return say("network.may_be_served", served=served) if served else None


class Network(BarrierHandler):
    """`Could not resolve host`, `NewConnectionError`."""

    barriers = (Barrier.NETWORK,)
    noun = "host"
    valid = re.compile(r"\S+")
    failure: ClassVar = {Barrier.NETWORK: "host not resolved"}
    details = NetworkDetails
    present_rests_on = ("network",)
    routes_rest_on = ("network", "shell")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Hosts."""
        return targets.hosts

    def asked(self, command: str) -> tuple[str, ...]:
        """Hosts of the URLs in it."""
        return tuple(match["host"] for match in URL.finditer(command))

    def candidates(self, hypothesis: Hypothesis, event: CommandRun | None) -> tuple[str, ...]:
        """Whatever the command asks, where it names no host: a package index, most often."""
        return (ANY,) if event or hypothesis.targets.commands else ()

    def same(self, subject: str, about: str) -> bool:
        """The same lack of a network is told of one host or another, or of none."""
        del subject, about
        return True

    def measured(self, subject: ReplayTarget, facts: tuple[Fact, ...]) -> str:
        """The host that was asked for in vain, where the record names none."""
        found = (fact for fact in facts if fact.kind in AWAY)
        hosts = (fact.subject for fact in found if HOST.fullmatch(fact.subject) or fact.named)
        return next(hosts, subject.about) if subject.about == ANY else subject.about

    def refuses(self, about: str, command: str, output: str, *, told: bool) -> str | None:
        """A host that cannot exist: the agent typed a placeholder that nobody had told it."""
        del output
        host = _host(about)
        typed = not told and (not command or host in command)
        if typed and any(re.search(pattern, host) for pattern in placeholders()):
            return say("network.placeholder_agent_typed", host=host)
        return None

    def least(self, about: str, envelope: Envelope) -> str | None:
        """Ask for the host by name, by the programs whose words are known."""
        del envelope
        host = _host(about)
        if not _is_host(host):
            return None
        code = f"import socket; socket.create_connection(({host!r}, 443), 20)"
        return f"curl -sS -m 20 -o /dev/null https://{host}/; python3 -c {shlex.quote(code)}"

    def known(self, subject: ReplayTarget) -> NetworkDetails:
        """The package that pip was to bring."""
        return NetworkDetails(next((bare(name) for name in requirements(subject.attempts[0].command)), None))

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """What was to be fetched, by the name that it would have on disk."""
        url = URL.search(command)
        path = (url["path"] or "") if url else ""
        name = name_at(path) or None
        clone = subject.told(NetworkDetails).clone
        return {
            **package_values(subject, command),
            "file": None if clones(command) else name,
            "whole": whole_by_name(name or ""),
            "repository": shlex.quote(clone.path) if clone and clone.is_known else None,
            "remotes": shlex.quote("\n".join(remotes)) if (remotes := _remotes(subject, command)) else None,
            "made": shlex.quote("\n".join(folders_made(subject)) or "-"),
        }

    def learn(self, trial: ContainerContext) -> NetworkDetails:
        """Whether the machine has the package that was to be fetched somewhere, or a program of the task's that called
        a host reads something, but for lines that name the host, by which it may be told to do without.
        """
        distribution, settled = trial.subject.told(PackageDetails).distribution, trial.outcome.settled
        calls = any(one.kind in AWAY for one in (settled, *trial.outcome.facts) if one)
        own = calls and scripts_of(trial.subject.attempts[0].command)
        offered = settings_of(trial, but=_host(trial.subject.about)) if own else Offers()
        lies = lying_copy(trial, distribution)
        host = _host(trial.subject.about)
        beside = _is_beside(host)
        held, serves = kept(trial) if own else "", served(trial) if beside else ""
        if own and not serves:
            read = sources(trial, trial.subject.attempts[0].command) or ""
            led = any(host in line and READ.search(line) for line in read.splitlines())
            serves = spells_it(trial, host, read) or (called_like(trial, read) if beside or led else "")
            serves = serves or holds_what_is_asked(trial, read)
        url = URL.search(trial.subject.attempts[0].command)
        clone = lying_repository(trial, url["path"] or "") if url else None
        connection, history = _connection(trial), cut_off(trial) or without_the_commit(trial)
        return NetworkDetails(distribution, lies, offered, serves, held, history, clone, connection)

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """What a service beside the machine has, and what lets a program do without, once the call is measured."""
        return _is_beside(_host(subject.about)) or bool(scripts_of(subject.attempts[0].command))

    def needed(self, subject: ReplayTarget) -> str:
        """The host to which the task's own words give a connection."""
        return subject.told(NetworkDetails).connection

    def asked_of(self, subject: ReplayTarget) -> str:
        """A commit of a history that was cut off."""
        history = subject.told(NetworkDetails).history
        if history and history.commit:
            return say("network.commit_named", folder=history.folder, commit=history.commit)
        return say("network.commit_asked", folder=history.folder) if history else ""

    def controls(self, trial: ContainerContext) -> list[Control]:
        """Where nothing should be reachable, other tools are asked too: each must see the same."""
        if trial.spec.network != "none":
            return []
        named = _host(trial.subject.about)
        host = named if _is_host(named) else "a.root-servers.net"
        seen = {}
        for canary in canaries():
            if trial.run(f"replay-canary-{canary.id}", canary.there, seconds=20)[0].ok:
                done = trial.run(f"replay-canary-{canary.id}", canary.command.replace("{host}", host), seconds=60)[0]
                seen[canary.id] = say("network.got_through") if done.ok else say("network.not_get_through")
                trial.observe(f"canary: {canary.id}", seen[canary.id], done.seconds, None)
        told = ", ".join(f"{name} {value}" for name, value in seen.items())
        return [
            Control(
                name="other tools on the same network",
                expected=say("network.none_gets_through"),
                observed=told or say("network.none_there_ask"),
                passed=bool(seen) and "got through" not in seen.values(),
            )
        ]

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """What our own proxy refused did not work."""
        if outcome.denials:
            return Answer.UNKNOWN, say("network.but_our_own", said=said)
        return super().works(subject, outcome, said)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Where the run had a network, ours is the narrower one: what it does not reach proves nothing.

        A connection to the machine itself asks no network.
        """
        kinds = {fact.kind for fact in outcome.facts}
        if "service missing" in kinds and not kinds & OF_A_NETWORK:
            return say("network.what_not_answer")
        asked = outcome.profile.get("container", {}).get("network", {}).get("asked")
        if asked != "none":
            let = THROUGH.get(str(asked), "package indexes")
            return say("network.only_let_through", let=let)
        own = outcome.profile.get("envelope", {}).get("network", {}).get("value")
        return None if own == "none" else say("network.audit_asked_stay")

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """A network that its failures alone tell of must have failed often enough to be no moment's fault."""
        told = _failures(subject)
        if outcome.profile.get("envelope", {}).get("network", {}).get("origin") == "observed" and told < ENOUGH:
            return say("network.run_no_network", told=told)
        offered = subject.told(NetworkDetails).offered
        if offered.unread:
            return say("network.whether_program_offers", unread=offered.unread)
        if offered.named and not (offered.takes or offered.swept):
            return say("network.program_reads", named=offered.named)
        return subject.told(NetworkDetails).lies_here() or subject.told(PackageDetails).doubt

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """A network that only its failures tell of may have been away for a moment."""
        del subject
        origin = outcome.profile.get("envelope", {}).get("network", {}).get("origin")
        value = outcome.profile.get("envelope", {}).get("network", {}).get("value")
        told = say("network.run_no_network_known")
        return (told,) if (origin, value) == ("observed", "none") else ()


def _failures(subject: ReplayTarget) -> int:
    """Lines of the run's record, up to the failure, that tell of a network's lack."""
    texts = (subject.output, *(step.output or "" for step in subject.prior))
    return sum(bool(symptoms(Barrier.NETWORK, line)) for text in texts for line in text.splitlines())


def _connection(trial: ContainerContext) -> str:
    """The host, where the prompt, or a document that it names, gives a URL for a client of its service's own."""
    host, subject, prompt = _host(trial.subject.about), trial.subject, prompt_of(trial.context.case)
    given = re.compile(rf"\b(?P<scheme>[a-z][a-z0-9+.-]*)://(?:[^\s@/]+@)?{re.escape(host)}(?![\w.-])")
    documents = (for_users(text) for path, text in texts_about(trial) if posixpath.basename(path) in prompt)
    told = (match for text in (prompt, *documents) for match in given.finditer(text))
    if not _is_beside(host) or all(match["scheme"] in _OF_PAGES for match in told):
        return ""
    later = subject.events.commands[subject.event :] if subject.event is not None else ()
    worked = any(host in one.command and one.failed == "no" and not one.only_looks for one in later)
    return "" if worked else host


def _remotes(subject: ReplayTarget, command: str) -> tuple[str, ...]:
    """URLs of the submodules that git was to fetch, from its words and its output: the commit of each is known."""
    called = (step.command for step in steps_of(command) if step.command.program == "git")
    if not any("submodule" in one.arguments for one in called):
        return ()
    found = (url for text in (command, subject.output) for url in URL.finditer(text))
    return tuple(dict.fromkeys(url[0].rstrip("/.:") for url in found if url["path"] and url["path"] != "/"))


def _is_beside(host: str) -> bool:
    """Whether it is the name of a service beside the machine: without a domain, with a private one, or an address of a
    private network.
    """
    return host != ANY and (own_machine(host) or host.lower().rpartition(".")[2] in PRIVATE)


def _host(about: str) -> str:
    url = URL.match(about)
    return url["host"] if url else about.partition(":")[0]


def _is_host(name: str) -> bool:
    """Whether it is a host's name, which no number is."""
    return HOST.fullmatch(name) is not None and any(char.isalpha() for char in name)
