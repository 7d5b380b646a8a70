"""The front end as one function: C text in, a module of source IR out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag

from polyopt.dialects.loop_pragmas import put_loop_pragmas
from polyopt.dialects.serial_places import put_serial_places
from polyopt.frontend.checking.declarations.check_program import check_program
from polyopt.frontend.checking.statements.loop_pragmas import loop_pragmas
from polyopt.frontend.checking.statements.serial_places import serial_places
from polyopt.frontend.either_library import with_either_library
from polyopt.frontend.emission.emit_program import emit_program
from polyopt.frontend.messages.recovery import Errors
from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parsing.openmp_pragmas import PragmaReader
from polyopt.frontend.parsing.syntax import PlacedParser
from polyopt.frontend.preprocessing.header_search import Header, NeedsSystemLibrary
from polyopt.frontend.preprocessing.preprocess import CPreprocessor, Preprocessed
from polyopt.frontend.presence import ANSWERS
from polyopt.frontend.tokens.library_headers import CPU_QUESTIONS, HEADERS
from polyopt.ir.fast_math import FASTMATH
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap, Span

if TYPE_CHECKING:
    from pcpp.parser import LexToken

__all__ = ["CFrontendOptions", "parse_c"]


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
        module = with_either_library(
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
