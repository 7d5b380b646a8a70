"""The array operands of a SCoP: one memref for each object, made in front of it."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Block, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.cfg import enclosing_block, reverse_postorder
from polyopt.ir.expressions.affine_space import unique_identifier
from polyopt.ir.objects.bases import BaseKind, base_kind, escapes
from polyopt.passes.scop.array_names import member_name
from polyopt.passes.scop.candidate import Candidate, CandidateArray
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.passes.scop.statement_code import ScopArray


def emit_arrays(
    candidate: Candidate, code: ExpressionCode, value_before: Callable[[SSAValue], SSAValue]
) -> dict[CandidateArray, ScopArray]:
    """The operands. Those that are not local scalars are told to be distinct."""
    values = {a: _view(a, code, value_before(a.base)) for a in candidate.arrays}
    shared = [array for array, value in values.items() if not _is_local_scalar(value)]
    if len(shared) > 1:
        distinct = cmem.DistinctObjectsOp([values[array] for array in shared])
        code.add(distinct)
        values.update(zip(shared, distinct.res, strict=True))
    arrays: dict[CandidateArray, ScopArray] = {}
    taken: set[str] = set()
    for array in candidate.arrays:
        name = unique_identifier(_name(array.base), taken)
        taken.add(name)
        value = values[array]
        if value.name_hint is None:
            value.name_hint = name
        arrays[array] = ScopArray(name, value, array.layout.shape)
    return arrays


def local_bases(candidate: Candidate, after: Block) -> set[SSAValue]:
    """The local variables whose contents nobody can read when the region has run. To be asked
    before the SCoP is made."""
    behind = set(reverse_postorder(after))
    if candidate.region.entry in behind:
        return set()
    return {
        array.base
        for array in candidate.arrays
        if base_kind(array.base) is BaseKind.LOCAL
        and not escapes(array.base)
        and behind.isdisjoint(_blocks_of_uses(array.base))
    }


def _view(array: CandidateArray, code: ExpressionCode, base: SSAValue) -> SSAValue:
    """The memref with the array's common shape that starts at the base."""
    pattern = array.layout.pattern
    if isinstance(base.type, MemRefType):
        if pattern is not None and pattern.op.memref is array.base:
            return base
        zero = [code.constant(0)] * memref_type(base).get_num_dims()
        base = code.add(cmem.AddressOp(base, zero))
    if array.layout.start:
        base = code.add(cmem.OffsetOp(base, code.constant(array.layout.start), 1))
    element = array.references[0].type.element_type
    shape = [
        DYNAMIC_INDEX if extent is None or extent.as_constant is None else extent.as_constant
        for extent in array.layout.shape
    ]
    type: MemRefType[Attribute] = MemRefType(element, shape)
    sizes = [
        code.index(extent)
        for extent in array.layout.shape[1:]
        if extent is not None and extent.as_constant is None
    ]
    view = code.add(cmem.ViewOp(base, sizes, type))
    view.name_hint = array.base.name_hint
    return view


def _is_local_scalar(value: SSAValue) -> bool:
    return isinstance(value.owner, memref.AllocaOp) and not memref_type(value).get_num_dims()


def _name(base: SSAValue) -> str:
    return member_name(base) or base.name_hint or "A"


def _blocks_of_uses(base: SSAValue) -> set[Block]:
    """Where a local variable that does not escape is used, also through views."""
    blocks: set[Block] = set()
    pending = [base]
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if op.parent is not None:
                blocks.add(enclosing_block(op))
            pending.extend(r for r in op.results if not isinstance(op, memref.LoadOp))
    return blocks
