"""Where the members of a struct or union lie: the System V ABI for x86-64, with GNU C's `packed`,
`aligned` and `#pragma pack` as gcc obeys them.

A bit-field lies in one unit of its type, at the next bit that lets it; one of width 0 closes the
unit. Where members are packed it begins at the next bit, and may lie in two units. One without a
name takes room and is no member, and its type does not align the struct.
"""

from __future__ import annotations

from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, CType, Member, Record, RecordType
from polyopt.support.record import record

_BYTE = 8


@record
class Declared:
    """A member as it is written. `alignment` is what it asks for, 0 for nothing; `bits` the width
    of a bit-field."""

    name: str | None
    type: CType
    alignment: int = 0
    bits: int | None = None
    is_packed: bool = False


@record
class Rules:
    """What holds for the whole struct: `limit` is that of `#pragma pack`, 0 for none; `alignment`
    what the struct asks for."""

    is_packed: bool = False
    limit: int = 0
    alignment: int = 0


def complete_record(record: Record, members: list[Declared], rules: Rules = Rules()) -> None:
    """Lay out the members."""
    position = end = 0
    laid_out: list[Member] = []
    record.alignment = max(1, rules.alignment)
    for member in members:
        if record.kind == "union":
            position = 0
        if member.bits is None:
            position = _place(record, member, position, rules)
            laid_out.append(Member(member.name, member.type, position // _BYTE))
            position += _BYTE * _room(member.type)
        else:
            position = _place_bits(record, member, position, rules)
            if member.name is not None:
                laid_out.append(_bit_field(member, position))
            position += member.bits
        end = max(end, position)
    record.size = ct.round_up(-(-end // _BYTE), record.alignment)
    record.members = tuple(laid_out)
    record.is_tight = any(_is_tight(record, member) for member in laid_out)


def _place(record: Record, member: Declared, position: int, rules: Rules) -> int:
    """The bit at which a member that is none begins."""
    alignment = ct.align_of(member.type)
    if rules.is_packed or member.is_packed:
        alignment = member.alignment or 1
    alignment = max(alignment, member.alignment)
    if rules.limit:
        alignment = min(alignment, rules.limit)
    record.alignment = max(record.alignment, alignment)
    return ct.round_up(position, _BYTE * alignment)


def _place_bits(record: Record, member: Declared, position: int, rules: Rules) -> int:
    """The bit at which a bit-field begins."""
    natural = ct.align_of(member.type)
    unit = _BYTE * natural
    if member.bits == 0:
        return ct.round_up(position, unit)
    assert member.bits is not None
    is_packed = rules.is_packed or member.is_packed
    if member.alignment:
        asked = min(member.alignment, rules.limit or member.alignment)
        position = ct.round_up(position, _BYTE * asked)
        record.alignment = max(record.alignment, asked)
    if not (is_packed or rules.limit) and position % unit + member.bits > _BYTE * ct.size_of(
        member.type
    ):
        position = ct.round_up(position, unit)
    if member.name is not None:
        own = min(natural, rules.limit) if rules.limit else 1 if is_packed else natural
        record.alignment = max(record.alignment, own)
    return position


def _bit_field(member: Declared, position: int) -> Member:
    return Member(
        member.name, member.type, position // _BYTE, bits=member.bits, bit_offset=position % _BYTE
    )


def _room(type: CType) -> int:
    """A flexible array member takes no room."""
    return 0 if isinstance(type, ArrayType) and type.length is None else ct.size_of(type)


def _is_tight(record: Record, member: Member) -> bool:
    """Does something in the member lie where its type alone would not let it?"""
    if member.bits is not None:
        return False
    _, element = ct.array_shape(member.type)
    if isinstance(element, RecordType) and element.record.is_tight:
        return True
    natural = ct.natural_alignment(member.type)
    return bool(member.offset % natural) or record.alignment < natural
