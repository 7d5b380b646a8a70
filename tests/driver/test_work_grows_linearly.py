"""What is twice as long takes twice the work: calls of Python functions are counted, not time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from polyopt.driver.options.flags import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import produce

MOST = 2.3
"""What is linear has 2 here, what is quadratic 4."""


def branches_before_a_loop(n: int) -> str:
    tests = "".join(f"  if (a[{i}] == {i}) s ^= {i};\n" for i in range(n))
    loop = "  for (int i = 0; i < n; i++) s += a[i];\n"
    return f"int f(int *a, int n) {{\n  int s = 0;\n{tests}{loop}  return s;\n}}\n"


def statements(n: int) -> str:
    kinds = ("s = s * 3 + t;", "t = t ^ (s >> 3);", "a[t & 7] = s;", "s += a[s & 7];")
    lines = "".join(f"  {kinds[i % 4]}\n" for i in range(n))
    return f"int f(int *a, int s, int t) {{\n{lines}  return s;\n}}\n"


def searches(n: int) -> str:
    """Loops none of which is a static control part."""
    loop = "  for (p = h; p; p = p->next) {{ if (p->v == {0}) break; s += p->v; c[s & 7]++; }}\n"
    lines = "".join(loop.format(i) for i in range(n))
    head = "struct n { struct n *next; int v; };\nint f(struct n *h, int *c) {\n"
    return f"{head}  int s = 0; struct n *p;\n{lines}  return s;\n}}\n"


def searches_among_sums(n: int) -> str:
    """Loops every third of which is none."""
    loops = (
        "for (int i = 0; i < n; i++) a[i] += {0};",
        "for (int i = 0; i < n; i++) b[i] *= {0};",
        "while (*q) *q++ = 0;",
    )
    lines = "".join(f"  {loops[i % 3].format(i)}\n" for i in range(n))
    return f"void f(int n, double *a, double *b, char *q) {{\n{lines}}}\n"


def macros(n: int) -> str:
    head = "#define ONCE(x) ((x) + 1)\n#define TWICE(x) ONCE(ONCE(x))\nint f(int s) {\n"
    lines = "".join(f"  s += TWICE(s + {i});\n" for i in range(n))
    return f"{head}{lines}  return s;\n}}\n"


def calls(n: int) -> str:
    lines = "".join(f'  printf("%d %s\\n", {i}, "text {i}");\n' for i in range(n))
    return f"#include <stdio.h>\nint main(void) {{\n{lines}}}\n"


def functions(n: int) -> str:
    return "".join(f"int f{i}(int a, int b) {{ return a * {i} + b; }}\n" for i in range(n))


def cases(n: int) -> str:
    lines = "".join(f"  case {3 * i}: s += {i}; break;\n" for i in range(n))
    return f"int f(int x) {{\n  int s = 0;\n  switch (x) {{\n{lines}  }}\n  return s;\n}}\n"


def work(text: str, level: int) -> int:
    count = 0

    def counted(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    kept = sys.getprofile()
    sys.setprofile(counted)
    try:
        produce(Source("long.c", text), Settings(opt_level=level), "llvm", lambda found: None)
    finally:
        sys.setprofile(kept)
    return count


@pytest.mark.parametrize(
    ("program", "size", "level"),
    [
        (statements, 40, 0),
        (macros, 20, 0),
        (calls, 20, 0),
        (cases, 20, 0),
        (branches_before_a_loop, 20, 3),
        (statements, 20, 3),
        (searches, 4, 3),
        (searches_among_sums, 6, 3),
        (functions, 10, 3),
        (cases, 15, 3),
    ],
)
def test_work_grows_linearly(program: Callable[[int], str], size: int, level: int) -> None:
    work(program(2), level)
    once, twice, four_times = (work(program(size * n), level) for n in (1, 2, 4))
    assert four_times - twice <= MOST * (twice - once)
