"""poly-layout: programs compute what they did before, to the last bit."""

import shutil
import subprocess
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units import unit as stages
from polyopt.driver.units.module_texts import make_context
from polyopt.driver.units.source import Source
from polyopt.passes.storage.layout import PolyLayoutPass
from polyopt.support.diagnostics import CompileError, SourceMap

LOOPS = """
enum { N = 37, M = 23 };
struct point { double x, y, z; };
double A[N][M], C[M][N], cube[5][7][9];
struct point points[N];
float narrow[3 * N];

/* Recurrences down the columns, again and again; the last column stays. */
void columns(int n, int m)
{
    for (int t = 0; t < 3; t++)
        for (int j = 0; j < m; j++)
            for (int i = 1; i < n; i++)
                A[i][j] = 0.5 * A[i - 1][j] + C[j][i];
}

/* Of each point two members are read, and one is written. */
void move(int n, double dt)
{
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < n; i++)
            points[i].x += dt * points[i].y;
}

/* What data decide on. */
void look_up(int n, const int *restrict at, double *restrict sums)
{
    double table[12][8];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 8; j++)
            table[i][j] = i * 0.25 + j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            sums[i] += table[(at[i] + 1) % 12][j] * j;
}

void planes(int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 7; j++)
                cube[i][j][k] = cube[i][6 - j][k] * 0.5 + i;
}

void thirds(int n)
{
    for (int i = 0; i < n; i++)
        narrow[3 * i + 2] = narrow[3 * i] - narrow[3 * i + 1];
}
"""

MAIN = """
#include <stdio.h>
enum { N = 37, M = 23 };
struct point { double x, y, z; };
extern double A[N][M], C[M][N], cube[5][7][9];
extern struct point points[N];
extern float narrow[3 * N];
void columns(int, int), move(int, double), planes(int), thirds(int);
void look_up(int, const int *, double *);

static void show(const char *name, const double *values, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++)
        printf(" %a", values[i]);
    printf("\\n");
}

int main(void)
{
    int at[N];
    double sums[N];
    for (int i = 0; i < N; i++) {
        at[i] = i * 7 % 11, sums[i] = i;
        points[i] = (struct point){i, 1.0 / (i + 1), -i};
        for (int j = 0; j < M; j++)
            A[i][j] = i * 3 % 5 + j / 8.0, C[j][i] = i - j / 3.0;
    }
    for (int i = 0; i < 5 * 7 * 9; i++)
        (&cube[0][0][0])[i] = i % 13;
    for (int i = 0; i < 3 * N; i++)
        narrow[i] = i * 0.75f;
    columns(0, M), columns(1, M), columns(N, 1), columns(N, M);
    show("columns", &A[0][0], N * M);
    move(0, 1.0), move(N - 1, 0.125), show("points", &points[0].x, 3 * N);
    look_up(N, at, sums), show("sums", sums, N);
    planes(1), planes(9), show("cube", &cube[0][0][0], 5 * 7 * 9);
    thirds(N);
    for (int i = 0; i < 3 * N; i++)
        printf(" %a", narrow[i]);
    return 0;
}
"""

LAYOUTS = [
    [PolyLayoutPass(array=name) for name in ("A", "C", "table", "cube")],
    [PolyLayoutPass(array=name, layout="pad", number=3) for name in ("A", "table", "cube")],
    [
        PolyLayoutPass(array="points", layout="split", number=3),
        PolyLayoutPass(array="narrow", layout="split", number=3),
        PolyLayoutPass(array="cube", order=(2, 0, 1)),
        PolyLayoutPass(array="cube_layout", layout="pad", number=1),
    ],
    # Some of the calls fit, others do not.
    [PolyLayoutPass(array="A", limit=2000)],
]


def changed(passes: list[PolyLayoutPass], flags: tuple[str, ...] = ()) -> stages.Unit:
    settings = read_settings(("-O2", "-ffp-contract=off", *flags))
    unit = stages.parse(Source("loops.c", LOOPS), settings, SourceMap())
    stages.lower(unit, "poly")
    for one in passes:
        one.apply(make_context(), unit.module)
        unit.module.verify()
    return unit


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("layouts", range(len(LAYOUTS)))
@pytest.mark.parametrize(
    "configuration",
    ["auto", *(pytest.param(one, marks=pytest.mark.slow) for one in ("identity", "isl+tile"))],
)
def test_same_results(layouts: int, configuration: str, tmp_path: Path):
    main, loops, target = (tmp_path / name for name in ("main.c", "loops.c", "loops.o"))
    main.write_text(MAIN)
    loops.write_text(LOOPS)
    unit = changed(LAYOUTS[layouts], (f"--poly={configuration}",))
    stages.lower(unit)
    target.write_bytes(stages.object_code(unit))
    outputs: list[str] = []
    for code in (target, loops):
        program = tmp_path / code.suffix
        subprocess.run(["gcc", "-O0", "-ffp-contract=off", main, code, "-o", program], check=True)
        ran = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60)
        outputs.append(ran.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 4


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (PolyLayoutPass(array="A"), "has an array 'A'"),
        (PolyLayoutPass(array="A", layout="pad"), "asks for number=1"),
        (PolyLayoutPass(array="A", number=3), "number is for layout=pad"),
        (PolyLayoutPass(array="A", limit=-1), "limit is from 0"),
    ],
)
def test_options_are_checked(one: PolyLayoutPass, message: str):
    with pytest.raises(CompileError, match=message):
        one.apply(make_context(), ModuleOp([]))
