"""The index of a folder of packs: one page with filters, a CSV and a JSON."""

from evidence.index.entries import Entry, Known, Listing, Unreadable, listing, packs_in, stamp
from evidence.index.writing import as_csv, as_html, as_json, cell, placed, write

__all__ = [
    "Entry",
    "Known",
    "Listing",
    "Unreadable",
    "as_csv",
    "as_html",
    "as_json",
    "cell",
    "listing",
    "packs_in",
    "placed",
    "stamp",
    "write",
]
