"""Where a scalar is stored: an element of a memref, or some bits of bytes."""

from __future__ import annotations

from xdsl.ir import SSAValue

from polyopt.frontend.language.c_types import Member
from polyopt.support.record import record


@record
class Element:
    """One element of a memref; `alignment` where it is less than its type asks for."""

    memref: SSAValue
    indices: list[SSAValue]
    volatile: bool = False
    alignment: int | None = None


@record
class Pair:
    """The value of a complex number: its parts."""

    real: SSAValue
    imaginary: SSAValue


@record
class BitPlace:
    """A bit-field in memory: the pointer to its first byte, the member, and whether each access is
    observable."""

    start: SSAValue
    member: Member
    volatile: bool = False
