"""C text -> preprocessor tokens, each with its place in the file it was written in.

pcpp does the work; this file gives it the header folders, the predefined macros and the places.
pcpp carries a line number along with each token and copies that of a macro's name to all tokens
of its expansion, so we hand it a line number that knows its column: a `LineAndColumn`. Every token
then says where it came from, and what a macro expanded to says where the macro was used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from pcpp.parser import LexToken, trigraph

from polyopt.frontend.language.literals import parse_character
from polyopt.frontend.messages.known_names import hint_for_header
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.preprocessing.directives import NO_MACRO, DirectiveReader, span_of
from polyopt.frontend.preprocessing.header_search import Header, HeaderSearch
from polyopt.frontend.preprocessing.pasting import (
    has_optional_parts,
    has_pasting,
    pasted,
    with_optional_parts,
    with_pasting,
    with_texts,
    without_empty_operands,
)
from polyopt.frontend.preprocessing.predefined import GNU_C, mentioned_macros, predefined_macros
from polyopt.frontend.preprocessing.preprocess_condition import BadCondition, evaluate_condition
from polyopt.frontend.preprocessing.rescanning import Rescanning, names_no_macro
from polyopt.frontend.tokens.library_headers import is_library_header
from polyopt.frontend.tokens.token_lines import FileMark
from polyopt.frontend.tokens.token_text import SPACE, join_tokens
from polyopt.support.diagnostics import CompileError, SourceMap, Span
from polyopt.support.noted import current_folder, note_unrepeatable
from polyopt.support.record import entity

if TYPE_CHECKING:
    from pcpp import Macro

_COMMENTS = ("CPP_COMMENT1", "CPP_COMMENT2")


_LINE_MARKER = re.compile(r'\s*(\d+)(?:\s+"([^"]*)".*)?\s*$')
_KEPT_MACRO = re.compile(r'\s*\(\s*"([A-Za-z_$][\w$]*)"\s*\)\s*$')
_COMMAND_LINE = "<command line>"
_TIMES = ("__DATE__", "__TIME__")
_OF_THE_MOMENT = ("__FILE__", *_TIMES, "__PCPP__")
_NOT_THE_SYSTEMS = ("__attribute__", "__USE_FORTIFY_LEVEL")
_PRESENT = {"__has_include": False, "__has_include_next": True}


class _TimeText(list[LexToken]):
    """What a macro stands for that stands for something else at another time."""

    def __iter__(self) -> Iterator[LexToken]:
        note_unrepeatable("the time is in the text")
        return super().__iter__()


class CPreprocessor(DirectiveReader):
    """C's preprocessor with our headers and predefined macros. `answers`: what a text may ask for
    by name, such as `__has_builtin`, and who knows."""

    def __init__(
        self,
        options: CFrontendOptions,
        sources: SourceMap,
        warnings: Warnings,
        answers: Mapping[str, Callable[[str], int]],
        *,
        own_library: bool = True,
    ):
        super().__init__()
        self.answers = answers
        self.sources = sources
        self.warnings = warnings
        self.including: list[Span] = []
        self.included_from: dict[str, Span] = {}
        self._rescanning = Rescanning(self.macros, self.macro_expand_args, self._complain_of_call)
        self.kept_macros: dict[str, list[Macro | None]] = {}
        self.t_DPOUND = ""  # what `pasted` does, pcpp does not
        self.search = HeaderSearch(options, own_library=own_library)
        for name in _TIMES:
            self.macros[name].value = _TimeText(self.macros[name].value)
        self.reading: list[Header] = []
        self.options = options
        self.keeps_comments = options.comments
        self.mentioned = set(options.undefines)
        self.has_read_options = False
        if options.is_preprocessed:
            return
        for macro in (
            *predefined_macros(options.std, options.openmp, options.gnuc),
            *options.claims,
            *(f"{name} {name}" for name in (*_PRESENT, *answers)),
        ):
            self.define(macro)
        if not options.hosted:
            self.define("__STDC_HOSTED__ 0")
        for name in options.defines:
            macro, equals, value = name.partition("=")
            self.define(f"{macro} {value}" if equals else f"{macro} 1")
        for name in options.undefines:
            self.undef(name)

    def run(self, text: str, filename: str) -> Iterator[LexToken]:
        """The tokens of the text and of all that it includes, and before them those of the files
        that are included from outside."""
        self.sources.add(filename, text)
        self.main = filename
        if self.options.is_preprocessed:
            return self._tokens(text, filename)
        marks = [
            token
            for token in self._asked_outside(self.options.macro_files)
            if isinstance(token, FileMark)
        ]
        before = self._asked_outside(self.options.forced_includes)
        return chain(marks, before, self._tokens(text, filename))

    def _asked_outside(self, names: Iterable[str]) -> Iterator[LexToken]:
        """The tokens of the files that the command line includes."""
        asked = "".join(f'#include "{name}"\n' for name in names)
        if asked:
            self.sources.add(_COMMAND_LINE, asked)
            yield from self._tokens(asked, _COMMAND_LINE)

    def _tokens(self, text: str, filename: str) -> Iterator[LexToken]:
        self.reading = [Header("" if filename == _COMMAND_LINE else filename)]
        path = os.path.abspath(filename)
        try:
            for run in self.runs(text, path, self.shown_path(path)):
                yield from run
        except RecursionError:
            self.fail("macros are nested too deeply", self.directive_span())
        except IndexError:
            # pcpp looks for tokens that a malformed directive does not have.
            self.fail("malformed preprocessing directive", self.directive_span())

    def included(self) -> Iterable[Header]:
        """The files that were read beside the main one, in the order of the first reading."""
        return self.search.included.values()

    def define(self, tokens: str | list[LexToken]) -> None:
        super().define(tokens)
        if isinstance(tokens, str):
            if "##" not in tokens:
                return
            tokens = self.tokenize(tokens)
        macro = self.macros[tokens[0].value]
        if not any(token.value == "##" for token in macro.value):
            return
        if "##" in (macro.value[0].value, macro.value[-1].value):
            self.fail("'##' cannot be at either end of a macro", span_of(tokens[0]))
        macro.value = with_pasting(macro.value)
        if macro.arglist is None:
            macro.value = self._pasted(macro.value)

    def _pasted(self, tokens: list[LexToken]) -> list[LexToken]:
        return pasted(tokens, self.tokenize, lambda text, token: self.fail(text, span_of(token)))

    def macro_expand_args(self, macro: Macro, args: list[list[LexToken]]) -> list[LexToken]:
        for one in args:
            self.tokenstrip(one)
        if macro.variadic and has_optional_parts(macro):
            rest = self.expand_macros(copy(args[-1])) if args[-1] else []
            macro = with_optional_parts(macro, any(t.type not in SPACE for t in rest))
        own = with_texts(without_empty_operands(macro, args), args)
        expanded = super().macro_expand_args(own, args)
        return self._pasted(expanded) if has_pasting(own) else expanded

    def expand_macros(
        self,
        tokens: list[LexToken],
        expanding_from: list[str] = [],
    ) -> list[LexToken]:
        return tokens if names_no_macro(tokens, self.macros) else self._rescanning.expand(tokens)

    def _complain_of_call(self, name: LexToken, what: str) -> None:
        self.on_error(name.source, name.lineno, what)

    def condition(self, operands: list[LexToken]) -> bool:
        """pcpp's own evaluator does not read all of C's numbers."""
        span = span_of(operands[0])
        expanded = self.expand_macros(self._replace_defined(operands))
        try:
            text = join_tokens(self._replace_defined(expanded))
            options = self.options
            character = partial(
                parse_character,
                signed=not options.unsigned_char,
                charset=options.execution_charset,
            )
            unknown = partial(self._unknown_name, span=span)
            return evaluate_condition(text, unknown, character) != 0
        except BadCondition as error:
            self.fail(str(error), span)

    def _unknown_name(self, name: str, span: Span) -> None:
        if name not in ("true", "false", *GNU_C):
            self.warnings.add("undef", f"'{name}' is no macro, and counts as 0", span)

    def _replace_defined(self, tokens: list[LexToken]) -> list[LexToken]:
        """`defined NAME`, `defined(NAME)`, `__has_include(<name>)` and the questions of `presence`
        as numbers."""
        solid = [t for t in tokens if t.type not in SPACE and t.type not in _COMMENTS]
        replaced: list[LexToken] = []
        while solid:
            token = solid.pop(0)
            if token.value == "defined":
                brackets = bool(solid) and solid[0].value == "("
                operand = solid[1 if brackets else 0 : 2 if brackets else 1]
                closed = not brackets or (len(solid) > 2 and solid[2].value == ")")
                if not operand or operand[0].type != "CPP_ID" or not closed:
                    self.fail("defined needs a name", span_of(token))
                token = copy(token)
                token.type, token.value = "CPP_INTEGER", str(int(operand[0].value in self.macros))
                del solid[: 3 if brackets else 1]
            elif token.value in _PRESENT and token.type == "CPP_ID":
                token, name = copy(token), token.value
                is_there = self._is_there(solid, token, following=_PRESENT[name])
                token.type, token.value = "CPP_INTEGER", str(int(is_there))
            elif token.value in self.answers and token.type == "CPP_ID":
                token, name = copy(token), token.value
                answer = self.answers[name](self._asked_for(solid, token))
                token.type, token.value = "CPP_INTEGER", str(answer)
            replaced.append(token)
        return replaced

    def _asked_for(self, solid: list[LexToken], word: LexToken) -> str:
        """The name in brackets behind the word; both are taken. It is no macro: headers may have
        made one of it."""
        values = [token.value for token in solid]
        end = values.index(")") if ")" in values else 0
        name = "".join(values[1:end])
        if values[:1] != ["("] or not re.fullmatch(r"[A-Za-z_$][\w$]*(::[A-Za-z_$][\w$]*)?", name):
            self.fail(f"{word.value} needs a name: (name)", span_of(word))
        del solid[: end + 1]
        return name

    def _is_there(self, solid: list[LexToken], word: LexToken, *, following: bool) -> bool:
        """Whether the header is found that stands in brackets behind the word, itself or by a
        macro; both are taken."""
        span = span_of(word)
        values = [token.value for token in solid]
        start = values.index(">") if values[1:2] == ["<"] and ">" in values else 1
        if values[:1] != ["("] or ")" not in values[start:]:
            self.fail(f"{word.value} needs a header: (<name>)", span)
        end = values.index(")", start)
        operand = solid[1:end]
        del solid[: end + 1]
        if operand and operand[0].type == "CPP_ID":
            operand = [t for t in self.expand_macros(operand) if t.type not in SPACE]
        values = [token.value for token in operand]
        quoted = len(values) == 1 and values[0].startswith('"')
        if not quoted and (len(values) < 3 or values[0] != "<" or values[-1] != ">"):
            self.fail(f"{word.value} needs a header: (<name>)", span)
        name = values[0].strip('"') if quoted else "".join(values[1:-1])
        asking, following = self.reading[-1], following and bool(self.including)
        found = self.search.find(name, asking=asking, quoted=quoted, following=following)
        return found is not None

    # What `DirectiveReader` asks

    def spelt(self, text: str) -> str:
        """As gcc has it: C has trigraphs until C23, and GNU C has none."""
        return trigraph(text) if self.options.std in ("c99", "c11", "c17") else text

    def included_file(self, operands: list[LexToken], *, following: bool) -> tuple[str, str] | None:
        """pcpp's own search knows one list of folders only. The first file was found in none of
        them: what follows it is whatever it includes, as with gcc."""
        span = self.directive_span()
        if len(self.including) > 200:
            self.fail("#include nested too deeply", span)
        name, quoted = self._header_name(operands, span)
        asking, following = self.reading[-1], following and bool(self.including)
        header = self.search.read(name, asking=asking, quoted=quoted, following=following)
        if header is None and self.options.skips_missing:
            self.search.note_missing(name, quoted=quoted)
            return None
        if header is None:
            self.fail(f"'{name}' file not found", span, hint_for_header(name))
        path = os.path.abspath(header.path)
        guard = self.include_once.get(path, NO_MACRO)
        if guard is None or guard in self.macros:
            return None
        self.including.append(span)
        self.reading.append(header)
        return self.search.text(header.path) or "", path

    def left(self) -> None:
        self.reading.pop()
        self.including.pop()

    def _header_name(self, tokens: list[LexToken], span: Span) -> tuple[str, bool]:
        """The name in a directive, and whether it stands in quotation marks."""
        if not tokens:
            self.fail('#include expects "file" or <file>', span)
        values = [token.value for token in tokens]
        if values[0] == "<" and ">" in values:
            return "".join(values[1 : values.index(">")]).strip(), False
        if values[0] == "<":
            self.fail("malformed #include <...>", span)
        if tokens[0].type != self.t_STRING:
            self.fail('#include expects "file" or <file>', span)
        return values[0][1:-1], True

    def begins(self, text: str, shown: str) -> None:
        if self.including:
            self.included_from.setdefault(shown, self.including[-1])
        self._define_mentioned(text, shown)

    def shown_path(self, path: str) -> str:
        """A file's name for people: the main file's as it was given, others from here."""
        if path == os.path.abspath(self.main):
            return self.main
        return path if is_library_header(path) else path.removeprefix(current_folder() + os.sep)

    def _define_mentioned(self, text: str, file: str) -> None:
        """Define those macros of types that a text names, once each."""
        if self.options.is_preprocessed:
            return
        texts = [text]
        if not self.has_read_options:
            self.has_read_options = True
            texts += self.options.defines
        for each in texts:
            is_ours = is_library_header(file) and "##" in each
            for macro in mentioned_macros(each.replace("##", "") if is_ours else each):
                name = macro.partition(" ")[0].partition("(")[0]
                if name not in self.mentioned and name not in self.macros:
                    self.mentioned.add(name)
                    self.define(macro)

    def is_wanted(self, name: str) -> bool:
        """The system's headers take attributes away from compilers that they do not know, and for
        those that they know call what checks by functions that are called as what they check:
        ours are called by `fortified_calls`."""
        return name not in _NOT_THE_SYSTEMS or not self._is_in_system_header()

    def other_directive(self, directive: LexToken, operands: list[LexToken]) -> bool:
        text = "".join(token.value for token in operands).strip()
        span = span_of(directive)
        match directive.value:
            case "pragma":
                if operands and operands[0].value in ("push_macro", "pop_macro"):
                    self._keep_macro(operands[0].value, text, span)
                return bool(operands)
            case "error":
                self.fail(f"#error {text}", span)
            case "warning":
                self.warnings.add("cpp", f"#warning {text}", span)
            case "line":
                self._go_on_at(join_tokens(self.expand_macros(list(operands))), span)
            case "ident":
                pass
            case name if name.isdigit():
                self._go_on_at(f"{name} {text}", span)
            case name:
                self.fail(f"invalid preprocessing directive #{name}", span)
        return False

    def _go_on_at(self, text: str, span: Span) -> None:
        """`#line NUMBER "FILE"`: what the lines that follow are called."""
        marker = _LINE_MARKER.match(text)
        if marker is None:
            self.fail('#line expects a number and maybe a "file"', span)
        position = self.files[-1].position
        position.shift = int(marker.group(1)) - position.row - 1
        if marker.group(2):
            position.file = marker.group(2)
            self.define(f'__FILE__ "{position.file}"')

    def _keep_macro(self, name: str, text: str, span: Span) -> None:
        """`#pragma push_macro("NAME")`: what the name stands for is kept, and it stays so;
        `pop_macro` makes it what was kept last."""
        operand = _KEPT_MACRO.match(text.removeprefix(name))
        if operand is None:
            self.fail(f'#pragma {name} expects a macro\'s name: ("NAME")', span)
        macro = operand.group(1)
        kept = self.kept_macros.setdefault(macro, [])
        if name == "push_macro":
            kept.append(self.macros.get(macro))
        elif kept:
            meant = kept.pop()
            self.macros.pop(macro, None)
            if meant is not None:
                self.macros[macro] = meant

    def fortification(self) -> int:
        """The number that `_FORTIFY_SOURCE` is; 0 without it, and of code that is not optimised,
        as to glibc's headers."""
        macro = self.macros.get("_FORTIFY_SOURCE")
        if macro is None or "__OPTIMIZE__" not in self.macros:
            return 0
        text = "".join(str(token.value) for token in macro.value).strip()
        return int(text) if text.isdecimal() else 0

    def known_macros(self) -> dict[str, Macro]:
        """Those that hold behind the text, and say the same wherever they stand."""
        changing = {*_PRESENT, *self.answers, *_OF_THE_MOMENT}
        return {name: one for name, one in self.macros.items() if name not in changing}

    def _is_in_system_header(self) -> bool:
        return bool(self.reading) and self.reading[-1].is_system

    def include_chain(self, file: str) -> str | None:
        """Who includes this file: `included from a.h:3, from main.c:1`."""
        chain: list[str] = []
        while file in self.included_from and len(chain) < 10:
            span = self.included_from[file]
            chain.append(f"from {span.file}:{span.line}")
            file = span.file
        return f"included {', '.join(chain)}" if chain else None


@entity
class Preprocessed:
    """The tokens of a translation unit, and the preprocessor as it is behind the last."""

    preprocessor: CPreprocessor
    tokens: list[LexToken]
    pragmas: Sequence[list[LexToken]] = ()
    serial: Sequence[Span] = ()
    loop_pragmas: Sequence[tuple[Span, str]] = ()


def preprocess(preprocessor: CPreprocessor, text: str, filename: str) -> Preprocessed:
    """The tokens of the text and of all that it includes."""
    return Preprocessed(preprocessor, list(preprocessor.run(text, filename)))


def with_include_chain(error: CompileError, preprocessor: CPreprocessor) -> CompileError:
    """An error in a header says also how the header came in."""
    diagnostic = error.diagnostic
    chain = preprocessor.include_chain(diagnostic.span.file) if diagnostic.span else None
    if chain is None:
        return error
    hint = f"{diagnostic.hint}; {chain}" if diagnostic.hint else chain
    told = CompileError(diagnostic.message, diagnostic.span, hint)
    told.more = error.more
    return told
