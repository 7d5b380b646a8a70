"""How many bytes there are from an address to the end of the object in which it lies, as far as the
expression itself tells: the address of a variable, of a part of it, of one of its elements, moved
by a constant. GCC's `__builtin_object_size` means the object, or (kinds 1 and 3) the member or
array of it that is pointed to; of several that are chosen from, the largest or (2 and 3) the
smallest. What a pointer holds that is a variable is not asked: of the object nothing is known then,
but members are as large as they are. Only the array at the end of such an object may be larger."""

from __future__ import annotations

from dataclasses import replace

from polyopt.frontend.language import c_types as ct
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.expression_effects import has_effect
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    CompoundLiteral,
    Conditional,
    Convert,
    Dereference,
    Expr,
    MemberOf,
    PointerAdd,
    StringConst,
    Subscript,
    Variable,
)
from polyopt.support.record import record


@record
class _Address:
    """`offset` bytes into an object of `size`; `end` is that of the part that is pointed to. Not
    known: None. `is_last`: no part of an object that is not known stands behind this one."""

    offset: int
    size: int | None = None
    end: int | None = None
    is_last: bool = False


_SOMEWHERE = _Address(0, is_last=True)


def object_size(pointer: Expr, kind: int) -> int:
    """What `__builtin_object_size(pointer, kind)` is; where nothing is known, the largest number,
    or for a smallest size 0."""
    found = [_SOMEWHERE] if has_effect(pointer) else _addresses(pointer)
    if kind & 2:
        return min(_room(place, part=kind == 3, unknown=0) for place in found)
    return max(_room(place, part=kind == 1, unknown=ct.ULONG.maximum) for place in found)


def _room(place: _Address, *, part: bool, unknown: int) -> int:
    """How many bytes are left there; none in front of an object."""
    end = place.end if part else place.size
    if end is None:
        return unknown
    is_in_front = place.size is not None and place.offset < 0
    return 0 if is_in_front else max(end - place.offset, 0)


def _addresses(pointer: Expr) -> list[_Address]:
    """Where a pointer may point to."""
    match pointer:
        case AddressOf(place=place):
            return _places(place)
        case Convert(type=ct.PointerType(), value=Expr(type=ct.PointerType()) as inner):
            return _addresses(inner)
        case PointerAdd(pointer=start, index=index, negative=negative):
            return _moved(_addresses(start), start.type, index, negative=negative)
        case Conditional(if_true=left, if_false=right):
            return _addresses(left) + _addresses(right)
        case _:
            return [_SOMEWHERE]


def _places(place: Expr) -> list[_Address]:
    """Where an object may lie."""
    match place:
        case Variable(type=type) | CompoundLiteral(type=type):
            if not ct.is_complete(type) or ct.is_variable_length(type) or ct.is_flexible(type):
                return [_SOMEWHERE]
            return [_Address(0, ct.size_of(type), ct.size_of(type))]
        case StringConst(data=data):
            return [_Address(0, len(data), len(data))]
        case Dereference(pointer=pointer):
            return _addresses(pointer)
        case Subscript(base=Expr(type=ct.ArrayType() as array) as base, index=index):
            starts = [_row(start, array) for start in _places(base)]
            return _moved(starts, ct.PointerType(array.element), index)
        case Subscript(base=base, index=index):
            return _moved(_addresses(base), base.type, index)
        case MemberOf(base=base, member=member):
            assert isinstance(base.type, ct.RecordType)
            return [_member(start, base.type.record, member) for start in _places(base)]
        case _:
            return [_SOMEWHERE]


def _row(start: _Address, array: ct.ArrayType) -> _Address:
    """The array that starts there is what is pointed to, where that is a part of anything known."""
    is_known = ct.is_complete(array) and not ct.is_variable_length(array)
    if start.end is None or not is_known:
        return start
    return replace(start, end=start.offset + ct.size_of(array))


def _member(start: _Address, record: ct.Record, member: ct.Member) -> _Address:
    """A member of what starts there."""
    assert record.members
    is_last = record.kind == "union" or member.offset >= record.members[-1].offset
    here = replace(start, offset=start.offset + member.offset, is_last=start.is_last and is_last)
    if isinstance(member.type, ct.ArrayType) and here.is_last:
        return replace(here, end=None)
    if not ct.is_complete(member.type) or ct.is_variable_length(member.type):
        return here
    return replace(here, end=here.offset + ct.size_of(member.type))


def _moved(
    starts: list[_Address], type: ct.CType, index: Expr, *, negative: bool = False
) -> list[_Address]:
    """The addresses so many elements further."""
    count = fold_integer(index)
    if count is None or not isinstance(type, ct.PointerType) or ct.is_variable_length(type.target):
        return [replace(start, size=None, end=None) for start in starts]
    bytes = ct.size_of(type.target) * (-count if negative else count)
    return [replace(start, offset=start.offset + bytes) for start in starts]
