"""What a Python program only hands on: options on which nothing depends, and texts for what failed alone."""

import pytest

from probes.replay.handlers.handed_on import handed_on, handed_to_what_failed

PARSER = "import argparse\np = argparse.ArgumentParser()\n"


HUB = "'--model', default='a/b'"


@pytest.mark.parametrize(
    ("declared", "used", "only"),
    [
        (HUB, "got = fetch(a.model)", True),
        (HUB, "got = fetch(name=a.model, part='x')", True),
        ("'-m', '--model', default='a/b'", "got = fetch(a.model)", True),
        ("'--model', dest='which', default='a/b'", "got = fetch(a.which)", False),
        ("'--model', default='web'", "got = fetch(a.model)", False),
        ("'--model', default='https://a.example/b'", "got = fetch(a.model)", False),
        ("'--model'", "got = fetch(a.model)", False),
        (HUB, "if a.model: pass\ngot = fetch(a.model)", False),
        (HUB, "name = a.model\ngot = fetch(name)", False),
        (HUB, "other(a.model)\ngot = fetch(a.model)", False),
        (HUB, "def fetch(name): return name\ngot = fetch(a.model)", False),
        (HUB, "got = fetch(f'x-{a.model}')", False),
        (HUB, "got = fetch(getattr(a, 'model'))", False),
        (HUB, "got = other(a.model)", True),
        ("'--model', action='store_true', default='a/b'", "got = fetch(a.model)", False),
        ("'--model', choices=['a/b', 'b'], default='a/b'", "got = fetch(a.model)", False),
        ("'--model', nargs='?', default='a/b'", "got = fetch(a.model)", False),
        ("'--model', default='a/b', **more", "got = fetch(a.model)", False),
        ("'model', default='a/b'", "got = fetch(a.model)", False),
    ],
)
def test_an_option_is_only_handed_on_where_nothing_but_what_failed_is_given_it(
    declared: str, used: str, only: bool
) -> None:
    source = f"{PARSER}p.add_argument({declared})\na = p.parse_args()\n{used}\n"
    output = f'Traceback\n  File "run.py", line 9, in <module>\n    {used.splitlines()[-1]}\nOSError: no\n'
    assert ("--model" in handed_on(source, output)) is only
    assert "--model" not in handed_on(source, "OSError: no\n")


def test_what_goes_with_a_published_name_is_handed_on_with_it_and_a_plain_word_alone_is_not() -> None:
    declared = f"p.add_argument({HUB})\np.add_argument('--revision', default='main')\na = p.parse_args()\n"
    used = "got = fetch(a.model, revision=a.revision)"
    output = f"    {used}\nOSError: no\n"
    assert handed_on(f"{PARSER}{declared}{used}\n", output) == {"--model", "--revision"}
    alone = f"{PARSER}{declared.replace('a/b', 'b')}{used}\n"
    assert handed_on(alone, output) == frozenset()


def test_of_what_is_no_python_nothing_is_known() -> None:
    assert handed_on("#!/bin/sh\nwhile getopts m: x; do :; done\n", "    getopts m: x\n") == frozenset()
    assert handed_to_what_failed("#!/bin/sh\ncurl a.json; do\n", "    curl a.json\n") == frozenset()


CALLS = "weights = load(fetch(name, 'model.bin'))\ntokens = fetch(name, 'tokens.json')\n"


@pytest.mark.parametrize(
    ("more", "shown", "found"),
    [
        ("", "weights = load(fetch(name, 'model.bin'))", {"model.bin", "tokens.json"}),
        ("read('tokens.json')\n", "weights = load(fetch(name, 'model.bin'))", {"model.bin"}),
        (
            "settings = read('settings.json')\n",
            "weights = load(fetch(name, 'model.bin'))",
            {"model.bin", "tokens.json"},
        ),
        ("settings = read('settings.json')\n", "settings = read('settings.json')", {"settings.json"}),
        ("", "raise ValueError", set()),
        ("", "", set()),
    ],
)
def test_what_stands_in_calls_of_the_failing_function_alone_is_what_it_was_to_bring(
    more: str, shown: str, found: set[str]
) -> None:
    output = f'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\n    {shown}\nOSError: no\n'
    assert handed_to_what_failed(CALLS + more, output) == found
