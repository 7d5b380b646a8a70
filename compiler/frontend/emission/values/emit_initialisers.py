"""Initialisers: stores into a local object, bytes and relocations of a global one."""

from __future__ import annotations

import struct

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, i32, i64
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.ir_builder import INDEX
from polyopt.frontend.emission.module_symbols import ModuleSymbols
from polyopt.frontend.emission.stored_elements import BitPlace, Element
from polyopt.frontend.emission.values.emit_copies import copy_object
from polyopt.frontend.emission.values.emit_elements import store_element
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FloatType,
    IntType,
    Member,
    RecordType,
)
from polyopt.frontend.language.extended import Number, extended_bytes, is_exact
from polyopt.frontend.language.ir_types import memref_type, scalar_type
from polyopt.frontend.tree.constants import Address, fold
from polyopt.frontend.tree.typed_tree import ComplexConst, Initial, InitialItem, StringConst, Symbol
from polyopt.support.diagnostics import Span

# So many scalars at most are set to zero one by one: as many statements to whoever reads loops.
_FEW = 8


class InitialiserEmitter:
    """Initialises local objects."""

    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder

    def store(self, symbol: Symbol, initial: Initial) -> None:
        storage = self.emission.places.storage[symbol]
        self.builder.at(initial.span)
        if not initial.is_scalar:
            self._clear(storage, symbol.type, initial)
        known: dict[int, SSAValue] = {}
        for item in initial.items:
            self._store_item(storage, symbol.type, item, known)

    def _clear(self, storage: SSAValue, type: CType, initial: Initial) -> None:
        """Set to zero what no item covers: all of it first, where there are many scalars."""
        covered = {
            byte
            for item in initial.items
            if ct.is_scalar(item.type) and not item.member
            for byte in range(item.offset, item.offset + ct.size_of(item.type))
        }
        whole = any(item.offset == 0 and item.type == type for item in initial.items)
        if whole or len(covered) == ct.size_of(type):
            return
        scalars = _scalars(type, 0, _FEW + 1)
        if len(scalars) > _FEW:
            self._fill_with_zero(storage, ct.size_of(type), initial.span)
            return
        for offset, scalar in scalars:
            if offset in covered:
                continue
            element = self._element(storage, type, offset, scalar)
            store_element(self.emission, self.zero(scalar), element)

    def zero(self, type: CType) -> SSAValue:
        match type:
            case FloatType():
                return self.builder.real(0.0, type)
            case IntType():
                return self.builder.constant(0, type)
            case _:
                return self.builder.add(cmem.IntToPtrOp(self.builder.integer(0, i64))).result

    def _fill_with_zero(self, storage: SSAValue, size: int, span: Span) -> None:
        pointer = self.emission.places.storage_address(storage)
        zero, count = self.builder.integer(0, i32), self.builder.integer(size, i64)
        types = [cmem.PTR, i32, i64]
        name = self.emission.symbols.library_function("memset", types, [cmem.PTR], span)
        self.builder.add(func.CallOp(name, [pointer, zero, count], [cmem.PTR]))

    def _store_item(
        self, storage: SSAValue, type: CType, item: InitialItem, known: dict[int, SSAValue]
    ) -> None:
        """`known`: the values of the items before; what all elements of a range get is computed
        once."""
        if isinstance(item.type, ComplexType):
            value, part = self.emission.complexes.pair(item.value), item.type.part
            self.builder.at(item.value.span)
            for offset, each in ((0, value.real), (part.size, value.imaginary)):
                element = self._element(storage, type, item.offset + offset, part)
                store_element(self.emission, each, element)
            return
        if ct.is_scalar(item.type):
            value = self._value(item, known)
            self.builder.at(item.value.span)
            element = self._element(storage, type, item.offset, item.type, item.member)
            store_element(self.emission, value, element)
            return
        if isinstance(item.value, StringConst):
            source = self.emission.places.address(item.value)
        else:
            source = self._value(item, known)
        self.builder.at(item.value.span)
        start = self.emission.places.storage_address(storage)
        target = self.emission.places.displace(start, item.offset)
        copy_object(self.emission, source, target, item.type)

    def _value(self, item: InitialItem, known: dict[int, SSAValue]) -> SSAValue:
        value = known.get(id(item.value))
        if value is None:
            value = known[id(item.value)] = self.emission.expressions.value(item.value)
        return value

    def _element(
        self,
        storage: SSAValue,
        type: CType,
        offset: int,
        scalar: CType,
        member: Member | None = None,
    ) -> Element | BitPlace:
        """The scalar at this offset of the object: by its subscripts where it is an array."""
        assert isinstance(storage.type, MemRefType)
        extents, element = ct.array_shape(type)
        if isinstance(element, RecordType):
            start = self.emission.places.storage_address(storage)
            pointer = self.emission.places.displace(start, offset)
            if member is not None:
                return BitPlace(pointer, member, scalar.volatile)
            view = self.builder.view(pointer, memref_type((), scalar_type(scalar)), [])
            return Element(view, [], scalar.volatile, 1 if element.record.is_tight else None)
        position = offset // ct.size_of(element)
        subscripts: list[SSAValue] = []
        for extent in reversed(extents):
            assert isinstance(extent, int)
            subscripts.append(self.builder.integer(position % extent, INDEX))
            position //= extent
        return Element(storage, subscripts[::-1], element.volatile)


