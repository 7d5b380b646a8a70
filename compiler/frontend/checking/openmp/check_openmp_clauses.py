"""The clauses of a directive: whose variables are, and numbers, conditions, words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pycparser import c_ast

from polyopt.frontend.checking.calls.check_calls import unknown_name
from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.check_openmp_reductions import read_reductions
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.checking.openmp_regions import Region, Share, share_of
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.checking.operands.check_names import refer
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.openmp_syntax import Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import DataClauses
from polyopt.frontend.tree.typed_tree import Expr, Symbol
from polyopt.support.diagnostics import Span

WORDS = {"reduction": "reduced"}
_CONDITIONAL = ("parallel", "simd", "task", "taskloop", "cancel")
"""The parts of directives that `if` may be about."""
_LOOPS = ("for", "simd")


class ClauseReader:
    def __init__(self, checker: Checker):
        self.checker = checker

    def variables(self, clause: Clause, *, refers: bool) -> list[tuple[Symbol, Span]]:
        """The variables in a list. `refers`: those meant are the ones outside the construct."""
        found: list[tuple[Symbol, Span]] = []
        for words in split_at(clause.words, ","):
            span = place_of(words[0]) if words else clause.span
            if len(words) != 1 or not words[0].value.isidentifier():
                self.checker.error(f"clause '{clause.name}' takes names of variables", span)
            name = words[0].value
            symbol = self.checker.scopes.find(name)
            if symbol is None:
                node = c_ast.ID(name)
                unknown_name(self.checker, _at(node, span), name, is_call=False)
            if symbol.kind not in ("local", "parameter", "global"):
                self.checker.error(f"'{name}' is no variable", span)
            if refers:
                refer(self.checker, symbol, span)
            symbol.is_used = True
            found.append((symbol, span))
        return found

    def data(self, directive: Directive, names: Iterable[str]) -> tuple[DataClauses, Shares]:
        """The clauses of these names; their variables as they are outside."""
        data, shares = DataClauses(), Shares(self.checker)
        for clause in directive.clauses:
            name = clause.name
            if name not in names:
                continue
            match name:
                case "private" | "firstprivate" | "lastprivate":
                    for symbol, span in self.variables(clause, refers=name != "private"):
                        shares.add(symbol, name, span)
                        symbol.is_modified = True
                        self._require_known_size(symbol, span)
                        getattr(data, name).append(symbol)
                case "shared":
                    for symbol, span in self.variables(clause, refers=True):
                        shares.add(symbol, "shared", span)
                case "copyin" | "copyprivate":
                    for symbol, span in self.variables(clause, refers=True):
                        if name == "copyin" and not symbol.is_threadprivate:
                            self.checker.error(f"'{symbol.name}' is not threadprivate", span)
                        symbol.is_modified = True
                        getattr(data, name).append(symbol)
                case "reduction" | "in_reduction" | "task_reduction":
                    for reduction, span in read_reductions(self.checker, clause):
                        if reduction.is_scanned and directive.name.split()[-1] not in _LOOPS:
                            self.checker.error("only loops have reductions with 'scan'", span)
                        shares.add(reduction.symbol, "reduction", span)
                        shares.outers[reduction.symbol] = reduction.outer
                        data.reductions.append(reduction)
                case _:
                    pass
        return data, shares

    def _require_known_size(self, symbol: Symbol, span: Span) -> None:
        if not ct.is_complete(symbol.type):
            self.checker.error(f"'{symbol.name}' has incomplete type '{symbol.type}'", span)

    def expression(self, clause: Clause | None, what: str) -> Expr | None:
        """A clause's number."""
        if clause is None:
            return None
        value = self.checker.expressions.value(parse_words(self.checker, clause.words))
        if not ct.is_integer(value.type):
            self.checker.error(
                f"{what} has type '{value.type}', and is to be an integer", value.span
            )
        return convert(value, ct.LONG)

    def condition(self, directive: Directive, applies_to: str) -> Expr | None:
        """The clause `if`, which may name the part of a combined directive that it is about."""
        found: Expr | None = None
        for clause in directive.all("if"):
            words = clause.words
            if len(words) > 1 and words[1].value == ":":
                part = words[0].value
                if part not in _CONDITIONAL or part not in directive.name.split():
                    self.checker.error(
                        f"'{part}' is no part of this directive that 'if' is about",
                        place_of(words[0]),
                    )
                words = words[2:]
                if part != applies_to:
                    continue
            if found is not None:
                self.checker.error("clause 'if' is given twice", clause.span)
            if not words:
                self.checker.error("clause 'if' needs a condition", clause.span)
            node = parse_words(self.checker, words)
            found = self.checker.expressions.scalar(node, "condition of 'if'")
        return found

    def default(self, directive: Directive) -> str | None:
        clause = directive.one("default")
        if clause is None:
            return None
        text = "".join(word.value for word in clause.words)
        if text in ("private", "firstprivate"):
            self.checker.error(f"default({text}) is not supported", clause.span)
        if text not in ("shared", "none"):
            self.checker.error("expected default(shared) or default(none)", clause.span)
        return text

    def require_word(self, directive: Directive, name: str, words: Sequence[str]) -> str | None:
        """What a clause of one word says."""
        clause = directive.one(name)
        if clause is None:
            return None
        text = "".join(word.value for word in clause.words)
        if text not in words:
            message = f"'{text}' is nothing that '{name}' knows"
            self.checker.error(message, clause.span, f"one of {', '.join(words)}")
        return text

    def positive(self, directive: Directive, name: str) -> int | None:
        """The constant of a clause."""
        clause = directive.one(name)
        if clause is None:
            return None
        number = self.checker.expressions.constant(parse_words(self.checker, clause.words))
        if number < 1:
            self.checker.error(f"'{name}' needs a positive number", clause.span)
        return number

    def require_shared(self, directive: Directive, shares: Shares) -> None:
        """What a worksharing construct copies from, or to, belongs to all threads."""
        for symbol, share in shares.found.items():
            if share in ("private", "shared"):
                continue
            if self._is_private_outside(symbol):
                word = WORDS.get(share, share)
                self.checker.error(
                    f"'{symbol.name}' is each thread's own already, and cannot be {word} in "
                    f"'#pragma omp {directive.name}'",
                    shares.spans[symbol],
                )

    def _is_private_outside(self, symbol: Symbol) -> bool:
        regions = self.checker.regions
        if not any(region.name == "parallel" for region in regions):
            return False
        return share_of(regions, self.checker.scopes, symbol) != "shared"


class Shares:
    """The variables of a directive's clauses, each in one; both first and last goes together."""

    def __init__(self, checker: Checker):
        self.checker = checker
        self.found: dict[Symbol, Share] = {}
        self.outers: dict[Symbol, Symbol] = {}
        self.spans: dict[Symbol, Span] = {}

    def add(self, symbol: Symbol, share: Share, span: Span) -> None:
        known = self.found.get(symbol)
        if known is not None and {known, share} != {"firstprivate", "lastprivate"}:
            self.checker.error(
                f"'{symbol.name}' is {WORDS.get(known, known)} already, "
                f"and cannot be {WORDS.get(share, share)} too",
                span,
            )
        if symbol.is_threadprivate:
            self.checker.error(f"'{symbol.name}' is threadprivate, and in no other clause", span)
        if known is None or share == "lastprivate":
            self.found[symbol] = share
        self.spans[symbol] = span

    def put_into(self, region: Region) -> None:
        region.shares, region.outers = self.found, self.outers


def _at(node: c_ast.Node, span: Span) -> c_ast.Node:
    from pycparser.c_parser import Coord

    node.coord = Coord(span.file, span.line, span.column)
    return node
