"""poly-expand: programs compute what they did before, in each version."""

import shutil
import subprocess
from pathlib import Path

import pytest
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units import unit as stages
from polyopt.driver.units.module_texts import make_context
from polyopt.driver.units.source import Source
from polyopt.passes.storage.expand import PolyExpandPass
from polyopt.support.diagnostics import CompileError, SourceMap

LOOPS = """
enum { N = 9, M = 7 };
double A[N][M], B[N], C[N][M], last, row[M];

/* The caller sees `last`: the value of the last iteration is brought back. */
void rows(int n, int m)
{
    for (int i = 0; i < n; i++) {
        last = 1.0;
        for (int j = 0; j < m; j++)
            last += A[i][j];
        B[i] = last;
    }
}

void filter(void)
{
    double y1, y2;
    for (int i = 0; i < N; i++) {
        y1 = 0.0;
        y2 = 0.0;
        for (int j = 0; j < M; j++) {
            C[i][j] = A[i][j] + 0.5 * y1 - 0.25 * y2;
            y2 = y1;
            y1 = C[i][j];
        }
    }
}

/* An array that is used again for each i. */
void lines(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < M; j++)
            row[j] = A[i][j] * 2.0;
        for (int j = 1; j < M; j++)
            C[i][j] += row[j] * row[j - 1];
    }
}
"""

MAIN = """
#include <stdio.h>
enum { N = 9, M = 7 };
extern double A[N][M], B[N], C[N][M], last, row[M];
void rows(int n, int m), filter(void), lines(int n);

static void show(const char *name)
{
    printf("%s %a", name, last);
    for (int i = 0; i < N; i++)
        printf(" %a", B[i]);
    for (int j = 0; j < M; j++)
        printf(" %a", row[j]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            printf(" %a", C[i][j]);
    printf("\\n");
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = i * 3 % 5 + j / 8.0;
    last = 3.0;
    for (int n = 0; n <= N; n += 3) {
        rows(n, M - 1), show("rows");
        rows(n, 0), show("empty rows");
        lines(n), show("lines");
    }
    filter(), show("filter");
    return 0;
}
"""


def expanded(limit: int, flags: tuple[str, ...] = ()) -> stages.Unit:
    settings = read_settings(("-O2", "-ffp-contract=off", *flags))
    unit = stages.parse(Source("loops.c", LOOPS), settings, SourceMap())
    stages.lower(unit, "poly")
    PolyExpandPass(limit=limit).apply(make_context(), unit.module)
    unit.module.verify()
    return unit


def versions(module: ModuleOp) -> dict[str, list[int]]:
    """How many arrays each SCoP has, for each version of it."""
    found: dict[str, list[int]] = {}
    for op in module.walk():
        if isinstance(op, ScopOp):
            found.setdefault(op.scop_name.data, []).append(len(op.arrays))
    return found


@pytest.mark.parametrize(
    ("limit", "arrays"),
    [
        (1 << 20, {"rows": [4], "filter": [6], "lines": [4]}),
        # Less than two columns of 9 doubles: the filter stays. Of lines, parameters decide.
        (100, {"rows": [4], "filter": [4], "lines": [4, 3]}),
        # There may be as many rows as `B` has elements, and as many doubles.
        (60, {"rows": [4, 3], "filter": [4], "lines": [4, 3]}),
    ],
)
def test_what_is_taken_is_bounded(limit: int, arrays: dict[str, list[int]]):
    module = expanded(limit).module
    assert versions(module) == arrays
    choices = sum(len(one) - 1 for one in arrays.values())
    assert sum(isinstance(op, scf.IfOp) for op in module.walk()) == choices


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    ("limit", "configuration"),
    [
        (1 << 20, "isl+tile"),
        *(pytest.param(200, one, marks=pytest.mark.slow) for one in ("isl", "auto")),
    ],
)
def test_same_results(limit: int, configuration: str, tmp_path: Path):
    """With 200 bytes some of the calls fit and others do not."""
    main, loops, target = (tmp_path / name for name in ("main.c", "loops.c", "loops.o"))
    main.write_text(MAIN)
    loops.write_text(LOOPS)
    unit = expanded(limit, (f"--poly={configuration}",))
    stages.lower(unit)
    target.write_bytes(stages.object_code(unit))
    outputs: list[str] = []
    for code in (target, loops):
        program = tmp_path / code.suffix
        subprocess.run(["gcc", "-O0", "-ffp-contract=off", main, code, "-o", program], check=True)
        ran = subprocess.run([program], capture_output=True, text=True, check=True)
        outputs.append(ran.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 13


def test_options_are_checked():
    with pytest.raises(CompileError, match="loops is not negative"):
        PolyExpandPass(loops=-1).apply(make_context(), ModuleOp([]))
    with pytest.raises(CompileError, match="limit is from 0"):
        PolyExpandPass(limit=1 << 31).apply(make_context(), ModuleOp([]))
    with pytest.raises(CompileError, match="has an array 'nobody'"):
        PolyExpandPass(arrays=("nobody",)).apply(make_context(), ModuleOp([]))


def test_a_loop_that_never_runs_needs_no_places() -> None:
    """What is read and written by no instance has no extents to ask for."""
    text = """
    void f(int n, double *restrict a, double *restrict b)
    {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = i; j < i; j++)
                sum += a[j];
            b[i] = sum;
        }
    }
    """
    unit = stages.parse(Source("never.c", text), read_settings(("-O2",)), SourceMap())
    stages.lower(unit, "poly")
    PolyExpandPass(loops=1).apply(make_context(), unit.module)
    unit.module.verify()
