"""Neighbours that a loop stores one by one are stored in pairs, where nothing is between them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.paired_stores import with_paired_stores
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main


def loop(*body: str, work: int = 0, head: str = "") -> str:
    """Stores four neighbours of a row of `@a`, with `body` behind the first one."""
    lines = "\n".join(f"  {one}" for one in body)
    more = "\n".join(f"  %w{n} = fadd double %{f'w{n - 1}' if n else 'x'}, %y" for n in range(work))
    last = f"w{work - 1}" if work else "y"
    return f"""
@a = global [100 x [8 x double]] zeroinitializer
@b = global [100 x [8 x double]] zeroinitializer
{head}
define void @f(ptr %r, double %x, double %y, i64 %n) {{
entry:
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds [8 x double], ptr @a, i64 %k
  %o = getelementptr inbounds [8 x double], ptr @b, i64 %k
  %p1 = getelementptr inbounds nuw i8, ptr %p, i64 8
  %p2 = getelementptr inbounds nuw i8, ptr %p, i64 16
  %p3 = getelementptr inbounds nuw i8, ptr %p, i64 24
{more}
  store double %x, ptr %p, align 16
{lines}
  store double %{last}, ptr %p1, align 8
  store double 1.000000e+00, ptr %p3, align 8
  store double %y, ptr %p2, align 16
  %next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}}
"""


@pytest.mark.parametrize(
    "between",
    [
        (),
        ("%v = load double, ptr %p1, align 8",),  # before it is stored
        ("%v = load <2 x double>, ptr %p2, align 16",),
        ("%v = load double, ptr %o, align 8", "store double %v, ptr %o, align 8"),
        ("%v = call double @llvm.fma.f64(double %x, double %y, double %y)",),
    ],
)
def test_neighbours_are_stored_together(between: tuple[str, ...]):
    head = "declare double @llvm.fma.f64(double, double, double)"
    text = loop(*between, head=head)
    changed = with_paired_stores(text)
    parse_ir(text)
    parse_ir(changed)
    assert "store <2 x double> %.pair.0, ptr %p, align 16" in changed
    assert "insertelement <2 x double> %.pair.1.low, double 1.000000e+00, i64 1" in changed
    assert "store <2 x double> %.pair.1, ptr %p2, align 16" in changed
    assert changed.count("store double") == text.count("store double") - 4


@pytest.mark.parametrize(
    "between",
    [
        ("%v = load double, ptr %p, align 8",),  # what has just been stored
        ("%v = load double, ptr %r, align 8",),  # which may be in the row
        ("store double %y, ptr %r, align 8",),
        ("%v = load volatile double, ptr %o, align 8",),
        ("call void @g()",),
        ("fence seq_cst",),
    ],
)
def test_what_stands_between_is_in_the_way(between: tuple[str, ...]):
    text = loop(*between, head="declare void @g()")
    parse_ir(text)
    assert with_paired_stores(text) == text


@pytest.mark.parametrize(
    "text",
    [
        loop(work=40),  # stores are not what takes the time
        loop(head="@c = alias [100 x [8 x double]], ptr @a"),
        loop().replace("store double %x", "store volatile double %x"),
        loop().replace("ptr %p, align 16", "ptr %p, align 16, !nontemporal !0") + "\n!0 = !{i32 1}",
        loop("%row = getelementptr i8, ptr %p, i64 %n", "%v = load double, ptr %row, align 8"),
        loop()
        .replace("br i1 %more, label %loop, label %done", "br label %done")
        .replace(", [ %next, %loop ]", ""),
    ],
)
def test_other_stores_stay(text: str):
    parse_ir(text)
    assert with_paired_stores(text) == text


def test_what_is_read_again_is_not_waited_for():
    text = loop().replace("  %next =", "  %v = load double, ptr %p, align 8\n  %next =")
    assert with_paired_stores(text) == text


PROGRAM = """
#include <stdio.h>
double px[40][25], cx[40][25];
void rows(int n, double *other)
{
    for (int i = 0; i < n; i++) {
        double a = cx[i][4], b = a - px[i][4];
        px[i][4] = a;
        a = b - px[i][5], px[i][5] = b;
        b = a - px[i][6], px[i][6] = a;
        a = b - px[i][7], px[i][7] = b;
        px[i][9] = a - px[i][8], px[i][8] = a;
    }
    for (int i = 0; i < n; i++)
        other[4 * i] = i, other[4 * i + 1] = other[4 * i] + 1, other[4 * i + 3] = -i,
        other[4 * i + 2] = 2.5 * i;
}
int main(void)
{
    for (int i = 0; i < 1000; i++)
        px[i / 25][i % 25] = i % 7, cx[i / 25][i % 25] = i % 5;
    rows(33, px[2] + 5);
    for (int i = 0; i < 1000; i++)
        printf("%a ", px[i / 25][i % 25]);
    return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_rows_have_the_same_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("rows.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-O0", "rows.c", "-o", "expected"], check=True)
    assert main(["-O3", "-march=x86-64-v3", "-ffp-contract=off", "rows.c", "-o", "ours"]) == 0
    expected, ours = (subprocess.check_output(f"./{one}") for one in ("expected", "ours"))
    assert ours == expected
