"""Bit-fields as accesses to the bytes that hold them, and to no others.

The bytes are taken in pieces of 8, 4, 2 and 1; each piece gives its bits to the value, shifted to
their place. A store keeps the other bits of a piece, which it reads first where there are any.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.ir_builder import bit_width
from polyopt.frontend.emission.stored_elements import BitPlace
from polyopt.frontend.emission.values.emit_arithmetic import resize
from polyopt.frontend.language.c_types import IntType
from polyopt.frontend.language.ir_types import memref_type
from polyopt.support.record import record


@record
class Piece:
    """`bytes` bytes at `offset`; the field's bit `first` lies at their bit `shift`, and `count` of
    its bits lie in them."""

    offset: int
    bytes: int
    first: int
    shift: int
    count: int


def pieces(bit_offset: int, width: int) -> Iterator[Piece]:
    """The pieces of a field that begins so many bits behind a byte's first."""
    total = -(-(bit_offset + width) // 8)
    offset = 0
    while offset < total:
        bytes = next(size for size in (8, 4, 2, 1) if size <= total - offset)
        first = max(0, 8 * offset - bit_offset)
        shift = max(0, bit_offset - 8 * offset)
        count = min(width - first, 8 * bytes - shift)
        yield Piece(offset, bytes, first, shift, count)
        offset += bytes


def load_bits(emission: Emission, place: BitPlace) -> SSAValue:
    """The value, in the type that the member has."""
    builder = emission.builder
    type, width = _type(place), _width(place)
    work = IntegerType(64 if type.bits > 32 or width > 32 else 32)
    bits = work.width.data
    value: SSAValue | None = None
    for piece in pieces(place.member.bit_offset, width):
        part = _load(emission, place, piece)
        if piece.bytes * 8 > bits:
            part = _shift(emission, part, -piece.shift)
            part = resize(builder, part, work)
        else:
            part = _shift(emission, resize(builder, part, work), -piece.shift)
        part = _shift(emission, part, piece.first)
        value = part if value is None else builder.add(arith.OrIOp(value, part)).result
    assert value is not None
    if width < bits:
        amount = builder.integer(bits - width, work)
        value = builder.add(arith.ShLIOp(value, amount)).result
        back = arith.ShRSIOp if type.signed else arith.ShRUIOp
        value = builder.add(back(value, amount)).result
    return resize(builder, value, IntegerType(type.bits))


def as_stored(emission: Emission, value: SSAValue, place: BitPlace) -> SSAValue:
    """What is read again where this value was stored."""
    type, width = _type(place), _width(place)
    if width == type.bits or type.is_bool:
        return value
    amount = emission.builder.integer(type.bits - width, IntegerType(type.bits))
    value = emission.builder.add(arith.ShLIOp(value, amount)).result
    back = arith.ShRSIOp if type.signed else arith.ShRUIOp
    return emission.builder.add(back(value, amount)).result


def store_bits(emission: Emission, value: SSAValue, place: BitPlace) -> None:
    """Store the low bits of the value."""
    builder = emission.builder
    width = _width(place)
    for piece in pieces(place.member.bit_offset, width):
        own = IntegerType(8 * piece.bytes)
        wide = IntegerType(64)
        part = resize(builder, value, wide) if piece.first else value
        part = resize(builder, _shift(emission, part, -piece.first), own)
        part = _shift(emission, part, piece.shift)
        if piece.count < 8 * piece.bytes:
            mask = ((1 << piece.count) - 1) << piece.shift
            part = builder.add(arith.AndIOp(part, builder.integer(mask, own))).result
            old = _load(emission, place, piece)
            rest = builder.add(arith.AndIOp(old, builder.integer(~mask, own))).result
            part = builder.add(arith.OrIOp(rest, part)).result
        view = _view(emission, place, piece)
        if place.volatile:
            op = cmem.VolatileStoreOp(part, view, [])
            cmem.set_alignment(op, 1)
        else:
            op = cmem.UnalignedStoreOp(part, view, [])
        builder.add(op)


def _type(place: BitPlace) -> IntType:
    assert isinstance(place.member.type, IntType)
    return place.member.type


def _width(place: BitPlace) -> int:
    assert place.member.bits is not None
    return place.member.bits


def _view(emission: Emission, place: BitPlace, piece: Piece) -> SSAValue:
    emission.symbols.puns = True
    pointer = emission.places.displace(place.start, piece.offset)
    return emission.builder.view(pointer, memref_type((), IntegerType(8 * piece.bytes)), [])


def _load(emission: Emission, place: BitPlace, piece: Piece) -> SSAValue:
    view = _view(emission, place, piece)
    if place.volatile:
        op = cmem.VolatileLoadOp(view, [])
        cmem.set_alignment(op, 1)
        return emission.builder.add(op).result
    return emission.builder.add(cmem.UnalignedLoadOp(view, [])).result


def _shift(emission: Emission, value: SSAValue, amount: int) -> SSAValue:
    """To the left, or, where it is negative, to the right."""
    if amount == 0:
        return value
    count = emission.builder.integer(abs(amount), IntegerType(bit_width(value)))
    shift = arith.ShLIOp if amount > 0 else arith.ShRUIOp
    return emission.builder.add(shift(value, count)).result
