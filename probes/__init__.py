"""How reality is questioned: one sub-package a probe, all honouring `Probe`."""

from probes.artifacts import ArtifactStore
from probes.contract import (
    FindingMaker,
    Probe,
    ProbeContext,
    ProbeTransientError,
    ProbeUnavailableError,
    Resources,
    Settings,
    WebSettings,
)
from probes.model import (
    Answer,
    Artifact,
    Barrier,
    Control,
    Envelope,
    Finding,
    Hypothesis,
    Observation,
    Question,
    Route,
    Targets,
    Tier,
    Value,
)

__all__ = [
    "Answer",
    "Artifact",
    "ArtifactStore",
    "Barrier",
    "Control",
    "Envelope",
    "Finding",
    "FindingMaker",
    "Hypothesis",
    "Observation",
    "Probe",
    "ProbeContext",
    "ProbeTransientError",
    "ProbeUnavailableError",
    "Question",
    "Resources",
    "Route",
    "Settings",
    "Targets",
    "Tier",
    "Value",
    "WebSettings",
]
