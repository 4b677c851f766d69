"""Facts by tracing: a command once more under a tracer, which tells what was missing, denied or refused, by errno."""

from sandboxes.tracing.bundle import Traced, Tracer, ensure_tracer, trace
from sandboxes.tracing.fact import Fact, FactKind
from sandboxes.tracing.facts import facts_of
from sandboxes.tracing.strace import Access
from sandboxes.tracing.used import Called

__all__ = ["Access", "Called", "Fact", "FactKind", "Traced", "Tracer", "ensure_tracer", "facts_of", "trace"]
