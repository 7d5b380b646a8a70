"""MLIR text as a module: strings as xDSL's lexer has them, in time that grows with their length."""

import time

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from polyopt.driver.module_texts import make_context
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
