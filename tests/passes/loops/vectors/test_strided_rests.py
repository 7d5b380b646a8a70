"""What is left over of rows whose elements are apart is read from the vectors in which it lies,
and nothing beside it is touched."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("strided_rests.c")


def output(program: Path) -> str:
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    ("march", "stride"),
    [
        ("native", 2),
        *(
            pytest.param(march, stride, marks=pytest.mark.slow)
            for march in ("native", "x86-64-v3")
            for stride in (-4, -3, -2, 2, 3, 4)
            if (march, stride) != ("native", 2)
        ),
    ],
)
def test_rests_mean_what_gcc_says(march: str, stride: int, tmp_path: Path):
    flags = ["-ffp-contract=off", f"-DSTRIDE=({stride})", str(SOURCE), "-o"]
    subprocess.run(["gcc", "-O0", *flags, tmp_path / "wanted"], check=True)
    assert main(["-O3", f"-march={march}", *flags, str(tmp_path / "made")]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")
