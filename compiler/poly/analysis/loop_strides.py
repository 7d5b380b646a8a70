"""How far apart are the elements that a statement touches in successive iterations of a loop?

T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, §7.2.2: asked of each innermost loop
that has been generated, since two loops made from one dimension of the schedule can differ. The
loop itself says which instance is next: that of the iterator one step on, as long as no condition
leaves out iterations in between. So where the arguments of the statement change by constants c,
and F is the matrix of an access, it moves by F c. `strides` is the same for loops that are planned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from polyopt.poly.analysis.strides import AccessMatrices, Stride
from polyopt.poly.loops.expressions import add, names_in, substitute, subtract
from polyopt.poly.loops.loop_tree import (
    All,
    Branch,
    Compare,
    Condition,
    Const,
    Expr,
    Instance,
    Loop,
    Name,
    Node,
)
from polyopt.poly.scop import Access
from polyopt.support.record import record


@record
class LoopStrides:
    """The accesses of a statement in an innermost loop, in their order, and how each moves."""

    loop: Loop
    instance: Instance
    strides: tuple[tuple[Access, Stride], ...]


def strides_in(nodes: Sequence[Node], matrices: AccessMatrices) -> Iterator[LoopStrides]:
    """For each innermost loop, and each statement in it."""
    for node in nodes:
        match node:
            case Instance():
                pass
            case Branch(_, then, orelse):
                yield from strides_in(then + orelse, matrices)
            case Loop(body=body) if _has_loop(body):
                yield from strides_in(body, matrices)
            case Loop(body=body):
                for instance, has_gaps in _instances(body, node.iterator):
                    yield _strides(node, instance, None if has_gaps else node.step, matrices)


def _has_loop(nodes: Sequence[Node]) -> bool:
    return any(
        isinstance(node, Loop) or (isinstance(node, Branch) and _has_loop(node.then + node.orelse))
        for node in nodes
    )


def _instances(nodes: Sequence[Node], iterator: str) -> Iterator[tuple[Instance, bool]]:
    """The instances of an innermost body, and whether iterations of theirs may be left out."""
    for node in nodes:
        if isinstance(node, Instance):
            yield node, False
        elif isinstance(node, Branch):
            then_gaps = not _is_interval(node.condition, iterator)
            else_gaps = iterator in names_in(node.condition)
            for branch, gaps in ((node.then, then_gaps), (node.orelse, else_gaps)):
                for instance, inner in _instances(branch, iterator):
                    yield instance, inner or gaps


def _is_interval(condition: Condition, iterator: str) -> bool:
    """Whether the condition holds for an interval of the iterator's values."""
    if iterator not in names_in(condition):
        return True
    match condition:
        case All(conditions):
            return all(_is_interval(one, iterator) for one in conditions)
        case Compare(term):
            return _change(term, iterator, 1) is not None
        case _:
            return False


def _change(expression: Expr, iterator: str, step: int) -> int | None:
    """By how much the expression grows with every step of the iterator, if always by the same."""
    later = substitute(expression, {iterator: add(Name(iterator), Const(step))})
    difference = subtract(later, expression)
    return difference.value if isinstance(difference, Const) else None


def _strides(
    loop: Loop, instance: Instance, step: int | None, matrices: AccessMatrices
) -> LoopStrides:
    changes = [
        None if step is None else _change(argument, loop.iterator, step)
        for argument in instance.arguments
    ]
    known = [Fraction(change) for change in changes if change is not None]
    direction = tuple(known) if len(known) == len(changes) else None
    statement = matrices.scop.statement(instance.statement)
    return LoopStrides(
        loop,
        instance,
        tuple(
            (access, matrices.stride(statement.name, access, direction))
            for access in statement.accesses
        ),
    )
