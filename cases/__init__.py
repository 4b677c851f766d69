"""What is audited: the vocabulary and one reader for each file format."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cases.errors import CredentialsError, EnvironmentNotReady, ImpassableError, InputError, PackError

if TYPE_CHECKING:
    from cases.model import (
        Block,
        Case,
        Citation,
        Claim,
        CommandRun,
        Events,
        FileWrite,
        HarnessError,
        Model,
        Outcome,
        PageVisit,
        Run,
        Speaker,
        Task,
        ToolCall,
        Transcript,
        Understanding,
    )

__all__ = [
    "Block",
    "Case",
    "Citation",
    "Claim",
    "CommandRun",
    "CredentialsError",
    "EnvironmentNotReady",
    "Events",
    "FileWrite",
    "HarnessError",
    "ImpassableError",
    "InputError",
    "Model",
    "Outcome",
    "PackError",
    "PageVisit",
    "Run",
    "Speaker",
    "Task",
    "ToolCall",
    "Transcript",
    "Understanding",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazy, because a command's help needs no vocabulary
    """Load a public name from the vocabulary at first use."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module("cases.model"), name)
