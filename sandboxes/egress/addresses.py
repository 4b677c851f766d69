"""Which addresses may be dialled at all, and what a host name really means. Pure functions."""

import ipaddress
import string

import idna

from cases import patterns as re
from cases.sentences import Sentences

say = Sentences(__name__)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Cloud metadata services; most lie in ranges refused anyway, the wire server of Azure is an ordinary global address.
METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in ("169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254")
)

# What `is_global` lets through, or did in some Python version: transition forms that carry another address inside,
# shared address space, multicast, and ranges assigned after the running Python was released.
REFUSED_RANGES: tuple[tuple[Network, str], ...] = tuple(
    (ipaddress.ip_network(text), reason)
    for text, reason in (
        ("0.0.0.0/8", "this network"),
        ("100.64.0.0/10", "shared address space"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.88.99.0/24", "6to4 relay"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/96", "IPv4-compatible"),
        ("::ffff:0:0/96", "IPv4-mapped"),
        ("::ffff:0:0:0/96", "IPv4-translated"),
        ("64:ff9b::/96", "NAT64"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("2001::/32", "Teredo"),
        ("2001::/23", "protocol assignments"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)

ENDS_IN_IPV4 = tuple(map(ipaddress.IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")
ISATAP = (b"\0\0\x5e\xfe", b"\2\0\x5e\xfe")

_NUMERIC = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_FORBIDDEN = frozenset(string.whitespace + string.punctuation) - frozenset("-._")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")


def refusal(address: str) -> str | None:
    """Why the open web is not at this address, or None when it may be dialled."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "not an IP address"
    if getattr(parsed, "scope_id", None):
        return "address with a zone"
    return hard_refusal(address) or _range_refusal(parsed)


def hard_refusal(text: str) -> str | None:
    """Why nothing, not even a host allowed by name, may be dialled at this address (which must be one)."""
    address = ipaddress.ip_address(text)
    inner = getattr(address, "ipv4_mapped", None) or address
    if inner in METADATA:
        return "cloud metadata address"
    if address in LOCAL_NAT64:
        return "local NAT64"  # where in it the other address stands is its operator's choice
    for held in _carried(address):
        if reason := refusal(str(held)):
            return f"carries {held}, {reason}"
    for flag, reason in (
        (inner.is_loopback, "loopback address"),
        (inner.is_link_local, "link-local address"),
        (inner.is_multicast, "multicast address"),
        (inner.is_unspecified, "unspecified address"),
    ):
        if flag:
            return reason
    return None


def _carried(address: Address) -> tuple[Address, ...]:
    """The IPv4 addresses inside the IPv6 forms that a gateway or a tunnel may turn back into them."""
    if isinstance(address, ipaddress.IPv4Address) or int(address) < 2:
        return ()
    last = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if any(address in network for network in ENDS_IN_IPV4) or address.packed[8:12] in ISATAP:
        return (last,)
    return tuple(filter(None, (address.sixtofour, *(address.teredo or ()))))


def _range_refusal(address: Address) -> str | None:
    for network, reason in REFUSED_RANGES:
        if address.version == network.version and address in network:
            return f"not a global address ({reason})"
    return None if address.is_global else "not a global address"


def is_address(host: str) -> bool:
    """Whether a normalised host is an IP literal."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def normalise_host(host: str) -> str:
    """The host as a resolver would see it: lower case, IDNA, no trailing dot, numeric forms as dotted addresses.

    Raises:
        ValueError: no browser would accept this host.
    """
    if host.startswith("[") and host.endswith("]"):
        return str(ipaddress.IPv6Address(host[1:-1]))
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    name = _ascii(host).removesuffix(".")
    labels = name.split(".")
    if _NUMERIC.fullmatch(labels[-1]):
        return _dotted(labels)
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError(say("egress.addresses.not_host", host=host[:80]))
    return name


def _ascii(host: str) -> str:
    if not host or set(host) & set(
        string.whitespace + string.punctuation.replace("-", "").replace(".", "").replace("_", "")
    ):
        raise ValueError(say("egress.addresses.not_host", host=host[:80]))
    if host.isascii():
        return host.lower()
    try:
        return idna.encode(host, uts46=True, transitional=False).decode("ascii").lower()
    except idna.IDNAError as error:
        # Full-width digits are no valid labels of their own, but browsers read them as an address.
        folded = idna.uts46_remap(host, std3_rules=False)
        if folded.isascii():
            return folded.lower()
        raise ValueError(say("egress.addresses.not_host_2", host=host[:80], error=error)) from error


def _dotted(labels: list[str]) -> str:
    """An IPv4 address from its decimal, octal or hexadecimal parts, as browsers read it."""
    if len(labels) > 4 or not all(_NUMERIC.fullmatch(label) for label in labels):
        raise ValueError(say("egress.addresses.not_ipv_address", labels=".".join(labels)[:80]))
    numbers = [_number(label) for label in labels]
    if any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        raise ValueError(say("egress.addresses.not_ipv_address", labels=".".join(labels)[:80]))
    value = numbers[-1] + sum(number << (24 - 8 * place) for place, number in enumerate(numbers[:-1]))
    return str(ipaddress.IPv4Address(value))


def _number(label: str) -> int:
    if label[:2] in {"0x", "0X"}:
        return int(label[2:] or "0", 16)
    if len(label) > 1 and label[0] == "0":
        return int(label, 8)
    return int(label)
