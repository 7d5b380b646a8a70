"""Programs in configurations: fixed seeds find nothing, a planted defect is found and reduced."""

import re
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.module_texts import make_context, module_text
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.ir.problem import copy_known
from polyopt.pass_runs import Watch, run_passes
from polyopt.passes.schedule.apply_steps import apply_script
from polyopt.poly.transform.script import parse_script
from polyopt.poly.transform.steps import STEPS
from polyopt.support.diagnostics import SourceMap
from polyopt.support.effort import Effort
from polyopt.support.remarks import collect_remarks
from polyopt.tools import children
from polyopt.tools.children import Limits, Say, in_child
from polyopt.tools.fuzz.campaigns.campaign import Campaign, Finding, Forks
from polyopt.tools.fuzz.campaigns.findings import write_finding
from polyopt.tools.fuzz.campaigns.mutants import try_mutants
from polyopt.tools.fuzz.campaigns.reduce import Reduction, reduced
from polyopt.tools.fuzz.programs.program import random_program
from polyopt.tools.fuzz.trials import trial
from polyopt.tools.fuzz.trials.check import check_text
from polyopt.tools.fuzz.trials.configurations import Configuration, read_configuration
from polyopt.tools.fuzz.trials.harness import Memory
from polyopt.tools.fuzz.trials.permute import permute_files
from polyopt.tools.fuzz.trials.reference import build
from polyopt.tools.fuzz.trials.steps import DrawSteps, random_script
from polyopt.tools.fuzz.trials.trial import Prepared, TrialVerdict, compile_stage

SUM = """
#include <stdio.h>
double a[40], b[40], c[40];
void kernel(int n, double f)
{
    for (int i = 0; i < n; i++)
        b[i] = f * a[i];
    for (int i = 0; i < n; i++) {
        double t = a[i] + 1;
        c[i] = t - b[i] * 2;
    }
}
int main(void)
{
    for (int i = 0; i < 40; i++)
        a[i] = i * 0.5;
    kernel(33, 0.25);
    for (int i = 0; i < 40; i++)
        printf("%g %g\\n", b[i], c[i]);
    return 0;
}
"""
STRICT = ("-O1", "-ffp-contract=off", "--poly=isl")


def _plant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Subtractions become additions."""

    def broken(
        module: ModuleOp,
        context: Context,
        passes: Sequence[ModulePass],
        watch: Watch = Watch(),
        account: Effort | None = None,
    ) -> None:
        run_passes(module, context, passes, watch, account)
        if not any(item.name == "affine-to-scf" for item in passes):
            return
        for op in [one for one in module.walk() if isinstance(one, arith.SubfOp)]:
            assert op.parent is not None
            new = arith.AddfOp(op.lhs, op.rhs)
            op.parent.insert_op_before(new, op)
            op.result.replace_all_uses_with(new.result)
            op.detach()
            op.erase()

    monkeypatch.setattr(trial, "run_passes", broken)


def test_fixed_seeds_find_nothing():
    found = list[Finding]()
    campaign = Campaign(Forks(2, 2), lambda finding, _: found.append(finding))
    tally = campaign.run([3, 8, 12])
    assert [(one.seed, one.words, one.verdict) for one in found] == []
    assert tally.trials == 6
    assert tally.became["scops"] > 0


@pytest.mark.parametrize(
    "own", ["--poly=auto", "--steps=7", "--through=jscop:3", "--through=scoplib:3"]
)
def test_what_configurations_share_is_where_each_begins(own: str, tmp_path: Path):
    flags = ("-O1", "-ffp-contract=off", "-march=x86-64-v3", "--skip-pass=affine-stream", own)
    configuration = read_configuration(flags)
    program = random_program(5)
    expected: list[list[Memory]] = []
    prepared = Prepared.of(program, expected, ("-O1",), [configuration, configuration])
    stage = prepared.stage(configuration)
    assert stage.is_found
    shared, _ = compile_stage(stage, configuration, tmp_path, _nothing, Counter())
    prepared.stages.clear()
    stage = prepared.stage(configuration)
    assert not stage.is_found
    alone, _ = compile_stage(stage, configuration, tmp_path, _nothing, Counter())
    assert module_text(shared.module) == module_text(alone.module)


def _nothing(_: str) -> None: ...


def test_reduction_keeps_what_is_interesting():
    small = Reduction(SUM, lambda text: "b[i] * 2" in text and "kernel(" in text, 10).run()
    assert "b[i] * 2" in small
    assert len(small.splitlines()) < 12


APART = """
static __attribute__((noinline)) int f(int a) { return a * 3 + 1; }
__attribute__((noinline, const)) int g(int a) { return f(a) - 2; }
"""


def test_attributes_are_kept_while_there_is_what_they_stand_at():
    small = Reduction(APART, lambda text: "noinline))" in text and "a * 3" in text, 10).run()
    assert small.startswith("static __attribute__((noinline)) int f(int a)")
    assert "const" not in small


def test_what_is_no_c_stays_as_it_is():
    text = "int f(void) { return ({ 1; }); }\n"
    verdict = TrialVerdict("different")
    assert reduced(text, read_configuration(STRICT), verdict, seconds=1) == text


def test_the_reference_calls_the_library(tmp_path: Path):
    """gcc computes calls with known arguments to the last bit, which libm's do not have."""
    text = "#include <math.h>\ndouble f(void) { return cbrt(cbrt(8)); }\n"
    library = build(text, tmp_path)
    names = subprocess.run(["nm", "-D", library], capture_output=True, text=True, check=True)
    assert re.search(r"\bcbrt\b", names.stdout)


