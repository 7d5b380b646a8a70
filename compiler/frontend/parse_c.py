"""The front end as one function: C text in, a module of source IR out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag

from polyopt.dialects.loop_pragmas import put_loop_pragmas
from polyopt.dialects.serial_places import put_serial_places
from polyopt.frontend.checking.declarations.check_program import check_program
from polyopt.frontend.checking.statements.loop_pragmas import loop_pragmas
from polyopt.frontend.checking.statements.serial_places import serial_places
from polyopt.frontend.emission.emit_program import emit_program
from polyopt.frontend.messages.recovery import Errors
from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parsing.openmp_pragmas import PragmaReader
from polyopt.frontend.parsing.syntax import PlacedParser
from polyopt.frontend.preprocessing.header_search import Header, NeedsSystemLibrary
from polyopt.frontend.preprocessing.preprocess import (
    CPreprocessor,
    Preprocessed,
    preprocess,
    with_include_chain,
)
from polyopt.frontend.presence import ANSWERS
from polyopt.frontend.tokens.library_headers import CPU_QUESTIONS, HEADERS, is_library_header
from polyopt.frontend.tokens.token_text import macro_definitions, preprocessed_text
from polyopt.ir.fast_math import FASTMATH
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap, Span

if TYPE_CHECKING:
    from pcpp.parser import LexToken

Result = TypeVar("Result")
_OURS, _SYSTEM, _OURS_AS_IT_IS = range(3)

__all__ = ["CFrontendOptions", "parse_c", "preprocess_c"]


def parse_c(
    text: str,
    filename: str,
    options: CFrontendOptions,
    sources: SourceMap,
    warnings: list[Diagnostic] | None = None,
    included: list[Header] | None = None,
) -> ModuleOp:
    """The module of a translation unit. What is wrong with it is raised as a `CompileError`;
    warnings and the files that were read are added to the lists."""
    found = Warnings(options, sources=sources)
    if warnings is not None:
        found.found = warnings
    already = len(found.found)

    def attempt(read: Preprocessed) -> ModuleOp:
        parser = PlacedParser(options.std)
        errors = Errors()
        tokens = _with_cpu_functions(read.tokens, options, found)
        tree = parser.parse_tokens(tokens, filename, errors)
        placed = parser.placed
        found.heed(placed.standing)
        asked = replace(options, fortify=read.preprocessor.fortification())
        program = check_program(
            tree, asked, found, placed.nullable, read.pragmas, placed.standing, errors
        )
        search = read.preprocessor.search
        if program.has_implicit_functions and search.has_read_own and not search.is_enough:
            raise NeedsSystemLibrary(filename, is_lack=True)
        module = emit_program(program, found, _without(placed.standing, options))
        module.attributes[FASTMATH] = fast_math(options, placed.standing.is_uncontracted)
        put_serial_places(module, serial_places(tree, read.serial, found))
        put_loop_pragmas(module, loop_pragmas(tree, read.loop_pragmas, found))
        found.sort(already)
        return module

    try:
        module = _with_either_library(
            text, filename, options, sources, found, included, attempt, _without_pragmas
        )
    except RecursionError:
        raise CompileError("the program is nested too deeply", Span(filename, 1)) from None
    return module


def _with_cpu_functions(
    tokens: list[LexToken], options: CFrontendOptions, warnings: Warnings
) -> list[LexToken]:
    """What a program asks about its CPU are functions of ours, which come before all else."""
    if not any(token.value in CPU_QUESTIONS for token in tokens):
        return tokens
    plain = replace(options, is_preprocessed=False, forced_includes=(), macro_files=())
    preprocessor = CPreprocessor(plain, SourceMap(), warnings, ANSWERS)
    path = f"{HEADERS}/polyopt_cpu.h"
    with open(path, encoding="utf-8") as stream:
        return [*preprocessor.run(stream.read(), path), *tokens]


def _without(given_up: StandingPragmas, options: CFrontendOptions) -> CFrontendOptions:
    """The options less the permissions that the program takes back."""
    return replace(
        options,
        wrapping=options.wrapping or given_up.wraps,
        strict_aliasing=options.strict_aliasing and not given_up.puns,
    )


def preprocess_c(
    text: str,
    filename: str,
    options: CFrontendOptions,
    sources: SourceMap,
    *,
    with_markers: bool = True,
    macros: bool = False,
    included: list[Header] | None = None,
) -> str:
    """The text after preprocessing (`-E`), or the macros that hold behind it (`-dM`)."""

    def attempt(read: Preprocessed) -> str:
        if macros:
            return macro_definitions(read.preprocessor.known_macros())
        return preprocessed_text(read.tokens, with_markers=with_markers)

    found = Warnings(options)
    return _with_either_library(text, filename, options, sources, found, included, attempt, _marked)


def _with_either_library(
    text: str,
    filename: str,
    options: CFrontendOptions,
    sources: SourceMap,
    warnings: Warnings,
    included: list[Header] | None,
    attempt: Callable[[Preprocessed], Result],
    read: Callable[[CPreprocessor, str, str], Preprocessed] = preprocess,
) -> Result:
    """What is made of the tokens. What is wrong may be that our headers lack something: then it is
    tried with the system's. What is wrong in those themselves is not told; where a program calls
    what ours do not declare, and the system's cannot be read, it is as it was."""
    refused: CompileError | None = None
    lacking = False
    for library in (_OURS, _SYSTEM, _OURS_AS_IT_IS):
        preprocessor = CPreprocessor(
            options, sources, warnings, ANSWERS, own_library=library != _SYSTEM
        )
        preprocessor.search.is_enough = library == _OURS_AS_IT_IS
        count = len(warnings.found)
        try:
            with _deep_recursion():
                made = attempt(read(preprocessor, text, filename))
        except NeedsSystemLibrary as needed:
            lacking = needed.is_lack
            del warnings.found[count:]
            continue
        except CompileError as error:
            if lacking and library == _SYSTEM and _is_in_library(error):
                del warnings.found[count:]
                continue
            if refused is not None and _is_in_library(error):
                raise refused from None
            refused = with_include_chain(error, preprocessor)
            refused.warnings = warnings.beside_errors(count)
            if library != _OURS or not preprocessor.search.has_read_own:
                raise refused from None
            del warnings.found[count:]
            continue
        if included is not None:
            included += preprocessor.included()
        return made
    assert refused is not None
    raise refused


