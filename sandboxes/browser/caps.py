"""What visits may cost."""

from pydantic import Field

from cases import Model


class WebCaps(Model):
    """What web visits may cost: the `[web]` table of `verify.toml`."""

    visits: int = Field(default=240, gt=0, le=100_000)
    """Browser visits and plain requests of one audit."""
    addresses: int = Field(default=5, gt=0, le=1_000)
    """Of one hypothesis."""
    addresses_per_host: int = Field(default=3, gt=0, le=1_000)
    audit_seconds: float = Field(default=540.0, gt=0, le=540)
    """After which a hypothesis gets no further visit."""
    page_seconds: float = Field(default=25.0, gt=0, le=120)
    """For a page to answer the browser."""
    page_bytes: int = Field(default=50_000_000, ge=100_000, le=2_000_000_000)
    """Of one visit, both directions and all connections together."""
    kept_seconds: float = Field(default=1_800.0, ge=0, le=86_400)
    """For which what a visit saw speaks for other audits of the same batch."""
    connection_bytes: int = Field(default=15_000_000, ge=100_000, le=2_000_000_000)
    connections: int = Field(default=48, gt=0, le=1_000)
    """Of one visit at once."""
    plain_seconds: float = Field(default=30.0, gt=0, le=120)
    """For one answer by plain HTTP, redirects included."""
    plain_bytes: int = Field(default=2_000_000, ge=1_000, le=100_000_000)
    """Of one body by plain HTTP."""
    redirects: int = Field(default=10, gt=0, le=50)
    """That plain HTTP follows."""
    pages_at_once: int = Field(default=4, gt=0, le=32)
    pages_per_browser: int = Field(default=60, gt=0, le=10_000)
    """After which a browser is retired, so that its memory stays bounded."""
    memory_mb: int = Field(default=3_000, ge=500, le=100_000)
    """Of one browser, all its pages together; what takes the most is ended first."""
    processes: int = Field(default=150, ge=10, le=10_000)
    """Of one browser."""
