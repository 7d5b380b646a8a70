"""polyopt-tune: its arguments, its errors, and one real search."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.tools.polyopt_tune import main
from polyopt.tools.tune.job import loop_flags

PROGRAM = r"""
#include <stdio.h>
#define N 1000
static double a[N][N], b[N][N];
void kernel(void) {
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i][j] = a[i][j] * 0.5 + b[i][j];
}
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = i + j;
    for (int t = 0; t < 4; t++)
        kernel();
    printf("%.17g\n", a[N - 1][N - 2]);
    return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.c"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "one C file with a main, not 0"),
        (["a.c", "b.c"], "one C file with a main, not 2"),
        (["a.c", "--budget=soon"], "bad budget 'soon'"),
        (["a.c", "--repeat=0"], "must be positive"),
        (["a.c", "--poly=none"], "nothing to tune"),
        (["a.c", "--schedule=s"], "not for polyopt-tune"),
        (["a.c", "--no-such"], "unknown option '--no-such'"),
        (["/nowhere/a.c"], "/nowhere/a.c: No such file"),
    ],
)
def test_mistakes_have_one_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


def test_functions_are_known(program: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(program), "--function=kernal"]) == 1
    assert "no loop nest to tune in a function 'kernal'" in capsys.readouterr().err


def test_orders_of_the_source_are_finished_with_and_without_steps(tmp_path: Path):
    """So that a first step is not praised for what the loop stage does."""
    script = tmp_path / "s.steps"
    script.write_text("")
    assert loop_flags("identity", script) == ("--poly=identity", f"--schedule={script}")
    assert loop_flags("auto", script) == ("--poly=auto",)
    script.write_text("print\n")
    assert loop_flags("auto", script) == ("--poly=auto", f"--schedule={script}")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a linker")
def test_a_real_search(program: Path, capsys: pytest.CaptureFixture[str]):
    """The order of the source walks down columns: the interchange is many times faster."""
    arguments = [str(program), "--budget=4", "--function=kernel", "--repeat=2"]
    assert main([*arguments, "-O1", "--poly=identity", "-ffp-contract=off"]) == 0
    script = program.with_suffix(".steps")
    assert "permute S0.i S0.j" in script.read_text()
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O1", f"--schedule={script}"]
    subprocess.run([*command, "-c", program, "-o", program.with_suffix(".o")], check=True)
    assert "times as fast as --poly=identity" in capsys.readouterr().out
    assert main([*arguments, "-O1", "--poly=identity", "-ffp-contract=off"]) == 0
    assert "4 programs were measured before" in capsys.readouterr().err
