"""Programs of one kind of loops each are SCoPs, and compute what gcc -O0 says.

conditions.c    data decide
windows.c       small loops inside of big ones
mixed.c         elements of several types, and iterators as numbers
complex.c       complex numbers
intervals.c     intervals of a sequence, split in the best way

Others are no one kind, and not all of them are SCoPs:

steered.c       scalars that are found, and are subscripts then
flow.c          jumps, exits, loops entered in the middle, and what is behind them
wrapped.c       subscripts by arithmetic that wraps
ragged.c        loops that begin and end where data say
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from oracles.kernel_runs import CONFIGURATIONS

from polyopt.driver.building.job import Job
from polyopt.driver.building.making import make_product
from polyopt.driver.options.flags import read_settings
from polyopt.support.remarks import collect_remarks

PROGRAMS = ("conditions", "windows", "mixed", "complex", "intervals")
OTHERS = ("steered", "flow", "wrapped", "ragged")
STRICT = ("-ffp-contract=off", "-march=native")


def source_of(program: str) -> Path:
    return Path(__file__).with_name(f"{program}.c")


def output_of(program: Path) -> list[str]:
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=60)
    return ran.stdout.splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_function_is_a_scop(program: str):
    source = source_of(program)
    with collect_remarks() as remarks:
        make_product(Job(settings=read_settings(["-O2"])), str(source), "poly")
    # What prints the results comes last.
    (end,) = (n for n, line in enumerate(source.read_text().splitlines()) if "void show" in line)
    missed = [item for item in remarks.items if item.kind == "missed"]
    assert [str(item) for item in missed if item.span is None or item.span.line <= end] == []


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "configuration",
    [one if one == "auto" else pytest.param(one, marks=pytest.mark.slow) for one in CONFIGURATIONS],
)
@pytest.mark.parametrize("program", [*PROGRAMS, *OTHERS])
def test_results(program: str, configuration: str, tmp_path: Path):
    source = source_of(program)
    reference, ours, target = (tmp_path / name for name in ("reference", "ours", "code.o"))
    subprocess.run(["gcc", "-O0", "-ffp-contract=off", str(source), "-o", reference], check=True)
    flags = ["-O3", *STRICT, f"--poly={configuration}"]
    # A third of the time: where control flow is plain, in the slow part only.
    flags += ["--verify-each"] if program in OTHERS or configuration != "auto" else []
    settings = read_settings(flags)
    code = make_product(Job(settings=settings), str(source), "obj")
    assert isinstance(code, bytes)
    target.write_bytes(code)
    subprocess.run(["gcc", target, "-o", ours], check=True)
    assert output_of(ours) == output_of(reference)
