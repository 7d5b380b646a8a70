"""MLIR text as a module: strings as xDSL's lexer has them, in time that grows with their length."""

import time

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from polyopt.driver.units.module_texts import make_context, module_text
from polyopt.ir.placed_text import parse_module

STRINGS = (
    r'""',
    r'"plain words"',
    r'"\n\t\\\"\22\0A"',
    r'"ends in a backslash\\"',
    r'"no end',
    r'"bad \q escape"',
    r'"half an escape \2"',
    '"two\nlines"',
)


@pytest.mark.parametrize("text", STRINGS)
def test_strings_are_those_of_xdsl(text: str):
    module = f"builtin.module attributes {{a = {text}}} {{}}"
    try:
        expected = Parser(make_context(), module).parse_module().attributes
    except ParseError:
        with pytest.raises(ParseError):
            parse_module(make_context(), module, "t.mlir")
    else:
        assert parse_module(make_context(), module, "t.mlir").attributes == expected


def test_a_string_without_an_end_is_found_out_at_once():
    text = 'builtin.module attributes {a = "' + "[n] -> { S0[i] : 0 <= i < n } " * 5000
    begun = time.process_time()
    with pytest.raises(ParseError, match="string"):
        parse_module(make_context(), text, "t.mlir")
    assert time.process_time() - begun < 5


def test_accesses_by_dimensions_and_symbols_are_printed_as_they_are():
    """xDSL's text of an access takes the operands of dimensions for symbols."""
    module = parse_module(
        make_context(),
        """
        func.func @f(%n: index, %i: index, %A: memref<?x?xf64>, %x: f64) -> f64 {
          %y = "affine.load"(%A, %i, %n) <{map = affine_map<(d0)[s0] -> (s0 + -1, d0)>}>
            : (memref<?x?xf64>, index, index) -> f64
          "affine.store"(%x, %A, %i, %n) <{map = affine_map<(d0)[s0] -> (d0, s0 - d0)>}>
            : (f64, memref<?x?xf64>, index, index) -> ()
          func.return %y : f64
        }""",
        "input",
    )
    text = module_text(module)
    assert "affine.load %A[%n + -1, %i]" in text
    assert "affine.store %x, %A[%i, %n + %i * -1]" in text
    assert module_text(parse_module(make_context(), text, "again")) == text
