"""Each way in which control hands values over: the module is refused in our words where one is
missing, one is too much or one has another type, before anything relies on it."""

from __future__ import annotations

import pytest

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.module_input import read_module
from polyopt.support.diagnostics import CompileError

BRANCH = """
  cf.br ^bb1{}
^bb1(%i: i64):
  func.return"""
EITHER = """
  cf.cond_br %c, ^bb1(%n : i64), ^bb2{}
^bb1(%i: i64):
  func.return
^bb2(%j: i64):
  func.return"""
CHOICE = """
  cf.switch %k : i32, [
    default: ^bb1(%n : i64),
    1: ^bb1{}
  ]
^bb1(%i: i64):
  func.return"""
IF = """
  %r = scf.if %c -> (i64) {{
    scf.yield %n : i64
  }} else {{
    scf.yield{}
  }}
  func.return"""
AFFINE_IF = """
  %r = "affine.if"(%x) <{{condition = affine_set<(d0) : (d0 >= 0)>}}> ({{
    affine.yield{}
  }}, {{
    affine.yield %n : i64
  }}) : (index) -> i64
  func.return"""
AFFINE_FOR = """
  %r = affine.for %i = 0 to 10 iter_args(%a = %n) -> (i64) {{
    affine.yield{}
  }}
  func.return"""
REGION = """
  %r = scf.execute_region -> (i64) {{
    scf.yield{}
  }}
  func.return"""
CONDITION = """
  %r = scf.while (%a = %n) : (i64) -> i64 {{
    scf.condition(%c){}
  }} do {{
  ^bb0(%b: i64):
    scf.yield %b : i64
  }}
  func.return"""
AGAIN = """
  %r = scf.while (%a = %n) : (i64) -> i64 {{
    scf.condition(%c) %a : i64
  }} do {{
  ^bb0(%b: i64):
    scf.yield{}
  }}
  func.return"""
PLACES = {
    name: text
    for name, text in globals().items()
    if name.isupper() and isinstance(text, str) and "{}" in text
}


def read(body: str):
    text = "func.func @f(%c: i1, %k: i32, %x: index, %n: i64) {" + body + "\n}\n"
    return read_module(text, "test.mlir", read_settings([]))


def handing(name: str, values: str) -> str:
    in_parentheses = name in ("BRANCH", "EITHER", "CHOICE")
    return PLACES[name].format(f"({values})" if in_parentheses and values else f" {values}")


@pytest.mark.parametrize("name", PLACES)
def test_what_is_taken_is_brought(name: str):
    read(handing(name, "%n : i64"))


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("values", ["", "%k : i32", "%n, %n : i64, i64"])
def test_anything_else_is_refused(name: str, values: str):
    with pytest.raises(CompileError, match=r"brings \(.*\), but .* takes \(i64\)"):
        read(handing(name, values))


@pytest.mark.parametrize(
    "body",
    [
        '%r = "affine.if"(%x) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({\n'
        "affine.yield %n : i64\n}, {}) : (index) -> i64",
        "%r = affine.for %i = 0 to 10 iter_args(%a = %n) -> (i64) {\n}",
        '%r = "scf.if"(%c) ({\nscf.yield %n : i64\n}, {}) : (i1) -> i64',
    ],
)
def test_a_region_that_is_not_there_brings_nothing(body: str):
    with pytest.raises(CompileError, match=r"brings \(\), but"):
        read(f"\n{body}\nfunc.return")


def test_a_condition_ends_the_first_region():
    with pytest.raises(CompileError, match=r"does not end in scf\.condition"):
        read(
            "\n%r = scf.while (%a = %n) : (i64) -> i64 {\nscf.yield\n} do {\n^bb0(%b: i64):\n"
            "scf.yield %b : i64\n}\nfunc.return"
        )


def test_what_does_not_come_to_its_end_brings_nothing():
    read("\n%r = scf.execute_region -> (i64) {\nub.unreachable\n}\nfunc.return")


def test_what_xdsl_has_no_words_for_is_the_modules_mistake():
    with pytest.raises(CompileError, match="xDSL cannot read this"):
        read(
            '\n%r = "scf.while"(%n) ({\nscf.condition(%c) %n : i64\n}, {\n^bb0(%b: i64):\n'
            "scf.yield %b : i64\n}) : (i64) -> i64\nfunc.return"
        )


@pytest.mark.parametrize("depth", range(400, 460, 7))
def test_what_is_nested_deeper_than_the_parser_follows(depth: int):
    """Whatever frame comes to the limit: xDSL's own, or one of ours that it calls."""
    text = "func.func @f(%a: " + "(" * depth + ") {\nfunc.return\n}"
    with pytest.raises(CompileError, match="nested"):
        read_module(text, "test.mlir", read_settings([]))
