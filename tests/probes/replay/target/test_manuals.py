"""Manual pages are read as a reader sees them."""

from probes.replay.target.manuals import amounts, readable

PAGE = r""".TH COOC 1 "May 2019"
.SH SYNOPSIS
.B cooc
[\fB\-b\fR \fIBITS\fR]
.SH OPTIONS
.TP
.BR \-b " " \fIBITS\fR
Make the table with 2^\fIBITS\fR cells.
.TP
.B \-\-quiet
Say nothing.
"""


def test_an_option_that_a_manual_page_gives_a_value_is_an_amount() -> None:
    assert amounts(PAGE) == ["-b"]


def test_only_a_manual_page_is_set_otherwise() -> None:
    assert "[-b BITS]" in readable("man/cooc.1", PAGE)
    assert readable("README.md", ".B stays") == ".B stays"
