"""The preprocessor as one function: C text in, text out. Nothing of IR is loaded for it."""

from __future__ import annotations

from polyopt.frontend.either_library import with_either_library
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocessing.header_search import Header
from polyopt.frontend.preprocessing.preprocess import CPreprocessor, Preprocessed, preprocess
from polyopt.frontend.tokens.token_text import macro_definitions, preprocessed_text
from polyopt.support.diagnostics import SourceMap


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
    return with_either_library(text, filename, options, sources, found, included, attempt, _marked)


def _marked(preprocessor: CPreprocessor, text: str, filename: str) -> Preprocessed:
    """The tokens, with a mark where each file begins: of one that has only macros there is nothing
    else, and ccache, which asks the text what it was made of, would not know it."""
    preprocessor.marks_files = True
    return preprocess(preprocessor, text, filename)
