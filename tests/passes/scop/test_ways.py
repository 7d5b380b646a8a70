"""Loops are found by what they mean, however they are written: the files in `ways` say above each
function what is to be found in it, and what they compute is what gcc says."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects import func

from polyopt.dialects.poly import ReadOp, ScopOp, WriteOp
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import read_source
from polyopt.driver.units.unit import lower, parse
from polyopt.support.diagnostics import SourceMap
from polyopt.support.remarks import Remark, collect_remarks
from polyopt.tools.polyopt_cc import main

WAYS = Path(__file__).with_name("ways")
FILES = sorted(WAYS.glob("*.c"))
FLAGS = ("-O3", "-w", "-ffp-contract=off", "--skip-pass=keep-what-pays")
_FUNCTION = re.compile(r"^// (.*)\n(?:\w+ )+\**(\w+)\(", re.MULTILINE)
EXPECTED = {
    (path, name): said
    for path in FILES
    for said, name in _FUNCTION.findall(path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize(("path", "name"), EXPECTED, ids=lambda it: getattr(it, "stem", it))
def test_what_is_found(path: Path, name: str):
    scops, remarks = _found_in(path)
    mine = [one.message for one in remarks if one.function == name and one.id.startswith("scop-")]
    wanted, _, told = EXPECTED[path, name].partition(": ")
    reasons: list[str] = told.split(" // ") if told else []
    assert _said_of(scops.get(name, [])) == wanted
    assert len(mine) == len(reasons)
    assert [text[: len(why)] for text, why in zip(mine, reasons, strict=True)] == reasons


@cache
def _found_in(path: Path) -> tuple[dict[str, list[ScopOp]], list[Remark]]:
    """The static control parts of each function, and all remarks."""
    with collect_remarks() as remarks:
        unit = parse(read_source(str(path)), read_settings(FLAGS), SourceMap())
        lower(unit, "poly")
    functions = (op for op in unit.module.ops if isinstance(op, func.FuncOp))
    return {
        one.sym_name.data: [op for op in one.walk() if isinstance(op, ScopOp)] for one in functions
    }, remarks.items


def _said_of(scops: list[ScopOp]) -> str:
    if not scops:
        return "no scop"
    depth = max(len(one.body.block.args) for scop in scops for one in scop.statements())
    accesses = [op for scop in scops for op in scop.walk() if isinstance(op, ReadOp | WriteOp)]
    exactness = "range" if any(op.may for op in accesses) else "exact"
    return f"{len(scops)} scop{'s' * (len(scops) > 1)}, {depth} deep, {exactness}"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_they_compute_what_gcc_says(path: Path, tmp_path: Path):
    run = path.with_suffix(".run")
    made = tmp_path / "made.o"
    assert main([*FLAGS, "-c", str(path), "-o", str(made)]) == 0
    outputs: list[str] = []
    for what in (path, made):
        program = tmp_path / "program"
        gcc = ["gcc", "-O0", "-w", "-ffp-contract=off", f"-I{WAYS}", "-x", "c", str(run)]
        subprocess.run([*gcc, "-x", "none", str(what), "-lm", "-o", str(program)], check=True)
        outputs.append(
            subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout
        )
    assert outputs[0].splitlines() == outputs[1].splitlines()
    assert outputs[0].splitlines()
