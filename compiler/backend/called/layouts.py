"""How a struct lies in memory: as C declares it, as a NumPy dtype or a ctypes Structure does.

All three become a `Layout`, and are compared as such. Members of unnamed structs are members of the
struct around them, as for C. NumPy's bytes (`S16`) are an array of char.
"""

from __future__ import annotations

import ctypes
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from polyopt.support.record import record

if TYPE_CHECKING:
    from numpy import dtype

_KINDS = {"i": "i", "u": "u", "f": "f", "c": "c"}
_ADDRESSES = frozenset({"pointer", "function", "u64", "i64"})


@record
class Member:
    """`element` is named as in `cmem.parameters`; `shape` holds an array's extents."""

    name: str
    offset: int
    element: str
    shape: tuple[int, ...] = ()
    layout: Layout | None = None

    def __str__(self) -> str:
        type = str(self.layout) if self.layout is not None else self.element
        return f"{type} {self.name}{''.join(f'[{e}]' for e in self.shape)} at {self.offset}"


@record
class Layout:
    """`is_whole`: there is nothing else in it, such as bit-fields."""

    size: int
    members: tuple[Member, ...]
    is_whole: bool = True

    def __str__(self) -> str:
        return f"{{{', '.join(map(str, self.members))}; {self.size} bytes}}"


def fits(declared: Layout, given: Layout) -> bool:
    """Do both lay out the same members in the same way? An address may be an integer."""
    if declared.size != given.size or len(declared.members) != len(given.members):
        return False
    theirs = {member.name: member for member in given.members}
    return all(
        member.name in theirs and _member_fits(member, theirs[member.name])
        for member in declared.members
    )


def is_pair(layout: Layout, element: str) -> bool:
    """Two numbers of this kind, one behind the other, as the parts of a complex number lie."""
    where = [(one.offset, one.element, one.shape) for one in layout.members]
    half = layout.size // 2
    return where == [(0, element, ()), (half, element, ())] and 8 * half == int(element[1:])


def _member_fits(declared: Member, given: Member) -> bool:
    if (declared.offset, declared.shape) != (given.offset, given.shape):
        return False
    if declared.layout is not None and given.layout is not None:
        return fits(declared.layout, given.layout)
    if declared.element in ("pointer", "function"):
        return given.element in _ADDRESSES
    return declared.element == given.element


# NumPy

_DTYPES = {
    "i8": "int8",
    "u8": "uint8",
    "i16": "int16",
    "u16": "uint16",
    "i32": "int32",
    "u32": "uint32",
    "i64": "int64",
    "u64": "uint64",
    "f32": "float32",
    "f64": "float64",
    "f80": "longdouble",
    "c64": "complex64",
    "c128": "complex128",
    "bool": "bool",
    "pointer": "uintp",
}


def numpy_name(element: str) -> str | None:
    """What NumPy calls an element; None where it has none such."""
    return _DTYPES.get(element)


def dtype_of(layout: Layout) -> Any:
    """The dtype of a struct, for `numpy.dtype`; TypeError where a member has none."""
    return {
        "names": [member.name for member in layout.members],
        "formats": [_dtype_of_member(member) for member in layout.members],
        "offsets": [member.offset for member in layout.members],
        "itemsize": layout.size,
    }


def _dtype_of_member(member: Member) -> Any:
    if member.layout is not None:
        kind = dtype_of(member.layout)
    else:
        kind = numpy_name("pointer" if member.element == "function" else member.element)
    if kind is None:
        raise TypeError(f"{member}: NumPy has no such elements")
    return (kind, member.shape) if member.shape else kind


def layout_of_dtype(type: dtype[Any]) -> Layout | None:
    """The layout of a structured dtype; None of any other."""
    if type.fields is None:
        return None
    members = [_dtype_member(name, each[1], each[0]) for name, each in type.fields.items()]
    return Layout(type.itemsize, _sorted(members))


def _dtype_member(name: str, offset: int, type: dtype[Any]) -> Member:
    shape = type.shape
    base = type.base
    if base.kind == "S":
        return Member(name, offset, "i8", (*shape, base.itemsize))
    element = "bool" if base.kind == "b" else str(base)
    if base.kind in _KINDS and base.isnative:
        element = f"{_KINDS[base.kind]}{8 * base.itemsize}"
        element = "f80" if element == "f128" else element
    layout = layout_of_dtype(base)
    return Member(name, offset, "struct" if layout else element, shape, layout)


# ctypes

_ELEMENTS: dict[Any, str] = {
    ctypes.c_char: "i8",
    ctypes.c_bool: "bool",
    ctypes.c_float: "f32",
    ctypes.c_double: "f64",
    ctypes.c_longdouble: "f80",
    ctypes.c_void_p: "pointer",
    ctypes.c_char_p: "pointer",
    **{
        type: f"{sign}{8 * ctypes.sizeof(type)}"
        for sign, types in (
            ("i", (ctypes.c_byte, ctypes.c_short, ctypes.c_int, ctypes.c_long, ctypes.c_longlong)),
            (
                "u",
                (
                    ctypes.c_ubyte,
                    ctypes.c_ushort,
                    ctypes.c_uint,
                    ctypes.c_ulong,
                    ctypes.c_ulonglong,
                ),
            ),
        )
        for type in types
    },
}


def layout_of_ctype(type: Any) -> Layout | None:
    """The layout of a ctypes Structure or Union; None of any other type."""
    if not issubclass(type, ctypes.Structure | ctypes.Union):
        return None
    members: list[Member] = []
    unnamed = getattr(type, "_anonymous_", ())
    for name, kind, *bits in getattr(type, "_fields_", ()):
        offset = getattr(type, name).offset
        inner = layout_of_ctype(kind)
        if inner is not None and name in unnamed:
            members += [_moved(member, offset) for member in inner.members]
        else:
            members.append(_ctype_member(name, offset, kind, bits))
    return Layout(ctypes.sizeof(type), _sorted(members))


def _ctype_member(name: str, offset: int, type: Any, bits: list[int]) -> Member:
    type, shape = _array_shape(type)
    layout = layout_of_ctype(type)
    element = "struct" if layout else _ELEMENTS.get(type, "pointer")
    if bits:
        element = "bit-field"
    return Member(name, offset, element, shape, layout)


def _array_shape(type: Any) -> tuple[Any, tuple[int, ...]]:
    """What an array of arrays consists of in the end, and its extents."""
    shape: list[int] = []
    while issubclass(type, ctypes.Array):
        type, extent = attrgetter("_type_", "_length_")(type)
        shape.append(extent)
    return type, tuple(shape)


def element_of_pointer(pointer: Any) -> Any:
    """The type that a ctypes pointer, array or `byref` refers to; None where it does not say."""
    referred = getattr(pointer, "_obj", None)  # of byref
    target: Any = getattr(pointer, "_type_", None)
    if referred is not None:
        target = referred.__class__
    return _array_shape(target)[0] if isinstance(target, type) else None


def _moved(member: Member, offset: int) -> Member:
    return Member(member.name, member.offset + offset, member.element, member.shape, member.layout)


def _sorted(members: list[Member]) -> tuple[Member, ...]:
    return tuple(sorted(members, key=lambda member: (member.offset, member.name)))
