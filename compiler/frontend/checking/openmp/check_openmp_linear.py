"""`linear`: variables that follow a loop are computed from the number of the iteration.

    p = …;                                   p0 = p; start = lower
    for (i = lower; …; i += s) { … }    =>   for (i = start; …) { p = p0 + (i - start)/s*step; … }

Behind the loop they are what the last iteration leaves (OpenMP 5.0, 2.19.4.6).
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.openmp_counters import assign, keep, load, number_of
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.parsing.openmp_syntax import Directive
from polyopt.frontend.tree.openmp_tree import CountedLoop
from polyopt.frontend.tree.typed_statements import Block, Statement
from polyopt.frontend.tree.typed_tree import Binary, Expr, Symbol


def follow_loop(
    checker: Checker,
    directive: Directive,
    linear: Sequence[tuple[Symbol, Expr]],
    loops: list[CountedLoop],
    body: Statement,
) -> tuple[list[Statement], Statement]:
    """What is done in front of the loop, and its body, which begins with these variables' values;
    a counter follows by itself."""
    counters = {loop.symbol for loop in loops}
    linear = [(symbol, step) for symbol, step in linear if symbol not in counters]
    if not linear:
        return [], body
    if len(loops) > 1:
        checker.error("'linear' does not follow several loops", directive.span)
    (loop,) = loops
    span = directive.span
    front: list[Statement] = []
    lower, step = keep(front, "lower", loop.lower), keep(front, "step", loop.step)
    loop.lower, loop.step = lower, step
    here = number_of(loop)
    first, last = (here, lower) if loop.down else (lower, here)
    way = Binary(loop.type, span, "-", last, first)
    number = convert(Binary(loop.type, span, "/", way, step), ct.LONG)
    sets: list[Statement] = []
    for symbol, by in linear:
        start = keep(front, symbol.name, load(symbol))
        moved = Binary(ct.LONG, span, "*", number, keep(front, "by", by))
        value = checker.expressions.operators.binary("+", start, moved, span)
        sets.append(assign(symbol, value, span))
    return front, Block(span, [*sets, body])
