"""`ordered(n)`: iterations that wait for others (OpenMP 4.5, 2.13.8; 5.2, 15.10.2).

    #pragma omp for ordered(2)                       an iteration goes by its numbers, which
    for (i = 1; i < n; i++)                          count from 0 along each loop:
      for (j = 1; j < m; j++) {
        #pragma omp ordered depend(sink: i - 1, j)   if (0 <= i-2 && …) wait(i-2, j-1)
        …
        #pragma omp ordered depend(source)           post(i-1, j-1)
      }

The threads share the outermost loop; how many rounds each loop has is computed in front.
"""

from __future__ import annotations

from pcpp.parser import LexToken
from pycparser import c_ast

from polyopt.frontend.checking.checker import span_of
from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker
from polyopt.frontend.checking.openmp.check_openmp_loops import LoopReader, names_in, single_loop
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.checking.openmp_regions import Doacross, Region
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.parsing.openmp_syntax import Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import CountedLoop, DoacrossPost, DoacrossWait
from polyopt.frontend.tree.typed_statements import Block, Declare, Evaluate, If, Statement
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Binary,
    Compare,
    Conditional,
    Expr,
    IntConst,
    Load,
    Logical,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span

_HERE = "omp_cur_iteration"


class DoacrossChecker:
    def __init__(self, directives: OpenMPChecker, heads: LoopReader):
        self.directives = directives
        self.checker = directives.checker
        self.heads = heads
        directives.standalone["ordered"] = self._ordered

    # The loops

    def begin(
        self, directive: Directive, region: Region, loops: list[CountedLoop], body: c_ast.Node
    ) -> list[Statement]:
        """What is computed in front of loops whose iterations may wait."""
        count = self._count(directive, loops)
        if count is None:
            return []
        heads = list(loops)
        while len(heads) < count:
            loop = single_loop(body)
            if loop is None:
                self.checker.error(
                    f"'#pragma omp {directive.name}' needs {count} loops behind it, each alone in "
                    "the one around it",
                    directive.span if body.coord is None else span_of(body),
                )
            if {one.symbol.name for one in heads} & (names_in(loop.init) | names_in(loop.cond)):
                self.checker.error("the bounds of a loop depend on one that it is one with", loop)
            with self.directives.statements.scope():
                heads.append(self.heads.head(loop))
            body = loop.stmt
        if directive.all("ordered")[0].words and any(head.origin is not None for head in heads):
            self.checker.error(
                "'ordered(n)' of loops along pointers is not supported", directive.span
            )
        front: list[Statement] = []
        region.doacross = found = Doacross([], [], [], [], [])
        for head in heads:
            lower, upper, step = (
                _kept(front, convert(value, ct.LONG))
                for value in (head.lower, head.upper, head.step)
            )
            found.counters.append(head.symbol.name)
            found.lowers.append(lower)
            found.steps.append(step)
            found.downs.append(head.down)
            found.rounds.append(_kept(front, _rounds(head, lower, upper, step)))
        return front

    def _count(self, directive: Directive, loops: list[CountedLoop]) -> int | None:
        """Of how many loops; without a number, of those that are shared. None: they are one."""
        clause = directive.one("ordered")
        assert clause is not None
        if not clause.words:
            return 1 if len(loops) == 1 else None
        count = self.directives.positive(directive, "ordered")
        if directive.has("collapse"):
            self.checker.error(
                "'collapse' and 'ordered(n)' together are not supported", clause.span
            )
        return count

    # Waiting, and saying so

    def _ordered(self, directive: Directive) -> Statement:
        region = self._loop_around(directive)
        doacross = region.doacross
        if doacross is None:
            self.directives.refuse(directive, "stands in a loop with the clause 'ordered(n)' only")
        doacross.is_used = True
        done: list[Statement] = []
        for clause in (*directive.all("depend"), *directive.all("doacross")):
            kind, *words = split_at(clause.words, ":", at_most=1)
            match "".join(word.value for word in kind):
                case "source":
                    here = [
                        self._number(doacross, d, None, clause) for d in range(_depth(doacross))
                    ]
                    done.append(DoacrossPost(clause.span, here))
                case "sink" if words and words[0]:
                    done.append(self._sink(doacross, clause, words[0]))
                case _:
                    self.checker.error("expected 'source' or 'sink: iteration'", clause.span)
        return Block(directive.span, done)

    def _loop_around(self, directive: Directive) -> Region:
        regions = self.checker.regions
        if not regions or not regions[-1].has_order:
            self.directives.refuse(directive, "stands right in a loop with the clause 'ordered(n)'")
        return regions[-1]

    def _sink(self, doacross: Doacross, clause: Clause, words: list[LexToken]) -> Statement:
        span = clause.span
        if words[0].value == _HERE:
            return self._sink_behind(doacross, clause, words[1:])
        places = split_at(words, ",")
        if len(places) != _depth(doacross) or not all(places):
            self.checker.error(f"expected {_depth(doacross)} numbers of an iteration", span)
        numbers = [self._number(doacross, d, place, clause) for d, place in enumerate(places)]
        return self._wait(doacross, numbers, span)

    def _sink_behind(self, doacross: Doacross, clause: Clause, words: list[LexToken]) -> Statement:
        """`omp_cur_iteration - 1`"""
        if [word.value for word in words] != ["-", "1"] or _depth(doacross) != 1:
            message = f"of '{_HERE}' only the iteration before, of one loop, is supported"
            self.checker.error(message, clause.span)
        here = self._number(doacross, 0, None, clause)
        one = IntConst(ct.LONG, clause.span, 1)
        before = Binary(ct.LONG, clause.span, "-", here, one)
        return self._wait(doacross, [before], clause.span)

    def _wait(self, doacross: Doacross, numbers: list[Expr], span: Span) -> Statement:
        """Iterations that there are none of are not waited for."""
        front: list[Statement] = []
        numbers = [_kept(front, number) for number in numbers]
        zero = IntConst(ct.LONG, span, 0)
        tests = [Compare(ct.INT, span, "<=", zero, number) for number in numbers]
        tests += [
            Compare(ct.INT, span, "<", number, rounds)
            for number, rounds in zip(numbers, doacross.rounds, strict=True)
        ]
        condition: Expr = tests[0]
        for test in tests[1:]:
            condition = Logical(ct.INT, span, "&&", condition, test)
        return Block(span, [*front, If(span, condition, DoacrossWait(span, numbers), None)])

    def _number(
        self, doacross: Doacross, loop: int, words: list[LexToken] | None, clause: Clause
    ) -> Expr:
        """Of the iteration in which the loop counts to what the words say (None: of this one)."""
        span = clause.span
        if words is None:
            symbol = self.checker.scopes.find(doacross.counters[loop])
            assert symbol is not None
            value: Expr = _load(symbol)
        else:
            value = self.checker.expressions.value(parse_words(self.checker, words))
            if not ct.is_integer(value.type):
                self.checker.error(f"a value of type '{value.type}' is no integer", value.span)
        here, lower = convert(value, ct.LONG), doacross.lowers[loop]
        first, last = (here, lower) if doacross.downs[loop] else (lower, here)
        way = Binary(ct.LONG, span, "-", last, first)
        return Binary(ct.LONG, span, "/", way, doacross.steps[loop])


