"""Objects that are one number or address each are written as of their type, with the value that
they have; whatever else looks at them, they mean what they meant as bytes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

OBJECTS = r"""
#include <string.h>
#include <stdio.h>
static long seed = -42;
static int zero;
static short few = -3;
static unsigned char byte = 200;
static _Bool flag = 1;
static float half = 0.5f;
static double third = 1.0 / 3, minus = -0.0, none = 0.0 / 0.0, far = 1e308 * 10;
static void *nothing;
static void *something = (void *)42;
static long *place = &seed;
static int mixed = 0x3f800000;
static struct { int only; } wrapped = {7};
static long next(void) { return seed = (seed * 3877 + 29573) % 139968; }
int main(void) {
    float seen;
    memcpy(&seen, &mixed, sizeof seen);
    for (int i = 0; i < 3; i++) {
        printf("%ld %d %d %d %d %a %a\n", next(), zero++, few--, byte++, flag, half, third);
        printf("%a %d %a %p %p %d %a\n", minus, none != none, far, nothing, something, mixed, seen);
        if (i) *place = wrapped.only++, half *= 3, third /= 7, minus = seen, nothing = &zero == 0;
        flag = i & 1, something = (char *)something + 1, mixed++, none = far - far, far = -1;
    }
    return 0;
}
"""


def lines(tmp_path: Path, *words: str) -> list[str]:
    (tmp_path / "t.c").write_text(OBJECTS)
    made = str(tmp_path / "made")
    assert polyopt_cc.main(["-w", *words, str(tmp_path / "t.c"), "-o", made]) == 0
    if "--emit=llvm" in words:
        return (tmp_path / "made").read_text().splitlines()
    return subprocess.run([made], capture_output=True, text=True, check=True).stdout.splitlines()


def test_objects_are_of_the_type_that_they_are_used_as(tmp_path: Path) -> None:
    written = lines(tmp_path, "-O1", "--emit=llvm")
    objects = [line.partition(",")[0] for line in written if " = internal global " in line]
    assert "@seed = internal global i64 -42" in objects
    assert "@zero = internal global i32 zeroinitializer" in objects
    assert "@few = internal global i16 -3" in objects
    assert "@half = internal global float 5.000000e-01" in objects
    assert "@minus = internal global double -0.000000e+00" in objects
    assert "@nothing = internal global ptr zeroinitializer" in objects
    assert any(one.startswith("@something = internal global [8 x i8]") for one in objects)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_they_hold_what_gcc_says(level: str, tmp_path: Path) -> None:
    found = lines(tmp_path, level)
    words = ["gcc", "-O0", "-w", str(tmp_path / "t.c"), "-o", str(tmp_path / "wanted")]
    subprocess.run(words, check=True)
    wanted = subprocess.run([str(tmp_path / "wanted")], capture_output=True, text=True, check=True)
    assert found == wanted.stdout.splitlines()
    assert len(found) == 6
