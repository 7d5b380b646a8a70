"""What a word on the command line is: a file in some language, or something for the linker.

c              .c, and what -x c says          preprocessed, parsed, compiled
c-header       .h                              the same, for -E, -M and -fsyntax-only
cpp-output     .i                              parsed and compiled
mlir           .mlir                           a module of another compiler, or of ours at a level
assembler      .s                              the system's assembler
assembler-with-cpp  .S, .sx                    the same behind the system's preprocessor
(the linker)   .o, .a, .so and so on, -l…, -Wl,…
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

LANGUAGES = ("c", "c-header", "cpp-output", "mlir", "assembler", "assembler-with-cpp", "none")

_BY_SUFFIX = {
    ".c": "c",
    ".h": "c-header",
    ".i": "cpp-output",
    ".mlir": "mlir",
    ".s": "assembler",
    ".S": "assembler-with-cpp",
    ".sx": "assembler-with-cpp",
}
_LINKABLE = (".o", ".a", ".so", ".lo", ".obj", ".lib", ".ld", ".lds", ".map", ".ver", ".def")
_VERSIONED = re.compile(r"\.so(\.\d+)+$")
_MAGIC = (b"\x7fELF", b"!<arch>\n", b"!<thin>\n")


@record
class Input:
    """A word in its place on the command line; `language` is "" for what the linker gets.
    `is_option`: it belongs to an option of the linker, whatever it looks like (`-u main`)."""

    word: str
    language: str = ""
    is_option: bool = False

    @property
    def is_source(self) -> bool:
        return bool(self.language)

    @property
    def is_c(self) -> bool:
        return self.language in ("c", "c-header", "cpp-output")

    @property
    def is_module(self) -> bool:
        return self.language == "mlir"

    @property
    def is_compiled(self) -> bool:
        """Whether it is ours to compile."""
        return self.is_c or self.is_module

    @property
    def is_file(self) -> bool:
        return not self.is_option and (self.word == "-" or not self.word.startswith("-"))


def input_of(word: str, language: str) -> Input:
    """What the word is, behind `-x LANGUAGE` ("none": as its suffix says)."""
    if language != "none":
        return Input(word, language)
    if word == "-":
        return Input(word, "c")
    suffix = os.path.splitext(word)[1]
    return Input(word, _BY_SUFFIX.get(suffix, ""))


def as_preprocessed(input: Input) -> Input:
    """The same word; C has been preprocessed."""
    return replace(input, language="cpp-output") if input.is_c else input


def check_linkable(input: Input) -> None:
    """Raise CompileError for a file that no linker would take."""
    name = input.word
    if name.endswith(_LINKABLE) or _VERSIONED.search(name):
        return
    try:
        with open(name, "rb") as stream:
            if stream.read(8).startswith(_MAGIC):
                return
    except OSError:
        pass
    raise CompileError(
        f"{name}: not a kind of file that polyopt-cc knows",
        hint="C files end in .c or .i, modules in .mlir, assembly in .s or .S, files to link in "
        ".o, .a, .so; -x c is for C under another name",
    )
