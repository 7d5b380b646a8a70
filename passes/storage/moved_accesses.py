"""Writes moved accesses back into a `poly.scop`, and tells which arrays are dead after it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace
from math import prod

import islpy as isl
from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.poly import MapAttr, ReadOp, ScheduleAttr, ScopOp, SetAttr, StmtOp, WriteOp
from polyopt.dialects.poly_view import accesses_of, write_schedule
from polyopt.ir.control.cfg import comes_back
from polyopt.ir.problem import SOURCE_SCHEDULE
from polyopt.poly.changes.extents import Extent, constant_extent, forms_of, greatest_extents
from polyopt.poly.changes.storage import Move, dataflow
from polyopt.poly.scop import Array, Scop, Statement
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES


def with_known_locals(op: ScopOp, scop: Scop) -> Scop:
    """`scop` with every array local that the function cannot read after the SCoP, nor the SCoP when
    it runs again."""
    values = dict(zip((name.data for name in op.array_names), op.arrays, strict=True))
    runs_again = op.parent is not None and comes_back(op.parent)

    def is_local(array: Array) -> bool:
        if array.is_local or not is_dead_after(op, values[array.name]):
            return array.is_local
        return not runs_again or dataflow(scop, {array.name})[1].is_empty()

    arrays = tuple(replace(array, is_local=is_local(array)) for array in scop.arrays)
    return replace(scop, arrays=arrays)


def is_dead_after(op: ScopOp, array: SSAValue) -> bool:
    """A variable of the function that nothing which may run after `op` reads but `op` itself: a
    number may be set first on all ways."""
    if not isinstance(array, OpResult) or not isinstance(array.op, memref.AllocaOp):
        return False
    here = op.parent
    assert here is not None
    if array.op.parent_region() is not here.parent_region():
        return False
    users: dict[Block, list[Operation]] = {}
    for use in array.uses:
        user = _ancestor_in(use.operation, here)
        if user is None or user.parent is None:
            return False
        if user is not op:
            users.setdefault(user.parent, []).append(user)
    behind = [one for one in users.get(here, ()) if not one.is_before_in_block(op)]
    if behind:
        return _is_set(behind, array)
    seen, pending = set[Block](), [here]
    while pending:
        last = pending.pop().last_op
        for block in last.successors if last is not None else ():
            if block in seen:
                continue
            seen.add(block)
            if block not in users:
                pending.append(block)
            elif not _is_set(users[block], array):
                return False
    return True


def _is_set(users: Seq[Operation], array: SSAValue) -> bool:
    """Is the first of these operations of a block a store to the variable, which is a number?"""
    first = users[0]
    for one in users[1:]:
        first = one if one.is_before_in_block(first) else first
    return isinstance(first, memref.StoreOp) and first.memref is array and not first.indices


def _ancestor_in(op: Operation, block: Block) -> Operation | None:
    """`op` or the operation around it that lies in the region of `block`."""
    current: Operation | None = op
    while current is not None and current.parent_region() is not block.parent_region():
        current = current.parent_op()
    return current


def write_domains(op: ScopOp, scop: Scop) -> None:
    """The statements run the instances that they have in `scop`, in its order."""
    for statement in op.statements():
        statement.properties["domain"] = SetAttr.of(scop.statement(statement.stmt_name.data).domain)
    op.properties["schedule"] = ScheduleAttr.of(scop.schedule)
    kept = op.attributes.get(SOURCE_SCHEDULE)
    if isinstance(kept, ScheduleAttr):
        order = kept.schedule().intersect_domain(scop.domain)
        op.attributes[SOURCE_SCHEDULE] = ScheduleAttr.of(order)


def element_type_of(op: ScopOp, array: str) -> Attribute:
    return memref_type(_array(op, array)).element_type


def _array(op: ScopOp, name: str) -> SSAValue:
    return next(v for v, n in zip(op.arrays, op.array_names, strict=True) if n.data == name)


def write_moves(op: ScopOp, moves: Iterable[Move]) -> None:
    """The accesses go to their new arrays, which are arrays of the SCoP."""
    for move in moves:
        array = _array(op, move.array.name)
        for (statement, position), relation in move.relations.items():
            (owner,) = [s for s in op.statements() if s.stmt_name.data == statement]
            access = accesses_of(owner)[position]
            where = 0 if isinstance(access, ReadOp) else 1
            access.operands[where] = array
            access.properties["relation"] = MapAttr.of(relation)


def drop_copies_in_place(op: ScopOp, scop: Scop) -> None:
    """Statements that write a value to where they have read it do not run."""
    without_statements(op, scop, [one for one in op.statements() if _is_copy_in_place(one, scop)])


def without_statements(op: ScopOp, scop: Scop, gone: Seq[StmtOp]) -> None:
    """Those do not run."""
    if not gone:
        return
    names = {one.stmt_name.data for one in gone}
    kept = isl.UnionSet.empty(scop.context.get_space())
    for statement in scop.statements:
        if statement.name not in names:
            kept = kept.union(isl.UnionSet.from_set(statement.domain))
    write_schedule(op, scop.schedule.intersect_domain(kept))
    for one in gone:
        one.detach()
        one.erase()


def _is_copy_in_place(statement: StmtOp, scop: Scop) -> bool:
    accesses = accesses_of(statement)
    if len(accesses) != 2:
        return False
    read, write = accesses
    is_copy = isinstance(read, ReadOp) and isinstance(write, WriteOp) and write.value is read.result
    if not is_copy:
        return False
    before, after = scop.statement(statement.stmt_name.data).accesses
    return (
        before.array == after.array
        and before.is_must
        and after.is_must
        and before.relation.is_equal(after.relation)
        and after.relation.is_single_valued()
    )


def with_new_array(
    op: ScopOp, name: str, source: str, extents: Seq[Extent], *, is_static: bool = False
) -> ScopOp:
    """The SCoP with one more array, which is allocated in front and freed behind it. `is_static`:
    its type says what is known of its extents; that of a small array does where parameters decide
    on them that are never great."""
    element = element_type_of(op, source)
    known = [constant_extent(extent) if is_static else None for extent in extents]
    if not is_static and None in map(constant_extent, extents):
        most = greatest_extents(extents, op.context.set())
        known = known if most is None or prod(most) > CORE.code.small_array else most
    shape = [DYNAMIC_INDEX if size is None else size for size in known]
    sizes = [
        emit_extent(op, extent)
        for extent, size in zip(extents, shape, strict=True)
        if size == DYNAMIC_INDEX
    ]
    alignment = IntegerAttr(LINE_BYTES, 64)
    allocation = memref.AllocOp(sizes, [], MemRefType(element, shape), alignment)
    allocation.memref.name_hint = name
    _insert(allocation, op)
    local = [] if op.local is None else [one.data for one in op.local]
    new = ScopOp(
        op.scop_name.data,
        list(op.params),
        [one.data for one in op.param_names],
        [*op.arrays, allocation.memref],
        [*(one.data for one in op.array_names), name],
        op.context,
        op.schedule,
        op.detach_region(op.body),
        assumed=op.assumed,
        local=[*local, name],
    )
    new.attributes = dict(op.attributes)
    new.location = op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    release = memref.DeallocOp.get(allocation.memref)
    release.location = op.location
    Rewriter.insert_op(release, InsertPoint.after(new))
    Rewriter.erase_op(op)
    return new


def emit_extent(op: ScopOp, extent: Extent) -> SSAValue:
    """The extent, at least 0, from the SCoP's parameters."""
    names = [name.data for name in op.param_names]
    greatest = _insert(arith.ConstantOp(IntegerAttr(0, IndexType())), op).results[0]
    for form in forms_of(extent):
        map_ = AffineMapAttr(AffineMap(len(names), 0, (_floor(form, names),)))
        size = _insert(affine.ApplyOp(list(op.params), map_), op)
        greatest = _insert(arith.MaxSIOp(size.results[0], greatest), op).results[0]
    return greatest


