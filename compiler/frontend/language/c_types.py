"""C types as values, with the sizes and alignments of the x86-64 System V ABI.

Types are frozen and compared by structure; a struct or union is compared by identity of its
`Record`, which is completed when its members are seen. Qualifiers are part of a type;
`unqualified` takes them off.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TypeVar, cast

from polyopt.support.record import entity, record


@record
class CType:
    """What all types have: qualifiers, and how its objects are aligned where it says so itself (0:
    as they naturally are)."""

    const: bool = field(default=False, kw_only=True)
    volatile: bool = field(default=False, kw_only=True)
    atomic: bool = field(default=False, kw_only=True)
    aligned: int = field(default=0, kw_only=True, compare=False)

    def __str__(self) -> str:
        return spell(self)


Type = TypeVar("Type", bound=CType)


@record
class VoidType(CType):
    pass


@record
class IntType(CType):
    """An integer type; `rank` orders the conversions (C 6.3.1.1). An enumerated type is the
    integer type it is compatible with, under its own name."""

    name: str
    size: int
    signed: bool
    rank: int

    @property
    def bits(self) -> int:
        return 8 * self.size

    @property
    def minimum(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        if self.is_bool:
            return 1
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    @property
    def is_bool(self) -> bool:
        return self.rank == 0

    def wrap(self, value: int) -> int:
        """The value of this type that is congruent to `value` (for _Bool: is it not 0)."""
        if self.is_bool:
            return int(value != 0)
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value > self.maximum else value


@record
class BitFieldType(IntType):
    """The values that a bit-field holds; no expression has this type."""

    width: int

    @property
    def bits(self) -> int:
        return self.width


def held_by(field: Member) -> CType:
    """The type of what a member holds."""
    type = field.type
    if field.bits is None or not isinstance(type, IntType) or type.is_bool:
        return type
    name = f"{type.name}:{field.bits}"
    return BitFieldType(name, type.size, type.signed, type.rank, field.bits)


@record
class FloatType(CType):
    name: str
    size: int


@record
class ComplexType(CType):
    """A complex number lies in memory as an array of two, the real part and the imaginary one."""

    part: FloatType


@record
class PointerType(CType):
    target: CType
    restrict: bool = field(default=False, compare=False)


@record(eq=False)
class VariableLength:
    """The length of a VLA: an expression that is evaluated where its declaration is reached.
    Compared by identity. `text` is how it is spelled over names and numbers, "" where it is
    anything but arithmetic; the expression itself is `typed_tree.ComputedLength`'s, for
    expressions have types."""

    text: str


@record
class ArrayType(CType):
    """`length` is None while unknown: `int a[]`."""

    element: CType
    length: int | VariableLength | None


@record
class FunctionType(CType):
    """`prototyped` is false for `f()`, which says nothing of its parameters."""

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool = False
    prototyped: bool = True


@record
class Member:
    """A member of a record; an anonymous struct or union has name None. A bit-field of `bits` bits
    begins `bit_offset` bits (fewer than 8) behind its offset, the least significant bit first."""

    name: str | None
    type: CType
    offset: int
    bits: int | None = field(default=None, kw_only=True)
    bit_offset: int = field(default=0, kw_only=True)


@entity
class Record:
    """A struct or union; incomplete while `members` is None. `is_tight`: something in it is aligned
    less than its type would have it. `alias`: what the first typedef calls one without a tag.
    `is_transparent`: as a parameter, a union takes what any of its members does."""

    kind: str
    tag: str | None
    members: tuple[Member, ...] | None = None
    size: int = 0
    alignment: int = 1
    is_tight: bool = False
    alias: str | None = None
    is_transparent: bool = False

    def find(self, name: str) -> Member | None:
        """The member of this name, through anonymous members, at its offset in this record."""
        for member in self.members or ():
            if member.name == name:
                return member
            if member.name is None and isinstance(member.type, RecordType):
                inner = member.type.record.find(name)
                if inner is not None:
                    return replace(inner, offset=member.offset + inner.offset)
        return None


@record
class RecordType(CType):
    record: Record


VOID = VoidType()
BOOL = IntType("_Bool", 1, False, 0)
CHAR = IntType("char", 1, True, 1)
UNSIGNED_CHAR = IntType("char", 1, False, 1)
"""`char` with -funsigned-char: still a type of its own."""
SCHAR = IntType("signed char", 1, True, 1)
UCHAR = IntType("unsigned char", 1, False, 1)
SHORT = IntType("short", 2, True, 2)
USHORT = IntType("unsigned short", 2, False, 2)
INT = IntType("int", 4, True, 3)
UINT = IntType("unsigned int", 4, False, 3)
LONG = IntType("long", 8, True, 4)
ULONG = IntType("unsigned long", 8, False, 4)
LLONG = IntType("long long", 8, True, 5)
ULLONG = IntType("unsigned long long", 8, False, 5)
INT128 = IntType("__int128", 16, True, 6)
UINT128 = IntType("unsigned __int128", 16, False, 6)
FLOAT = FloatType("float", 4)
DOUBLE = FloatType("double", 8)
LDOUBLE = FloatType("long double", 16)
COMPLEX_OF = {part: ComplexType(part) for part in (FLOAT, DOUBLE, LDOUBLE)}
POINTER_SIZE = 8
BUILT_IN = {"__int128_t": INT128, "__uint128_t": UINT128}
"""Types that have a name without a declaration."""

UNSIGNED_OF = {INT: UINT, LONG: ULONG, LLONG: ULLONG, INT128: UINT128}


def is_plain_char(type: CType) -> bool:
    return isinstance(type, IntType) and type.name == CHAR.name


def unqualified(type: Type) -> Type:
    """Types of tables are asked for once an element: the last few answers are kept."""
    if not (type.const or type.volatile or type.atomic):
        return type
    known = _UNQUALIFIED.get(id(type))
    if known is None:
        if len(_UNQUALIFIED) >= _MOST_UNQUALIFIED:
            _UNQUALIFIED.clear()
        known = type, replace(type, const=False, volatile=False, atomic=False)
        _UNQUALIFIED[id(type)] = known
    return cast("Type", known[1])


_UNQUALIFIED: dict[int, tuple[CType, CType]] = {}
"""By the identity of a type, which is kept so that no other one gets it."""
_MOST_UNQUALIFIED = 256


def qualified(type: CType, *, const: bool = False, volatile: bool = False) -> CType:
    """The type with these qualifiers added; those of an array are its elements' (C 6.7.3)."""
    if not (const or volatile):
        return type
    if isinstance(type, ArrayType):
        return replace(type, element=qualified(type.element, const=const, volatile=volatile))
    return replace(type, const=type.const or const, volatile=type.volatile or volatile)


