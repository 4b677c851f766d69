"""How a run ended: what is an answer, a patch, last words, a sign that only ends the talk, or nothing at all."""

import re

import pytest

from cases import Block, Run, Transcript
from cases.endings import ended, last_words, patched, stops

GIT = """diff --git a/src/parse.py b/src/parse.py
index 1111111..2222222 100644
--- a/src/parse.py
+++ b/src/parse.py
@@ -1,2 +1,2 @@
-    # I was unable to parse this
+    return 4
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+words
"""
PLAIN = "--- old/notes.txt\t2031-01-01\n+++ notes.txt\t2031-01-02\n@@ -1 +1 @@\n-a\n+b\n"
RENAMED = "diff --git a/one.py b/two.py\nsimilarity index 100%\nrename from one.py\nrename to two.py\n"


def run(*said: str, answer: str | None = None, complete: bool = True, role: str = "assistant") -> Run:
    blocks = tuple(Block(index=n, role=role, kind="message", text=text) for n, text in enumerate(said))
    return Run(run_id="r", answer=answer, transcript=Transcript(blocks=blocks, complete=complete), source="synthetic")


@pytest.mark.parametrize("stop", stops(), ids=lambda stop: stop.source)
def test_a_stop_sign_is_known_by_its_entry(stop) -> None:
    assert all(re.fullmatch(stop.pattern, text) for text in stop.catches)
    assert not any(re.fullmatch(stop.pattern, text) for text in stop.misses)


def test_who_only_ends_the_talk_said_nothing() -> None:
    spoke = run("It is 4.", "", "TERMINATE", "**TERMINATE**\n")
    assert last_words(spoke.transcript).text == "It is 4."
    assert ended(spoke) == "The agent ended with: “It is 4.”."
    assert ended(run("It is 4.\n\nTERMINATE")) == "The agent ended with: “It is 4.”."


@pytest.mark.parametrize(
    ("text", "files"),
    [(GIT, ("src/parse.py", "new.txt")), (PLAIN, ("notes.txt",)), (RENAMED, ("two.py",)), ("", ()), (None, ())],
)
def test_a_patch_is_known_by_its_form(text: str | None, files: tuple[str, ...]) -> None:
    assert patched(text) == files


@pytest.mark.parametrize(
    "text", ["--- a rule\n+++ more", "diff --git is the command", "I ran `diff -u a b`.\n@@ -1 +1 @@"]
)
def test_words_about_patches_are_none(text: str) -> None:
    assert patched(text) == ()


def test_a_patch_that_was_handed_in_is_an_ending_and_no_quotation() -> None:
    handed = run("Done.", answer=GIT + RENAMED)
    assert ended(handed) == "The agent handed in a patch of `src/parse.py`, `new.txt` and 1 more."


def test_long_endings_are_told_as_shortened() -> None:
    words = " ".join(f"word{n}" for n in range(100))
    assert ended(run(f"{words} END")).endswith("END”.")
    assert "“…word" in ended(run(words)) or "“…" in ended(run(words))
    assert ended(run("x", answer=words)).startswith("The agent ended with: “word0 ")
    assert ended(run("x", answer=words)).endswith("…”.")


def test_an_agent_is_said_to_give_no_answer_only_where_the_record_is_whole_and_holds_none() -> None:
    assert ended(run("", "TERMINATE")) == "The agent gave no answer."
    assert ended(run("", complete=False)) == "The log shows no answer from the agent."
    assert ended(Run(run_id="r", source="synthetic")) == "The log shows no answer from the agent."
    assert "no answer" not in ended(run("I give up."))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("seed", ["--- a", "--- a\n+++ b\n", "diff --git a/x b/", " b/x"])
def test_endless_text_that_looks_like_a_patch_costs_no_more_than_its_length(seed: str) -> None:
    patched("diff --git a/" + seed * (1_000_000 // len(seed)))
    patched(seed * (1_000_000 // len(seed)))