def _marked(preprocessor: CPreprocessor, text: str, filename: str) -> Preprocessed:
    """The tokens, with a mark where each file begins: of one that has only macros there is nothing
    else, and ccache, which asks the text what it was made of, would not know it."""
    preprocessor.marks_files = True
    return preprocess(preprocessor, text, filename)


def _without_pragmas(preprocessor: CPreprocessor, text: str, filename: str) -> Preprocessed:
    """The tokens, with the lines of OpenMP apart, their macros expanded as they stand there."""
    reader = PragmaReader(
        preprocessor.warnings,
        preprocessor.expand_macros,
        preprocessor.tokenize,
        preprocessor.options.openmp is not None,
    )
    tokens = list(reader.read(preprocessor.run(text, filename)))
    return Preprocessed(preprocessor, tokens, reader.lines, reader.serial, reader.loops)


def _is_in_library(error: CompileError) -> bool:
    span = error.diagnostic.span
    return span is not None and is_library_header(span.file)


@contextmanager
def _deep_recursion() -> Generator[None]:
    """Long sums and chains of `else if` nest more deeply than Python allows by default."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, 12_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def fast_math(options: CFrontendOptions, is_uncontracted: bool) -> FastMathFlagsAttr:
    """The permissions of `-ffast-math` and its parts, and of `-ffp-contract`: of its modes `on`
    heeds the file's pragmas, `fast` does not."""
    flags: list[FastMathFlag] = []
    if options.finite_math:
        flags += [FastMathFlag.NO_NANS, FastMathFlag.NO_INFS]
    if not options.signed_zeros:
        flags.append(FastMathFlag.NO_SIGNED_ZEROS)
    if options.reciprocal_math:
        flags.append(FastMathFlag.ALLOW_RECIP)
    if options.approximate_functions:
        flags.append(FastMathFlag.APPROX_FUNC)
    if options.associative_math:
        flags.append(FastMathFlag.REASSOC)
    if options.fp_contract == "fast" or (options.fp_contract == "on" and not is_uncontracted):
        flags.append(FastMathFlag.ALLOW_CONTRACT)
    return FastMathFlagsAttr(flags or "none")