def test_a_planted_defect_is_found(monkeypatch: pytest.MonkeyPatch):
    _plant(monkeypatch)
    assert check_text(SUM, read_configuration(STRICT)).name == "different"


@pytest.mark.slow
def test_a_planted_defect_is_reduced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    _plant(monkeypatch)
    configuration = read_configuration(STRICT)
    verdict = check_text(SUM, configuration)
    assert verdict.name == "different"
    small = reduced(SUM, configuration, verdict, seconds=60)
    body = [line for line in small.splitlines() if line.strip(" {}")]
    assert len(body) < 20
    assert " - " in small
    path = write_finding(tmp_path, Finding(0, STRICT, verdict), small)
    text = path.read_text(encoding="utf-8")
    assert f"polyopt-fuzz --check {path.name} -O1 -ffp-contract=off --poly=isl" in text
    assert check_text(text, configuration).name == "different"


def test_without_a_defect_the_program_prints_the_same():
    assert check_text(SUM, read_configuration(STRICT)).name == "same"


def test_a_difference_of_last_bits_is_none_where_sums_are_reordered():
    fast = read_configuration(("-O2", "-ffast-math"))
    assert check_text(SUM, fast).name == "same"


@pytest.mark.parametrize("poly", ["identity", "locality", "isl+tile"])
def test_steps_are_drawn_from_the_loops_that_they_change(poly: str, tmp_path: Path):
    """Up to the steps, the same passes run where they are drawn and where they are applied."""
    configuration = read_configuration(("-O1", "-ffast-math", f"--poly={poly}", "--steps=2"))
    settings = read_settings(list(configuration.flags))
    said = tmp_path / "said"

    def say(phase: str) -> None:
        with said.open("a", encoding="utf-8") as stream:
            stream.write(f"{phase} ")

    unit = parse(Source("program.c", SUM), settings, SourceMap())
    trial.compile_unit(unit, configuration, tmp_path, say)
    drawn, applied = said.read_text(encoding="utf-8").split("lower ")[1:]
    steps = "after poly-apply-steps"
    assert drawn.split(steps)[0].strip() == applied.split(steps)[0].strip()
    assert steps in drawn
    assert "poly-keep-small" not in drawn


NESTS = """
void f(int n, double A[n][n], double B[n][n], double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = B[j][i] * 2;
            x[j] += B[i][j];
        }
    for (int i = 0; i < n; i++)
        y[i] = 3;
}
"""


def test_each_kind_of_step_is_drawn():
    unit = parse(Source("f.c", NESTS), read_settings(["-O1", "--poly=identity"]), SourceMap())
    lower(unit, "poly")
    scripts = (random_script(unit.module, seed, threads=True) for seed in range(60))
    drawn, seeds = set[str](), 0
    while not drawn >= STEPS.keys():
        seeds += 1
        drawn |= {line.split()[0] for line in next(scripts, "").splitlines()}
        assert seeds <= 60, f"never: {STEPS.keys() - drawn}"
    without = [random_script(unit.module, seed) for seed in range(4)]
    assert all("parallel" not in script for script in without)


BEHIND_BUFFERS = """
void between(void);
void two(int n, int m, double A[restrict 100][m], double s[restrict 100], double t[restrict 100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s[j] += A[i][j] * A[i][0];
    between();
    for (int k = 0; k < n; k++)
        t[k] = 3 * t[k];
}
"""


