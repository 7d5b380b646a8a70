"""-finput-charset= is about the file, what it includes, and what comes by standard input."""

from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

HEADER = '#define TITLE "見出し"\n'
SOURCE = '#include "title.h"\nconst char *names[] = {"ソ表", TITLE}; // ソ\nint behind;\n'


def test_file_and_header(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "title.h").write_bytes(HEADER.encode("cp932"))
    source = tmp_path / "a.c"
    source.write_bytes(SOURCE.encode("cp932"))
    assert main(["-finput-charset=SHIFT_JIS", "-E", "-P", str(source)]) == 0
    out = capfd.readouterr().out
    assert 'const char *names[] = {"ソ表", "見出し"};' in out
    assert "int behind;" in out


def test_the_wrong_charset(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.c"
    source.write_bytes(SOURCE.encode("cp932"))
    assert main(["-finput-charset=ascii", "-E", str(source)]) == 1
    assert "cannot be read: byte 0x83 in line 2 is none of ascii" in capfd.readouterr().err


PROGRAM = """
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#if 'ö' != L'ö' - 256
#error of one byte
#endif
static const char text[] = "ö\\u20ac\\xf6-\\n", same[] = u8"ö";
int main(void)
{
    for (const char *at = text; *at; at++)
        printf("%02x ", (unsigned char)*at);
    printf("%d %d %d %d\\n", 'ö', (int)strlen(same), (int)L"ö"[0], (int)wcslen(L"öö"));
}
"""


def test_strings_of_the_program(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Narrow ones, with what \\u names, not u8 and wide ones, nor bytes that are numbers."""
    source = tmp_path / "a.c"
    source.write_text(PROGRAM, encoding="utf-8")
    assert main(["-fexec-charset=ISO-8859-15", "-O2", "--run", str(source)]) == 0
    assert capfd.readouterr().out == "f6 a4 f6 2d 0a -10 2 246 2\n"


def test_strings_that_cannot_be_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.c"
    source.write_text('const char *s = "ö";\n', encoding="utf-8")
    assert main(["-fexec-charset=cp932", "-c", str(source), "-o", str(tmp_path / "a.o")]) == 1
    assert "a.c:1:17: error: 'ö' is no character of cp932" in capfd.readouterr().err
    assert main(["-fexec-charset=utf-16", "-c", str(source)]) != 0
    assert "it does not contain ASCII" in capfd.readouterr().err
