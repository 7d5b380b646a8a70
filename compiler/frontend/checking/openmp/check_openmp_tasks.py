"""`task`, `taskloop` and `taskgroup` (OpenMP 5.0, 2.10): statements that some thread does later.

A loop of tasks is a loop that makes them, each of which counts through the numbers of a part of the
iterations; its bounds are values that tasks take with them.

    for (i = a; i < b; i += s) …       n = rounds(a, b, s)
                                   =>  for (k = 0; k < tasks; k++)
                                         task firstprivate(first, end) for (number = first; …)
                                           { i = a + number * s; … }

What tasks add up they combine when they end, one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from pcpp.parser import LexToken
from pycparser import c_ast

from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker
from polyopt.frontend.checking.openmp.check_openmp_clauses import Shares
from polyopt.frontend.checking.openmp.check_openmp_for import LoopChecker
from polyopt.frontend.checking.openmp.openmp_counters import number_of, value_at
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.checking.openmp.openmp_iterators import repeated, take_iterators
from polyopt.frontend.checking.openmp_regions import Region, share_of
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType
from polyopt.frontend.parsing.openmp_syntax import Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import CountedLoop, DataClauses, Depend, Task, TaskGroup
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
_WRITES = {"in": False, "out": True, "inout": True, "mutexinoutset": True, "inoutset": True}
"""Kinds of dependences, and whether other tasks wait for them; those that only exclude one another
are put in an order, too."""


class TaskChecker:
    """The directives of tasks in one function."""

    def __init__(self, directives: OpenMPChecker, loops: LoopChecker):
        self.directives = directives
        self.loops = loops
        self.checker = directives.checker
        self.statements = directives.statements
        directives.readers |= {"task": self.task, "taskgroup": self.group}
        directives.readers |= {"taskloop": self.loop, "taskloop simd": self.loop}

    def task(self, directive: Directive, node: c_ast.Node) -> Statement:
        condition, final = self._conditions(directive, "task")
        depends = self._depends(directive)
        data, shares = self._data(directive, ("private", "firstprivate", "shared"))
        with self.directives.region(directive, "task") as region:
            shares.put_into(region)
            region.default = self.directives.default(directive)
            body = self.directives.inner(node)
        self._take_along(data, region)
        untied = directive.has("untied")
        return Task(directive.span, data, condition, final, untied, body, depends)

    def group(self, directive: Directive, node: c_ast.Node) -> Statement:
        """Copies of what its tasks add up are combined when these end."""
        self.directives.data(directive, ("task_reduction",))
        return TaskGroup(directive.span, self.directives.inner(node))

    def _data(self, directive: Directive, names: tuple[str, ...]) -> tuple[DataClauses, Shares]:
        data, shares = self.directives.data(directive, (*names, "reduction", "in_reduction"))
        for reduction in data.reductions:
            if reduction.reads_outer:
                self.directives.refuse(directive, "has a reduction that begins with 'omp_orig'")
        return data, shares

    def _conditions(self, directive: Directive, name: str) -> tuple[Expr | None, Expr | None]:
        condition = self.directives.condition(directive, name)
        final = None
        clause = directive.one("final")
        if clause is not None:
            node = parse_words(self.checker, clause.words)
            final = self.checker.expressions.scalar(node, "condition of 'final'")
        self.directives.expression(directive.one("priority"), "'priority'")
        return condition, final

    def _take_along(self, data: DataClauses, region: Region) -> None:
        """Variables that are nobody's else go with the task, with the value that they have."""
        for symbol in region.references:
            if symbol.kind not in ("local", "parameter") or symbol in region.shares:
                continue
            regions = [*self.checker.regions, region]
            if share_of(regions, self.checker.scopes, symbol) == "firstprivate":
                data.firstprivate.append(symbol)

    # Dependences

    def _depends(self, directive: Directive) -> list[Depend]:
        found: list[Depend] = []
        for clause in directive.all("depend"):
            given, words = take_iterators(self.checker, clause)
            head, *items = split_at(words, ":", at_most=1)
            kind = "".join(word.value for word in head)
            if not items or kind not in _WRITES:
                message = f"'{kind}' is no kind of dependence that is supported"
                self.checker.error(message, clause.span, f"one of {', '.join(_WRITES)}")
            for words in split_at(items[0], ","):
                if not words:
                    self.checker.error("expected a place in memory", clause.span)
                for one in repeated(words, given):
                    place = self._place(list(_starts(one)))
                    found.append(Depend(place, _WRITES[kind]))
        return found

    def _place(self, words: list[LexToken]) -> Expr:
        value = self.checker.expressions.operand(parse_words(self.checker, words))
        return value.place if isinstance(value, Load) else value

    # taskloop

    def loop(self, directive: Directive, node: c_ast.Node) -> Statement:
        condition, final = self._conditions(directive, "taskloop")
        names = ("private", "firstprivate", "lastprivate", "shared")
        data, shares = self._data(directive, names)
        if directive.has("nogroup") and directive.has("reduction"):
            self.directives.refuse(directive, "has 'reduction', which waits, and 'nogroup'")
        if directive.has("grainsize") and directive.has("num_tasks"):
            self.directives.refuse(directive, "has both 'grainsize' and 'num_tasks'")
        grain, count = (self._number(directive.one(name)) for name in ("grainsize", "num_tasks"))
        with self.statements.scope():
            with self.directives.region(directive, "task") as region:
                region.depth -= 1
                shares.put_into(region)
                region.default = self.directives.default(directive)
                loops, body, inner_counters = self.loops.nest(directive, node)
                for loop in loops:
                    if self.loops.counter_share(directive, region, loop.symbol) is None:
                        data.private.append(loop.symbol)
                for symbol in inner_counters:
                    if self.loops.counter_share(directive, region, symbol) is None:
                        data.private.append(symbol)
                self.statements.loops = 1
                inner = self.directives.inner(body)
        self._take_along(data, region)
        data.firstprivate = [one for one in data.firstprivate if one not in data.private]
        maker = _LoopOfTasks(directive.span, loops)
        task = Task(directive.span, data, condition, final, directive.has("untied"), inner)
        made = maker.make(task, grain, count)
        return made if directive.has("nogroup") else TaskGroup(directive.span, made)

    def _number(self, clause: Clause | None) -> Expr | None:
        if clause is None:
            return None
        parts = split_at(clause.words, ":")
        if len(parts) == 2 and [word.value for word in parts[0]] == ["strict"]:
            clause = Clause(clause.name, clause.span, parts[1])
        return self.directives.expression(clause, f"'{clause.name}'")


def _starts(words: list[LexToken]) -> Iterator[LexToken]:
    """`a[i:n]` begins at `a[i]`, and `a[:n]` at `a[0]`."""
    depth, opened = 0, None
    for index, word in enumerate(words):
        depth += (word.value in "([{") - (word.value in ")]}")
        if opened is None and depth == 1 and word.value == "[":
            opened = index
        elif opened is None:
            yield word
        elif depth == 0:
            lower, *length = split_at(words[opened + 1 : index], ":")
            yield words[opened]
            yield from lower if lower or not length else _zero(word)
            yield word
            opened = None


def _zero(like: LexToken) -> Iterator[LexToken]:
    token = copy(like)
    token.type, token.value = "CPP_INTEGER", "0"
    yield token


class _LoopOfTasks:
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
