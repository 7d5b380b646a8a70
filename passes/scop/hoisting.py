"""Integers and pointers in memory that do not change while a region runs.

A size in a global variable, the row pointers of an array of pointers, the fields of a structure
that describes an array: such a value is loaded once in front of the region. Where C loads it only
on some condition, that condition is checked first: the address may be no address otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.control.cfg import enclosing_block, is_conditional
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.ir.idioms.steering import steers
from polyopt.ir.objects.bases import is_there
from polyopt.ir.references.memory_references import Reference


def find_hoisted(
    flow: ControlFlow, entry: Block, space: AffineSpace, references: Sequence[Reference]
) -> Iterator[tuple[Reference, bool]]:
    """(the load, whether it may run in front of the region in any case), in an order in which
    each address needs only loads before it. From then on `space` takes the value as constant."""
    stores = [reference for reference in references if reference.is_write]
    pending = [reference for reference in references if _may_matter(reference)]
    changed = True
    while changed:
        changed = False
        for read in list(pending):
            if not _is_constant(read, space, stores):
                continue
            is_safe = _is_safe(flow, entry, read)
            if not is_safe and (is_conditional(read.op) or not steers(_result(read))):
                continue
            pending.remove(read)
            space.hoisted = {*space.hoisted, _result(read)}
            changed = True
            yield read, is_safe


def _result(read: Reference) -> SSAValue:
    assert isinstance(read.op, memref.LoadOp)
    return read.op.res


def _may_matter(reference: Reference) -> bool:
    return isinstance(reference.op, memref.LoadOp) and isinstance(
        reference.op.res.type, IntegerType | IndexType | LLVMPointerType
    )


def _is_constant(read: Reference, space: AffineSpace, stores: Sequence[Reference]) -> bool:
    """Neither the address nor what is there changes, as far as other objects are disjoint."""
    if not space.is_constant(read.base) or not _is_known_before(read, space):
        return False
    if not all(map(space.is_invariant, (read.offset, *read.indices))):
        return False
    return all(store.base is not read.base or _are_apart(read, store) for store in stores)


def _is_known_before(read: Reference, space: AffineSpace) -> bool:
    """Its address is computed from what is there in front of the region, and not from what a loop
    has left, be this the same each time."""
    pending = [read.op.memref, *read.op.indices]
    while pending:
        value = pending.pop()
        if space.is_constant(value):
            continue
        if not isinstance(value.owner, Operation):
            return False
        pending.extend(value.owner.operands)
    return True


def _are_apart(read: Reference, store: Reference) -> bool:
    """Two accesses through one base at constant places that do not meet."""
    if read.place is None or store.place is None:
        return False
    distance = (store.place - read.place).as_constant
    if distance is None:
        return False
    return distance >= read.element_bytes or -distance >= store.element_bytes


def _is_safe(flow: ControlFlow, entry: Block, read: Reference) -> bool:
    """The load runs whenever the region does, or reads a variable that is always there."""
    if is_conditional(read.op):
        return False
    if flow.postdominators.dominates(enclosing_block(read.op), entry):
        return True
    return is_there(read.base) and not read.offset.terms and not read.indices
