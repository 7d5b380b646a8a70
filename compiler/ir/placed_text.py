"""MLIR text as a module in which every operation has a place: that of its own `loc(...)`, else
that of the text, so that remarks and errors about it say where it stands. Reading takes time that
grows with the length of the text, whatever it holds."""

from __future__ import annotations

import re
from bisect import bisect_right

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser, ParserState
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer


class _LinearLexer(MLIRLexer):
    """xDSL's lexer, with its language of strings in an expression that can match in one way only:
    xDSL's has 2^n ways to find out that a string of n signs does not end in its line."""

    _unescaped_characters_regex = re.compile(
        r'"[^"\\\n\v\f]*(?:\\(?:["nt\\]|[0-9A-Fa-f]{2})[^"\\\n\v\f]*)*"'
    )


class PlacedParser(Parser):
    """xDSL's parser; the lines are counted once. `above`: so many lines of the file are above the
    text."""

    def __init__(self, ctx: Context, input: str, name: str, above: int = 0):
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(_LinearLexer(Input(input, name)))
        self._above = above
        self._starts = [0, *(at + 1 for at, letter in enumerate(input) if letter == "\n")]
        self._file = StringAttr(name)

    def parse_operation(self) -> Operation:
        at = self.pos
        op = super().parse_operation()
        if isinstance(op.location, UnknownLoc):
            line = bisect_right(self._starts, at)
            column = at - self._starts[line - 1] + 1
            op.location = FileLineColLoc(self._file, IntAttr(self._above + line), IntAttr(column))
        return op


def parse_module(
    ctx: Context, text: str | bytes, name: str, *, implicit: bool = True, above: int = 0
) -> ModuleOp:
    """The module; `implicit`: operations that stand in none are put into one. Raises
    UnicodeDecodeError."""
    content = text.decode() if isinstance(text, bytes) else text
    module = PlacedParser(ctx, content, name, above).parse_module(implicit)
    if "affine." in content:
        from polyopt.ir.affine.access_maps import spell_by_dimensions

        spell_by_dimensions(module)
    return module
