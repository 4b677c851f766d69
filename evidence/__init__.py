"""What is left behind: the pack and its report."""

from evidence.document import document
from evidence.pack import SCHEMA, archive_of, read_pack, write_pack

__all__ = ["SCHEMA", "archive_of", "document", "read_pack", "write_pack"]
