"""The front end as one function: C text in, a module of source IR out."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag

from polyopt.frontend.check_declarations import check_program
from polyopt.frontend.emit_program import emit_program
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocess import CPreprocessor, preprocess
from polyopt.frontend.syntax import PlacedParser
from polyopt.frontend.warnings import Warnings
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap, Span

__all__ = ["CFrontendOptions", "parse_c", "preprocess"]


def parse_c(
    text: str,
    filename: str,
    options: CFrontendOptions,
    sources: SourceMap,
    warnings: list[Diagnostic] | None = None,
) -> ModuleOp:
    """The module of a translation unit. What is wrong with it is raised as a `CompileError`;
    warnings are added to the list."""
    found = Warnings(options)
    if warnings is not None:
        found.found = warnings
    preprocessor = CPreprocessor(options, sources, found)
    try:
        with _deep_recursion():
            parser = PlacedParser(options.std)
            tree = parser.parse_tokens(preprocessor.run(text, filename), filename)
            program = check_program(tree, options, found, parser.placed.nullable)
            module = emit_program(program, found, strict_aliasing=options.strict_aliasing)
    except RecursionError:
        raise CompileError("the program is nested too deeply", Span(filename, 1)) from None
    except CompileError as error:
        raise _with_include_chain(error, preprocessor) from None
    module.attributes["polyopt.fastmath"] = fast_math(options)
    return module


@contextmanager
def _deep_recursion() -> Generator[None]:
    """Long sums and chains of `else if` nest more deeply than Python allows by default."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, 12_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def _with_include_chain(error: CompileError, preprocessor: CPreprocessor) -> CompileError:
    """An error in a header says also how the header came in."""
    diagnostic = error.diagnostic
    chain = preprocessor.include_chain(diagnostic.span.file) if diagnostic.span else None
    if chain is None:
        return error
    hint = f"{diagnostic.hint}; {chain}" if diagnostic.hint else chain
    return CompileError(diagnostic.message, diagnostic.span, hint)


def fast_math(options: CFrontendOptions) -> FastMathFlagsAttr:
    """The permissions of `-ffast-math`, `-fassociative-math` and `-ffp-contract`."""
    flags: list[FastMathFlag] = []
    if options.fast_math:
        flags += [
            FastMathFlag.NO_NANS,
            FastMathFlag.NO_INFS,
            FastMathFlag.NO_SIGNED_ZEROS,
            FastMathFlag.ALLOW_RECIP,
            FastMathFlag.APPROX_FUNC,
        ]
    if options.associative_math:
        flags.append(FastMathFlag.REASSOC)
    if options.fp_contract != "off":
        flags.append(FastMathFlag.ALLOW_CONTRACT)
    return FastMathFlagsAttr(flags or "none")
