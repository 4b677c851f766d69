"""The only way out: a filtering, DNS-pinning forward proxy and the policies that say where it may dial."""

from sandboxes.egress.addresses import is_address, normalise_host, refusal
from sandboxes.egress.policy import Allowed, Denied, HostsPolicy, Policy, WebPolicy, parse_mappings
from sandboxes.egress.proxy import EgressProxy
from sandboxes.egress.records import Admission, Denial, Failure, Limits
from sandboxes.egress.resolver import DnsResolver, LocalResolver, Resolution, Resolver

__all__ = [
    "Admission",
    "Allowed",
    "Denial",
    "Denied",
    "DnsResolver",
    "EgressProxy",
    "Failure",
    "HostsPolicy",
    "Limits",
    "LocalResolver",
    "Policy",
    "Resolution",
    "Resolver",
    "WebPolicy",
    "is_address",
    "normalise_host",
    "parse_mappings",
    "refusal",
]
