"""The index of a folder of packs: one page with filters, a CSV and a JSON."""

from evidence.index.entries import Entry, Listing, Unreadable, listing, packs_in, stamp
from evidence.index.writing import as_csv, as_html, as_json, cell, placed, write

__all__ = [
    "Entry",
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
