"""Nests whose results can stay in registers while serial loops run: which loops may be what.

One outer loop, the `columns`, becomes the lanes of vectors; another one, the `rows`, runs several
iterations together. Both go inside everything, so that a tile of (rows, columns) stays in
registers while the serial loops run. What makes that legal:

 1. neither loop carries a dependence, so the instances of a tile may run in step;
 2. what is stored stands still while serial loops run (`held_elements`);
 3. no other access of the same iteration touches it;
 4. a variable that each iteration sets before it reads it, and that nobody reads behind the nest,
    is private: each instance has its own, in a register, and none is left in memory.

Each element sees the same operations in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import FixedBitwidthType

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.registers.held_elements import are_alone, guards_of, held_elements
from polyopt.passes.loops.registers.nest_groups import Element, Group, read_groups
from polyopt.support.record import record

_STRIDES = range(-1, 5)
"""Between the elements of neighbouring columns: vectors of what lies closely are picked out of
those that are loaded."""
_GATHERED_BYTES = 4
"""Elements of fewer are not gathered."""


@record
class RegisterNest:
    """`held` are the elements that are stored to, each with whether it is private; `guards` are at
    least zero where every serial loop runs that touches a held element which nothing else does."""

    outer: tuple[AffineLoop, ...]
    groups: tuple[Group, ...]
    held: dict[Element, bool]
    guards: tuple[Linear, ...]
    parallel: tuple[AffineLoop, ...]
    """Outer loops that carry nothing, and on whose iterators no bound of another one depends."""

    @property
    def root(self) -> affine.ForOp:
        return self.outer[0].op

    @property
    def loops(self) -> list[AffineLoop]:
        return [*self.outer, *(loop for group in self.groups for loop in group.loops)]

    def column_loops(self) -> list[AffineLoop]:
        """The loops along which every store goes from one element to the next, and every load that
        moves a few elements at most; or any number, where serial loops run inside: whether it pays
        to gather them is for the plan to say."""
        return [loop for loop in self.parallel if self._may_be_columns(loop)]

    def row_loops(self, columns: AffineLoop) -> list[AffineLoop]:
        """The loops of which each iteration has results of its own, and serial loops as long as
        those of any other."""
        return [
            loop
            for loop in self.parallel
            if loop is not columns
            and not any(moves_with(inner, loop) for group in self.groups for inner in group.loops)
            and not any(guard.coefficient(loop.iv) for guard in self.guards)
            and all(
                is_private or any(form.coefficient(loop.iv) for form in forms)
                for (_, forms), is_private in self.held.items()
            )
        ]

    def _may_be_columns(self, loop: AffineLoop) -> bool:
        if any(guard.coefficient(loop.iv) for guard in self.guards):
            return False
        for group in self.groups:
            for depth, inner in enumerate(group.loops):
                is_innermost = depth == len(group.loops) - 1
                if moves_with(inner, loop) and not (is_innermost and _is_one_edge(inner, loop)):
                    return False
        touched = {element for group in self.groups for element in group.elements.values()}
        for element in touched:
            if self.held.get(element):
                continue
            if element in self.held:
                if strides_along(element, loop) != ((), 1):
                    return False
            elif is_scattered(element, loop) and not self._may_gather(element):
                return False
        return True

    def _may_gather(self, element: Element) -> bool:
        type_ = memref_type(element[0]).element_type
        is_long = isinstance(type_, FixedBitwidthType) and type_.size >= _GATHERED_BYTES
        return is_long and any(group.loops for group in self.groups)


def strides_along(element: Element, loop: AffineLoop) -> tuple[tuple[int, ...], int]:
    """The steps of an element's subscripts along the loop: those before the last which are not
    zero, and the last."""
    *others, last = [form.coefficient(loop.iv) for form in element[1]] or [0]
    return tuple(filter(None, others)), last


def is_scattered(element: Element, columns: AffineLoop) -> bool:
    """Do the elements of neighbouring columns lie too far apart to be picked out of vectors?"""
    others, last = strides_along(element, columns)
    return bool(others) or last not in _STRIDES


def moves_with(inner: AffineLoop, outer: AffineLoop) -> bool:
    """Is the inner loop of different length, or elsewhere, in each iteration of the outer one?"""
    forms = (*(inner.lowers or ()), *(inner.uppers or ()))
    return any(form.coefficient(outer.iv) for form in forms)


def _is_one_edge(inner: AffineLoop, outer: AffineLoop) -> bool:
    """Does one end of the range alone move, by one iteration at a time and one way? Then in each
    step of time from the first to the last lane's, some lane is inside."""
    lowers = {form.coefficient(outer.iv) for form in inner.lowers or ()} - {0}
    uppers = {form.coefficient(outer.iv) for form in inner.uppers or ()} - {0}
    return inner.step == 1 and len(lowers) + len(uppers) == 1 and lowers | uppers <= {1, -1}


def find_register_nest(root: affine.ForOp, *, serial: bool | None = None) -> RegisterNest | None:
    """The nest below `root`, which no affine loop holds alone; None where it is not of this kind or
    no loop of it may be columns. Where `serial` is given: only one that has serial loops inside, or
    only one that has none."""
    found = read_groups(root)
    if found is None:
        return None
    outer, groups = found
    if serial not in (None, any(group.loops for group in groups)):
        return None
    held = held_elements(outer, groups)
    if not held:
        return None
    guards = guards_of(groups, held)
    if guards is None:
        return None
    free = [loop for loop in outer if _is_free(loop, outer)]
    shape = RegisterNest(outer, groups, held, guards, tuple(free))
    if not shape.column_loops():
        return None
    private = {array for (array, _), is_private in held.items() if is_private}
    dependences = dependences_below(root, private=private)
    if not are_alone(outer, dependences):
        return None
    parallel = [loop for loop in free if not dependences.carried_by(loop)]
    nest = RegisterNest(outer, groups, held, guards, tuple(parallel))
    return nest if nest.column_loops() else None


def _is_free(loop: AffineLoop, outer: Sequence[AffineLoop]) -> bool:
    """Does it count by one, and do no bounds of outer loops move with it?"""
    return loop.step == 1 and not any(moves_with(one, loop) for one in outer)


def element_bytes(nest: RegisterNest) -> int:
    """The size of the widest value."""
    types = [
        value.type
        for group in nest.groups
        for op in group.operations
        for value in (*op.results, *op.operands)
    ]
    sizes = [t.size for t in types if isinstance(t, FixedBitwidthType)]
    return max(sizes, default=8)