def test_what_was_drawn_is_done_where_it_is_asked_for():
    """Also behind a step that makes two SCoPs of one."""
    unit = parse(
        Source("f.c", BEHIND_BUFFERS), read_settings(["-O1", "--poly=identity"]), SourceMap()
    )
    lower(unit, "poly")
    seen = set[tuple[bool, bool]]()
    for seed in range(16, 25):
        drawing = DrawSteps(seed)
        drawing.apply(make_context(), copy_known(unit.module))
        text = "\n".join([*drawing.found, ""])
        again = copy_known(unit.module)
        apply_script(again, parse_script(text, "f.steps"))
        scops = [op for op in again.walk() if isinstance(op, ScopOp)]
        seen.add((len(scops) > 2, "scop two:2" in drawing.found))
    assert (True, True) in seen, "no step of the second SCoP behind two versions of the first"


def test_isl_works_as_hard_where_steps_were_drawn(tmp_path: Path):
    """isl keeps what it has found out of a set. Were it the same sets that steps are drawn with, a
    schedule that was too dear then could be within its budget, and the steps fit no more. Here they
    would be a fifth apart."""
    words = ("-O1", "-ffp-contract=off", "-march=x86-64-v2", "--poly=isl")
    drawing = read_configuration((*words, "--steps=3"))
    prepared = Prepared.of(random_program(5), [], ("-O1",), [drawing, drawing])

    def operations(configuration: Configuration) -> int:
        with collect_remarks() as remarks:
            stage = prepared.stage(configuration)
            compile_stage(stage, configuration, tmp_path, _nothing, Counter())
        return remarks.counters["operations"]

    drawn = in_child(lambda _: operations(drawing)).value
    script = tmp_path / "script.steps"
    assert script.read_text(encoding="utf-8")
    reading = read_configuration((*words, f"--schedule={script}"))
    read = in_child(lambda _: operations(reading)).value
    assert read == pytest.approx(drawn, rel=0.02)  # isl's operations are not counted more exactly


def _waited_a_minute(process: object) -> float:
    return 60.0


def test_loops_that_never_run_have_no_steps():
    text = """
        int main(void)
        {
            static int a[9];
            for (int i = 2; i < 5; i++)
                for (int j = 1; j < 1; j++) a[i] += j;
            return a[3];
        }
    """
    words = ("-O3", "-ffp-contract=off", "--poly=identity", "--steps=1")
    assert check_text(text, read_configuration(words)).name == "same"


def test_waiting_for_a_processor_is_no_hang(monkeypatch: pytest.MonkeyPatch):
    def wait(say: Say) -> str:
        time.sleep(1.0)
        return "done"

    limits = Limits(seconds=0.05)
    assert in_child(wait, limits).ending == "slow"
    monkeypatch.setattr(children, "_starved", _waited_a_minute)
    assert in_child(wait, limits).value == "done"


def test_children_that_crash_hang_or_eat():
    def crash(say: Say) -> None:
        import ctypes

        say("crashing")
        ctypes.string_at(0)

    def hang(say: Say) -> None:
        while True:
            pass

    def eat(say: Say) -> None:
        _ = bytearray(1 << 33)

    def fail(say: Say) -> None:
        raise ValueError("no")

    assert (in_child(crash).ending, in_child(crash).phase) == ("killed", "crashing")
    assert in_child(hang, Limits(seconds=0.5)).ending == "slow"
    assert in_child(eat, Limits(bytes=1 << 28)).ending == "large"
    assert "ValueError: no" in in_child(fail).detail
    assert in_child(lambda say: [1, "two"]).value == [1, "two"]


def test_fixed_mutants_are_refused_or_done():
    found = list[Finding]()
    campaign = Campaign(Forks(2, 12, attempt=try_mutants), lambda f, _: found.append(f))
    tally = campaign.run([5])
    assert [(one.words, one.verdict) for one in found] == []
    assert tally.trials == 12


SCOPLIB = """\
# Scattering function
5 5
     0    0    0    0    1
     0    1    0    0    0
     0    0    0    0    0
     0    0    1    0    0
     0    0    0    0    0
# Access informations are provided
"""


def test_dates_of_scoplib_change_places(tmp_path: Path):
    (tmp_path / "f___f.scoplib").write_text(SCOPLIB)
    changed, *_, kept = permute_files(tmp_path, "scoplib", 1)
    rows = SCOPLIB.splitlines()
    rows[3], rows[5] = rows[5], rows[3]
    assert changed.splitlines()[1:] == rows
    assert kept.splitlines()[1:] == SCOPLIB.splitlines()
