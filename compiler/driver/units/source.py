"""What is compiled, and what it can become: known before anything of the compiler is loaded, which
it is not where the result is found in the cache."""

from __future__ import annotations

import sys

from polyopt.pipeline_options import LEVELS
from polyopt.support.charsets import UTF_8, decoded
from polyopt.support.noted import note_unrepeatable, read_noted
from polyopt.support.record import record

PRODUCTS = ("nothing", "preprocessed", *LEVELS, "llvm", "optimised-llvm", "asm", "obj")
"""What a translation unit can be turned into: text, but for "obj"; "nothing" is checked only."""


@record
class Source:
    """C text and the name it has in messages; `is_preprocessed`: no macros of ours are in it;
    `is_module`: it is the text of a module in MLIR instead."""

    name: str
    text: str
    is_preprocessed: bool = False
    is_module: bool = False


def read_source(path: str, charset: str = UTF_8) -> Source:
    """The file's text, "-" for standard input. Bytes that are not UTF-8 survive as they are."""
    if path == "-":
        note_unrepeatable("standard input is read")
        return Source("<stdin>", decoded(sys.stdin.buffer.read(), charset, "<stdin>"))
    is_module = path.endswith(".mlir")
    text = decoded(read_noted(path), UTF_8 if is_module else charset, path)
    return Source(path, text, is_module=is_module)
