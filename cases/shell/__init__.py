"""Shell as syntax: a command line is parsed, never matched."""

from cases.shell.editing import Edit, edited
from cases.shell.looking import ABOUT, looks, only_looks
from cases.shell.parsing import parse
from cases.shell.programs import language_of
from cases.shell.steps import Step, steps_of
from cases.shell.tree import Assignment, Code, Command, Group, Heredoc, Node, Redirect, Script, Word
from cases.shell.waiting import seconds_in, seconds_waited

__all__ = [
    "ABOUT",
    "Assignment",
    "Code",
    "Command",
    "Edit",
    "Group",
    "Heredoc",
    "Node",
    "Redirect",
    "Script",
    "Step",
    "Word",
    "edited",
    "language_of",
    "looks",
    "only_looks",
    "parse",
    "seconds_in",
    "seconds_waited",
    "steps_of",
]
