"""Reductions: what a thread's copy begins with, and how copies become one (OpenMP 4.5, 2.15.3.6).

Both are written as statements, so that every type and operator of C's has one way down. An array is
combined element by element, a section of one likewise; a pointer's section gets memory of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from dataclasses import replace

from pcpp.parser import LexToken

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.openmp_expressions import parse_type, parse_words
from polyopt.frontend.checking.operands.check_conversions import convert, decay
from polyopt.frontend.checking.operands.check_names import refer
from polyopt.frontend.checking.operands.check_places import subscript
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FloatType,
    IntType,
    PointerType,
)
from polyopt.frontend.language.conversions import are_compatible
from polyopt.frontend.messages.known_names import did_you_mean
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.openmp_syntax import Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import DeclaredReduction, Reduction, Rename, ZeroFill
from polyopt.frontend.tree.typed_statements import Block, Evaluate, LoopStatement, Statement
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Binary,
    Compare,
    Conditional,
    Expr,
    FloatConst,
    IntConst,
    Load,
    Logical,
    SizeOf,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity

_INTEGRAL = frozenset("& | ^".split())
_COMPLEX = frozenset("+ - *".split())
_LOGICAL = frozenset("&& ||".split())
_OPERATORS = frozenset("+ - * min max".split()) | _INTEGRAL | _LOGICAL


@entity
class Section:
    """Elements `start` to `start + count - 1` of one dimension."""

    start: Expr
    count: Expr


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
    sections = _sections(checker, symbol, words[1:], span)
    outer, is_inherited = _outer_of(checker, symbol, clause)
    reduction = Reduction(symbol, outer, [], [], is_inherited=is_inherited)
    if isinstance(symbol.type, PointerType):
        if len(sections) != 1:
            checker.error(
                f"a reduction of pointer '{symbol.name}' needs one section of what it points to: "
                f"{symbol.name}[start:length]",
                span,
            )
        start, count = (_index_symbol(f"{symbol.name}.{what}", span) for what in ("start", "count"))
        reduction.start, reduction.count = sections[0].start, sections[0].count
        reduction.start_symbol, reduction.count_symbol = start, count
        sections = [Section(_load(start), _load(count))]
    inner, outside = _variable(symbol), _variable(outer)
    make = _Maker(checker, operator, reduction, span)
    reduction.initial = [make.over(sections, make.initial, inner)]
    reduction.combine = [make.over(sections, make.combine, inner, outside)]
    return reduction, span


def _sections(checker: Checker, symbol: Symbol, words: list[LexToken], span: Span) -> list[Section]:
    """One for each dimension that is named."""
    sections: list[Section] = []
    type = symbol.type
    while words:
        end = next((i for i in range(len(words)) if _depth(words[: i + 1]) == 0), len(words))
        if words[0].value != "[" or end == len(words):
            checker.error(f"expected a section behind '{symbol.name}': [start:length]", span)
        parts = split_at(words[1:end], ":")
        extent = _extent(type, span)
        if len(parts) > 2 or (len(parts) == 1 and not parts[0]):
            checker.error("expected a section: [start:length]", place_of(words[0]))
        start: Expr = IntConst(ct.LONG, span, 0)
        if parts[0]:
            start = _long(checker, parts[0])
        if len(parts) == 1:
            count: Expr = IntConst(ct.LONG, span, 1)
        elif parts[1]:
            count = _long(checker, parts[1])
        elif extent is None:
            checker.error(f"this section of '{symbol.name}' needs a length", place_of(words[0]))
        else:
            count = Binary(ct.LONG, span, "-", extent, start)
        sections.append(Section(start, count))
        if not isinstance(type, ArrayType | PointerType):
            checker.error(f"'{symbol.name}' has no so many dimensions", span)
        type = type.element if isinstance(type, ArrayType) else type.target
        words = words[end + 1 :]
    return sections


def _depth(words: list[LexToken]) -> int:
    return sum((word.value in "([{") - (word.value in ")]}") for word in words)


def _long(checker: Checker, words: list[LexToken]) -> Expr:
    value = checker.expressions.value(parse_words(checker, words))
    if not ct.is_integer(value.type):
        checker.error(f"a value of type '{value.type}' is no integer", value.span)
    return convert(value, ct.LONG)


def _extent(type: CType, span: Span) -> Expr | None:
    """How many elements an array has."""
    if not isinstance(type, ArrayType):
        return None
    if isinstance(type.length, int):
        return IntConst(ct.LONG, span, type.length)
    sizes = [
        convert(
            SizeOf(ct.ULONG, span, measured)
            if ct.is_variable_length(measured)
            else IntConst(ct.ULONG, span, ct.size_of(measured)),
            ct.LONG,
        )
        for measured in (type, type.element)
    ]
    return Binary(ct.LONG, span, "/", *sizes)


def _index_symbol(name: str, span: Span) -> Symbol:
    return Symbol(name, ct.LONG, span, "local", is_defined=True, is_used=True, is_modified=True)


def _variable(symbol: Symbol) -> Expr:
    return Variable(symbol.type, symbol.span, symbol)


def _load(symbol: Symbol) -> Expr:
    return Load(symbol.type, symbol.span, _variable(symbol))


class _Maker:
    """Writes the statements for one variable."""

    def __init__(self, checker: Checker, operator: str, reduction: Reduction, span: Span):
        self.checker = checker
        self.operator = operator
        self.reduction = reduction
        self.span = span

    def over(
        self, sections: list[Section], make: Callable[..., Statement], *places: Expr
    ) -> Statement:
        """`make` for each element of the places."""
        type = places[0].type
        if not sections and not isinstance(type, ArrayType):
            return make(*places)
        if sections:
            section, *sections = sections
        else:
            extent = _extent(type, self.span)
            assert extent is not None
            section = Section(IntConst(ct.LONG, self.span, 0), extent)
        counter = _index_symbol(".element", self.span)
        number = _load(counter)
        index = Binary(ct.LONG, self.span, "+", section.start, number)
        elements = [subscript(self.checker, place, index, self.span) for place in places]
        zero, one = (IntConst(ct.LONG, self.span, value) for value in (0, 1))
        place = _variable(counter)
        following = Binary(ct.LONG, self.span, "+", number, one)
        loop = LoopStatement(
            self.span,
            Compare(ct.INT, self.span, "<", number, section.count),
            Assign(ct.LONG, self.span, place, following),
            self.over(sections, make, *elements),
        )
        start = Evaluate(self.span, Assign(ct.LONG, self.span, place, zero))
        return Block(self.span, [start, loop])

    def initial(self, inner: Expr) -> Statement:
        declared = self._declared(inner.type)
        if declared is not None:
            return self._declared_initial(declared, inner)
        self._check_type(inner.type)
        value = convert(self._neutral(inner.type), inner.type)
        return Evaluate(self.span, Assign(ct.unqualified(inner.type), self.span, inner, value))

    def combine(self, inner: Expr, outer: Expr) -> Statement:
        declared = self._declared(inner.type)
        if declared is not None:
            names = {"omp_out": outer, "omp_in": inner}
            return self._statement(declared.combiner, names)
        type = ct.unqualified(outer.type)
        left, right = decay(outer), decay(inner)
        value: Expr
        if self.operator in _LOGICAL:
            value = Logical(ct.INT, self.span, self.operator, left, right)
        elif self.operator in ("min", "max"):
            sign = "<" if self.operator == "min" else ">"
            test = Compare(ct.INT, self.span, sign, right, left)
            value = Conditional(type, self.span, test, right, left)
        else:
            sign = "+" if self.operator == "-" else self.operator
            value = self.checker.expressions.operators.binary(sign, left, right, self.span)
        return Evaluate(self.span, Assign(type, self.span, outer, convert(value, type)))

    def _neutral(self, type: CType) -> Expr:
        match self.operator:
            case "*" | "&&":
                return IntConst(ct.INT, self.span, 1)
            case "&":
                return IntConst(ct.INT, self.span, -1)
            case "min" | "max":
                least = self.operator == "max"
                if isinstance(type, IntType):
                    return IntConst(type, self.span, type.minimum if least else type.maximum)
                return FloatConst(type, self.span, -math.inf if least else math.inf)
            case _:
                return IntConst(ct.INT, self.span, 0)

    def _check_type(self, type: CType) -> None:
        allowed = isinstance(type, IntType)
        if self.operator not in _INTEGRAL:
            allowed = allowed or isinstance(type, FloatType)
        if self.operator in _COMPLEX:
            allowed = allowed or isinstance(type, ComplexType)
        if not allowed:
            name = self.reduction.symbol.name
            self.checker.error(
                f"operator '{self.operator}' does not reduce '{name}' of type '{type}'", self.span
            )

    # Operators that the program declares

    def _declared(self, type: CType) -> DeclaredReduction | None:
        for declared in self.checker.operators.get(self.operator, []):
            if are_compatible(declared.type, ct.unqualified(type)):
                return declared
        return None

    def _declared_initial(self, declared: DeclaredReduction, inner: Expr) -> Statement:
        names = {"omp_priv": inner, "omp_orig": _variable(self.reduction.outer)}
        if declared.initializer is None:
            return ZeroFill(self.span, inner)
        self.reduction.reads_outer = any(word.value == "omp_orig" for word in declared.initializer)
        return self._statement(_with_type(declared), names)

    def _statement(self, words: list[LexToken], names: dict[str, Expr]) -> Statement:
        """The expression, with the names standing for these places."""
        checker = self.checker
        checker.scopes.push()
        pointers: list[Statement] = []
        for name, place in names.items():
            symbol = Symbol(name, place.type, place.span, "local", is_defined=True)
            symbol.is_used = symbol.is_modified = True
            checker.scopes.current.names[name] = symbol
            pointers.append(Rename(self.span, symbol, place))
        value = checker.expressions.effect(parse_words(checker, words))
        checker.scopes.pop()
        return Block(self.span, [*pointers, Evaluate(self.span, value)])


def _with_type(declared: DeclaredReduction) -> list[LexToken]:
    """The initializer; of `omp_priv = { … }` what is in braces is a value of the type."""
    words = declared.initializer or []
    if [word.value for word in words[:3]] != ["omp_priv", "=", "{"]:
        return words
    brackets = [copy(words[1]) for _ in "()"]
    for token, value in zip(brackets, "()", strict=True):
        token.value = value
    return [*words[:2], brackets[0], *declared.type_words, brackets[1], *words[2:]]


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
