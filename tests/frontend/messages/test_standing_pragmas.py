"""Pragmas that hold for what stands behind them: who sees a name, and what is warned of."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from llvmlite.binding import get_host_cpu_features
from xdsl.dialects import func

from polyopt.dialects import cmem
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap

PUSHED = """
#pragma GCC visibility push(hidden)
int inner(void) { return 1; }
__attribute__((visibility("default"))) int outer(void) { return 2; }
#pragma GCC visibility push(protected)
int kept(void) { return 3; }
#pragma GCC visibility pop
int again(void) { return 4; }
int later(void);
static int own(void) { return 5; }
#pragma GCC visibility pop
int plain(void) { return own(); }
int later(void) { return 6; }
"""


def marks(text: str) -> dict[str, dict[str, str]]:
    module = parse_c(text, "t.c", CFrontendOptions(), SourceMap())
    functions = [op for op in module.walk() if isinstance(op, func.FuncOp)]
    return {op.sym_name.data: cmem.linker_marks(op) for op in functions}


def told(text: str, options: CFrontendOptions | None = None) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    parse_c(text, "t.c", options or CFrontendOptions(warnings=True), SourceMap(), found)
    return found


def test_visibility_is_that_of_the_innermost_push() -> None:
    seen = {name: found.get("visibility", "") for name, found in marks(PUSHED).items()}
    assert seen == {
        "inner": "hidden",
        "outer": "default",
        "kept": "protected",
        "again": "hidden",
        "later": "hidden",
        "own": "",
        "plain": "",
    }


def test_the_operator_is_the_same_as_a_line() -> None:
    as_operator = re.sub("#pragma (.*)", r'_Pragma("\1")', PUSHED)
    assert marks(as_operator) == marks(PUSHED)


def test_a_weak_name_may_be_said_before_and_have_another() -> None:
    found = marks(
        "#pragma weak absent\n#pragma weak other = real\n"
        "int real(void) { return 1; }\nint other(void);\nextern int absent(void);\n"
        "int f(void) { return absent ? absent() : other(); }"
    )
    assert found["absent"] == {"weak": ""}
    assert found["other"] == {"weak": "", "alias": "real"}
    assert found["real"] == {}


def test_a_target_holds_till_options_are_popped() -> None:
    found = marks(
        'int before(void);\n#pragma GCC push_options\n#pragma GCC target ("avx2,no-fma", "aes")\n'
        'int within(void);\nint object;\n__attribute__((target("bmi"))) int both(void);\n'
        "#pragma GCC pop_options\nint behind(void);\n"
        "int f(void) { return before() + within() + both() + behind() + object; }"
    )
    assert found["within"] == {"target": "+avx2,+aes"}
    assert found["both"] == {"target": "+avx2,+aes,+bmi"}
    assert [found[name] for name in ("before", "behind", "f")] == [{}, {}, {}]


@pytest.mark.parametrize(
    "pragma",
    ["visibility push(open)", "visibility", "visibility push hidden", "visibility pop"],
)
def test_what_is_no_visibility_is_refused_where_it_stands(pragma: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse_c(f"int x;\n#pragma GCC {pragma}\n", "t.c", CFrontendOptions(), SourceMap())
    assert caught.value.diagnostic.span is not None
    assert caught.value.diagnostic.span.line == 2


UNUSED = "void {}(void) {{ int {}; }}\n"


def test_a_warning_is_off_between_push_and_pop() -> None:
    text = (
        UNUSED.format("f", "before")
        + "#pragma GCC diagnostic push\n"
        + '#pragma GCC diagnostic ignored "-Wunused-variable"\n'
        + UNUSED.format("g", "within")
        + "#pragma GCC diagnostic pop\n"
        + UNUSED.format("h", "behind")
    )
    assert [one.message for one in told(text)] == [
        "unused variable 'before'",
        "unused variable 'behind'",
    ]


@pytest.mark.parametrize("name", ["unused-variable", "unused", "all"])
@pytest.mark.parametrize("family", ["GCC", "clang"])
def test_a_group_is_all_of_its_warnings(family: str, name: str) -> None:
    text = f'#pragma {family} diagnostic ignored "-W{name}"\n' + UNUSED.format("f", "x")
    assert told(text) == []


def test_what_is_not_asked_for_is_told_where_a_pragma_asks() -> None:
    text = (
        UNUSED.format("f", "x")
        + '#pragma GCC diagnostic warning "-Wunused-variable"\n'
        + UNUSED.format("g", "y")
        + '#pragma GCC diagnostic error "-Wunused-variable"\n'
        + UNUSED.format("h", "z")
    )
    found = told(text, CFrontendOptions())
    assert [(one.severity, one.message) for one in found] == [
        ("warning", "unused variable 'y'"),
        ("error", "unused variable 'z'"),
    ]


def test_a_header_between_turns_warnings_off_for_who_includes_it(tmp_path: Path) -> None:
    off = tmp_path / "off.h"
    off.write_text('#pragma GCC diagnostic ignored "-Wunused-variable"\n')
    text = f'{UNUSED.format("f", "x")}#include "{off}"\n{UNUSED.format("g", "y")}'
    assert [one.message for one in told(text)] == ["unused variable 'x'"]


def test_a_system_header_says_so_itself(tmp_path: Path) -> None:
    header = tmp_path / "quiet.h"
    header.write_text(
        UNUSED.format("f", "x") + "#pragma GCC system_header\n" + UNUSED.format("g", "y")
    )
    found = told(f'#include "{header}"\n{UNUSED.format("h", "z")}')
    assert [one.message for one in found] == ["unused variable 'x'", "unused variable 'z'"]


def test_a_pragma_that_says_nothing_is_told() -> None:
    found = told('#pragma GCC diagnostic ignored "unused"\nint x;', CFrontendOptions())
    assert [one.id for one in found] == ["pragmas"]


LEFT = """
double left(double a, double b, double c) {
  %s
  return a * b + c;
}
"""


@pytest.mark.parametrize(
    ("pragma", "mode", "is_fused"),
    [
        ("", "on", True),
        ("#pragma STDC FP_CONTRACT ON", "on", True),
        ("#pragma STDC FP_CONTRACT OFF", "on", False),
        ('_Pragma("STDC FP_CONTRACT OFF")', "on", False),
        ("#pragma clang fp contract(off)", "on", False),
        ('#pragma GCC optimize ("fp-contract=off")', "on", False),
        ("#pragma STDC FP_CONTRACT OFF", "fast", True),
        ("#pragma STDC FP_CONTRACT ON", "off", False),
    ],
)
def test_what_is_not_to_be_contracted_is_rounded_twice(
    pragma: str, mode: str, is_fused: bool
) -> None:
    import polyopt

    if not get_host_cpu_features().get("fma", False):
        pytest.skip("the machine has no fused products")
    flags = ["-O2", "-march=native", f"-ffp-contract={mode}"]
    left = polyopt.compile(LEFT % pragma, flags).left
    # (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60, whose last term a double does not hold.
    x = 1 + 2.0**-30
    assert left(x, x, -(1 + 2.0**-29)) == (2.0**-60 if is_fused else 0)


def test_pragmas_that_are_not_obeyed_are_told() -> None:
    found = told("#pragma STDC FENV_ACCESS ON\nint x;", CFrontendOptions())
    assert [one.id for one in found] == ["pragmas"]
    assert told("#pragma STDC FENV_ACCESS OFF\n#pragma STDC CX_LIMITED_RANGE ON\nint x;") == []


@pytest.mark.skipif(shutil.which("gcc") is None, reason="compares with gcc")
@pytest.mark.parametrize("flag", ["-fvisibility=default", "-fvisibility=hidden"])
def test_symbols_are_seen_by_whom_gcc_says(tmp_path: Path, flag: str) -> None:
    from polyopt.tools.compiler_command import run

    source = tmp_path / "t.c"
    source.write_text(PUSHED)
    assert run([flag, "-fPIC", "-c", "-o", f"{tmp_path}/ours.o", str(source)]) == 0
    subprocess.run(
        ["gcc", "-O0", flag, "-fPIC", "-c", "-o", f"{tmp_path}/theirs.o", str(source)], check=True
    )
    assert seen_in(tmp_path / "ours.o") == seen_in(tmp_path / "theirs.o")


def seen_in(file: Path) -> set[tuple[str, str]]:
    """The names of an object file that others may see, and how."""
    shown = subprocess.run(
        ["readelf", "-sW", str(file)], check=True, capture_output=True, text=True
    ).stdout
    rows = [line.split() for line in shown.splitlines() if " GLOBAL " in line or " WEAK " in line]
    return {(row[5], row[7]) for row in rows if row[6] != "UND"}


@pytest.mark.parametrize("form", ["#pragma GCC optimize({})\n", "__attribute__((optimize({}))) "])
@pytest.mark.parametrize(
    ("option", "given_up"),
    [
        ('"-fno-strict-aliasing"', "types"),
        ('"no-strict-aliasing", "O2"', "types"),
        ('"wrapv"', "overflow"),
        ('3, "-fwrapv"', "overflow"),
        ('"fp-contract=off"', "contraction"),
        ('"O3"', ""),
    ],
)
def test_what_gcc_is_told_to_give_up_is_given_up(form: str, option: str, given_up: str) -> None:
    text = f"{form.format(option)}int f(int x) {{ return x + 1; }}"
    text = str(parse_c(text, "t.c", CFrontendOptions(), SourceMap()))
    kept = {"types": cmem.STRICT_ALIASING, "overflow": "overflow<nsw>", "contraction": "<contract>"}
    assert [name for name, sign in kept.items() if sign not in text] == [given_up][: len(given_up)]
