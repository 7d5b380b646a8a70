"""Small local arrays that hold the state of one iteration of a loop around.

    for (s …) {                                 // an ensemble: each s is a system of its own
        double u[3];
        for (c < 3) u[c] = y[c][s];
        for (n …)                               // its recurrence
            for (c < 3) u[c] = f(u, c);
        for (c < 3) y[c][s] = u[c];
    }

Rows of so few elements fill no vectors, and as an array the state is in memory: what can run in
vectors are the systems, once the state is a variable for each element. That takes the loops over
the elements unrolled, every one of them, so that all subscripts are numbers.

An array is such a state where
    1. it is small, and nothing but accesses is made of it, or of its address
    2. their subscripts count with loops that will be unrolled, and with nothing else
    3. a loop around sets it before it reads it, and it is not touched outside
    4. no other memory goes along a row with the loops over its elements, but the same row in each
       iteration of what is inside of that loop: sums side by side over rows are better off as rows
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from math import prod

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Atom, Counter, Unknown
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import underlying_object
from polyopt.support.core_model import CORE
from polyopt.support.record import record

Access = memref.LoadOp | memref.StoreOp


@record
class ElementLoops:
    """`unrolled` are the loops that may be unrolled; `fills_row` says of an access whether it goes
    along a row with a loop."""

    evolution: Evolution
    unrolled: Collection[NaturalLoop]
    fills_row: Callable[[Access, NaturalLoop], bool]

    @property
    def flow(self) -> ControlFlow:
        return self.evolution.flow

    def unrolled_around(self, block: Block) -> Iterator[NaturalLoop]:
        """Innermost first."""
        loop = self.flow.loops.innermost(block)
        while loop is not None and loop in self.unrolled:
            yield loop
            loop = loop.parent

    def kept_around(self, block: Block) -> list[NaturalLoop]:
        """Outermost first."""
        loops: list[NaturalLoop] = []
        loop = self.flow.loops.innermost(block)
        while loop is not None:
            if loop not in self.unrolled:
                loops.append(loop)
            loop = loop.parent
        return loops[::-1]


@record
class _Use:
    """What is done with a place in the array, and the values that say which."""

    op: Operation
    indices: tuple[SSAValue, ...]

    @property
    def block(self) -> Block:
        block = self.op.parent
        assert block is not None
        return block


def small_states(loops: ElementLoops) -> list[memref.AllocaOp]:
    """The local arrays that hold a state."""
    flow = loops.flow
    found: list[memref.AllocaOp] = []
    entry = flow.body.blocks.first
    for op in entry.ops if entry is not None and loops.unrolled else ():
        if not isinstance(op, memref.AllocaOp) or not _is_small(op):
            continue
        uses = _uses(op.memref)
        if not uses or any(use.block not in flow.cfg for use in uses):
            continue
        if not all(_counts_with(use, loops) for use in uses):
            continue
        if _is_set_first(uses, flow) and _is_state(uses, loops):
            found.append(op)
    return found


def _is_small(alloca: memref.AllocaOp) -> bool:
    type = memref_type(alloca.memref)
    size, shape = element_bytes(type.element_type), type.get_shape()
    if not shape or DYNAMIC_INDEX in shape or size is None:
        return False
    return size * prod(shape) <= CORE.code.object_bytes


def _uses(array: SSAValue) -> list[_Use] | None:
    """None where something else is done with the array or its address."""
    found: list[_Use] = []
    pending: list[tuple[SSAValue, tuple[SSAValue, ...]]] = [(array, ())]
    while pending:
        value, indices = pending.pop()
        for use in value.uses:
            op = use.operation
            match op:
                case memref.LoadOp() | memref.StoreOp() if op.memref is value:
                    found.append(_Use(op, (*indices, *op.indices)))
                case cmem.AddressOp():
                    pending.append((op.result, (*indices, *op.indices)))
                case cmem.OffsetOp() if op.base is value:
                    pending.append((op.result, (*indices, op.index)))
                case cmem.ViewOp() if not op.sizes:
                    pending.append((op.result, indices))
                case func.CallOp() if op.callee.string_value() == "memset":
                    found.append(_Use(op, indices))
                case _:
                    return None
    return found


def _counts_with(use: _Use, loops: ElementLoops) -> bool:
    return all(
        isinstance(atom, Counter) and atom.loop in loops.unrolled
        for index in use.indices
        for atom in loops.evolution.signed(index, use.block).all_atoms()
    )


def _is_set_first(uses: Sequence[_Use], flow: ControlFlow) -> bool:
    """Is it set in the first block that does anything with it, before it is read there?"""
    first = min(flow.cfg.number[use.block] for use in uses)
    block = flow.cfg.blocks[first]
    inside = {use.op for use in uses if use.block is block}
    return not isinstance(next(op for op in block.ops if op in inside), memref.LoadOp)


def _is_state(uses: Sequence[_Use], loops: ElementLoops) -> bool:
    around = [loops.kept_around(use.block) for use in uses]
    common = [
        nest[0] for nest in zip(*around, strict=False) if all(loop is nest[0] for loop in nest)
    ]
    inside = {loop for nest in around for loop in nest[len(common) :]}
    beside = {
        block: None
        for use in uses
        for loop in loops.unrolled_around(use.block)
        for block in loop.blocks
    }
    rows = [op for block in beside for op in block.ops if _goes_along_row(op, loops)]
    if not common:
        return False
    moving = inside or {common[-1]}
    return not any(_moves_with(op, moving, loops.evolution) for op in rows)


def _goes_along_row(op: Operation, loops: ElementLoops) -> bool:
    """Does it access other memory than small local arrays along a row?"""
    if not isinstance(op, Access) or not op.indices or is_small_local(op.memref):
        return False
    block = op.parent
    assert block is not None
    return any(loops.fills_row(op, loop) for loop in loops.unrolled_around(block))


def is_small_local(memory: SSAValue) -> bool:
    """Is it in a local array of few bytes?"""
    base = underlying_object(memory)
    if not isinstance(base, SSAValue):
        return False
    return isinstance(base.owner, memref.AllocaOp) and _is_small(base.owner)


def _moves_with(op: Operation, inside: Collection[NaturalLoop], evolution: Evolution) -> bool:
    """Are its places other ones from iteration to iteration of these loops, as far as is known?"""
    assert isinstance(op, Access)
    block = op.parent
    assert block is not None
    places = [
        evolution.address(op.memref, block),
        *(evolution.signed(index, block) for index in op.indices),
    ]
    return any(_is_of(atom, inside) for place in places for atom in place.all_atoms())


def _is_of(atom: Atom, loops: Collection[NaturalLoop]) -> bool:
    match atom:
        case Counter():
            return atom.loop in loops
        case Unknown():
            return any(defining_block(atom.value) in loop for loop in loops)
        case _:
            return False
