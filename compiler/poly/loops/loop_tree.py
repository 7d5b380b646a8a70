"""Generated loops as data: what both loop generators give and what becomes `affine`.

A tree of loops, branches and statement instances over quasi-affine expressions: integers, names
(parameters and iterators), sums, products by constants, floor division and modulo by positive
constants, minimum and maximum. Division rounds to minus infinity and the modulus is never
negative, whatever the sign of the left side.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.support.diagnostics import Span
from polyopt.support.record import record


@record
class Const:
    value: int


@record
class Name:
    """A parameter or an iterator."""

    name: str


@record
class Sum:
    terms: tuple[Expr, ...]


@record
class Product:
    """`factor * term`."""

    factor: int
    term: Expr


@record
class FloorDiv:
    """`floor(term / divisor)`, divisor > 0."""

    term: Expr
    divisor: int


@record
class Mod:
    """`term - divisor * floor(term / divisor)`, divisor > 0: in [0, divisor)."""

    term: Expr
    divisor: int


@record
class Min:
    terms: tuple[Expr, ...]


@record
class Max:
    terms: tuple[Expr, ...]


@record
class Select:
    """`then` where the condition holds, `orelse` elsewhere (piecewise expressions)."""

    condition: Condition
    then: Expr
    orelse: Expr


Expr = Const | Name | Sum | Product | FloorDiv | Mod | Min | Max | Select


@record
class Compare:
    """`term >= 0`, or `term == 0` where `is_equality`."""

    term: Expr
    is_equality: bool = False


@record
class All:
    conditions: tuple[Condition, ...]


@record
class Any:
    conditions: tuple[Condition, ...]


Condition = Compare | All | Any


@record
class Instance:
    """Run one instance of `statement`: `arguments` are its iteration vector."""

    statement: str
    arguments: tuple[Expr, ...]


@record
class Branch:
    condition: Condition
    then: tuple[Node, ...]
    orelse: tuple[Node, ...] = ()


@record
class Loop:
    """`for (iterator = lower; iterator < upper; iterator += step)`.

    A minimum or maximum stands at the top of a bound wherever the polyhedron allows.
    `is_parallel`: no dependence is carried by this loop; `reductions`: the arrays whose
    reductions are all that it carries; `pipeline`: those that it carries beside what goes forward
    along the only loop inside it, None if it carries more (`parallelism`). `marks` are the names
    of the schedule tree's marks that hold for this loop, such as "unroll", "point" or "vector".
    `source` is the C loop's name of this dimension, where there is one.
    """

    iterator: str
    lower: Expr
    upper: Expr
    step: int
    body: tuple[Node, ...]
    is_parallel: bool = False
    reductions: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    source: str | None = None
    span: Span | None = None
    pipeline: tuple[str, ...] | None = None


Node = Loop | Branch | Instance

VECTORS, THREADS = "vectors", "threads"
"""The marks of loops that a person has asked to have in vectors or in threads."""


def marks_in(nodes: Sequence[Node]) -> set[str]:
    """The names of all marks that hold for a loop."""
    found = set[str]()
    for node in nodes:
        match node:
            case Loop():
                found |= {*node.marks} | marks_in(node.body)
            case Branch():
                found |= marks_in(node.then + node.orelse)
            case Instance():
                pass
    return found
