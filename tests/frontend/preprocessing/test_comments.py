"""Preprocessed text with the comments of the source (`-E -C`): each on its line, those of
directives gone with them, and the rest as it is without them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocess_c import preprocess_c
from polyopt.support.diagnostics import SourceMap
from polyopt.tools import polyopt_cc

TEXT = r"""/* head
   of file */
#define A /* in macro */ 1 // tail
#define B(x) /* b */ (x)
// line comment
int a = A; /* behind */ int b; // end
#if A /* cond */ && 1 // why
int c = B(2); /* two
  lines */ int d;
#else /* not
 taken */
int none;
#endif /* e */
/* s */ int e; char *s = "/* no */"; // say "hi"
int f/**/g; /* last */
"""


def commented(text: str, *, markers: bool = False) -> str:
    options = CFrontendOptions(comments=True)
    return preprocess_c(text, "a.c", options, SourceMap(), with_markers=markers)


def test_comments_outside_of_directives_stay_on_their_lines() -> None:
    made = commented(TEXT, markers=True).removeprefix('# 1 "a.c"\n')
    wanted = [
        *("/* head", "   of file */", "", "", "// line comment"),
        *("int a = 1; /* behind */ int b; // end", "", "int c = (2); /* two"),
        *("  lines */ int d;", "", "", "", ""),
        *('/* s */ int e; char *s = "/* no */"; // say "hi"', "int f/**/g; /* last */"),
    ]
    assert made.splitlines() == wanted


def test_without_the_comments_the_text_is_the_same(tmp_path: Path) -> None:
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    plain = preprocess_c(TEXT, "a.c", CFrontendOptions(), SourceMap(), with_markers=False)
    kept = tmp_path / "kept.c"
    kept.write_text(commented(TEXT))
    command = [gcc, "-E", "-P", str(kept)]
    stripped = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert stripped.stdout.split() == plain.split()


def test_conditions_and_lines_do_not_see_them() -> None:
    assert commented("#if /* a */ 1 /* b */ + 1 == 2\nyes // c\n#endif\n") == "yes // c\n"
    assert "ab.c" in commented('#line 7 /* x */ "ab.c" // y\n__FILE__\n')


def test_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.c"
    source.write_text("int a; // first\n")
    assert polyopt_cc.main(["-E", "-P", "-C", str(source)]) == 0
    assert capsys.readouterr().out == "int a; // first\n"
    assert polyopt_cc.main(["-c", "-C", str(source)]) == 1
    assert "-C goes with -E" in capsys.readouterr().err
    assert polyopt_cc.main(["-E", "-CC", str(source)]) == 1
    assert "comments of macros are not kept" in capsys.readouterr().err


def test_text_that_is_said_to_be_preprocessed_has_no_macros(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.c"
    source.write_text('# 7 "other.c"\nint __STDC__, linux = oops;\n')
    words = ["-fsyntax-only", str(source), "-fpreprocessed"]
    assert polyopt_cc.main(words) == 1
    told = capsys.readouterr().err
    assert told.count("error:") == 1
    assert "other.c:7" in told
    assert "'oops'" in told


def test_included_files_are_told_by_depth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each once, where it is read first, in front of what it includes; what is not read is not
    told."""
    (tmp_path / "outer.h").write_text('#include "inner.h"\n#include "plain.h"\n')
    (tmp_path / "inner.h").write_text("#pragma once\n#if 0\n#include <none.h>\n#endif\n")
    (tmp_path / "plain.h").write_text("")
    source = tmp_path / "a.c"
    source.write_text('#include "outer.h"\n#include "inner.h"\n#include "plain.h"\nint x;\n')
    for action in (["-E"], ["-c", "-o", str(tmp_path / "a.o")], ["-fsyntax-only"]):
        assert polyopt_cc.main(["-H", *action, str(source)]) == 0
        told = capsys.readouterr().err.replace(f"{tmp_path}/", "")
        assert told == ". outer.h\n.. inner.h\n.. plain.h\n"
