"""poly-forward: what was loaded in front of a loop is loaded by the statements in the loop."""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import BATCH, MapAttr, ReadOp, ScopOp, StmtOp, WriteOp
from polyopt.dialects.poly_view import accesses_of, read_scop
from polyopt.ir.effects import is_speculatable
from polyopt.ir.problem import limited
from polyopt.passes.storage.moved_accesses import with_known_locals, without_statements
from polyopt.poly.changes.forwarding import Forwarding, find_forwarding
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark

_CHEAP = (
    *(arith.MulfOp, arith.AddfOp, arith.SubfOp, arith.NegfOp, arith.ExtFOp, arith.TruncFOp),
    *(arith.MuliOp, arith.AddiOp, arith.SubiOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp),
    *(arith.SIToFPOp, arith.UIToFPOp),
)


@record
class PolyForwardPass(ModulePass):
    """Let statements in inner loops load, and compute of it, what a temporary holds that is set in
    a loop around (`poly/changes/forwarding.py`), where that is a load and little more.

    Requires: the SCoP has the order of the source. Ensures: every value is computed from the same
    elements as before (checked on the dataflow), and the temporary is gone: one that anybody else
    uses stays. A SCoP for which that costs more than `operations` of isl's stays as it is.

        for i, k { a = A[i, k]; for j { C[i, j] += a * B[k, j] } }
      =>
        for i, k, j { C[i, j] += A[i, k] * B[k, j] }
    """

    name = "poly-forward"

    operations: int = 1_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scop_op in operations_in(op, ScopOp):
            candidates = [] if BATCH in scop_op.attributes else _temporaries(scop_op)
            if not candidates:
                continue
            try:
                with limited(scop_op, "forwarding", self.operations):
                    for name in candidates:
                        self._forward(scop_op, name)
            except BudgetExceeded:
                remark("missed", "forwarding-budget", "forwarding temporaries costs too much")

    def _forward(self, op: ScopOp, name: str) -> None:
        scop = with_known_locals(op, read_scop(op))
        array = next(one for one in scop.arrays if one.name == name)
        found = find_forwarding(scop, array)
        if found is None:
            return
        _write(op, scop, found)
        message = f"{name} is computed where it is used"
        remark("applied", self.name, message, span_of(op))


def _temporaries(op: ScopOp) -> list[str]:
    """Numbers that one statement sets, which does little else, and deeper ones read."""
    names = {value: name.data for value, name in zip(op.arrays, op.array_names, strict=True)}
    writers: dict[SSAValue, list[StmtOp]] = {}
    depths: dict[SSAValue, list[int]] = {}
    for statement in op.statements():
        for access in accesses_of(statement):
            if memref_type(access.array).get_num_dims():
                continue
            if isinstance(access, WriteOp):
                writers.setdefault(access.array, []).append(statement)
            else:
                depths.setdefault(access.array, []).append(len(statement.body.block.args))
    return [
        names[value]
        for value, own in writers.items()
        if len(own) == 1
        and value in depths
        and min(depths[value]) > len(own[0].body.block.args)
        and _is_little(own[0])
    ]


def _is_little(statement: StmtOp) -> bool:
    """Does it load, compute a little and set one number?"""
    operations = list(statement.body.block.ops)
    computed = [op for op in operations if not isinstance(op, (ReadOp, WriteOp, arith.ConstantOp))]
    if sum(isinstance(op, WriteOp) for op in operations) != 1:
        return False
    is_plain = not any(access.index for access in accesses_of(statement))
    if len(computed) > CORE.code.forwarded or not is_plain:
        return False
    arguments = set(statement.body.block.args)
    return all(
        isinstance(op, _CHEAP) and is_speculatable(op) and arguments.isdisjoint(op.operands)
        for op in computed
    )


def _write(op: ScopOp, scop: Scop, found: Forwarding) -> None:
    by_name = {statement.stmt_name.data: statement for statement in op.statements()}
    source = by_name[found.source.name]
    changed = [
        (by_name[name], accesses_of(by_name[name])[position], relations)
        for (name, position), relations in found.reads.items()
    ]
    for reader, access, relations in changed:
        assert isinstance(access, ReadOp)
        value = _computed(source, reader, relations)
        access.result.replace_all_uses_with(value)
        access.detach()
        access.erase()
    without_statements(op, scop, [source])


def _computed(source: StmtOp, reader: StmtOp, relations: Mapping[int, isl.Map]) -> SSAValue:
    """What the source gives to the temporary, computed at the beginning of the reader's body."""
    block, first = reader.body.block, reader.body.block.first_op
    assert first is not None
    here: dict[SSAValue, SSAValue] = {}
    positions = {access: k for k, access in enumerate(accesses_of(source))}
    for op in source.body.block.ops:
        if isinstance(op, WriteOp):
            return here.get(op.value, op.value)
        new: Operation = op.clone(here)
        new.location = op.location
        if isinstance(op, ReadOp):
            new.properties["relation"] = MapAttr.of(relations[positions[op]])
        block.insert_op_before(new, first)
    raise AssertionError("a source writes")
