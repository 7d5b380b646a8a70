"""A text is read with our headers of the C library, and where these lack something with the
system's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocessing.header_search import Header, NeedsSystemLibrary
from polyopt.frontend.preprocessing.preprocess import (
    CPreprocessor,
    Preprocessed,
    with_include_chain,
)
from polyopt.frontend.presence import ANSWERS
from polyopt.frontend.tokens.library_headers import is_library_header
from polyopt.support.diagnostics import CompileError, SourceMap

Result = TypeVar("Result")
_OURS, _SYSTEM, _OURS_AS_IT_IS = range(3)


def with_either_library(
    text: str,
    filename: str,
    options: CFrontendOptions,
    sources: SourceMap,
    warnings: Warnings,
    included: list[Header] | None,
    attempt: Callable[[Preprocessed], Result],
    read: Callable[[CPreprocessor, str, str], Preprocessed],
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
