"""What is left behind: the pack and its report."""

from evidence.document import document
from evidence.pack import SCHEMA, read_pack, write_pack

__all__ = ["SCHEMA", "document", "read_pack", "write_pack"]
