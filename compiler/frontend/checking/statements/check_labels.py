"""The labels of one function: which statement each name means, where gotos lead (C 6.8.1, 6.8.6.1),
and GNU C's two additions.

    __label__ a, b;     names that mean labels of this block alone
    &&a, goto *p;       labels as values: numbers from 1, in the order in which their addresses are
                        taken, as `void *`; a computed goto chooses among them as a switch does
"""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.openmp_regions import Region
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import PointerType
from polyopt.frontend.messages.known_names import did_you_mean
from polyopt.frontend.tree.typed_statements import (
    Block,
    ComputedGoto,
    Declare,
    EvaluateLengths,
    Goto,
    Label,
    Statement,
)
from polyopt.frontend.tree.typed_tree import Convert, Expr, IntConst, Symbol
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import entity


@entity
class _Jump:
    """A statement that goes to labels, and which ones."""

    statement: Goto | ComputedGoto
    names: dict[str, int]


class Labels:
    """`names`: what the labels are called in the function as a whole; `taken`: the numbers of
    those whose addresses are values."""

    def __init__(self, checker: Checker):
        self.checker = checker
        self.names: dict[str, Label] = {}
        self.taken: dict[str, int] = {}
        self.first_taken: dict[str, Span] = {}
        self.jumps: list[_Jump] = []
        self.regions_at: dict[Statement, list[Region]] = {}
        self.local: list[dict[str, str]] = []
        self.locals = 0

    def declare_local(self, names: list[c_ast.ID]) -> None:
        """Labels of the innermost block."""
        for node in names:
            if node.name in self.local[-1]:
                self.checker.error(f"duplicate label '{node.name}'", node)
            self.locals += 1
            self.local[-1][node.name] = f"{node.name}#{self.locals}"

    def define(self, node: c_ast.Label, vlas: tuple[Symbol, ...]) -> Label:
        name = self._meant(node.name)
        if name in self.names:
            self.checker.error(f"duplicate label '{node.name}'", node)
        span = span_of(node)
        label = self.names[name] = Label(span, node.name, Block(span, []), vlas)
        self.regions_at[label] = list(self.checker.regions)
        return label

    def goto(self, node: c_ast.Goto, vlas: tuple[Symbol, ...]) -> Goto:
        goto = Goto(span_of(node), node.name, vlas)
        self._add(goto, {self._meant(node.name): 0})
        return goto

    def address(self, name: str, span: Span) -> Expr:
        """`&&name`"""
        meant = self._meant(name)
        self.first_taken.setdefault(meant, span)
        number = self.taken.setdefault(meant, len(self.taken) + 1)
        return Convert(PointerType(ct.VOID), span, IntConst(ct.LONG, span, number))

    def computed_goto(self, number: Expr, vlas: tuple[Symbol, ...], span: Span) -> ComputedGoto:
        goto = ComputedGoto(span, number, vlas)
        self._add(goto, self.taken)
        return goto

    def finish(self) -> None:
        """Find the labels of all jumps."""
        for jump in self.jumps:
            try:
                for name, number in jump.names.items():
                    self._resolve(jump.statement, name, number)
            except CompileError as error:
                self.checker.errors.add(error)
        for name, span in self.first_taken.items():
            try:
                self._label(name, span)
            except CompileError as error:
                self.checker.errors.add(error)
        wanted = {name for jump in self.jumps for name in jump.names} | self.taken.keys()
        for name, label in self.names.items():
            if name not in wanted:
                self.checker.warn("unused-label", f"unused label '{label.name}'", label.span)

    def _meant(self, name: str) -> str:
        for names in reversed(self.local):
            if name in names:
                return names[name]
        return name

    def _add(self, goto: Goto | ComputedGoto, names: dict[str, int]) -> None:
        self.jumps.append(_Jump(goto, names))
        self.regions_at[goto] = list(self.checker.regions)

    def _label(self, name: str, span: Span) -> Label:
        label = self.names.get(name)
        if label is None:
            written = name.partition("#")[0]
            hint = did_you_mean(written, self.names)
            self.checker.error(f"use of undeclared label '{written}'", span, hint)
        return label

    def _resolve(self, goto: Goto | ComputedGoto, name: str, number: int) -> None:
        label = self._label(name, goto.span if isinstance(goto, Goto) else self.first_taken[name])
        if self.regions_at[goto] != self.regions_at[label]:
            self.checker.error("goto jumps into a construct of OpenMP, or out of one", goto.span)
        if label.vlas != goto.vlas[: len(label.vlas)]:
            scope = described(label.vlas[-1])
            self.checker.error(f"goto jumps into the scope of {scope}", goto.span)
        if isinstance(goto, Goto):
            goto.target = label
        elif left := [one for one in goto.vlas[len(label.vlas) :] if _must_be_left(one)]:
            scope = described(left[-1])
            self.checker.error(f"a computed goto out of the scope of {scope}", goto.span)
        else:
            goto.targets[number] = label


def with_closed_scope(declared: list[Statement]) -> list[Symbol]:
    """Whose scopes nothing jumps into (C 6.8.6.1), or need something done where they are left."""
    closed: list[Symbol] = []
    for one in declared:
        match one:
            case EvaluateLengths(symbol=Symbol() as symbol):
                closed.append(symbol)
            case Declare(symbol=symbol):
                if ct.is_variably_modified(symbol.type) or symbol.cleanup is not None:
                    closed.append(symbol)
            case _:
                pass
    return closed


def _must_be_left(symbol: Symbol) -> bool:
    """Is something to be done where the scope ends: is there an array to free, or to clean up?"""
    is_array = symbol.kind == "local" and ct.is_variable_length(symbol.type)
    return is_array or symbol.cleanup is not None


def described(symbol: Symbol) -> str:
    kind = "cleaned-up" if symbol.cleanup is not None else "variable-length"
    return f"{kind} '{symbol.name}'"
