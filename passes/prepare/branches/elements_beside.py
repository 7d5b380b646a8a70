"""Elements that may be loaded because one at the same place of a like array is.

    n = the neighbours of g[i][j];  if (n == 2) alive = g[i][j];  h[i][j] = alive

Both are whole objects with rows of one length, and `g` has at least as many bytes as `h`: what is
stored in any case, `h[i][j]`, is inside of `h`, and as far from its beginning `g[i][j]` is inside
of `g`. It is only loaded where others of `g` are loaded, too: its line is at hand then. (Life on a
torus of 256 x 256: 1010 us with a branch, 123 in vectors.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import cf, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.branches import incoming
from polyopt.ir.effects import is_access, is_pure
from polyopt.ir.objects.alias import underlying_object
from polyopt.ir.objects.named_symbols import named_by
from polyopt.passes.prepare.branches.element_places import offset_of
from polyopt.passes.prepare.branches.hammocks import Hammock
from polyopt.support.record import record

_MOST_BLOCKS = 4
"""So many of them are looked at in front of a branch and behind its arms."""


def lies_beside(load: memref.LoadOp, hammock: Hammock) -> bool:
    """May the load, in an arm, run where the arm does not?"""
    here, place = _WholeArray.of(load.memref), offset_of(load.memref, load.indices)
    if here is None or place is None or not _is_read_anyway(load, hammock):
        return False
    return any(
        isinstance(op, memref.LoadOp | memref.StoreOp)
        and offset_of(op.memref, op.indices) == place
        and (there := _WholeArray.of(op.memref)) is not None
        and here.holds(there)
        for op in (*_before(hammock), *_behind(hammock, place[0]))
    )


@record
class _WholeArray:
    """An array that is a whole object."""

    type: MemRefType[Attribute]
    bytes: int

    @staticmethod
    def of(array: SSAValue) -> _WholeArray | None:
        view = array.owner
        type_ = memref_type(array)
        if not isinstance(view, cmem.ViewOp) or DYNAMIC_INDEX in type_.get_shape():
            return None
        address = view.source.owner
        if not isinstance(address, cmem.AddressOfOp):
            return None
        thing = named_by(address)
        if not isinstance(thing, cmem.GlobalOp) or cmem.LINKER in thing.attributes:
            return None  # One that is weak need not be there.
        return _WholeArray(type_, thing.size.value.data)

    def holds(self, other: _WholeArray) -> bool:
        """Is as far from its beginning as any element of the other one an element of this?"""
        rows = self.type.get_shape()[1:] == other.type.get_shape()[1:]
        is_like = self.type.element_type == other.type.element_type
        return rows and is_like and self.bytes >= other.bytes


def _is_read_anyway(load: memref.LoadOp, hammock: Hammock) -> bool:
    """Are other elements of the array loaded, and not in the arms?"""
    region, arms = hammock.join.parent, (hammock.then, hammock.orelse)
    thing = underlying_object(load.memref)
    return region is not None and any(
        isinstance(op, memref.LoadOp) and underlying_object(op.memref) == thing
        for block in region.blocks
        if block not in arms
        for op in block.ops
    )


def _before(hammock: Hammock) -> Iterator[Operation]:
    """What has run where the branch is reached."""
    block: Block | None = hammock.branch.parent
    for _ in range(_MOST_BLOCKS):
        if block is None:
            return
        yield from block.ops
        edges = incoming(block)
        block = edges[0].source if len(edges) == 1 else None


def _behind(hammock: Hammock, values: Sequence[object]) -> Iterator[Operation]:
    """What will run behind the arms, up to where one of the values is another one: at the head of a
    loop."""
    block = hammock.join
    defining = {value.owner for value in values if isinstance(value, SSAValue)}
    for _ in range(_MOST_BLOCKS):
        if block in defining or any(op in defining for op in block.ops):
            return
        for op in block.ops:
            if not (is_pure(op) or is_access(op) or isinstance(op, cf.BranchOp)):
                return
            yield op
        if not isinstance(block.last_op, cf.BranchOp):
            return
        block = block.last_op.successor
