"""The view between `poly.scop` operations and `polyopt.poly.scop.Scop`.

The operations are the only truth; a `Scop` is read from them when mathematics is to be done, and
only a schedule is ever written back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import islpy as isl
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
)
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects.cmem import DistinctObjectsOp, ViewOp, memref_type
from polyopt.dialects.cmem_types import bytes_in_memory
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import ReadOp, ScheduleAttr, ScopOp, StmtOp, WriteOp
from polyopt.dialects.poly_moves import moves_of
from polyopt.dialects.poly_reduction import find_reductions
from polyopt.poly.scop import Access, Array, Scop, Statement

if TYPE_CHECKING:
    from polyopt.support.diagnostics import Span

POINTER_BYTES = 8


def read_scop(op: ScopOp) -> Scop:
    """The SCoP that `op` describes; `op` is verified."""
    parameters = {value: name.data for value, name in zip(op.params, op.param_names, strict=True)}
    local = {name.data for name in op.local} if op.local is not None else set[str]()
    arrays = tuple(
        _read_array(value, name.data, parameters, name.data in local)
        for value, name in zip(op.arrays, op.array_names, strict=True)
    )
    names = {value: array.name for value, array in zip(op.arrays, arrays, strict=True)}
    return Scop(
        op.scop_name.data,
        op.context.set(),
        tuple(_read_statement(statement, names) for statement in op.statements()),
        arrays,
        op.schedule.schedule(),
        None if op.assumed is None else op.assumed.set(),
    )


def write_schedule(op: ScopOp, schedule: isl.Schedule) -> None:
    op.properties["schedule"] = ScheduleAttr.of(schedule)


def accesses_of(op: StmtOp) -> list[ReadOp | WriteOp]:
    """The accesses in program order: their places are `Access.position`."""
    return op.accesses()


def iterator_names(op: StmtOp) -> tuple[str, ...]:
    """The C loops' names; where they are not known, those of the block arguments or `i<k>`."""
    if op.iterators is not None:
        return tuple(name.data for name in op.iterators)
    return tuple(
        argument.name_hint or f"i{position}" for position, argument in enumerate(op.body.block.args)
    )


def element_bytes(element: Attribute) -> int:
    """The size of an array element in memory."""
    if isinstance(element, FixedBitwidthType):
        return bytes_in_memory(element)
    return POINTER_BYTES


def _read_statement(op: StmtOp, array_names: dict[SSAValue, str]) -> Statement:
    domain = _read_domain(op)
    accesses: list[Access] = []
    for position, access in enumerate(accesses_of(op)):
        array, relation = array_names[access.array], _read_relation(access, domain, array_names)
        is_must = access.may is None and relation.is_single_valued()
        moves = moves_of(access.index, op) if access.index else None
        is_write = isinstance(access, WriteOp)
        accesses.append(Access(array, relation, is_write, is_must, position, moves))
    return Statement(
        op.stmt_name.data,
        domain,
        tuple(accesses),
        find_reductions(op, array_names),
        iterator_names(op),
        _span(op),
    )


def _read_domain(op: StmtOp) -> isl.Set:
    """The domain in the statement's space, also where it is empty."""
    if not op.domain.is_empty:
        return op.domain.set()
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(op.body.block.args))
    return isl.Set.empty(space.set_tuple_name(isl.dim_type.set, op.stmt_name.data))


def _read_relation(
    op: ReadOp | WriteOp, domain: isl.Set, array_names: dict[SSAValue, str]
) -> isl.Map:
    if not op.relation.is_empty:
        return op.relation.map()
    dimensions, rank = domain.dim(isl.dim_type.set), memref_type(op.array).get_num_dims()
    space = isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, dimensions, rank)
    space = space.set_tuple_name(isl.dim_type.in_, domain.get_tuple_name() or "")
    return isl.Map.empty(space.set_tuple_name(isl.dim_type.out, array_names[op.array]))


def _span(op: StmtOp) -> Span | None:
    """The place of the statement, or of the first operation in it that has one."""
    spans = (span_of(inner) for inner in op.walk())
    return next((span for span in spans if span is not None), None)


def _read_array(
    value: SSAValue, name: str, parameters: dict[SSAValue, str], is_local: bool
) -> Array:
    shape = memref_type(value)
    sizes = iter(dynamic_sizes(value, shape))
    extents = tuple(
        _extent_text(next(sizes), parameters) if extent == DYNAMIC_INDEX else str(extent)
        for extent in shape.get_shape()
    )
    return Array(name, element_bytes(shape.element_type), extents, is_local)


def dynamic_sizes(value: SSAValue, shape: MemRefType[Attribute]) -> list[SSAValue | None]:
    """The extents of the dynamic dimensions, as far as the defining operation tells."""
    owner = value.owner
    while isinstance(owner, DistinctObjectsOp):
        value = owner.operands[owner.results.index(value)]
        owner = value.owner
    count = sum(1 for extent in shape.get_shape() if extent == DYNAMIC_INDEX)
    match owner:
        case ViewOp():
            return [*[None] * (count - len(owner.sizes)), *owner.sizes]
        case memref.AllocaOp() | memref.AllocOp():
            return list(owner.dynamic_sizes)
        case _:
            return [None] * count


def _extent_text(size: SSAValue | None, parameters: dict[SSAValue, str]) -> str | None:
    if size is None:
        return None
    owner = size.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return str(owner.value.value.data)
    return parameters.get(size)
