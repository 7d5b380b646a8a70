"""Nests whose results can stay in registers while serial loops run: found, and proved.

    for o: for y: for x:                    `outer`: loops around everything, each holding the next
      s = 0                                 a straight group
      for c: for p:                         a serial group: a perfect nest of its own
        s += in[c, y + p, x] * w[o, c, p]
      out[o, y, x] = max(s, 0)              a straight group

One outer loop, the `columns`, becomes the lanes of vectors; another one, the `rows`, runs several
iterations together. Both go inside everything, so that a tile of (rows, columns) stays in
registers while the serial loops run. What makes that legal:

 1. neither loop carries a dependence, so the instances of a tile may run in step;
 2. what is stored is a place that stands still while serial loops run: a register holds it from
    its first access in the body to the end;
 3. no other access of the same iteration touches such a place;
 4. a variable that each iteration sets before it reads it, and that nobody reads behind the nest,
    is private: each instance has its own, in a register, and none is left in memory.

Each element sees the same operations in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import FixedBitwidthType, IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine_dependence import NestDependences, dependences_below
from polyopt.ir.affine_nest import (
    AffineLoop,
    access_of,
    bound_over,
    is_defined_inside,
    perfect_nest,
)
from polyopt.ir.cfg import may_run_later
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.linear import Linear
from polyopt.ir.subscripts import subscripts_of
from polyopt.support.record import record

Touch = affine.LoadOp | affine.StoreOp
_STRIDES = range(-1, 5)
"""Between the elements of neighbouring columns: vectors of what lies closely are picked out of
those that are loaded."""

Place = tuple[SSAValue, tuple[Linear, ...]]
"""An array and the subscripts of one element, over the iterators of the nest."""


@record
class Group:
    """Straight-line code, in `loops` of its own or in none. `loops` are serial, outermost first."""

    loops: tuple[AffineLoop, ...]
    operations: tuple[Operation, ...]

    @cached_property
    def touches(self) -> list[Touch]:
        return [op for op in self.operations if isinstance(op, affine.LoadOp | affine.StoreOp)]

    @cached_property
    def places(self) -> dict[Touch, Place]:
        found: dict[Touch, Place] = {}
        for op in self.touches:
            forms = subscripts_of(op)
            assert forms is not None
            found[op] = (op.memref, forms)
        return found


@record
class RegisterNest:
    """`held` are the places that are stored to, each with whether it is private; `guards` are at
    least zero where every serial loop runs that touches a held place which nothing else does."""

    outer: tuple[AffineLoop, ...]
    groups: tuple[Group, ...]
    held: dict[Place, bool]
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
        moves a few elements at most."""
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
        for group in self.groups:
            for place in group.places.values():
                if self.held.get(place):
                    continue
                *others, last = [form.coefficient(loop.iv) for form in place[1]] or [0]
                if any(others) or (last != 1 if place in self.held else last not in _STRIDES):
                    return False
        return True


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


def find_register_nest(root: affine.ForOp) -> RegisterNest | None:
    """The nest below `root`, which no affine loop holds alone; None where it is not of this kind or
    no loop of it may be columns."""
    found = _read(root)
    if found is None:
        return None
    outer, groups = found
    held = _held(outer, groups)
    if not held:
        return None
    guards = _guards(groups, held)
    if guards is None:
        return None
    free = [loop for loop in outer if _is_free(loop, outer)]
    shape = RegisterNest(outer, groups, held, guards, tuple(free))
    if not shape.column_loops():
        return None
    private = {array for (array, _), is_private in held.items() if is_private}
    dependences = dependences_below(root, private=private)
    if not _stay_apart(outer, dependences):
        return None
    parallel = [loop for loop in free if not dependences.carried_by(loop)]
    nest = RegisterNest(outer, groups, held, guards, tuple(parallel))
    return nest if nest.column_loops() else None


def _read(root: affine.ForOp) -> tuple[tuple[AffineLoop, ...], tuple[Group, ...]] | None:
    """The outer loops and the groups in them."""
    nest = perfect_nest(root)
    if any(loop.lowers is None or loop.uppers is None for loop in nest.loops):
        return None
    groups = list(_groups(nest.operations))
    if any(op.regions for group in groups for op in group.operations):
        return None
    if not all(_is_understood(op, group, root) for group in groups for op in group.operations):
        return None
    outer = nest.loops
    if len(groups) == 1 and not groups[0].loops:
        # The innermost loops that no result depends on are serial.
        stores = [p for op, p in groups[0].places.items() if isinstance(op, affine.StoreOp)]
        while outer and not any(f.coefficient(outer[-1].iv) for _, forms in stores for f in forms):
            outer = outer[:-1]
        groups = [Group(nest.loops[len(outer) :], groups[0].operations)]
    return (outer, tuple(groups)) if outer else None


