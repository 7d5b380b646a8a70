"""Whole C programs, one for each area of the language: they run as C says.

Beside each program lies what it writes when gcc -O0 compiles it; where there is a gcc, it is
asked again. A missing file is written from what gcc says, and the test fails once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))


@pytest.mark.parametrize("opt_level", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_program_runs_as_expected(source: Path, opt_level: int, run_c: Callable[..., str]) -> None:
    expected = source.with_suffix(".expected").read_text()
    assert run_c(source.read_text(), filename=str(source), opt_level=opt_level) == expected


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_expected_output_is_what_gcc_gives(
    source: Path, run_with_gcc: Callable[[Sequence[Path]], str]
) -> None:
    file = source.with_suffix(".expected")
    judged = run_with_gcc([source])
    if not file.exists():
        file.write_text(judged)
        pytest.fail(f"{file.name} was missing; it now holds what gcc gives")
    assert file.read_text() == judged


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_every_operation_knows_its_place(source: Path, compile_c: Callable[..., ModuleOp]) -> None:
    module = compile_c(source.read_text(), filename=str(source))
    operations = [op for op in module.walk() if op is not module]
    assert operations
    assert [op for op in operations if not isinstance(op.location, FileLineColLoc)] == []
