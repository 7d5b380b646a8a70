"""Random functions of loops compute what gcc -O0 says, bit for bit, in every configuration."""

import shutil
import subprocess
from pathlib import Path

import pytest
from oracles.kernel_runs import CONFIGURATIONS
from oracles.random_loops import random_program

from polyopt.driver.building.job import Job
from polyopt.driver.building.making import make_product
from polyopt.driver.options.flags import read_settings

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")

PER_PROGRAM = 7


def output_of(program: Path) -> list[str]:
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=60)
    return ran.stdout.splitlines()


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize(
    "number", [n if n < 1 else pytest.param(n, marks=pytest.mark.slow) for n in range(17)]
)
def test_random_loops(number: int, configuration: str, tmp_path: Path):
    source = tmp_path / "loops.c"
    source.write_text(random_program(range(PER_PROGRAM * number, PER_PROGRAM * (number + 1))))
    reference, program, target = (tmp_path / name for name in ("reference", "program", "loops.o"))
    strict = ["-ffp-contract=off", "-w"]
    subprocess.run(["gcc", "-O0", *strict, str(source), "-o", str(reference)], check=True)
    # Sizes that are small beside the loops, so that there are many tiles.
    tiles = "--tile-sizes=3,4"
    settings = read_settings(["-O2", *strict, tiles, f"--poly={configuration}"])
    code = make_product(Job(settings=settings), str(source), "obj")
    assert isinstance(code, bytes)
    target.write_bytes(code)
    subprocess.run(["gcc", str(target), "-o", str(program)], check=True)
    assert output_of(program) == output_of(reference)
