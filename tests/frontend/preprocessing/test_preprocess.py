"""The preprocessor: `#if` expressions, places behind macros, and the text that -E prints."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.frontend.preprocess_c import preprocess_c
from polyopt.frontend.preprocessing.preprocess_condition import BadCondition, evaluate_condition
from polyopt.support.diagnostics import CompileError, SourceMap, Span

PROGRAMS = sorted((Path(__file__).parent.parent / "programs").glob("*.c"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 4 / 2", 5),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("1 << 2 + 1", 8),
        ("1 ? 2 : 3 ? 4 : 5", 2),
        ("0 ? 1 / 0 : 7", 7),
        ("0 && 1 / 0", 0),
        ("1 || 1 / 0", 1),
        ("-1 > 0u", 1),
        ("-1 > 0", 0),
        ("(2 || 3) + (4 && 0)", 1),
        ("~0 == -1", 1),
        ("!3 == 0", 1),
        ("7 & 3 == 3", 1),
        ("5 ^ 1 | 8", 12),
        ("0xffffffffffffffff == -1ULL", 1),
        ("9223372036854775807LL + 0 > 0", 1),
        ("18446744073709551615ull / 2 == 9223372036854775807", 1),
        ("'a' == 97 && '\\n' == 10", 1),
        ("unknown_name", 0),
        ("1, 2", 2),
        ("(0, 0u) - 1 > 0 && (1 ? 2, 3 : 4) == 3", 1),
        ("1 || (1 / 0, 2)", 1),
        ("1,", None),
        ("1 +", None),
        ("(1", None),
        ("1 / 0", None),
        ("1.5", None),
        ('"text"', None),
        ("1 ? 2", None),
    ],
)
def test_condition(text: str, value: int | None) -> None:
    if value is None:
        with pytest.raises(BadCondition):
            evaluate_condition(text)
    else:
        assert evaluate_condition(text) == value


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_preprocessed_text_is_the_same_program(
    source: Path, compile_c: Callable[..., ModuleOp]
) -> None:
    text = source.read_text()
    preprocessed = preprocess_c(text, str(source), CFrontendOptions(), SourceMap())
    assert "#define" not in preprocessed
    again = compile_c(preprocessed, filename=str(source))
    assert str(again) == str(compile_c(text, filename=str(source)))


def test_line_markers_lead_to_the_original() -> None:
    text = "#define E undeclared\nint x;\n\n\n\n\n\n\n\n\n\nint y = E;\n"
    preprocessed = preprocess_c(text, "original.c", CFrontendOptions(), SourceMap())
    with pytest.raises(CompileError) as caught:
        parse_c(preprocessed, "copy.i", CFrontendOptions(), SourceMap())
    assert caught.value.diagnostic.span == Span("original.c", 12, 9)


def test_markers_name_each_file_that_is_read(tmp_path: Path) -> None:
    """Also those that have only macros: ccache knows a text's files by its markers."""
    for name, text in {
        "macros.h": "#define V 4\n",
        "around.h": '#include "macros.h"\nint a;\n',
        "given.h": "#define G 1\n",
    }.items():
        (tmp_path / name).write_text(text)
    main = f"{tmp_path}/main.c"
    options = CFrontendOptions(macro_files=(f"{tmp_path}/given.h",))
    text = '#include "around.h"\n\nint b = V + G;\n#include "macros.h"\n'
    made = preprocess_c(text, main, options, SourceMap())
    assert made.replace(f"{tmp_path}/", "").splitlines() == [
        *('# 1 "<command line>"', '# 1 "given.h" 1', '# 1 "main.c" 1', '# 1 "around.h" 1'),
        *('# 1 "macros.h" 1', '# 2 "around.h" 2', "int a;"),
        *('# 3 "main.c" 2', "int b = 4 + 1;", '# 1 "macros.h" 1'),
    ]


def test_defines_and_undefines() -> None:
    options = CFrontendOptions(defines=("A", "B=2 + 3", "C="), undefines=("__linux__",))
    text = "int x = A, y = B C;\n#ifdef __linux__\n#error\n#endif\n"
    assert preprocess_c(text, "t.c", options, SourceMap()).endswith("int x = 1, y = 2 + 3 ;\n")


def test_numbers_of_macros_that_no_file_defines_are_whole() -> None:
    options = CFrontendOptions(defines=("X=1.5e+3F",))
    text = "#define F nothing\n#define L\nX __FLT_MAX__ __LONG_MAX__"
    found = preprocess_c(text, "t.c", options, SourceMap(), with_markers=False).split()
    assert found == ["1.5e+3F", "3.40282346638528859811704183484516925e+38F", f"{2**63 - 1}L"]


def test_own_headers_come_last(tmp_path: Path) -> None:
    (tmp_path / "stdio.h").write_text("int replaced;\n")
    options = CFrontendOptions(include_dirs=(str(tmp_path),))
    assert "int replaced;" in preprocess_c("#include <stdio.h>\n", "t.c", options, SourceMap())


@pytest.mark.parametrize(
    ("std", "version"), [("c99", "199901L"), ("gnu11", "201112L"), ("c17", "201710L")]
)
def test_standard_version(std: str, version: str) -> None:
    text = preprocess_c("__STDC_VERSION__\n", "t.c", CFrontendOptions(std=std), SourceMap())  # type: ignore[arg-type]
    assert text.split()[-1] == version


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        (r"a \n b", r'"a \n b"'),
        (r'"c\n"', r'"\"c\\n\""'),
        (r"'\n'  \  x", r'''"'\\n' \ x"'''),
        (r'L"\0" "d"', r'''"L\"\\0\" \"d\""'''),
    ],
)
def test_backslashes_of_literals_only_are_escaped(argument: str, text: str) -> None:
    """C 6.10.3.2, paragraph 2."""
    made = preprocess_c(
        f"#define TEXT(x) #x\nTEXT({argument})\n", "t.c", CFrontendOptions(), SourceMap()
    )
    assert made.splitlines()[-1] == text


@pytest.mark.parametrize(
    ("std", "text"), [("c11", '"what|"'), ("gnu17", '"what??!"'), ("c23", '"what??!"')]
)
def test_trigraphs(std: str, text: str) -> None:
    """Of C until C23, and not of GNU C."""
    made = preprocess_c('"what??!"\n', "t.c", CFrontendOptions(std=std), SourceMap())  # type: ignore[arg-type]
    assert made.splitlines()[-1] == text


def test_nothing_of_ir_is_loaded(tmp_path: Path) -> None:
    """ccache and configure scripts preprocess often: xDSL is more than half of a start."""
    asked = "#include <stdio.h>\\n#if __has_attribute(packed) && __has_builtin(__builtin_clz)\\n"
    program = (
        "import sys\n"
        "from polyopt.frontend.preprocess_c import preprocess_c\n"
        "from polyopt.frontend.options import CFrontendOptions\n"
        "from polyopt.support.diagnostics import SourceMap\n"
        f"text = '{asked}long answer;\\n#endif\\n'\n"
        "assert 'long answer' in preprocess_c(text, 't.c', CFrontendOptions(), SourceMap())\n"
        "print([name for name in sys.modules if name.startswith(('xdsl', 'polyopt.dialects'))])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "[]\n", ran.stderr
