"""Groups that are computed as they lie in memory mean what C says, to the bit, and nothing beside
them is touched."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.passes.loops.transfers.compute_in_turns import ComputeInTurnsPass
from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("turns.c")
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fwrapv", "-w"]
ALWAYS = ["--skip-pass=keep-what-pays"]


def output(*parts: Path) -> str:
    program = parts[0].with_name("program")
    subprocess.run(["gcc", *parts, "-o", program], check=True)
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "element",
    [
        "float -DIS_FLOAT",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("double -DIS_FLOAT", "int", "short", "char")
        ),
    ],
)
def test_groups_mean_what_gcc_says(element: str, tmp_path: Path):
    source = [*f"-DT={element}".split(), str(SOURCE), "-c", "-o"]
    runs, wanted, made = (tmp_path / name for name in ("runs.o", "wanted.o", "made.o"))
    plain = ["gcc", "-w", "-fwrapv", "-ffp-contract=off"]
    subprocess.run([*plain, "-O1", *source, runs], check=True)
    subprocess.run([*plain, "-O0", "-DKERNELS", *source, wanted], check=True)
    assert main([*FLAGS, *ALWAYS, "-DKERNELS", *source, str(made)]) == 0
    assert output(runs, made) == output(runs, wanted)


@pytest.mark.skipif(Target.host().vector_bits < 512, reason="LLVM takes groups apart")
def test_the_program_tests_it(capfd: pytest.CaptureFixture[str]):
    shown = [f"--print-after={ComputeInTurnsPass.name}", "--print-only=products"]
    source = ["-DT=float", "-DKERNELS", "-c", str(SOURCE), "-o", "/dev/null"]
    assert main([*FLAGS, *ALWAYS, *shown, *source]) == 0
    _, text = capfd.readouterr()
    assert "pvec.write" in text
    assert "pvec.write_in_turns" not in text
