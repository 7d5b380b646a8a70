"""`__builtin_constant_p` of what is no constant: at -O0 it is not, with optimisation it is where
inlining shows one number, but for where C wants to know at once. The numbers are gcc 12's."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

PROGRAM = r"""
#include <stdio.h>
static inline int known(int n) { return __builtin_constant_p(n); }
static inline int scaled(int n, int by) {
    if (__builtin_constant_p(by) && by == 4)
        return n << 2;
    return n * by + 1000;
}
int never_there(void);
static inline int checked(unsigned n) {
    if (!__builtin_constant_p(n))
        return 7;
    return n > 5 ? never_there() : 3;
}
int a[100];
int main(int argc, char **argv) {
    volatile int v = 4;
    int w = v, *nowhere = 0;
    static int s = __builtin_constant_p(3) + __builtin_constant_p(sizeof(int));
    int array[__builtin_constant_p(argc) ? 1 : 2];
    for (int i = 0; i < 100; i++)
        a[i] = __builtin_constant_p(i) ? -1 : scaled(i, 4);
    printf("%d %d %d %d %d\n", known(3), known(w), scaled(2, 4), scaled(2, w), checked(2));
    printf("%d %d %d\n", s, (int)sizeof array, a[99]);
    printf("%d %d\n", __builtin_constant_p(argc++), argc);
    printf("%d %d\n", __builtin_constant_p(*nowhere), __builtin_constant_p(argc / (argc - 1)));
    return 0;
}
"""
EXPECTED = {
    "-O0": "0 0 1008 1008 7\n2 8 1396\n0 1\n0 0\n",
    "-O2": "1 0 8 1008 3\n2 8 396\n0 1\n0 0\n",
}


@pytest.mark.parametrize("level", EXPECTED)
def test_inlining_may_answer(level: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    source = tmp_path / "t.c"
    source.write_text(PROGRAM)
    assert polyopt_cc.main(["-w", level, "--run", str(source)]) == 0
    assert capfd.readouterr().out == EXPECTED[level]
