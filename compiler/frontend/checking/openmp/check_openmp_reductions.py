"""The clauses of reductions, and `declare reduction` (OpenMP 5.0, 2.19.5).

Which variables an operator reduces, and what stands for each of them outside; a pointer's section
gets memory of its own. The statements that begin and combine copies: `reduction_statements`.
"""

from __future__ import annotations

from dataclasses import replace

from pcpp.parser import LexToken

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.array_sections import Section, read_sections
from polyopt.frontend.checking.openmp.openmp_expressions import parse_type
from polyopt.frontend.checking.openmp.reduction_statements import (
    INTEGRAL,
    LOGICAL,
    ReductionWriter,
    index_symbol,
    place_of_symbol,
    value_of,
)
from polyopt.frontend.checking.operands.check_names import refer
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import PointerType
from polyopt.frontend.messages.known_names import did_you_mean
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.openmp_syntax import Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import DeclaredReduction, Reduction
from polyopt.frontend.tree.typed_tree import Symbol
from polyopt.support.diagnostics import Span

_OPERATORS = frozenset("+ - * min max".split()) | INTEGRAL | LOGICAL


def read_reductions(checker: Checker, clause: Clause) -> list[tuple[Reduction, Span]]:
    """The variables of a clause `reduction(operator: list)`."""
    head, *items = split_at(clause.words, ":", at_most=1)
    if not items or not head:
        checker.error(f"expected '{clause.name}(operator: variables)'", clause.span)
    head, is_scanned = _without_modifier(checker, clause, head)
    name = "".join(word.value for word in head)
    if name not in _OPERATORS and name not in checker.operators:
        known = [*_OPERATORS, *checker.operators]
        checker.error(
            f"'{name}' is no operator of reductions", clause.span, did_you_mean(name, known)
        )
    found = [_read_one(checker, name, item, clause) for item in split_at(items[0], ",")]
    for reduction, span in found:
        reduction.is_scanned = is_scanned
        if is_scanned and not ct.is_single(reduction.symbol.type):
            message = f"'{reduction.symbol.name}' of type '{reduction.symbol.type}' is not scanned"
            checker.error(message, span, "only scalars are")
    return found


def _without_modifier(
    checker: Checker, clause: Clause, head: list[LexToken]
) -> tuple[list[LexToken], bool]:
    """The operator, and whether it is scanned. `task`: tasks inside may take part, which they may
    in any case."""
    modifier, *rest = split_at(head, ",", at_most=1)
    if not rest or not rest[0]:
        return head, False
    text = "".join(word.value for word in modifier)
    if clause.name != "reduction" or text not in ("default", "task", "inscan"):
        checker.error(f"'{text}' is no modifier of '{clause.name}'", clause.span)
    return rest[0], text == "inscan"


def _outer_of(checker: Checker, symbol: Symbol, clause: Clause) -> tuple[Symbol, bool]:
    """What the variable is outside; with `in_reduction`, where it is not reduced yet, which may be
    outside of a construct around."""
    if clause.name == "in_reduction":
        for region in reversed(checker.regions):
            if symbol in region.outers:
                return region.outers[symbol], True
    return replace(symbol), False


def _read_one(
    checker: Checker, operator: str, words: list[LexToken], clause: Clause
) -> tuple[Reduction, Span]:
    if not words:
        checker.error("expected a variable", clause.span)
    span = place_of(words[0])
    symbol = checker.scopes.find(words[0].value)
    if symbol is None or symbol.kind not in ("local", "parameter", "global"):
        checker.error(f"'{words[0].value}' is no variable", span)
    refer(checker, symbol, span)
    symbol.is_modified = True
    sections = read_sections(checker, symbol, words[1:], span)
    outer, is_inherited = _outer_of(checker, symbol, clause)
    reduction = Reduction(symbol, outer, [], [], is_inherited=is_inherited)
    if isinstance(symbol.type, PointerType):
        if len(sections) != 1:
            checker.error(
                f"a reduction of pointer '{symbol.name}' needs one section of what it points to: "
                f"{symbol.name}[start:length]",
                span,
            )
        start, count = (index_symbol(f"{symbol.name}.{what}", span) for what in ("start", "count"))
        reduction.start, reduction.count = sections[0].start, sections[0].count
        reduction.start_symbol, reduction.count_symbol = start, count
        sections = [Section(value_of(start), value_of(count))]
    inner, outside = place_of_symbol(symbol), place_of_symbol(outer)
    make = ReductionWriter(checker, operator, reduction, span)
    reduction.initial = [make.over(sections, make.initial, inner)]
    reduction.combine = [make.over(sections, make.combine, inner, outside)]
    return reduction, span


def declare_reduction(checker: Checker, directive: Directive) -> None:
    """`#pragma omp declare reduction(name: types: combiner) initializer(omp_priv = …)`"""
    words = directive.words or []
    parts = split_at(words, ":", at_most=2)
    if len(parts) != 3 or not all(parts):
        checker.error("expected 'declare reduction(name: types: combiner)'", directive.span)
    name = "".join(word.value for word in parts[0])
    initializer = directive.one("initializer")
    for type_words in split_at(parts[1], ","):
        type = checker.types.read(parse_type(checker, type_words))
        words = None if initializer is None else initializer.words
        found = DeclaredReduction(type, type_words, parts[2], words)
        checker.operators.setdefault(name, []).append(found)
