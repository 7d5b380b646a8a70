"""What is known of sizes where a loop has been entered.

    for (i = 0; i < n; i++) for (j = 0; j < n; j++) *q++ = 0;      q + i*max(0, n) + j

Behind the test of a loop that is repeated max(0, n) times, that is n: the stride of a walk over
rows is a size then, which tells how long they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import ZERO, Atom, Expr, Extremum
from polyopt.ir.expressions.integer_forms import replaced


def where_entered(expr: Expr, block: Block, evolution: Evolution) -> Expr:
    """What an expression is while control is in `block`."""
    if not any(isinstance(atom, Extremum) for atom in expr.all_atoms()):
        return expr
    known = {
        atom: size for loop in _entered(block, evolution) for atom, size in _count(loop, evolution)
    }
    return replaced(expr, known.get) if known else expr


def _entered(block: Block, evolution: Evolution) -> Iterator[NaturalLoop]:
    """The loops around whose only test has been passed, in this iteration, where `block` runs."""
    flow = evolution.flow
    loop = flow.loops.innermost(block)
    while loop is not None and evolution.is_inside(loop):
        exits = loop.exits()
        if len(exits) == 1 and flow.dominators.strictly_dominates(exits[0].source, block):
            yield loop
        loop = loop.parent


def _count(loop: NaturalLoop, evolution: Evolution) -> Iterator[tuple[Atom, Expr]]:
    """(max(0, size), size), where that is how often the loop is repeated."""
    count = evolution.trip_count(loop)
    atom = None if count is None else count.taken.as_atom
    if isinstance(atom, Extremum) and atom.is_max and len(atom.terms) == 2 and ZERO in atom.terms:
        yield atom, next(term for term in atom.terms if term != ZERO)
