"""A loop of tasks as a loop that makes them (OpenMP 5.0, 2.10.2).

Each task counts through the numbers of a part of the iterations; bounds are values that tasks take
with them.

    for (i = a; i < b; i += s) …       n = rounds(a, b, s)
                                   =>  for (k = 0; k < tasks; k++)
                                         task firstprivate(first, end) for (number = first; …)
                                           { i = a + number * s; … }
"""

from __future__ import annotations

from dataclasses import replace

from polyopt.frontend.checking.openmp.openmp_counters import number_of, value_at
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType
from polyopt.frontend.tree.openmp_tree import CountedLoop, Task
from polyopt.frontend.tree.typed_statements import (
    Block,
    Declare,
    Evaluate,
    LoopStatement,
    Statement,
)
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Binary,
    Compare,
    Conditional,
    Expr,
    IntConst,
    Load,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span

_TASKS = 32
"""A loop that does not say otherwise becomes so many tasks: enough for as many threads to end
together, each still worth more than making it."""


class LoopOfTasks:
    """Writes the loop that makes tasks."""

    def __init__(self, span: Span, loops: list[CountedLoop]):
        self.span = span
        self.loops = loops
        self.front: list[Statement] = [one for loop in loops for one in loop.front]
        self.taken = [one.symbol for one in self.front if isinstance(one, Declare)]

    def make(self, task: Task, grain: Expr | None, count: Expr | None) -> Statement:
        rounds = [self._rounds(loop) for loop in self.loops]
        total = self._keep("rounds", self._product(rounds))
        tasks = self._keep("tasks", self._tasks(total, grain, count))
        each = self._keep("each", self._binary("/", total, tasks))
        rest = self._keep("rest", self._binary("%", total, tasks))
        turn = self._symbol("turn", ct.LONG)
        first, end = self._symbol("first", ct.LONG), self._symbol("end", ct.LONG)
        number = self._symbol("number", ct.LONG)
        before = _load(turn)
        start = self._binary("+", self._binary("*", each, before), self._least(before, rest))
        longer = convert(Compare(ct.INT, self.span, "<", before, rest), ct.LONG)
        stop = self._binary("+", self._binary("+", _load(first), each), longer)
        counted = [self._set(number, _load(first)), self._count(number, end, rounds, task.body)]
        is_last = Compare(ct.INT, self.span, "==", _load(end), total)
        is_any = Compare(ct.INT, self.span, "<", _load(first), _load(end))
        none = IntConst(ct.INT, self.span, 0)
        last = Conditional(ct.INT, self.span, is_any, is_last, none)
        data = task.data
        behind = [
            self._set(loop.symbol, self._behind(loop))
            for loop in self.loops
            if loop.symbol in data.lastprivate
        ]
        data.firstprivate = [*data.firstprivate, *self.taken, first, end]
        data.private = [*data.private, number]
        one = replace(task, body=Block(self.span, [*counted, *behind]), last=last)
        body = Block(
            self.span,
            [
                Declare(self.span, first, None),
                Declare(self.span, end, None),
                self._set(first, start),
                self._set(end, stop),
                one,
            ],
        )
        test = Compare(ct.INT, self.span, "<", _load(turn), tasks)
        following = Assign(ct.LONG, self.span, _place(turn), self._plus_one(turn))
        loop = LoopStatement(self.span, test, following, body)
        zero = self._set(turn, self._constant(0))
        return Block(self.span, [*self.front, Declare(self.span, turn, None), zero, loop])

    def _rounds(self, loop: CountedLoop) -> Expr:
        lower, upper = (
            self._keep(what, value)
            for what, value in (("lower", loop.lower), ("upper", loop.upper))
        )
        step = self._keep("step", loop.step)
        low, high = (upper, lower) if loop.down else (lower, upper)
        sign = "<=" if loop.inclusive else "<"
        missing = self._binary("-", convert(high, ct.LONG), convert(low, ct.LONG))
        more = convert(step, ct.LONG)
        if not loop.inclusive:
            more = self._binary("-", more, self._constant(1))
        wide = convert(step, ct.LONG)
        count = self._binary("/", self._binary("+", missing, more), wide)
        test = Compare(ct.INT, self.span, sign, low, high)
        loop.lower, loop.step = lower, step
        chosen = Conditional(ct.LONG, self.span, test, count, self._constant(0))
        return self._keep("rounds", chosen)

    def _tasks(self, total: Expr, grain: Expr | None, count: Expr | None) -> Expr:
        """At least one, and none without iterations."""
        if grain is not None:
            size = self._keep("grain", self._most(grain, self._constant(1)))
            count = self._binary("/", total, size)
        wanted = self._keep("wanted", self._constant(_TASKS) if count is None else count)
        return self._keep(
            "most",
            self._least(
                self._most(wanted, self._constant(1)), self._most(total, self._constant(1))
            ),
        )

    def _count(self, number: Symbol, end: Symbol, rounds: list[Expr], body: Statement) -> Statement:
        """The iterations of these numbers; the counters are what is left of one by division."""
        sets: list[Statement] = []
        rest: Expr = _load(number)
        for position in range(len(self.loops) - 1, -1, -1):
            loop, digit = self.loops[position], rest
            if position:
                digit = self._binary("%", rest, rounds[position])
                rest = self._binary("/", rest, rounds[position])
            way = Binary(loop.type, self.span, "*", convert(digit, loop.type), loop.step)
            place = Binary(loop.type, self.span, "-" if loop.down else "+", loop.lower, way)
            sets.append(self._set(loop.symbol, value_at(loop, place)))
        following = Assign(ct.LONG, self.span, _place(number), self._plus_one(number))
        test = Compare(ct.INT, self.span, "<", _load(number), _load(end))
        return LoopStatement(self.span, test, following, Block(self.span, [*sets, body]))

    def _behind(self, loop: CountedLoop) -> Expr:
        sign = "-" if loop.down else "+"
        return value_at(loop, Binary(loop.type, self.span, sign, number_of(loop), loop.step))

    # Expressions

    def _keep(self, name: str, value: Expr) -> Expr:
        """A variable that has the value, in front of all tasks, and in them."""
        symbol = self._symbol(name, value.type)
        self.front += [Declare(self.span, symbol, None), self._set(symbol, value)]
        self.taken.append(symbol)
        return _load(symbol)

    def _symbol(self, name: str, type: CType) -> Symbol:
        symbol = Symbol(f".{name}", ct.unqualified(type), self.span, "local", is_defined=True)
        symbol.is_used = symbol.is_modified = True
        return symbol

    def _set(self, symbol: Symbol, value: Expr) -> Statement:
        type = ct.unqualified(symbol.type)
        return Evaluate(self.span, Assign(type, self.span, _place(symbol), convert(value, type)))

    def _constant(self, number: int) -> Expr:
        return IntConst(ct.LONG, self.span, number)

    def _binary(self, operator: str, left: Expr, right: Expr) -> Expr:
        return Binary(ct.LONG, self.span, operator, left, right)

    def _product(self, values: list[Expr]) -> Expr:
        result, *others = values
        for other in others:
            result = self._binary("*", result, other)
        return result

    def _plus_one(self, symbol: Symbol) -> Expr:
        return self._binary("+", _load(symbol), self._constant(1))

    def _least(self, left: Expr, right: Expr) -> Expr:
        return Conditional(
            ct.LONG, self.span, Compare(ct.INT, self.span, "<", left, right), left, right
        )

    def _most(self, left: Expr, right: Expr) -> Expr:
        return Conditional(
            ct.LONG, self.span, Compare(ct.INT, self.span, "<", left, right), right, left
        )


def _place(symbol: Symbol) -> Expr:
    return Variable(symbol.type, symbol.span, symbol)


def _load(symbol: Symbol) -> Expr:
    return Load(ct.unqualified(symbol.type), symbol.span, _place(symbol))
