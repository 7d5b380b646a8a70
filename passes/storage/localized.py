"""Write a SCoP whose tiles work on copies (`poly/transform/localizing.py`) back into the IR."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import SSAValue

from polyopt.dialects.poly import MapAttr, ReadOp, ScheduleAttr, ScopOp, SetAttr, StmtOp
from polyopt.dialects.poly_view import accesses_of
from polyopt.ir.problem import SOURCE_SCHEDULE
from polyopt.passes.storage.moved_accesses import add_copy, with_new_array
from polyopt.passes.storage.size_limit import Request, always_fit, insert_version
from polyopt.poly.scop import Statement
from polyopt.poly.transform.localizing import Localized


def offer_without_buffers(op: ScopOp, edits: Sequence[Localized]) -> None:
    """Where parameters decide on the size of buffers, a copy of the SCoP runs, as it is now, when
    they take more than the limit of each of them allows."""
    buffers = [(one, made.limit) for made in edits for one in made.buffers]
    requests = [Request(one.array.element_bytes, one.extents) for one, _ in buffers]
    limit = sum(each for _, each in buffers)
    if always_fit(requests, limit) is None:
        insert_version(op, requests, limit)


def write_localized(op: ScopOp, made: Localized) -> ScopOp:
    """The SCoP as it has been made: its order is that of the source from now on."""
    for buffer in made.buffers:
        name, source = buffer.array.name, buffer.source.name
        op = with_new_array(op, name, source, buffer.extents, is_static=True)
    arrays = dict(zip((one.data for one in op.array_names), op.arrays, strict=True))
    changed = set(made.leading) | {name for one in made.buffers for name, _ in one.moved}
    for statement in op.statements():
        if statement.stmt_name.data in changed:
            _write_statement(statement, made, arrays)
    for buffer in made.buffers:
        for copy in buffer.copies:
            add_copy(op, copy)
    schedule = ScheduleAttr.of(made.scop.schedule)
    op.properties["schedule"] = op.attributes[SOURCE_SCHEDULE] = schedule
    return op


def _write_statement(op: StmtOp, made: Localized, arrays: dict[str, SSAValue]) -> None:
    name = op.stmt_name.data
    new: Statement = made.scop.statement(name)
    block = op.body.block
    for position in range(made.leading.get(name, 0)):
        block.insert_arg(IndexType(), position).name_hint = new.iterators[position]
    op.properties["domain"] = SetAttr.of(new.domain)
    op.properties["iterators"] = ArrayAttr([StringAttr(one) for one in new.iterators])
    for access, data in zip(accesses_of(op), new.accesses, strict=True):
        where = 0 if isinstance(access, ReadOp) else 1
        access.operands[where] = arrays[data.array]
        access.properties["relation"] = MapAttr.of(data.relation)
