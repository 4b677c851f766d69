"""Everything that a run touched, where each name comes from, and how it went."""

from cases.touches.attempts import attempts_of, canonical, looks_complained, program_call
from cases.touches.calls import only_imports
from cases.touches.causes import Trouble, goals_of, needed_files, troubles_of
from cases.touches.means import any_means, computed_without, freedom, left_open, means_to
from cases.touches.names import Thing, idle, inquires, installs, prepares
from cases.touches.origins import blocks_in, code_in, names_program
from cases.touches.own_code import own_code
from cases.touches.showing import POINTER, is_shown, is_test_log, shows_pointer
from cases.touches.touching import Touch, found_at_first, head, origin_of, programs_missed, touches_of

__all__ = [
    "POINTER",
    "Thing",
    "Touch",
    "Trouble",
    "any_means",
    "attempts_of",
    "blocks_in",
    "canonical",
    "code_in",
    "computed_without",
    "found_at_first",
    "freedom",
    "goals_of",
    "head",
    "idle",
    "inquires",
    "installs",
    "is_shown",
    "is_test_log",
    "left_open",
    "looks_complained",
    "means_to",
    "names_program",
    "needed_files",
    "only_imports",
    "origin_of",
    "own_code",
    "prepares",
    "program_call",
    "programs_missed",
    "shows_pointer",
    "touches_of",
    "troubles_of",
]
