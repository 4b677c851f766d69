"""A language model's server that says what a test wants: real HTTP, the chat-completions protocol, scripted replies."""

from .server import Asked, ModelServer, Reply, Script

__all__ = ["Asked", "ModelServer", "Reply", "Script"]
