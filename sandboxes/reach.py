"""What a container's proxy lets through, by the network that its specification asks for."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from cases.sentences import Sentences
from sandboxes.egress import Authority, EgressProxy, HostsPolicy, Policy, WebPolicy, WiderPolicy, normalise_host
from sandboxes.spec import Network

say = Sentences(__name__)


class Reach:
    """The rules of all networks but `none`, which needs no proxy."""

    def __init__(self, indexes: Iterable[str], bundle: Path | None, resolve: Mapping[str, str] | None = None) -> None:
        """`indexes` are hosts, `bundle` says whose certificates are taken, `resolve` maps hosts of a laboratory."""
        self.indexes = tuple(sorted(indexes))
        self.authority = Authority(bundle)
        self._resolve = resolve
        self._policy = HostsPolicy(self.indexes)

    def proxies(self, network: Network, named: Iterable[str] = ()) -> Callable[[], EgressProxy]:
        """What makes the proxies of one container; those of `open` do not read along, as not all of it reads."""
        if network == "open":
            web = WiderPolicy(self._policy, WebPolicy(self._resolve))
            return lambda: EgressProxy(web)
        policy: Policy = self._policy
        if network == "task":
            policy = WiderPolicy(self._policy, WebPolicy(self._resolve), hosts_of(named))
        return lambda: EgressProxy(policy, authority=self.authority)

    def told(self, network: Network, named: Iterable[str] = ()) -> str:
        """The same in words."""
        if network == "open":
            return say("reach.no_network_but_relay")
        indexes = say("reach.package_index_hosts", number=len(self.indexes))
        hosts = f" and {', '.join(hosts_of(named)) or 'no host that the task names'}" if network == "task" else ""
        return say("reach.no_network_but_relay_2", indexes=indexes, hosts=hosts)


def hosts_of(names: Iterable[str]) -> tuple[str, ...]:
    """Names as they are compared; what is none is left out."""
    found = []
    for name in names:
        with suppress(ValueError):
            found.append(normalise_host(name))
    return tuple(dict.fromkeys(found))
