"""Elements that are surely not one: of objects apart, or a known number of bytes from each other.

o = out + 2*i;  p = o + 1;        *o and *p        x[2*i] and x[2*i + 1]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import AddressOp, OffsetOp, ViewOp, memref_type
from polyopt.ir.effects import constant_integer
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.prepare.branches.hammocks import ElementName
from polyopt.support.record import entity


def lies_between(place: ElementName, loaded: Collection[ElementName]) -> bool:
    """Is the element between two that are loaded, in one array? Then it may be loaded too: what is
    between two elements of an object belongs to it."""
    array, *indices = place
    here = offset_of(array, indices)
    if here is None:
        return False
    bases, number = here
    others: list[int] = []
    for other_array, *other_indices in loaded:
        if other_array is array and (there := offset_of(array, other_indices)) is not None:
            if there[0] == bases:
                others.append(there[1])
    return bool(others) and min(others) <= number <= max(others)


def offset_of(
    array: SSAValue, indices: Sequence[SSAValue]
) -> tuple[tuple[object, ...], int] | None:
    """How many elements there are from a place that moves with values, and what tells which. Where
    the size of a row is not known, the row itself belongs to what must be the same."""
    shape = memref_type(array).get_shape()
    number, bases = 0, list[object]()
    for extent, index in zip(shape, indices, strict=True):
        value, constant = moved_by(index)
        if extent == DYNAMIC_INDEX:
            bases.append(number)
            number = 0
        number = number * max(extent, 0) + constant
        bases.append(value)
    return (tuple(bases), number) if indices else None


def moved_by(index: SSAValue) -> tuple[SSAValue | None, int]:
    """The value that constants have been added to, without leaving the range of its type, and
    their sum; no value where there are only constants."""
    total = 0
    while True:
        match index.owner:
            case arith.IndexCastOp(input=value):
                index = value
            case arith.AddiOp() | arith.SubiOp() as op if _is_exact(op):
                constant = constant_integer(op.rhs)
                if constant is None:
                    return index, total
                total += constant if isinstance(op, arith.AddiOp) else -constant
                index = op.lhs
            case arith.ConstantOp():
                constant = constant_integer(index)
                return (index, total) if constant is None else (None, total + constant)
            case _:
                return index, total


def _is_exact(op: arith.AddiOp | arith.SubiOp) -> bool:
    is_safe = arith.IntegerOverflowFlag.NSW in op.overflow_flags.data
    return isinstance(op.result.type, IndexType) or is_safe


class Places:
    """Where elements are, found once of each. Valid as long as nothing that they are named by
    changes."""

    def __init__(self) -> None:
        self._addresses: dict[ElementName, _Address | None] = {}

    def are_apart(self, one: ElementName, other: ElementName) -> bool:
        if not may_overlap(one[0], other[0]):
            return True
        here, there = self._address(one), self._address(other)
        return here is not None and there is not None and _lie_apart(here, there)

    def _address(self, place: ElementName) -> _Address | None:
        if place not in self._addresses:
            self._addresses[place] = _address_of(place)
        return self._addresses[place]


def _lie_apart(here: _Address, there: _Address) -> bool:
    if here.root is not there.root or here.terms != there.terms:
        return False
    first, second = sorted((here, there), key=lambda at: at.constant)
    return first.constant + first.size <= second.constant


@entity
class _Address:
    """`root` + `constant` + values times numbers of bytes."""

    root: SSAValue
    size: int
    constant: int = 0
    terms: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    def add(self, index: SSAValue, stride: int) -> None:
        value, constant = moved_by(index)
        self.constant += constant * stride
        if value is not None:
            self.terms[value] = self.terms.get(value, 0) + stride


def _address_of(place: ElementName) -> _Address | None:
    array, *indices = place
    size = element_bytes(memref_type(array).element_type)
    if size is None:
        return None
    found = _Address(array, size)
    if not _add_indices(found, array, indices):
        return None
    value = array
    while isinstance(value.owner, ViewOp):
        value = value.owner.source
        while isinstance(value.owner, OffsetOp):
            found.add(value.owner.index, value.owner.stride.value.data)
            value = value.owner.base
        if isinstance(value.owner, AddressOp):
            if not _add_indices(found, value.owner.memref, value.owner.indices):
                return None
            value = value.owner.memref
    found.root = value
    return found


def _add_indices(found: _Address, array: SSAValue, indices: Sequence[SSAValue]) -> bool:
    type_ = memref_type(array)
    stride = element_bytes(type_.element_type)
    if stride is None:
        return False
    for extent, index in zip(reversed(type_.get_shape()), reversed(indices), strict=True):
        if stride == DYNAMIC_INDEX:
            return False
        found.add(index, stride)
        stride = DYNAMIC_INDEX if extent == DYNAMIC_INDEX else stride * extent
    return True
