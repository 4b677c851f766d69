"""A page's source shows what stands in it, whatever is broken in it."""

import pytest

from cases.markup import seen_in


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (
            "<html><head><title>A</title></head><body><p>One</p> two<script>var x = 'three'</script></body></html>",
            "One two",
        ),
        ("<!doctype html><html><body><div id=app></div><noscript>Scripts!</noscript></body></html>", ""),
        ("<html><body><p>One, and it breaks off here", "<html><body><p>One, and it breaks off here"),
        ("No source at all", "No source at all"),
    ],
    ids=["with content", "drawn by scripts", "cut", "none"],
)
def test_only_the_source_of_a_whole_page_is_read_as_one(text: str, seen: str) -> None:
    assert seen_in(text) == seen


@pytest.mark.parametrize("part", ["<![", "<!--", "<a '", "</", "<script>", "&#x110000;", "<p>"])
def test_broken_sources_are_read_at_once(part: str) -> None:
    assert isinstance(seen_in(f"<html>{part * 50_000}</html>"), str)
