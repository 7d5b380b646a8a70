"""Which modules are said to rotate words: those with more rotations than floating-point work."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.around_llvm.superword import takes_words_apart

Parse = Callable[[str], ModuleOp]

ROTATION = """
  func.func @f(%x : i32, %y : i32, %n : i32, %a : f32) {{
    %five = arith.constant 5 : i32
    %width = arith.constant 32 : i32
    %rest = arith.constant {rest} : i32
    %less = arith.subi %width, %n : i32
    %left = arith.shli %x, {left} : i32
    %right = arith.{shift} %y, {right} : i32
    %all = arith.{join} %left, %right : i32
    {more}
    func.return
  }}
"""


def rotation(**given: str) -> str:
    usual = {
        "rest": "27",
        "left": "%five",
        "right": "%rest",
        "shift": "shrui",
        "join": "ori",
        "more": "",
    }
    return ROTATION.format(**(usual | given))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"join": "xori"},
        {"join": "addi"},
        {"left": "%n", "right": "%less"},
        {"left": "%less", "right": "%n"},
    ],
)
def test_shifts_that_make_up_the_width_rotate(parse_ir: Parse, given: dict[str, str]) -> None:
    assert takes_words_apart(parse_ir(rotation(**given)))


@pytest.mark.parametrize(
    "given",
    [
        {"rest": "26"},
        {"shift": "shrsi"},
        {"join": "andi"},
        {"left": "%n", "right": "%rest"},
        {"left": "%less", "right": "%less"},
    ],
)
def test_other_shifts_do_not(parse_ir: Parse, given: dict[str, str]) -> None:
    assert not takes_words_apart(parse_ir(rotation(**given)))


def test_as_much_floating_point_outweighs_rotations(parse_ir: Parse) -> None:
    assert not takes_words_apart(parse_ir(rotation(more="%b = arith.addf %a, %a : f32")))


LOOKUP = """
  func.func @f(%table : memref<256xi32>, %x : i32, %a : f32) {{
    %c = arith.constant 8 : i32
    %mask = arith.constant 255 : i32
    %shifted = arith.{shift} %x, {amount} : i32
    %part = arith.andi %shifted, %mask : i32
    %place = arith.{cast} {place} : i32 to index
    %found = memref.load %table[%place] : memref<256xi32>
    {more}
    func.return
  }}
"""


def lookup(**given: str) -> str:
    usual = {"shift": "shrui", "amount": "%c", "cast": "index_cast", "place": "%part", "more": ""}
    return LOOKUP.format(**(usual | given))


@pytest.mark.parametrize("place", ["%part", "%shifted"])
def test_places_that_are_parts_of_words_take_them_apart(parse_ir: Parse, place: str) -> None:
    assert takes_words_apart(parse_ir(lookup(place=place)))


@pytest.mark.parametrize(
    "given",
    [
        {"shift": "shrsi"},
        {"amount": "%x"},
        {"place": "%x"},
        {"more": "%b = arith.addf %a, %a : f32"},
    ],
)
def test_other_places_do_not(parse_ir: Parse, given: dict[str, str]) -> None:
    assert not takes_words_apart(parse_ir(lookup(**given)))