def is_integer(type: CType) -> bool:
    return isinstance(type, IntType)


def is_real(type: CType) -> bool:
    """A number that can be ordered."""
    return isinstance(type, IntType | FloatType)


def is_arithmetic(type: CType) -> bool:
    return isinstance(type, IntType | FloatType | ComplexType)


def is_scalar(type: CType) -> bool:
    return isinstance(type, IntType | FloatType | ComplexType | PointerType)


def is_single(type: CType) -> bool:
    """A scalar that is one value, not two as a complex number is."""
    return isinstance(type, IntType | FloatType | PointerType)


def is_accessed_as_one(type: CType) -> bool:
    """Does the machine read and write an object of this type at once?"""
    return is_single(type) and size_of(type) <= 8


def part_of(type: ComplexType) -> FloatType:
    """The type of the parts of an object of this type, qualified as that is."""
    return replace(type.part, const=type.const, volatile=type.volatile)


def is_complete(type: CType) -> bool:
    """Is its size known (a VLA's is, when it runs)?"""
    match type:
        case VoidType() | FunctionType():
            return False
        case ArrayType(element=element, length=length):
            return length is not None and is_complete(element)
        case RecordType(record=record):
            return record.members is not None
        case _:
            return True


def is_flexible(type: CType) -> bool:
    """Does a struct end in an array of unknown length?"""
    if not isinstance(type, RecordType) or not type.record.members:
        return False
    last = type.record.members[-1].type
    return (isinstance(last, ArrayType) and last.length is None) or is_flexible(last)


