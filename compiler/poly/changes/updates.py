"""Statements that update an element which they read: where it is, and which dimensions move it."""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.lists import pieces
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Access, Statement


def accumulator(statement: Statement) -> Access | None:
    """The only write, if the same element is read."""
    writes = [a for a in statement.accesses if a.is_write]
    if len(writes) != 1 or not writes[0].is_must:
        return None
    (write,) = writes
    reads = [a for a in statement.accesses if not a.is_write and a.array == write.array]
    if not any(a.is_must and a.relation.is_equal(write.relation) for a in reads):
        return None
    return write


def varies(access: Access, dim: int) -> bool:
    return access.relation.involves_dims(isl.dim_type.in_, dim, 1)


def is_unit_stride(access: Access, dim: int) -> bool:
    """Does a step along `dim` lead to the next element of the last dimension?"""
    element = isl.PwMultiAff.from_map(access.relation)
    count = element.dim(isl.dim_type.out)
    for position in range(count):
        for _, aff in pieces(element.get_at(position)):
            wanted = 1 if position == count - 1 else 0
            step = aff.get_coefficient_val(isl.dim_type.in_, dim)
            if not step.eq(val(wanted)):
                return False
    return count > 0