def _floor(value: isl.Aff, names: Seq[str]) -> AffineExpr:
    """Of a form of parameters and of floors of such forms."""
    divisor = value.get_denominator_val()
    whole = value.scale_val(divisor)
    expr = AffineExpr.constant(int(whole.get_constant_val().to_python()))
    for position in range(whole.dim(isl.dim_type.param)):
        factor = int(whole.get_coefficient_val(isl.dim_type.param, position).to_python())
        if factor:
            name = whole.get_dim_name(isl.dim_type.param, position) or ""
            expr = AffineExpr.dimension(names.index(name)) * factor + expr
    for position in range(whole.dim(isl.dim_type.div)):
        factor = int(whole.get_coefficient_val(isl.dim_type.div, position).to_python())
        if factor:
            expr = _floor(whole.get_div(position), names) * factor + expr
    by = int(divisor.to_python())
    return expr if by == 1 else expr // by


def _insert(new: Operation, before: ScopOp) -> Operation:
    new.location = before.location
    Rewriter.insert_op(new, InsertPoint.before(before))
    return new


def append_copy(op: ScopOp, statement: Statement, schedule: isl.Schedule) -> None:
    """A statement that stores what it reads, under a schedule that has it."""
    add_copy(op, statement)
    op.properties["schedule"] = ScheduleAttr.of(schedule)


def add_copy(op: ScopOp, statement: Statement) -> None:
    """A statement that stores what it reads, which the schedule does not have yet."""
    read, write = statement.accesses
    source = _array(op, read.array)
    block = Block(arg_types=[IndexType()] * statement.domain.dim(isl.dim_type.set))
    value = ReadOp(source, MapAttr.of(read.relation))
    store = WriteOp(value.result, _array(op, write.array), MapAttr.of(write.relation))
    for inner in (value, store):
        inner.location = op.location
    block.add_ops([value, store])
    copy = StmtOp(
        statement.name,
        SetAttr.of(statement.domain),
        Region(block),
        iterators=statement.iterators,
    )
    copy.location = op.location
    op.body.block.add_op(copy)
