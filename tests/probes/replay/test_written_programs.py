"""What a few lines do under a program's name: the words that they hand on."""

import os
import subprocess
from pathlib import Path

import pytest

HOOKS = Path(__file__).parents[3] / "probes" / "replay" / "arms" / "documented" / "hooks"


@pytest.mark.parametrize(
    ("given", "handed"),
    [
        ("-O2 -xHost -c flow.f", "-O2 -c flow.f"),
        (
            "-r8 -module build/mod -fpp -DN=4 -o flow flow.f90 -llapack",
            "-fdefault-real-8 -J build/mod -cpp -DN=4 -o flow flow.f90 -llapack",
        ),
        (
            "-fp-model strict -check all -traceback -convert big_endian a.f",
            "-fcheck=all -fbacktrace -fconvert=big-endian a.f",
        ),
    ],
)
def test_intel_s_options_are_said_in_gnu_fortran_s_words(tmp_path: Path, given: str, handed: str) -> None:
    (tmp_path / "gfortran").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "gfortran").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", HOOKS / "ifort", *given.split()], check=False, env={"PATH": path}, capture_output=True, text=True
    )
    assert done.stdout.split() == ["-std=legacy", "-fallow-argument-mismatch", *handed.split()], done


def test_what_gnu_fortran_has_nothing_for_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", HOOKS / "ifort", "-mkl", "flow.f"], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (2, "ifort: -mkl is not done here\n")
