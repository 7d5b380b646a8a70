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
