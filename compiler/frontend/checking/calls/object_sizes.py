"""How many bytes there are from an address to the end of the object in which it lies, as far as the
expression itself tells: the address of a variable, of a part of it, of one of its elements, moved
by a constant. GCC's `__builtin_object_size` means the object, or (kinds 1 and 3) the member or
array of it that is pointed to; of several that are chosen from, the largest or (2 and 3) the
smallest. What a pointer holds that is a variable is not asked."""

from __future__ import annotations

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
    """`offset` bytes into an object of `size`; `end` is that of the part that is pointed to."""

    offset: int
    size: int
    end: int


def object_size(pointer: Expr, kind: int) -> int:
    """What `__builtin_object_size(pointer, kind)` is; where nothing is known, the largest number,
    or for a smallest size 0."""
    found = [] if has_effect(pointer) else _addresses(pointer)
    if not found:
        return 0 if kind & 2 else ct.ULONG.maximum
    ends = [(place.offset, place.end if kind & 1 else place.size) for place in found]
    sizes = [max(end - offset, 0) if offset >= 0 else 0 for offset, end in ends]
    return min(sizes) if kind & 2 else max(sizes)


def _addresses(pointer: Expr) -> list[_Address] | None:
    """Where a pointer may point to; None: not known."""
    match pointer:
        case AddressOf(place=place):
            return _places(place)
        case Convert(type=ct.PointerType(), value=Expr(type=ct.PointerType()) as inner):
            return _addresses(inner)
        case PointerAdd(pointer=start, index=index, negative=negative):
            return _moved(_addresses(start), start.type, index, negative=negative)
        case Conditional(if_true=left, if_false=right):
            either, other = _addresses(left), _addresses(right)
            return None if either is None or other is None else either + other
        case _:
            return None


def _places(place: Expr) -> list[_Address] | None:
    """Where an object may lie."""
    match place:
        case Variable(type=type) | CompoundLiteral(type=type):
            if not ct.is_complete(type) or ct.is_variable_length(type) or ct.is_flexible(type):
                return None
            return [_Address(0, ct.size_of(type), ct.size_of(type))]
        case StringConst(data=data):
            return [_Address(0, len(data), len(data))]
        case Dereference(pointer=pointer):
            return _addresses(pointer)
        case Subscript(base=Expr(type=ct.ArrayType() as array) as base, index=index):
            starts = _ending_with(_places(base), array)
            return _moved(starts, ct.PointerType(array.element), index)
        case Subscript(base=base, index=index):
            return _moved(_addresses(base), base.type, index)
        case MemberOf(base=base, member=member):
            return _ending_with(_further(_places(base), member.offset), member.type)
        case _:
            return None


def _ending_with(starts: list[_Address] | None, part: ct.CType) -> list[_Address] | None:
    """The part that is pointed to is of this type, as long as that is known."""
    if starts is None or not ct.is_complete(part) or ct.is_variable_length(part):
        return starts
    size = ct.size_of(part)
    return [_Address(start.offset, start.size, start.offset + size) for start in starts]


def _further(starts: list[_Address] | None, bytes: int) -> list[_Address] | None:
    if starts is None:
        return None
    return [_Address(start.offset + bytes, start.size, start.end) for start in starts]


def _moved(
    starts: list[_Address] | None, type: ct.CType, index: Expr, *, negative: bool = False
) -> list[_Address] | None:
    """The addresses so many elements further."""
    count = fold_integer(index)
    if count is None or not isinstance(type, ct.PointerType) or ct.is_variable_length(type.target):
        return None
    return _further(starts, ct.size_of(type.target) * (-count if negative else count))
