"""A run of very many failures is weighed by what its events have in common, not each against each."""

from collections.abc import Iterator, Sequence
from typing import overload

from cases import CommandRun
from graph.run_termination import ending


class Counted(Sequence[CommandRun]):
    """Commands that count how often one of them is looked at."""

    def __init__(self, commands: Sequence[CommandRun]) -> None:
        """Nothing was looked at yet."""
        self._commands, self.looked = commands, 0

    def __len__(self) -> int:
        return len(self._commands)

    @overload
    def __getitem__(self, place: int) -> CommandRun: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[CommandRun]: ...
    def __getitem__(self, place: int | slice) -> CommandRun | Sequence[CommandRun]:
        self.looked += 1
        return self._commands[place]

    def __iter__(self) -> Iterator[CommandRun]:
        for place in range(len(self)):
            yield self[place]


def _run(command: str, code: int) -> CommandRun:
    return CommandRun(kind="shell", command=command, tool=None, output="", exit_code=code, blocks=(0,))


def test_what_ended_a_run_is_what_failed_after_the_last_success() -> None:
    commands = [_run("make", 2), _run("make install", 0), _run("./a", 1), _run("ls", 0), _run("./b", 1)]
    assert ending(tuple(commands)) == {2, 4}
    assert ending(()) == frozenset()


def test_each_of_a_thousand_failures_is_looked_at_a_few_times_only() -> None:
    commands = Counted([_run(f"./program{number}", 1) for number in range(1000)])
    assert ending(commands) == frozenset(range(1000))
    assert commands.looked <= 3 * len(commands)
