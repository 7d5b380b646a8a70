"""Affine loops and their accesses, read into data.

An `AffineLoop` has its bounds as linear forms, an `Access` its subscripts; where something is
not linear, the field says None and whoever needs it keeps away. An `AffineNest` is a perfect one:
each loop holds the next and nothing else, and the innermost holds straight-line code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from xdsl.dialects import affine, memref, scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects.array_effects import ArrayEffects
from polyopt.dialects.loop_facts import LoopFacts, facts_of
from polyopt.dialects.poly import FOR_LITTLE
from polyopt.ir.affine.linear import Linear, greatest_distance, linear_forms, linear_of
from polyopt.ir.effects import is_pure
from polyopt.support.record import record

ElementAccess = affine.LoadOp | affine.StoreOp
"""The operations that touch one element."""


@record
class AffineLoop:
    """`for iv = max(lowers) to min(uppers) step step`."""

    op: affine.ForOp

    @property
    def iv(self) -> BlockArgument:
        return self.op.body.block.args[0]

    @property
    def block(self) -> Block:
        return self.op.body.block

    @cached_property
    def lowers(self) -> tuple[Linear, ...] | None:
        return linear_forms(self.op.lowerBoundMap.data, self.op.lowerBoundOperands)

    @cached_property
    def uppers(self) -> tuple[Linear, ...] | None:
        return linear_forms(self.op.upperBoundMap.data, self.op.upperBoundOperands)

    @property
    def step(self) -> int:
        return self.op.step.value.data

    @cached_property
    def greatest_extent(self) -> int | None:
        """A constant that the number of iterations does not exceed, if the bounds show one."""
        apart = greatest_distance(self.lowers or (), self.uppers or ())
        return None if apart is None else max(0, -(-apart // self.step))

    @property
    def facts(self) -> LoopFacts:
        """What earlier stages have proved of the loop, and ask of later ones."""
        return facts_of(self.op)

    @property
    def is_marked_parallel(self) -> bool:
        return self.facts.is_parallel


@record
class Access:
    """One touch of memory. A subscript is None where it is not linear, `subscripts` is None where
    not even the rank can be relied on: then it touches any part of `array`."""

    op: Operation
    array: SSAValue
    subscripts: tuple[Linear | None, ...] | None
    is_write: bool


@record
class AffineNest:
    """Loops from the outside in, and the innermost one's operations without the terminator."""

    loops: tuple[AffineLoop, ...]

    @property
    def iterators(self) -> list[SSAValue]:
        return [loop.iv for loop in self.loops]

    @property
    def body(self) -> Block:
        return self.loops[-1].block

    @property
    def operations(self) -> list[Operation]:
        return [op for op in self.body.ops if not isinstance(op, affine.YieldOp)]


def only_child_loop(loop: affine.ForOp) -> affine.ForOp | None:
    """The loop that is all there is in the body, apart from the terminator."""
    first = loop.body.block.first_op
    if not isinstance(first, affine.ForOp) or first.inits:
        return None
    return first if isinstance(first.next_op, affine.YieldOp) else None


def perfect_nest(outermost: affine.ForOp) -> AffineNest:
    """The longest perfect nest from here inwards."""
    loops = [AffineLoop(outermost)]
    while not loops[-1].op.inits:
        inner = only_child_loop(loops[-1].op)
        if inner is None:
            break
        loops.append(AffineLoop(inner))
    return AffineNest(tuple(loops))


def enclosing_loops(op: Operation, root: Operation | None = None) -> list[AffineLoop]:
    """The affine loops around `op` from the outside in, below `root` or `root` itself."""
    loops: list[AffineLoop] = []
    parent = op if op is root else op.parent_op()
    while parent is not None:
        if isinstance(parent, affine.ForOp):
            loops.append(AffineLoop(parent))
        if parent is root:
            break
        parent = parent.parent_op()
    loops.reverse()
    return loops


def is_iterator(value: SSAValue) -> bool:
    """Does an affine loop count by it?"""
    loop = value.owner.parent_op() if isinstance(value.owner, Block) else None
    return isinstance(loop, affine.ForOp) and value is loop.body.block.args[0]


