"""How values travel between functions: the System V ABI for x86-64, section 3.2.3.

A scalar is one IR value; an integer of 128 bits takes two registers, or lies on the stack. A struct
or complex number of at most 16 bytes is one IR value for each eightbyte: an i64 where an integer or
pointer lies in it, else an f64 (whose bits may be two floats). A vector of the machine, and a
struct or union of nothing else, is one vector. A larger struct, or one that finds too few registers
left, lies in memory: as an argument behind a pointer `llvm.byval`, as a result behind a hidden
first argument `llvm.sret`. A complex long double lies in memory as an argument, and in two
registers as a result.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FixedBitwidthType,
    Float80Type,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    VectorType,
    f32,
    f64,
    i64,
)
from xdsl.ir import Attribute

from polyopt.dialects.cmem import PTR
from polyopt.dialects.shaped_types import is_vector
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FunctionType,
    IntType,
    RecordType,
)
from polyopt.frontend.language.ir_types import scalar_type
from polyopt.support.record import record

f80 = Float80Type()
i128 = IntegerType(128)
_INTEGER_REGISTERS = 6
_SSE_REGISTERS = 8

_MACHINE_VECTORS: dict[str | None, VectorType[Attribute]] = {
    "__m128": VectorType(f32, [4]),
    "__m128d": VectorType(f64, [2]),
    "__m128i": VectorType(i64, [2]),
    "__m256": VectorType(f32, [8]),
    "__m256d": VectorType(f64, [4]),
    "__m256i": VectorType(i64, [4]),
}
"""What travels in one vector register: the structs of these tags, which our own <xmmintrin.h>,
<emmintrin.h> and <immintrin.h> declare. Their class is SSE, then SSEUP."""


@record
class Passing:
    """How one C value is passed: the IR types of its parts; `in_memory` where it is a pointer
    to the object instead. A record without members has no parts."""

    type: CType
    parts: tuple[Attribute, ...]
    in_memory: bool = False

    @property
    def is_record(self) -> bool:
        return isinstance(self.type, RecordType)

    @property
    def is_complex(self) -> bool:
        return isinstance(self.type, ComplexType)

    def attributes(self, *, is_result: bool = False) -> list[DictionaryAttr]:
        """The argument attributes of each part."""
        if self.in_memory:
            name = "llvm.sret" if is_result else "llvm.byval"
            size = IntegerAttr(ct.size_of(self.type), i64)
            align = IntegerAttr(max(8, ct.align_of(self.type)), i64)
            return [DictionaryAttr({name: size, "llvm.align": align})]
        if isinstance(self.type, IntType) and self.type.size < 4:
            # The caller extends; both sides say so.
            name = "llvm.signext" if self.type.signed else "llvm.zeroext"
            return [DictionaryAttr({name: UnitAttr()})]
        return [DictionaryAttr({}) for _ in self.parts]


@record
class Signature:
    """A function's type in terms of IR values."""

    result: Passing
    parameters: tuple[Passing, ...]

    @property
    def inputs(self) -> tuple[Attribute, ...]:
        hidden = (PTR,) if self.result.in_memory else ()
        return hidden + tuple(part for p in self.parameters for part in p.parts)

    @property
    def outputs(self) -> tuple[Attribute, ...]:
        return () if self.result.in_memory else self.result.parts

    @property
    def argument_attributes(self) -> ArrayAttr[DictionaryAttr] | None:
        """The attributes of `inputs`; None where there are none."""
        return _attributes(self.result.in_memory, self)

    @property
    def parameter_attributes(self) -> ArrayAttr[DictionaryAttr] | None:
        """The attributes of what the parameters are passed as."""
        return _attributes(False, self)


def _attributes(with_result: bool, signature: Signature) -> ArrayAttr[DictionaryAttr] | None:
    found = signature.result.attributes(is_result=True) if with_result else []
    for passing in signature.parameters:
        found += passing.attributes()
    return ArrayAttr(found) if any(each.data for each in found) else None


def signature_of(type: FunctionType) -> Signature:
    result = pass_result(type.result)
    return Signature(result, pass_arguments(type.parameters, result))


def pass_result(type: CType) -> Passing:
    if isinstance(type, ct.VoidType):
        return Passing(type, ())
    if not isinstance(type, RecordType | ComplexType):
        return Passing(type, (scalar_type(type),))
    if isinstance(type, ComplexType) and type.part == ct.LDOUBLE:
        return Passing(type, (f80, f80))
    eightbytes = classify(type)
    if eightbytes is None:
        return Passing(type, (PTR,), in_memory=True)
    return Passing(type, eightbytes)


