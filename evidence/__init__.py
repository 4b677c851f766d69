"""What is left behind: the pack and its report."""

from evidence.document import document
from evidence.pack import SCHEMA, Packed, archive_of, masked, read_pack, ready_pack, write_pack

__all__ = ["SCHEMA", "Packed", "archive_of", "document", "masked", "read_pack", "ready_pack", "write_pack"]