def _scalars(type: CType, offset: int, limit: int) -> list[tuple[int, CType]]:
    """The scalars of an object with their offsets, no more than `limit`."""
    match type:
        case ArrayType(element=element, length=int(length)):
            found: list[tuple[int, CType]] = []
            for position in range(length):
                if len(found) >= limit:
                    break
                found += _scalars(element, offset + position * ct.size_of(element), limit)
            return found
        case RecordType():
            return _members(type, offset, limit)
        case ComplexType():
            part = ct.part_of(type)
            return [(offset, part), (offset + part.size, part)]
        case _:
            return [(offset, type)]


def _members(type: RecordType, offset: int, limit: int) -> list[tuple[int, CType]]:
    """The scalars of the members, and in bytes what lies between them; all of it in bytes where
    members share some, or have no size of their own."""
    record = type.record
    members = record.members or ()
    shares = record.kind != "struct" or any(member.bits is not None for member in members)
    if shares or ct.is_flexible(type):
        return [(offset + i, ct.CHAR) for i in range(min(record.size, limit))]
    found: list[tuple[int, CType]] = []
    end = 0
    for member in members:
        found += [(offset + i, ct.CHAR) for i in range(end, member.offset)]
        found += _scalars(member.type, offset + member.offset, limit)
        end = member.offset + ct.size_of(member.type)
        if len(found) >= limit:
            return found
    return found + [(offset + i, ct.CHAR) for i in range(end, record.size)]


def _set_bits(data: bytearray, offset: int, member: Member, value: int) -> None:
    """Set the bits of a bit-field that begins in the byte at `offset`, and no others."""
    assert member.bits is not None
    end = offset - (-(member.bit_offset + member.bits) // 8)
    mask = ((1 << member.bits) - 1) << member.bit_offset
    whole = int.from_bytes(data[offset:end], "little") & ~mask
    whole |= (value << member.bit_offset) & mask
    data[offset:end] = whole.to_bytes(end - offset, "little")


def _float_bytes(value: Number, type: FloatType) -> bytes:
    if type.size == ct.LDOUBLE.size:
        return extended_bytes(value).ljust(type.size, b"\0")
    return struct.pack("<f" if type.size == ct.FLOAT.size else "<d", value)


def encode(
    symbols: ModuleSymbols, size: int, initial: Initial
) -> tuple[bytes | None, list[tuple[int, str, int]]]:
    """The bytes of a global object (None: all zero) and its relocations."""
    data = bytearray(size)
    relocations: dict[int, tuple[int, str, int]] = {}
    for item in initial.items:
        end = item.offset + ct.size_of(item.type)
        for place in range(item.offset, end):
            relocations.pop(place, None)
        if isinstance(item.value, StringConst) and isinstance(item.type, ArrayType):
            data[item.offset : end] = item.value.data
            continue
        if isinstance(item.value, ComplexConst):
            assert isinstance(item.type, ComplexType)
            parts = (item.value.real, item.value.imaginary)
            data[item.offset : end] = b"".join(_float_bytes(one, item.type.part) for one in parts)
            continue
        value = fold(item.value)
        if item.member is not None:
            assert isinstance(value, int)
            _set_bits(data, item.offset, item.member, value)
        elif isinstance(value, Address) and value.base is not None:
            data[item.offset : end] = bytes(8)
            symbol = symbols.of(value.base)
            relocations[item.offset] = (item.offset, symbol, value.offset)
        elif isinstance(item.type, FloatType):
            assert isinstance(value, float) or is_exact(value)
            data[item.offset : end] = _float_bytes(value, item.type)
        else:
            number = value.offset if isinstance(value, Address) else value
            assert isinstance(number, int)
            width = end - item.offset
            data[item.offset : end] = (number & ((1 << (8 * width)) - 1)).to_bytes(width, "little")
    ordered = [relocations[place] for place in sorted(relocations)]
    return (bytes(data) if any(data) else None), ordered