def is_defined_inside(value: SSAValue, root: Operation) -> bool:
    owner = value.owner
    inside: Operation | None = owner if isinstance(owner, Operation) else owner.parent_op()
    return inside is not None and root.is_ancestor(inside)


def access_of(op: Operation) -> Access | None:
    """The access of an operation that loads or stores a memref."""
    if isinstance(op, affine.LoadOp):
        return Access(op, op.memref, _subscripts(op), False)
    if isinstance(op, affine.StoreOp):
        return Access(op, op.memref, _subscripts(op), True)
    if isinstance(op, memref.LoadOp):
        return Access(op, op.memref, tuple(linear_of(index) for index in op.indices), False)
    if isinstance(op, memref.StoreOp):
        return Access(op, op.memref, tuple(linear_of(index) for index in op.indices), True)
    if isinstance(op, affine.VectorLoadOp):
        return Access(op, op.memref, None, False)
    if isinstance(op, affine.VectorStoreOp):
        return Access(op, op.memref, None, True)
    return None


def _subscripts(op: ElementAccess) -> tuple[Linear | None, ...]:
    operands = list(op.indices)
    affine_map = op.map.data
    results: list[Linear | None] = []
    for result in affine_map.results:
        single = type(affine_map)(affine_map.num_dims, affine_map.num_symbols, (result,))
        forms = linear_forms(single, operands)
        results.append(None if forms is None else forms[0])
    return tuple(results)


_TRANSPARENT = (affine.ForOp, affine.IfOp, affine.YieldOp, scf.IfOp, scf.YieldOp)


def accesses_in(root: Operation) -> Iterator[Access | None]:
    """Every access below `root` in textual order; None for an operation whose effects are not
    known (a call) or that repeats its region in its own way (a `while`)."""
    for op in root.walk():
        if isinstance(op, _TRANSPARENT):
            continue
        access = access_of(op)
        if access is not None:
            yield access
        elif (effects := op.get_trait(ArrayEffects)) is not None:
            yield from (Access(op, array, None, True) for array in effects.writes(op))
            yield from (Access(op, array, None, False) for array in effects.reads(op))
        elif not is_pure(op):
            yield None


def is_for_little(op: Operation) -> bool:
    """Whether `op` is in the version of a nest that is for little work."""
    region = op.parent_region()
    while region is not None and (around := region.parent) is not None:
        if FOR_LITTLE in around.attributes and around.regions[0] is region:
            return True
        region = around.parent_region()
    return False


def bound_over(form: Linear, around: Sequence[AffineLoop], sign: int) -> Linear | None:
    """A bound of the form's values in these loops, without their iterators: from below (sign -1)
    or above (1). It is reached where each loop has one bound on either side and bounds of inner
    loops move one way with outer iterators; None where a loop's bounds are not known."""
    for loop in reversed(around):
        coefficient = form.coefficient(loop.iv)
        if not coefficient:
            continue
        if not loop.lowers or not loop.uppers:
            return None
        end = loop.uppers[0] - 1 if coefficient * sign > 0 else loop.lowers[0]
        form = form.substitute({loop.iv: end})
    return form


_FEW_BOUNDS = 16


def bounds_over(form: Linear, around: Sequence[AffineLoop], sign: int) -> tuple[Linear, ...] | None:
    """Bounds of the form's values in these loops as in `bound_over`, all that follow from the
    several bounds that loops have, up to a few: each of them holds."""
    found = [form]
    for loop in reversed(around):
        if not any(one.coefficient(loop.iv) for one in found):
            continue
        if not loop.lowers or not loop.uppers:
            return None
        new = dict[Linear, None]()
        for one in found:
            is_up = one.coefficient(loop.iv) * sign > 0
            ends = [end - 1 for end in loop.uppers] if is_up else loop.lowers
            new |= dict.fromkeys(one.substitute({loop.iv: end}) for end in ends)
        found = list(new)[:_FEW_BOUNDS]
    return tuple(found)
