"""Subscripts whose products may wrap: what is asked of their factors is enough, and loops leave
what gcc's do, where nothing wraps and where it does."""

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from polyopt.passes.scop.wrapped_products import greatest_bound
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("wrapped_products.c")


@pytest.mark.parametrize("degrees", [(1,), (2,), (2, 1), (3, 2, 1), (2, 2), (3, 3, 1, 1)])
@pytest.mark.parametrize("greatest", [0, 1, 2, 7, 15, 127, 255, 1000])
def test_the_bound_is_the_greatest_for_which_no_sum_is_too_great(
    degrees: tuple[int, ...], greatest: int
):
    bound = greatest_bound(degrees, greatest)
    small = range(-bound, bound + 1)
    if bound <= 3:
        for values in product(small, repeat=sum(degrees)):
            left, total = list(values), 0
            for degree in degrees:
                term = 1
                for _ in range(degree):
                    term *= left.pop()
                total += term
            assert abs(total) <= greatest
    assert sum((bound + 1) ** degree for degree in degrees) > greatest


def test_sizes_of_int_are_small_enough_for_rows_by_size_t():
    assert greatest_bound((2, 1), (1 << 63) - 1) >= 1 << 31
    assert greatest_bound((2, 1), (1 << 32) - 1) == 65535


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "judge", [["--skip-pass=keep-what-pays"], pytest.param([], marks=pytest.mark.slow)]
)
def test_loops_leave_what_they_leave_one_by_one(judge: list[str], tmp_path: Path):
    wanted, made = tmp_path / "wanted", tmp_path / "made"
    gcc = ["gcc", "-O0", "-ffp-contract=off", "-w", SOURCE, "-o", wanted]
    subprocess.run(gcc, check=True)
    options = ["-O3", "-march=native", "-ffp-contract=off", "-w", *judge]
    assert main([*options, str(SOURCE), "-o", str(made)]) == 0
    said = [subprocess.run([one], capture_output=True, check=True).stdout for one in (wanted, made)]
    assert said[0] == said[1]
