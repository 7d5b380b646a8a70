"""Flags, builtins and attributes that change what a program means."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

CHARACTERS = r"""
#include <limits.h>
#include <string.h>
#if '\xff' < 0 || !defined __CHAR_UNSIGNED__ || CHAR_MIN != 0
#error
#endif
struct part { char low : 4, high : 4; };
static char table[] = {'\xff', 200, -1};
static long sum(const char *p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
int main(void) {
  struct part s = {15, 9};
  char c = 250, text[64];
  for (int i = 0; i < 64; i++) text[i] = (char)(i * 7);
  if (sum(table, 3) != 710 || sum(text, 64) != 7200 || s.low != 15 || '\xe9' != 233) return 1;
  if (strcpy(text, "\xe9")[0] != "\xe9"[0] || CHAR_MAX != 255) return 2;
  c += 10;
  return _Generic(c, unsigned char: 3, signed char: 4, char: c != 4);
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_characters_may_be_unsigned(
    level: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.c").write_text(CHARACTERS)
    words = [level, "-Wall", "-Wextra", "--run", str(tmp_path / "t.c")]
    assert polyopt_cc.main(["-fsigned-char", "-funsigned-char", *words]) == 0
    assert capfd.readouterr().err == ""
    assert polyopt_cc.main(["-funsigned-char", "-fno-unsigned-char", *words]) == 1
    assert "#error" in capfd.readouterr().err


CHECKED = r"""
#include <stdio.h>
#define ROOM(x) __builtin_object_size(x, 0)
int main(int count, char **words) {
  char text[64], few[8];
  __builtin___memcpy_chk(text, "fits", 5, ROOM(text));
  __builtin___strcpy_chk(few, text, ROOM(few));
  __builtin___strncat_chk(few, "!", 1, ROOM(few));
  __builtin___snprintf_chk(text, 64, 0, ROOM(text), "%s %d", few, count);
  __builtin___printf_chk(1, "%s\n", text);
  fflush(stdout);
  if (count == 2) __builtin___memset_chk(few, 1, 9 + count, ROOM(few));
  if (count == 3) __builtin___sprintf_chk(few, 0, ROOM(few), "%s", words[2]);
  return few[0] != 'f';
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_room_is_checked_where_it_is_known(level: str, tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text(CHECKED)
    program = str(tmp_path / "t")
    assert polyopt_cc.main([level, str(tmp_path / "t.c"), "-o", program]) == 0

    def end(*words: str) -> tuple[int, str, bool]:
        done = subprocess.run([program, *words], capture_output=True, text=True)
        return done.returncode, done.stdout, "buffer overflow detected" in done.stderr

    assert end() == (0, "fits! 1\n", False)
    assert end("") == (-6, "fits! 2\n", True)
    assert end("", "longer than this") == (-6, "fits! 3\n", True)
    assert end("", "f") == (0, "fits! 3\n", False)


def test_copies_that_fit_are_the_plain_ones(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text(
        "void f(char *to, const char *from, unsigned long n) {\n"
        "  char all[16];\n"
        "  __builtin___memcpy_chk(to, from, n, __builtin_object_size(to, 0));\n"
        "  __builtin___memcpy_chk(all, from, 16, __builtin_object_size(all, 0));\n"
        "  __builtin___sprintf_chk(to, 0, -1UL, all, n);\n"
        "}\n"
    )
    words = ["-O0", "-S", str(tmp_path / "t.c"), "-o", str(tmp_path / "t.s")]
    assert polyopt_cc.main(words) == 0
    assert "_chk" not in (tmp_path / "t.s").read_text()


FORTIFIED = r"""
#include <stdio.h>
#include <string.h>
#ifdef SYSTEM
#include <wchar.h>
#endif
struct both { char one[8], other[8]; } pair;
static char format[8];
int main(int count, char **words) {
  char few[8];
  memcpy(pair.one, "12345678", count > 2 ? 12 + count : 8);
  memset(few, 0, sizeof few);
  strncpy(few, words[0] + 1, 2);
  if (count == 2) strcpy(pair.one, words[1]);
  snprintf(few, sizeof few, "%.1s%d", "fits", count);
  strcpy(format, count == 4 ? "%n%s" : "%s\n");
  count == 4 ? printf(format, &count, few) : printf(format, few);
  return 0;
}
"""


@pytest.mark.parametrize("library", ["OURS", "SYSTEM"])
@pytest.mark.parametrize(
    ("options", "ends"),
    [
        ("-O1 -D_FORTIFY_SOURCE=2", (0, -6, -6, -6)),
        ("-O1 -D_FORTIFY_SOURCE=1", (0, 0, -6, 0)),
        ("-O1 -D_FORTIFY_SOURCE=2 -U_FORTIFY_SOURCE", (0, 0, 0, 0)),
    ],
)
def test_fortified_programs_end_where_there_is_no_room(
    options: str, ends: tuple[int, ...], library: str, tmp_path: Path
) -> None:
    """By hand: a text of nine bytes leaves its member, and 16 bytes the struct from 2 on
    (5 arguments); a format that writes (`%n`) has been written itself."""
    (tmp_path / "t.c").write_text(FORTIFIED)
    program = str(tmp_path / "t")
    words = [*options.split(), f"-D{library}", str(tmp_path / "t.c"), "-o", program]
    assert polyopt_cc.main(words) == 0
    given = ((), ("12345678",), ("", "", "", ""), ("", "", ""))
    done = [subprocess.run([program, *words], capture_output=True) for words in given]
    assert tuple(one.returncode for one in done) == ends
    assert done[0].stdout == b"f1\n"


def test_members_behind_pointers_are_fortified(tmp_path: Path) -> None:
    """All but the one at the end, which may be as long as memory was asked for."""
    (tmp_path / "t.c").write_text(
        "#define _FORTIFY_SOURCE 2\n"
        "#include <string.h>\n"
        "struct entry { char name[8]; int n; char text[1]; };\n"
        "void f(struct entry *e, const char *from) { strcpy(e->name, from); }\n"
        "void g(struct entry *e, const char *from) { strncat(e->text, from, 2); }\n"
    )
    words = ["-O1", "-w", "-S", str(tmp_path / "t.c"), "-o", str(tmp_path / "t.s")]
    assert polyopt_cc.main(words) == 0
    text = (tmp_path / "t.s").read_text()
    assert "__strcpy_chk" in text
    assert "__strncat_chk" not in text


def test_functions_of_ones_own_are_not_fortified(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text(
        "#define _FORTIFY_SOURCE 2\n"
        "typedef __SIZE_TYPE__ size_t;\n"
        "void *memset(void *to, int byte, size_t n) { return to; }\n"
        "static int strcpy(char *to, const char *from) { return *to + *from; }\n"
        'int f(size_t n) { char all[4]; memset(all, 0, n); return strcpy(all, "12345"); }\n'
    )
    words = ["-O1", "-w", "-S", str(tmp_path / "t.c"), "-o", str(tmp_path / "t.s")]
    assert polyopt_cc.main(words) == 0
    assert "_chk" not in (tmp_path / "t.s").read_text()


ALIGNED = r"""
#include <stdint.h>
void far(void) __attribute__((aligned(256)));
static int __attribute__((noinline, aligned(64), section(".hot"))) near(int x) { return x + 1; }
void far(void) {}
int main(void) {
  if (__alignof__(far) != 256 || (uintptr_t)far % 256) return 1;
  return __alignof__(near) != 64 || (uintptr_t)near % 64 || near(1) != 2;
}
"""


@pytest.mark.parametrize("options", ["-O0", "-O2 -g -ffunction-sections"])
def test_functions_are_aligned(options: str, tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text(ALIGNED)
    program, assembly = str(tmp_path / "t"), tmp_path / "t.s"
    assert polyopt_cc.main([*options.split(), str(tmp_path / "t.c"), "-o", program]) == 0
    assert subprocess.run([program]).returncode == 0
    words = [*options.split(), "-S", str(tmp_path / "t.c"), "-o", str(assembly)]
    assert polyopt_cc.main(words) == 0
    assert {".p2align\t8", ".p2align\t6"} <= set(
        ",".join(line.strip().split(",")[:1]) for line in assembly.read_text().splitlines()
    )