def is_variably_modified(type: CType) -> bool:
    """Does a VLA take part in the type (C 6.7.6)?"""
    match type:
        case ArrayType(element=element, length=length):
            return isinstance(length, VariableLength) or is_variably_modified(element)
        case PointerType(target=target):
            return is_variably_modified(target)
        case _:
            return False


def is_variable_length(type: CType) -> bool:
    """Is its size known only when it runs?"""
    return isinstance(type, ArrayType) and (
        isinstance(type.length, VariableLength) or is_variable_length(type.element)
    )


def variable_lengths(type: CType) -> list[VariableLength]:
    """The lengths to evaluate where a declaration of this type is reached, outermost first."""
    match type:
        case ArrayType(element=element, length=length):
            own = [length] if isinstance(length, VariableLength) else []
            return own + variable_lengths(element)
        case PointerType(target=target):
            return variable_lengths(target)
        case _:
            return []


def size_of(type: CType) -> int:
    """The size in bytes of a complete type that is no VLA."""
    match type:
        case IntType(size=size) | FloatType(size=size):
            return size
        case ComplexType(part=part):
            return 2 * part.size
        case PointerType():
            return POINTER_SIZE
        case ArrayType(element=element, length=int(length)):
            return length * size_of(element)
        case RecordType(record=record):
            return record.size
        case VoidType() | FunctionType():
            return 1  # GNU C: arithmetic on void * and on functions counts bytes
        case _:
            raise AssertionError(f"no constant size: {type}")


def align_of(type: CType) -> int:
    if type.aligned:
        return type.aligned
    return align_of(type.element) if isinstance(type, ArrayType) else natural_alignment(type)


def natural_alignment(type: CType) -> int:
    """As `align_of`, of what the type does not say itself."""
    match type:
        case ArrayType(element=element):
            return natural_alignment(element)
        case RecordType(record=record):
            return record.alignment
        case ComplexType(part=part):
            return part.size
        case _:
            return size_of(type)


def array_shape(type: CType) -> tuple[tuple[int | VariableLength | None, ...], CType]:
    """The extents of a multi-dimensional array, outermost first, and its element; the innermost of
    complex numbers is their two parts."""
    extents: list[int | VariableLength | None] = []
    while isinstance(type, ArrayType):
        extents.append(type.length)
        type = type.element
    if isinstance(type, ComplexType):
        extents.append(2)
        type = part_of(type)
    return tuple(extents), type


def round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def spell(type: CType, declarator: str = "") -> str:
    """The type as C text around a declarator: `spell(int[3], "*p")` is `int (*p)[3]`... for a
    pointer to it."""
    quals = "_Atomic " * type.atomic + "const " * type.const + "volatile " * type.volatile
    gap = " " if declarator else ""
    match type:
        case PointerType(target=target, restrict=restrict):
            inner = "*" + quals + "restrict " * restrict + declarator
            if isinstance(target, ArrayType | FunctionType):
                inner = f"({inner.rstrip()})"
            return spell(target, inner.rstrip())
        case ArrayType(element=element, length=length):
            extent = _spell_length(length)
            return spell(element, f"{declarator}[{extent}]")
        case FunctionType(result=result, parameters=parameters, variadic=variadic):
            items = [spell(p) for p in parameters] + ["..."] * variadic
            if type.prototyped and not items:
                items = ["void"]
            return spell(result, f"{declarator}({', '.join(items)})")
        case RecordType(record=record):
            return f"{quals}{_record_name(record)}{gap}{declarator}"
        case IntType(name=name) | FloatType(name=name):
            return f"{quals}{name}{gap}{declarator}"
        case ComplexType(part=part):
            return f"{quals}_Complex {part.name}{gap}{declarator}"
        case _:
            return f"{quals}void{gap}{declarator}"


def name_record(type: CType, alias: str) -> None:
    """A struct that has no tag is called by the first typedef of it."""
    if isinstance(type, RecordType) and type.record.alias is None:
        type.record.alias = alias


def _record_name(record: Record) -> str:
    if record.tag is None and record.alias is not None:
        return record.alias
    return f"{record.kind} {record.tag or '<anonymous>'}"


def _spell_length(length: int | VariableLength | None) -> str:
    if length is None:
        return ""
    if isinstance(length, int):
        return str(length)
    return length.text or "*"
