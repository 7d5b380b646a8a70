"""Searches that look ahead find what they found: NaNs, zeros of both signs, ties, lengths around
the blocks that are looked at; and loops that only look like searches are left alone."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.passes.prepare.loop_forms.scan_records import ScanRecordsPass
from polyopt.passes.prepare.values.clean_values import CleanValuesPass
from polyopt.passes.prepare.variables.promote_scalars import PromoteScalarsPass
from polyopt.support.diagnostics import SourceMap
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("searches.c")
SEARCHES = {
    "at_of",
    "at_of_least",
    "with_place",
    "both",
    "least",
    "farthest",
    "nearest",
    "by_continue",
    "to_globals",
    "of_bytes",
    "rows_noted",
    "top_two",
    "top_three",
    "either",
    "drawdown",
    "best_trade",
}

SUMMED = Path(__file__).with_name("summed_searches.c")
REAL_SUMS = {"norms", "mean_and_least"}
"""Real numbers are added up in any order with -ffast-math only."""

ONE_VALUE = {"least", "farthest"}


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def taken(module: ModuleOp) -> set[str]:
    for step in (PromoteScalarsPass(), CleanValuesPass()):
        step.apply(Context(), module)
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    before = {op.sym_name.data: str(op) for op in functions}
    ScanRecordsPass().apply(Context(), module)
    module.verify()
    return {op.sym_name.data for op in functions if str(op) != before[op.sym_name.data]}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("options", [[], ["-fno-poly"]])
def test_searches_find_what_gcc_says(options: list[str], tmp_path: Path):
    flags = ["-ffp-contract=off", "-w", str(SOURCE), "-lm", "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    assert main(["-O3", *options, *flags, str(tmp_path / "made")]) == 0
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted


@pytest.mark.parametrize("finite", [False, True])
@pytest.mark.parametrize("zeros", [False, True])
def test_which_loops_look_ahead(finite: bool, zeros: bool):
    """Minima and maxima alone only where LLVM makes no vectors of them: it does where there are
    neither NaNs nor signed zeros."""
    options = CFrontendOptions(finite_math=finite, signed_zeros=zeros)
    module = parse_c(SOURCE.read_text(), str(SOURCE), options, SourceMap())
    assert taken(module) == SEARCHES - (ONE_VALUE if finite and not zeros else set[str]())


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("options", [[], ["-ffast-math"]])
def test_searches_that_add_up_find_and_add_what_gcc_says(options: list[str], tmp_path: Path):
    output(["gcc", "-O0", "-w", SUMMED, "-lm", "-o", tmp_path / "wanted"])
    assert main(["-O3", *options, "-w", str(SUMMED), "-lm", "-o", str(tmp_path / "made")]) == 0
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted


@pytest.mark.parametrize("free", [False, True])
def test_which_searches_may_add_up(free: bool):
    options = CFrontendOptions(associative_math=free)
    module = parse_c(SUMMED.read_text(), str(SUMMED), options, SourceMap())
    assert taken(module) == {"counted"} | (REAL_SUMS if free else set[str]())
