"""Loops unrolled by hand leave what they left, whatever overlaps and wherever they begin and end;
loops that only look unrolled are left alone."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func

from polyopt.dialects.poly import WRITTEN_ANEW
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.ir.fast_math import FASTMATH
from polyopt.passes.prepare.loop_forms.reroll_loops import RerollLoopsPass
from polyopt.passes.prepare.variables.promote_scalars import PromoteScalarsPass
from polyopt.support.diagnostics import SourceMap
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("unrolled.c")
UNROLLED = {
    "up_to_bound",
    "from_rest",
    "by_three",
    "past_the_end",
    "from_anywhere",
    "known",
    "carried",
    "summed",
    "mapped",
    "doubled",
    "in_pairs",
    "of_bytes",
    "counted_first",
    "up_to_global",
    "product",
    "added_first",
    "of_two_terms",
}


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("options", [[], ["--skip-pass=keep-what-pays"]])
def test_unrolled_loops_leave_what_gcc_says(options: list[str], tmp_path: Path):
    flags = ["-ffp-contract=off", "-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    assert main(["-O3", *options, *flags, str(tmp_path / "made")]) == 0
    wanted = output([tmp_path / "wanted"]).splitlines()
    assert output([tmp_path / "made"]).splitlines() == wanted


@pytest.mark.parametrize("is_free", [False, True])
def test_which_loops_are_rolled(*, is_free: bool):
    """Terms that are added to each other first are as many iterations' where sums have no order."""
    module = parse_c(SOURCE.read_text(), str(SOURCE), CFrontendOptions(), SourceMap())
    if is_free:
        module.attributes[FASTMATH] = arith.FastMathFlagsAttr("fast")
    for step in (PromoteScalarsPass(), RerollLoopsPass()):
        step.apply(Context(), module)
    module.verify()
    rolled = {
        op.sym_name.data
        for op in module.ops
        if isinstance(op, func.FuncOp) and WRITTEN_ANEW in op.attributes
    }
    assert rolled == UNROLLED | ({"added_apart", "added_last"} if is_free else set())
