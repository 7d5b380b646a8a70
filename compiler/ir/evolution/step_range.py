"""How much a variable of a loop changes in an iteration where data decides: its envelope.

    if (a[i] > 0) x += 2; else x += 3;     {0, +, 2} <= x <= {0, +, 3}

Each way from the header back to it adds a number; between the least and the greatest of them lies
the variable. Where both are positive it never takes a value twice (P. Wu, A. Cohen, D. Padua:
"Induction Variable Analysis without Idiom Recognition", LCPC 2001).
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.control.cfg import defining_block, enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Choice, Expr, Unknown
from polyopt.ir.expressions.integer_forms import replaced
from polyopt.support.record import record

_MOST_WAYS = 16


@record
class StepRange:
    """The variable is `start`, and each iteration adds `least` to `greatest`."""

    start: Expr
    least: int
    greatest: int


def step_range(value: BlockArgument, loop: NaturalLoop, evolution: Evolution) -> StepRange | None:
    """Of an argument of the loop's header that has no expression; None where a way back adds
    anything but a number."""
    if not isinstance(value.type, IntegerType | IndexType):
        return None
    itself = evolution.signed(value, loop.header)
    if itself.as_atom != Unknown(value):
        return None
    starts = {evolution.signed(e.values[value.index], e.source) for e in loop.entries()}
    steps: list[int] = []
    for edge in loop.back_edges():
        passed = evolution.signed(edge.values[value.index], edge.source)
        for after in _ways(passed, value, loop, evolution):
            step = None if after is None else (after - itself).as_constant
            if step is None or len(steps) >= _MOST_WAYS:
                return None
            steps.append(step)
    if len(starts) != 1 or not steps:
        return None
    return StepRange(starts.pop(), min(steps), max(steps))


def _ways(
    expr: Expr, value: SSAValue, loop: NaturalLoop, evolution: Evolution, depth: int = _MOST_WAYS
) -> Iterator[Expr | None]:
    """The expression with the values that several ways give it, for each of the ways; None where
    there are too many."""
    joined = next((a for a in expr.atoms() if _is_joined(a, value, loop)), None)
    assert joined is None or isinstance(joined, Choice | Unknown)
    if joined is None:
        yield expr
        return
    if depth == 0:
        yield None
        return
    for one in _alternatives(joined, evolution):
        told = replaced(expr, lambda atom, one=one: one if atom == joined else None)
        yield from _ways(told, value, loop, evolution, depth - 1)


def _is_joined(atom: object, value: SSAValue, loop: NaturalLoop) -> bool:
    if isinstance(atom, Choice):
        return True
    if not isinstance(atom, Unknown) or atom.value is value or not atom.is_signed:
        return False
    if defining_block(atom.value) not in loop:
        return False
    owner = atom.value.owner
    if isinstance(owner, Block):
        return all(owner is not one.header for one in _with_inner(loop))
    return isinstance(owner, arith.SelectOp)


def _with_inner(loop: NaturalLoop) -> Iterator[NaturalLoop]:
    yield loop
    for child in loop.children:
        yield from _with_inner(child)


def _alternatives(atom: Choice | Unknown, evolution: Evolution) -> Iterator[Expr]:
    if isinstance(atom, Choice):
        yield from (atom.then, atom.orelse)
        return
    value = atom.value
    owner = value.owner
    if isinstance(owner, arith.SelectOp):
        block = enclosing_block(owner)
        yield from (evolution.signed(arm, block) for arm in (owner.lhs, owner.rhs))
        return
    assert isinstance(owner, Block)
    assert isinstance(value, BlockArgument)
    for edge in incoming(owner):
        yield evolution.signed(edge.values[value.index], edge.source)
