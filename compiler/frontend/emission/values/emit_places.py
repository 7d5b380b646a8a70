"""Places: where an lvalue lies, as an element of a memref or as a pointer.

An access `A[i][j]` becomes one `memref.load` with all its subscripts on a view (or an alloca)
of the declared shape; addresses and records go by `cmem.address` and `cmem.offset`.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.ir_builder import INDEX, named
from polyopt.frontend.emission.stored_elements import BitPlace, Element
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    PointerType,
    RecordType,
    VariableLength,
)
from polyopt.frontend.language.ir_types import storage_type, view_type
from polyopt.frontend.tree.typed_tree import (
    CompoundLiteral,
    ComputedLength,
    Dereference,
    Expr,
    IntConst,
    Load,
    MemberOf,
    PointerAdd,
    StringConst,
    Subscript,
    Symbol,
    Variable,
)


class PlaceEmitter:
    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder
        self.storage: dict[Symbol, SSAValue] = {}
        self.pointers: dict[Symbol, SSAValue] = {}  # of records that came as arguments
        self.lengths: dict[VariableLength, SSAValue] = {}

    # Objects

    def holds(self, symbol: Symbol) -> bool:
        """Is the variable an alloca? One whose declaration is jumped over is made on first use."""
        if symbol not in self.storage and symbol.kind == "local":
            self.allocate(symbol)
        return symbol in self.storage

    def allocate(self, symbol: Symbol) -> SSAValue:
        """The memref of a fixed-size local variable."""
        type = storage_type(symbol.type)
        natural = isinstance(ct.array_shape(symbol.type)[1], RecordType)
        alignment = symbol.alignment or (ct.align_of(symbol.type) if natural else None)
        storage = self.builder.alloca(type, alignment, symbol.name)
        self.storage[symbol] = storage
        return storage

    def allocate_variable(self, symbol: Symbol) -> SSAValue:
        """The memref of a VLA, at its declaration."""
        assert isinstance(symbol.type, ArrayType)
        extents, element = ct.array_shape(symbol.type)
        sizes = [self.length(e) for e in extents if isinstance(e, VariableLength)]
        type = storage_type(symbol.type)
        alignment = symbol.alignment
        if isinstance(element, RecordType):
            sizes = [self.byte_size(symbol.type)]
            alignment = max(alignment, ct.align_of(element))
        op = memref.AllocaOp.build(
            operands=[sizes, []],
            result_types=[type],
            properties={"alignment": IntegerAttr(alignment, i64) if alignment else None},
        )
        storage = named(self.builder.add(op).memref, symbol.name)
        self.storage[symbol] = storage
        return storage

    def length(self, length: VariableLength) -> SSAValue:
        """The extent as an index: what it was at the declaration that it belongs to."""
        known = self.lengths.get(length)
        if known is not None:
            return known
        assert isinstance(length, ComputedLength)
        return self.index(length.value)

    def fix_lengths(self, type: CType) -> None:
        """A declaration of this type is reached: its lengths are what they are now."""
        for length in ct.variable_lengths(type):
            if length not in self.lengths:
                assert isinstance(length, ComputedLength)
                self.lengths[length] = self.index(length.value)

    def index(self, expr: Expr) -> SSAValue:
        """An integer as an index, extended as its type says."""
        type = expr.type
        assert isinstance(type, ct.IntType)
        if isinstance(expr, IntConst):
            return self.builder.integer(expr.value, INDEX)
        value = self.emission.expressions.value(expr)
        self.builder.at(expr.span)
        return self.builder.index_cast(value, signed=type.signed)

    def byte_size(self, type: CType) -> SSAValue:
        """The size of a type, maybe a VLA's, as an index."""
        extents, element = ct.array_shape(type)
        size = ct.size_of(element)
        dynamic: list[SSAValue] = []
        for extent in extents:
            if isinstance(extent, int):
                size *= extent
            else:
                assert extent is not None
                dynamic.append(self.length(extent))
        total = self.builder.integer(size, INDEX)
        for extent in dynamic:
            total = self._multiply(extent, total)
        return total

    def _multiply(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.builder.add(arith.MuliOp(left, right)).result

    # Elements

    def element(self, place: Expr) -> Element | BitPlace:
        """What a scalar lvalue designates."""
        if isinstance(place, MemberOf) and place.member.bits is not None:
            start = self._member_address(place)
            return BitPlace(start, place.member, place.type.volatile)
        memref, indices = self._located(place)
        return self._element(memref, indices, place)

    def parts(self, place: Expr) -> tuple[Element, Element]:
        """Where the parts of a complex lvalue are."""
        memref, indices = self._located(place)
        real, imaginary = (
            self._element(memref, [*indices, self.number(position)], place) for position in (0, 1)
        )
        return real, imaginary

    def number(self, value: int) -> SSAValue:
        return self.builder.integer(value, INDEX)

    def _element(self, memref: SSAValue, indices: list[SSAValue], place: Expr) -> Element:
        """What lies there, as the type of the place says."""
        element = Element(memref, indices, place.type.volatile)
        alignment = known_alignment(place)
        if alignment is not None and alignment < ct.natural_alignment(place.type):
            self.emission.symbols.puns = True
            return replace(element, alignment=alignment)
        return element

    def _located(self, place: Expr) -> tuple[SSAValue, list[SSAValue]]:
        """The memref in which a scalar lvalue lies, and its subscripts there; those of a complex
        one are its parts' but for the last."""
        match place:
            case Variable(symbol=symbol) if self.holds(symbol):
                return self.storage[symbol], []
            case Subscript():
                return self._subscripted(place)
            case Dereference(pointer=PointerAdd(negative=False) as sum):
                return self._from_pointer(sum.pointer, [sum.index])
            case _:
                pointer = self.address(place)
                self.builder.at(place.span)
                return self.builder.view(pointer, view_type(place.type, rows=False), []), []

    def _subscripted(self, place: Subscript) -> tuple[SSAValue, list[SSAValue]]:
        """The memref and subscripts of `base[i]...[j]`, down to the base of them all."""
        subscripts = [place.index]
        base = place.base
        while isinstance(base, Subscript) and isinstance(base.type, ArrayType | ComplexType):
            subscripts.append(base.index)
            base = base.base
        subscripts.reverse()
        if isinstance(base.type, PointerType):
            return self._from_pointer(base, subscripts)
        if isinstance(base.type, ComplexType):
            memref, indices = self._located(base)
        else:
            memref, indices = self._array(base), list[SSAValue]()
        return memref, indices + [self.index(s) for s in subscripts]

    def _from_pointer(
        self, pointer: Expr, subscripts: list[Expr]
    ) -> tuple[SSAValue, list[SSAValue]]:
        assert isinstance(pointer.type, PointerType)
        target = pointer.type.target
        start = self.emission.expressions.value(pointer)
        view = self._view(start, target, rows=True, at=pointer)
        return view, [self.index(s) for s in subscripts]

    def _array(self, place: Expr) -> SSAValue:
        """The memref of an array lvalue."""
        if isinstance(place, CompoundLiteral) and place.symbol.kind == "local":
            return self._literal(place)
        if isinstance(place, Variable) and self.holds(place.symbol):
            return self.storage[place.symbol]
        start = self.address(place)
        if isinstance(place.type, ArrayType) and _may_be_longer(place):
            return self._view(start, place.type.element, rows=True, at=place)
        return self._view(start, place.type, rows=False, at=place)

    def _view(self, pointer: SSAValue, type: CType, *, rows: bool, at: Expr) -> SSAValue:
        extents, _ = ct.array_shape(type)
        inner = extents if rows else extents[1:]
        sizes = [self.length(e) for e in inner if isinstance(e, VariableLength)]
        self.builder.at(at.span)
        return self.builder.view(pointer, view_type(type, rows=rows), sizes)

    # Addresses

    def address(self, place: Expr) -> SSAValue:
        """The pointer to what an lvalue designates (for a record value, to what holds it)."""
        match place:
            case Variable(symbol=symbol):
                return self._variable_address(symbol, place)
            case Dereference(pointer=pointer):
                return self.emission.expressions.value(pointer)
            case StringConst():
                self.builder.at(place.span)
                return self.builder.address_of(self.emission.symbols.string(place))
            case MemberOf():
                return self._member_address(place)
            case Subscript():
                return self._subscript_address(place)
            case CompoundLiteral():
                return self._literal_address(place)
            case Load(place=inner):
                return self.address(inner)
            case _:
                return self.emission.expressions.value(place)

    def _member_address(self, place: MemberOf) -> SSAValue:
        """Of a bit-field, the address of its first byte."""
        base = place.base
        if isinstance(base.type, RecordType) and base.type.record.kind == "union":
            self.emission.symbols.puns = True
        start = self.address(base)
        self.builder.at(place.span)
        return self.displace(start, place.member.offset)

    def displace(self, pointer: SSAValue, bytes: int) -> SSAValue:
        if bytes == 0:
            return pointer
        step = self.builder.integer(bytes, INDEX)
        return self.builder.add(cmem.OffsetOp(pointer, step, 1)).result

    def _variable_address(self, symbol: Symbol, place: Expr) -> SSAValue:
        self.builder.at(place.span)
        if symbol in self.pointers:
            return self.pointers[symbol]
        if not self.holds(symbol):
            name = self.emission.symbols.of(symbol)
            return self.builder.address_of(name, is_alias="alias" in symbol.marks)
        return self.storage_address(self.storage[symbol])

    def storage_address(self, storage: SSAValue) -> SSAValue:
        """The pointer to the first element of an alloca."""
        zero = [self.builder.integer(0, INDEX)] * cmem.memref_type(storage).get_num_dims()
        return self.builder.add(cmem.AddressOp(storage, zero)).result

    def _literal_address(self, place: CompoundLiteral) -> SSAValue:
        self.builder.at(place.span)
        if place.symbol.kind == "global":
            return self.builder.address_of(place.symbol.ir_name)
        return self.storage_address(self._literal(place))

    def _literal(self, place: CompoundLiteral) -> SSAValue:
        """The storage of a compound literal, initialised anew (C 6.5.2.5)."""
        symbol = place.symbol
        storage = self.storage[symbol] if symbol in self.storage else self.allocate(symbol)
        self.emission.initialisers.store(symbol, place.initial)
        return storage

    def _subscript_address(self, place: Subscript) -> SSAValue:
        _, element = ct.array_shape(place.type)
        if isinstance(element, RecordType | ct.FunctionType | ct.VoidType):
            return self._record_address(place)
        memref, indices = self._subscripted(place)
        self.builder.at(place.span)
        missing = cmem.memref_type(memref).get_num_dims() - len(indices)
        zero = [self.builder.integer(0, INDEX)] * missing
        return self.builder.add(cmem.AddressOp(memref, indices + zero)).result

    def _record_address(self, place: Subscript) -> SSAValue:
        """An element of an array of records: bytes away from its start."""
        is_pointer = isinstance(place.base.type, PointerType)
        start = (
            self.emission.expressions.value(place.base) if is_pointer else self.address(place.base)
        )
        return self.step(start, place.index, place.type, place)

    def step(self, pointer: SSAValue, index: Expr, type: CType, at: Expr) -> SSAValue:
        """The pointer `index` objects of this type further."""
        count = self.index(index)
        self.builder.at(at.span)
        return self.step_by(pointer, count, type)

    def step_by(self, pointer: SSAValue, count: SSAValue, type: CType) -> SSAValue:
        extents, element = ct.array_shape(type)
        stride = ct.size_of(element)
        for extent in extents:
            if isinstance(extent, int):
                stride *= extent
            elif extent is not None:
                count = self._multiply(count, self.length(extent))
        return self.builder.add(cmem.OffsetOp(pointer, count, stride)).result


def known_alignment(place: Expr) -> int | None:
    """How a place is aligned that may be aligned less than its type asks for; None for others."""
    match place:
        case MemberOf(base=base, member=member):
            assert isinstance(base.type, RecordType)
            around = known_alignment(base)
            if around is None and not base.type.record.is_tight:
                return place.type.aligned or None
            return _power_of_two(member.offset, around or ct.align_of(base.type))
        case Subscript(base=base) if isinstance(base.type, ArrayType | ComplexType):
            around = known_alignment(base)
            return None if around is None else _power_of_two(ct.size_of(place.type), around)
        case Load(place=inner) if isinstance(place.type, RecordType):
            return known_alignment(inner)
        case _:
            return place.type.aligned or None


def _power_of_two(offset: int, limit: int) -> int:
    """How aligned is what lies so many bytes behind something so aligned?"""
    return min(limit, offset & -offset) if offset else limit


def _may_be_longer(place: Expr) -> bool:
    """Is it all of what a pointer leads to, its last member, or any if it is a union? Whatever its
    length says, it may be as long as there is room, as compilers of C have always taken it
    (`struct { int n; double a[1]; }`)."""
    while isinstance(place, MemberOf) and isinstance(place.base.type, RecordType):
        record = place.base.type.record
        if not record.members:
            return False
        if record.kind == "struct" and place.member is not record.members[-1]:
            return False
        place = place.base
    return isinstance(place, Dereference)