def pass_arguments(types: tuple[CType, ...], result: Passing) -> tuple[Passing, ...]:
    """The arguments from left to right, as long as there are registers."""
    integers = _INTEGER_REGISTERS - int(result.in_memory)
    vectors = _SSE_REGISTERS
    passed: list[Passing] = []
    for given in types:
        type = _passed_as(given)
        if isinstance(type, RecordType | ComplexType):
            parts = classify(type)
            if (
                parts is None
                or f80 in parts
                or parts.count(i64) > integers
                or sum(map(_is_in_vector, parts)) > vectors
            ):
                passed.append(Passing(type, (PTR,), in_memory=True))
                continue
        else:
            parts = (scalar_type(type),)
        is_float = [isinstance(type, ct.FloatType) or _is_in_vector(part) for part in parts]
        if f80 in parts:  # always on the stack
            passed.append(Passing(given, parts))
            continue
        vectors = max(0, vectors - sum(is_float))
        wanted = 2 if i128 in parts else len(parts) - sum(is_float)
        if i128 not in parts or wanted <= integers:
            integers = max(0, integers - wanted)
        passed.append(Passing(given, parts))
    return tuple(passed)


def _passed_as(type: CType) -> CType:
    """A transparent union goes as its first member does, any other type as itself."""
    if isinstance(type, RecordType) and type.record.is_transparent and type.record.members:
        return ct.unqualified(type.record.members[0].type)
    return type


def machine_vector(type: CType) -> VectorType[Attribute] | None:
    """The register's type, where a value of this type lies in one vector register."""
    return _MACHINE_VECTORS.get(type.record.tag) if isinstance(type, RecordType) else None


def size_of_parts(parts: tuple[Attribute, ...]) -> int:
    """The bytes that the parts of a record take; a long double takes 16."""
    return sum(_vector_bytes(part) or (16 if part == f80 else 8) for part in parts)


def _vector_bytes(part: Attribute) -> int:
    if not is_vector(part):
        return 0
    assert isinstance(part.element_type, FixedBitwidthType)
    return part.element_count() * part.element_type.size


def _is_in_vector(part: Attribute) -> bool:
    return part == f64 or isinstance(part, VectorType)


def argument_parts(type: CType) -> tuple[Attribute, ...]:
    """The eightbytes in which a variable argument goes in registers, where there are enough:
    an i64 or an f64 each. None for what always lies in memory."""
    if isinstance(type, RecordType | ComplexType):
        parts = classify(type) or ()
        # Of vectors of 256 bits registers hold but a half.
        is_long = any(_vector_bytes(part) > 16 for part in parts)
        return () if is_long or f80 in parts else parts
    if isinstance(type, IntType) and type.size > 8:
        return (i64, i64)
    if isinstance(type, ct.FloatType) and type.size == ct.LDOUBLE.size:
        return ()
    return (f64 if isinstance(type, ct.FloatType) else i64,)


def classify(type: RecordType | ComplexType) -> tuple[Attribute, ...] | None:
    """The eightbytes of a record or a complex number that goes in registers; None for one that goes
    in memory."""
    size = ct.size_of(type)
    if size > 32:
        return None
    found = list(_scalars(type, 0))
    vectors = [vector for one, _ in found if (vector := machine_vector(one)) is not None]
    if vectors and len(vectors) == len(found):
        return (vectors[0],) if all(_vector_bytes(one) == size for one in vectors) else None
    if size > 16:
        return None
    eightbytes: list[Attribute] = [f64] * (-(-size // 8))
    scalars = [(one, offset) for one, offset in found if machine_vector(one) is None]
    if any(offset % ct.natural_alignment(scalar) for scalar, offset in scalars):
        return None
    if any(scalar == ct.LDOUBLE for scalar, _ in scalars):
        return (f80,) if len(scalars) == 1 else None
    for scalar, offset in scalars:
        if not isinstance(scalar, ct.FloatType):
            for place in range(offset // 8, -(-(offset + ct.size_of(scalar)) // 8)):
                eightbytes[place] = i64
    for start, bits in _bit_fields(type, 0):
        for place in (start, start + bits - 1):
            eightbytes[place // 64] = i64
    return tuple(eightbytes)


def _bit_fields(type: CType, offset: int) -> Iterator[tuple[int, int]]:
    """The first bit of each bit-field in the type, and its width."""
    match type:
        case RecordType(record=record):
            for member in record.members or ():
                start = offset + member.offset
                if member.bits is not None:
                    yield 8 * start + member.bit_offset, member.bits
                else:
                    yield from _bit_fields(member.type, start)
        case ArrayType(element=element, length=int(length)):
            for position in range(length):
                yield from _bit_fields(element, offset + position * ct.size_of(element))
        case _:
            pass


def _scalars(type: CType, offset: int) -> Iterator[tuple[CType, int]]:
    """The numbers, pointers and vectors of the machine in a type, and where they begin."""
    match type:
        case RecordType() if machine_vector(type) is not None:
            yield type, offset
        case RecordType(record=record):
            for member in record.members or ():
                if member.bits is not None:
                    continue
                yield from _scalars(member.type, offset + member.offset)
        case ArrayType(element=element, length=int(length)):
            for position in range(length):
                yield from _scalars(element, offset + position * ct.size_of(element))
        case ArrayType():
            pass
        case ComplexType(part=part):
            yield from ((part, offset), (part, offset + part.size))
        case _:
            yield type, offset