def _depth(doacross: Doacross) -> int:
    return len(doacross.counters)


def _rounds(head: CountedLoop, lower: Expr, upper: Expr, step: Expr) -> Expr:
    """How many values a counter takes."""
    span = head.symbol.span
    first, last = (upper, lower) if head.down else (lower, upper)
    missing = Binary(ct.LONG, span, "-", last, first)
    if not head.inclusive:
        missing = Binary(ct.LONG, span, "-", missing, IntConst(ct.LONG, span, 1))
    more = Binary(ct.LONG, span, "+", missing, step)
    test = Compare(ct.INT, span, "<=" if head.inclusive else "<", first, last)
    count = Binary(ct.LONG, span, "/", more, step)
    return Conditional(ct.LONG, span, test, count, IntConst(ct.LONG, span, 0))


def _kept(front: list[Statement], value: Expr) -> Expr:
    """A variable with the value."""
    symbol = Symbol(".kept", ct.LONG, value.span, "local", is_defined=True)
    symbol.is_used = symbol.is_modified = True
    place = Variable(ct.LONG, value.span, symbol)
    front.append(Declare(value.span, symbol, None))
    front.append(Evaluate(value.span, Assign(ct.LONG, value.span, place, value)))
    return _load(symbol)


def _load(symbol: Symbol) -> Expr:
    place = Variable(symbol.type, symbol.span, symbol)
    return Load(ct.unqualified(symbol.type), symbol.span, place)
