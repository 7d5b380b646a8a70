"""What attributes say to the linker holds in a program that it has linked: gcc's does the same.
Code that is loaded without a linker refuses what it cannot have."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

PROGRAM = r"""
#include <setjmp.h>
#include <stdio.h>
static int early;
__attribute__((constructor)) static void first(void) { early = 7; }
__attribute__((destructor)) static void last(void) { puts("last"); }
__attribute__((weak)) int soft(int x) { return x + 1; }
extern int missing(int) __attribute__((weak));
extern int missing_object __attribute__((weak));
static int target(int x) { return x * 2; }
int other(int) __attribute__((alias("target")));
static int more(int x) { return x + 3; }
__attribute__((noinline)) static int less(int x) { return x - 3; }
static int (*choose(void))(int) { return missing ? more : less; }
int chosen(int) __attribute__((ifunc("choose")));
static inline void *choose_again(void) { return more; }
static int chosen_again(int) __attribute__((ifunc("choose_again")));
int data[3] = {1, 2, 3};
extern int same_data[3] __attribute__((alias("data")));
int renamed(int) __asm__("target_name");
int renamed(int x) { return x - 1; }
__attribute__((section("apart"))) int in_section = 5;
__attribute__((visibility("hidden"))) int hidden = 6;
static _Thread_local int mine = 4;
__thread long yours;
__attribute__((const)) int square(int);
__attribute__((const, noinline)) int square(int x) { return x * x; }
static long small_stacks(int i) { char *p = __builtin_alloca(4000); p[i % 4000] = 1; return *p; }
static jmp_buf buffer;
static void thrower(int n) { if (n == 0) longjmp(buffer, 42); thrower(n - 1); }
static int protected(int n) {
    volatile int tries = 0;
    int r = setjmp(buffer);
    tries++;
    if (r == 0) { thrower(n); return -1; }
    return r + tries;
}
int main(void) {
    printf("%d %d %d %d\n", early, soft(1), missing ? 1 : 0, &missing_object ? 1 : 0);
    printf("%d %d %d %d %d\n", other(5), same_data[1], renamed(3), in_section, hidden);
    int (*choices[])(int) = {chosen, chosen_again};
    printf("%d %d %d\\n", chosen(1), chosen_again(1), choices[0](2) + choices[1](2));
    mine++, yours += 3;
    printf("%d %ld\n", mine, yours);
    int squares = 0, stacks = 0;
    for (int i = 0; i < 10; i++) squares += square(i);
    for (int i = 0; i < 100000; i++) stacks += small_stacks(4000 * i);
    printf("%d %d %d\n", squares, stacks, protected(5));
    return 0;
}
"""


def _output(program: Path) -> str:
    return subprocess.run([program], capture_output=True, text=True, timeout=60, check=True).stdout


TWO_NAMES = """
#include <stdio.h>
int a[1000], rows[2][1000];
extern int b[1000] __attribute__((alias("a")));
extern int c[1000] __attribute__((weak, alias("a")));
static void next(int n) { for (int i = 1; i < n; i++) a[i] = b[i - 1] + 1; }
static void both(int n) { for (int i = 0; i + 1 < n; i++) { c[i + 1] = 3 * i; b[i] += a[i + 1]; } }
static void swapped(int n) {
    int *p = rows[0], *q = rows[1];
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < n; i++) { a[i] = c[i - 1] + t + p[i]; q[i] = b[i]; }
        int *old = p; p = q; q = old;
    }
}
int main(void) {
    void (*steps[])(int) = {next, both, swapped};
    for (int k = 0; k < 3; k++) {
        long sum = 0;
        steps[k](1000);
        for (int i = 0; i < 1000; i++) sum = (sum * 31 + a[i]) % 1000003;
        printf("%ld\\n", sum);
    }
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O3", "-O3 -fno-poly", "-O3 --skip-pass=keep-what-pays"])
@pytest.mark.parametrize("program", [PROGRAM, TWO_NAMES], ids=["all", "two names"])
def test_attributes_mean_what_they_mean_to_gcc(program: str, level: str, tmp_path: Path) -> None:
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    source = tmp_path / "attributes.c"
    source.write_text(program)
    subprocess.run([gcc, "-w", "-o", tmp_path / "judge", source], check=True, timeout=60)
    assert main([*level.split(), "-w", "-o", str(tmp_path / "program"), str(source)]) == 0
    assert _output(tmp_path / "program") == _output(tmp_path / "judge")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("_Thread_local int x; int main(void) { return x; }", "a thread-local variable"),
        ("__attribute__((constructor)) void f(void) { } int main(void) { }", "a constructor"),
    ],
)
def test_code_without_a_linker_refuses_them(
    text: str, what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "start.c"
    source.write_text(text)
    assert main(["-O0", "--run", str(source)]) == 1
    assert f"error: {what} needs a program of its own" in capfd.readouterr().err


INLINED = (
    """
static inline __attribute__((always_inline)) int large(int *a, int n, int mode) {
    if (mode == 3) { a[n] = n; return n; }
    """
    + "\n    ".join(f"a[{k} * n % 7] ^= a[{k + 1} * n % 5] / {k + 2};" for k in range(300))
    + """
    return mode;
}
__attribute__((always_inline, noinline)) static int both(int x) { return x / 3; }
int once(int *a, int n) { return large(a, n, 3); }
int twice(int *a, int n) { return large(a, n, 3) + large(a, n + 1, 3) + both(n); }
"""
)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_is_inlined_anyway_is_no_function(level: str, tmp_path: Path) -> None:
    """However large it is, so that only what a mode asks for is left of it."""
    source, made = tmp_path / "inlined.c", tmp_path / "inlined.s"
    source.write_text(INLINED)
    assert main([level, "-w", "-S", "--cache=off", "-o", str(made), str(source)]) == 0
    text = made.read_text()
    assert "large" not in text
    assert "both:" in text
    assert len(text.splitlines()) < (5000 if level == "-O0" else 200)
