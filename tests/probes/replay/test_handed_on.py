"""What a Python program only hands on: options on which nothing depends, and texts for what failed alone."""

import pytest

from probes.replay.handlers.handed_on import handed_on, handed_to_what_failed

PARSER = "import argparse\np = argparse.ArgumentParser()\n"


@pytest.mark.parametrize(
    ("declared", "used", "only"),
    [
        ("'--model', default='a/b'", "fetch(a.model, revision=a.revision)", True),
        ("'-m', '--model', default='a/b'", "name = a.model\nfetch(name)", True),
        ("'--model', dest='which', default='a/b'", "fetch(a.which)", True),
        ("'--model', default='web'", "fetch(a.model)", False),
        ("'--model', default='https://a.example/b'", "fetch(a.model)", False),
        ("'--model'", "fetch(a.model)", False),
        ("'--model', default='a/b'", "fetch(a.model) if a.model != 'local' else open('x')", False),
        ("'--model', default='a/b'", "if a.model:\n    fetch(a.model)", False),
        ("'--model', default='a/b'", "LOADERS[a.model]()", False),
        ("'--model', default='a/b'", "getattr(loaders, a.model)()", False),
        ("'--model', default='a/b'", "match a.model:\n    case 'x': pass", False),
        ("'--model', default='a/b'", "while not a.model.ready(): pass", False),
        ("'--model', action='store_true', default='a/b'", "fetch(a.model)", False),
        ("'--model', choices=['a', 'b'], default='a/b'", "fetch(a.model)", False),
        ("'--model', nargs='?', default='a/b'", "fetch(a.model)", False),
        ("'--model', **more, default='a/b'", "fetch(a.model)", False),
        ("'model', default='a/b'", "fetch(a.model)", False),
    ],
)
def test_an_option_is_only_handed_on_where_nothing_depends_on_its_value(declared: str, used: str, only: bool) -> None:
    source = f"{PARSER}p.add_argument({declared})\na = p.parse_args()\n{used}\n"
    assert ("--model" in handed_on(source)) is only


def test_of_what_is_no_python_nothing_is_known() -> None:
    assert handed_on("#!/bin/sh\nwhile getopts m: x; do :; done\n") == frozenset()
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