def _groups(operations: Sequence[Operation]) -> Iterator[Group]:
    run: list[Operation] = []
    for op in operations:
        if not isinstance(op, affine.ForOp):
            run.append(op)
            continue
        if run:
            yield Group((), tuple(run))
            run = []
        inner = perfect_nest(op)
        yield Group(inner.loops, tuple(inner.operations))
    if run:
        yield Group((), tuple(run))


def _is_understood(op: Operation, group: Group, root: affine.ForOp) -> bool:
    """Has the operation a form for lanes, and a place that is known?"""
    if any(loop.lowers is None or loop.uppers is None or loop.op.inits for loop in group.loops):
        return False
    if is_count(op):
        return True
    if not isinstance(op, affine.LoadOp | affine.StoreOp):
        return has_lanes(op)
    forms = subscripts_of(op)
    if forms is None:
        return False
    values = {value for form in forms for value in form.values if is_defined_inside(value, root)}
    return all(not isinstance(value, OpResult) for value in values)


def is_count(op: Operation) -> bool:
    """Is it an iterator as a number?"""
    return (
        isinstance(op, arith.IndexCastOp)
        and isinstance(op.result.type, IntegerType)
        and not isinstance(op.input, OpResult)
    )


def _held(outer: Sequence[AffineLoop], groups: Sequence[Group]) -> dict[Place, bool] | None:
    """None where a store moves while serial loops run."""
    held: dict[Place, bool] = {}
    for group in groups:
        serial = [loop.iv for loop in group.loops]
        for op, place in group.places.items():
            if isinstance(op, affine.StoreOp):
                if any(form.uses(serial) for form in place[1]):
                    return None
                held[place] = False
    return {place: _is_own(place, outer[0].op, groups) for place in held}


def _is_own(place: Place, root: affine.ForOp, groups: Sequence[Group]) -> bool:
    """Is it a variable of the nest that each iteration sets first?"""
    array, _ = place
    if not isinstance(array.owner, memref.AllocOp | memref.AllocaOp):
        return False
    region = array.owner.parent_region()
    assert region is not None
    for user in (use.operation for use in array.uses):
        if root.is_ancestor(user) or isinstance(user, memref.DeallocOp):
            continue
        # Whoever takes the address may use it at any time.
        if access_of(user) is None or may_run_later(root, user, region):
            return False
    touches = [(op, p, group) for group in groups for op, p in group.places.items()]
    mine = [(op, p, group) for op, p, group in touches if p[0] is array]
    first, _, group = mine[0]
    is_set = isinstance(first, affine.StoreOp) and not group.loops
    return is_set and all(p == place for _, p, _ in mine)


def _guards(groups: Sequence[Group], held: dict[Place, bool]) -> tuple[Linear, ...] | None:
    """What is held is loaded before serial loops and stored behind them, which is only right where
    they run at all or where straight code touches it too."""
    always = {place for group in groups if not group.loops for place in group.places.values()}
    guards: list[Linear] = []
    for group in groups:
        if not any(place in held and place not in always for place in group.places.values()):
            continue
        for depth, loop in enumerate(group.loops):
            for upper in loop.uppers or ():
                for lower in loop.lowers or ():
                    last = upper - lower - 1
                    least = bound_over(last, group.loops[:depth], -1)
                    if least is None or (least != last and (least.terms or least.constant < 0)):
                        return None
                    if least.terms or least.constant < 0:
                        guards.append(least)
    return tuple(dict.fromkeys(guards)) if not guards or len(groups) == 1 else None


def _is_free(loop: AffineLoop, outer: Sequence[AffineLoop]) -> bool:
    """Does it count by one, and do no bounds of outer loops move with it?"""
    return loop.step == 1 and not any(moves_with(one, loop) for one in outer)


def _stay_apart(outer: Sequence[AffineLoop], dependences: NestDependences) -> bool:
    """Does nothing else touch a held place in the same iteration of the outer loops?"""
    if not dependences.is_complete:
        return False
    same = " and ".join(f"d{level} = 0" for level in range(len(outer)))
    for dependence in dependences.dependences:
        source, sink = dependence.source, dependence.sink
        is_one = source.array is sink.array and source.subscripts == sink.subscripts
        if not is_one and dependence.has_distance(same):
            return False
    return True


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
