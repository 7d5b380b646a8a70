"""The ways to the pass that is to blame: limits and bisecting, what is printed between passes,
what is left behind by a failure."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from xdsl.passes import ModulePass

from polyopt.driver.building.watching import difference
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.bisect import first_bad
from polyopt.driver.units.room_options import pipeline_options
from polyopt.passes.codegen.poly_to_affine import PolyToAffinePass
from polyopt.pipeline import optional_steps, steps_between
from polyopt.pipeline_options import PipelineOptions
from polyopt.support.diagnostics import CompileError
from polyopt.tools import polyopt_cc, polyopt_opt

SUM = """double sum(int n, double *x) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}
int main(void) {
  double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  return sum(8, x) != 36;
}
"""

Tool = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def cc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Tool:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sum.c").write_text(SUM)

    def run(line: str) -> tuple[int, str, str]:
        capfd.readouterr()
        status = polyopt_cc.main(shlex.split(line))
        out, err = capfd.readouterr()
        return status, out, err

    return run


# --pass-limit


OPTIONS = [
    PipelineOptions(),
    PipelineOptions(poly="isl+tile"),
    PipelineOptions(parallel=2),
    PipelineOptions(is_module=True),
    PipelineOptions(added=(("scf", "cse"),)),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_limits_grow_by_one_pass_each(options: PipelineOptions) -> None:
    names = [step.name for step in optional_steps(options)]
    previous: list[str] = []
    for limit in range(len(names) + 1):
        limited = replace(options, limit=limit)
        chosen = [step.name for step in steps_between(limited, "source", "scf")]
        optional = [name for name in chosen if name in names]
        assert optional == names[:limit]
        assert len(chosen) == len(previous) + 1 or not previous
        previous = chosen
    assert previous == [step.name for step in steps_between(options, "source", "scf")]


@pytest.mark.parametrize("limit", range(0, 40, 4))
def test_every_limit_makes_a_program_that_is_right(cc: Tool, limit: int) -> None:
    assert cc(f"-O3 -ffast-math --pass-limit={limit} --run sum.c") == (0, "", "")


def test_a_limit_is_a_number(cc: Tool) -> None:
    status, _, err = cc("-O3 --pass-limit=all -c sum.c")
    assert status == 1
    assert "bad value 'all' for '--pass-limit=': expected a number of passes" in err


# --bisect


@pytest.mark.parametrize("bad", range(1, 18))
def test_the_first_bad_number_is_found(bad: int) -> None:
    asked: list[int] = []

    def is_good(number: int) -> bool:
        asked.append(number)
        return number < bad

    assert first_bad(17, is_good) == bad
    assert len(asked) <= 2 + 5


def test_nothing_to_look_for() -> None:
    with pytest.raises(CompileError, match="without any pass that could be left out"):
        first_bad(9, lambda _: False)
    with pytest.raises(CompileError, match="good with all 9 passes"):
        first_bad(9, lambda _: True)


def test_bisecting_names_the_pass(cc: Tool) -> None:
    """The first pass that leaves vectors in the module is the one that makes them."""
    flags = "-O3 -ffast-math --skip-pass=keep-what-pays"
    status, out, err = cc(f"{flags} --emit=scf sum.c -o s.mlir --bisect='! grep -q vector s.mlir'")
    assert (status, "affine-vectorize, changes the verdict: good with" in out) == (0, True)
    names = [s.name for s in optional_steps(pipeline_options(read_settings(flags.split())))]
    assert f"pass {names.index('affine-vectorize') + 1} of {len(names)}, " in out
    assert "--pass-limit=0: good" in err
    status, _, err = cc("-O3 --bisect=true --run sum.c")
    assert (status, "asks a command about what is made" in err) == (1, True)


# printing


def test_before_and_after_a_pass_one_function(cc: Tool) -> None:
    flags = "--print-before=poly-to-affine --print-after=poly-to-affine --print-only=sum"
    status, _, err = cc(f"-O3 --poly=isl {flags} -c sum.c")
    before, after = err.split("// IR after poly-to-affine\n")
    assert status == 0
    assert before.startswith("// IR before poly-to-affine\nfunc.func @sum")
    assert "poly.scop" in before
    assert "affine.for" in after
    assert "@main" not in err


def test_changes_are_shown_as_lines(cc: Tool) -> None:
    _, _, err = cc("-O3 --poly=isl --print-changed --print-only=sum -c sum.c")
    assert "// tail-calls changes nothing" in err
    (shown,) = [part for part in err.split("// ") if part.startswith("poly-to-affine changes\n")]
    assert any(line.startswith("-") and "poly.scop" in line for line in shown.splitlines())
    assert any(line.startswith("+") and "affine.for" in line for line in shown.splitlines())


def test_differences() -> None:
    assert difference("p", "a\nb\n", "a\nb\n") == "// p changes nothing"
    assert difference("p", "a\nb\n", "a\nc\n").splitlines()[2:] == [" a", "-b", "+c"]


def test_unknown_pass_to_print(cc: Tool) -> None:
    status, _, err = cc("-O3 --print-before=poly-tiel -c sum.c")
    assert (status, "did you mean 'poly-tile'?" in err) == (1, True)


# reproducers


def test_a_failure_leaves_the_module_and_a_command(
    cc: Tool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(self: ModulePass, *_: Any) -> None:
        raise AssertionError("impossible")

    monkeypatch.setattr(PolyToAffinePass, "apply", fail)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    status, _, err = cc("-O3 --poly=isl -c sum.c")
    assert status == 4
    assert "internal error, in pass poly-to-affine: AssertionError: impossible" in err
    command = err.split("shown again by  ")[1].strip()
    program, module, flag, passes = shlex.split(command)
    assert (program, flag, passes) == ("polyopt-opt", "-p", "poly-to-affine")
    assert "poly.scop" in Path(module).read_text()
    assert polyopt_opt.main([module, flag, passes]) == 4
    assert (Path(module).parent / "again.sh").read_text().strip() == command


def test_a_mistake_of_the_users_leaves_nothing(cc: Tool, tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text("int f(void) { return y; }")
    status, _, err = cc("-O3 -c wrong.c")
    assert (status, "shown again" in err) == (1, False)
