"""Objects are copied: a small struct member by member, as loops understand it, others as bytes.

Where something lies between the members, the bytes are copied: programs compare whole structs.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.abi import machine_vector
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
)
from polyopt.frontend.language.ir_types import memref_type, scalar_type

_MOST_PARTS = 8


def copy_object(emission: Emission, source: SSAValue, target: SSAValue, type: CType) -> None:
    vector = machine_vector(type)
    if vector is not None:
        _copy_vector(emission, source, target, vector)
        return
    parts = _parts(type)
    if parts is None:
        alignment = 1 if emission.symbols.has_tight_records else ct.align_of(type)
        emission.builder.add(cmem.CopyOp(source, target, ct.size_of(type), alignment))
        return
    views = [
        [
            emission.builder.view(
                emission.places.displace(start, offset), memref_type((), scalar_type(part)), []
            )
            for offset, part in parts
        ]
        for start in (source, target)
    ]
    loads = [emission.builder.add(memref.LoadOp.get(view, [])) for view in views[0]]
    for load, view in zip(loads, views[1], strict=True):
        emission.builder.add(memref.StoreOp.get(load.res, view, []))


def _copy_vector(emission: Emission, source: SSAValue, target: SSAValue, type: Attribute) -> None:
    """As one, which may be accessed as of any type: gcc's vectors may alias everything."""
    emission.symbols.puns = True
    views = [emission.builder.view(place, memref_type((), type), []) for place in (source, target)]
    value = emission.builder.add(memref.LoadOp.get(views[0], [])).res
    emission.builder.add(memref.StoreOp.get(value, views[1], []))


def _parts(type: CType) -> list[tuple[int, CType]] | None:
    """The places and types of the numbers and pointers that a struct consists of; None where they
    are many, or not all that is copied."""
    if not isinstance(type, RecordType | ComplexType):
        return None
    if isinstance(type, RecordType) and type.record.is_tight:
        return None
    found = _scalars(type, 0)
    if found is None or sum(ct.size_of(part) for _, part in found) != ct.size_of(type):
        return None
    return found


def _scalars(type: CType, offset: int) -> list[tuple[int, CType]] | None:
    """None for unions, bit-fields, truth values, long doubles, and what is volatile."""
    if type.volatile:
        return None
    match type:
        case IntType(rank=rank) if rank > ct.BOOL.rank:
            return [(offset, type)]
        case FloatType(size=4 | 8) | PointerType():
            return [(offset, type)]
        case ComplexType(part=part) if part.size <= 8:
            return [(offset, part), (offset + part.size, part)]
        case RecordType(record=record) if record.kind == "struct" and record.members:
            if any(member.bits is not None for member in record.members):
                return None
            inside = [(offset + member.offset, member.type) for member in record.members]
        case ArrayType(element=element, length=int(length)) if length <= _MOST_PARTS:
            inside = [(offset + n * ct.size_of(element), element) for n in range(length)]
        case _:
            return None
    found: list[tuple[int, CType]] = []
    for place, part in inside:
        parts = _scalars(part, place)
        if parts is None or len(found) + len(parts) > _MOST_PARTS:
            return None
        found += parts
    return found
