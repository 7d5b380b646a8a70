"""What begins the results of a contraction, or takes them, goes into it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_body import BeginOp, FinishOp, YieldOp
from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.constraints import Constraints, NotRepresentable
from polyopt.ir.affine.linear import map_of
from polyopt.ir.affine.linear_sets import forms_of_set
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.pointwise import Beside, Pointwise, find_beside
from polyopt.passes.loops.contract.room import at_most
from polyopt.passes.loops.contract.structured import Structured
from polyopt.passes.loops.replacement import move_all


def fuse(module: ModuleOp) -> None:
    """As `contract-fuse` promises."""
    found: list[tuple[NestOp, Beside]] = []
    for nest in operations_in(module, NestOp):
        place, large = _place(nest)
        try:
            beside = find_beside(Structured.of(nest), place, large)
        except NotRepresentable:
            continue
        if nest.blocking is None:
            after = tuple(one for one in beside.after if not one.reads_back)
            beside = Beside(beside.before, after)
        found.append((nest, beside))
    for nest, beside in found:
        _take_in(nest, beside)


def _place(nest: NestOp) -> tuple[Operation, Constraints]:
    """Where neighbours are to be looked for, and what holds where the nest runs: beside a test with
    two sides, one of which the nest is."""
    test = _test_of(nest)
    if test is None:
        return nest, Constraints()
    dims = test.condition.data.num_dims
    return test, Constraints(forms_of_set(test.condition, test.args[:dims], test.args[dims:]))


def _test_of(nest: NestOp) -> affine.IfOp | None:
    test = nest.parent_op()
    is_alone = isinstance(nest.next_op, affine.YieldOp) and nest.prev_op is None
    if not isinstance(test, affine.IfOp) or not is_alone or not test.else_region.blocks:
        return None
    return test if nest.parent is test.then_region.block else None


def _take_in(nest: NestOp, beside: Beside) -> None:
    test, body = _test_of(nest), nest.body.block
    first, last = body.first_op, body.last_op
    assert first is not None
    assert last is not None
    for one in beside.before.values():
        element = nest.elements[one.accumulator]
        begin = BeginOp(element, _region(one, element))
        Rewriter.insert_op(begin, InsertPoint.before(first))
    for one in beside.after:
        Rewriter.insert_op(_finish(nest, one), InsertPoint.before(last))
    _leave_behind(nest, [one.root for one in beside.after if one.reads_back])
    before, after = [one.root for one in beside.before.values()], [o.root for o in beside.after]
    for root in (*before, *after):
        root.detach()
        if test is None:
            root.erase()
    if test is not None:
        other = test.else_region.block
        move_all(Block(before), other, other.first_op)
        move_all(Block(after), other, other.last_op)


def _finish(nest: NestOp, one: Pointwise) -> FinishOp:
    map, places = map_of(one.subscripts)
    element = nest.elements[one.accumulator]
    return FinishOp(
        element, one.array, map, places, _region(one, element), reads_back=one.reads_back
    )


def _region(one: Pointwise, element: SSAValue) -> Region:
    """What the nest computes of one element."""
    block = Block(arg_types=[element.type])
    here: dict[SSAValue, SSAValue] = dict.fromkeys(one.loads, block.args[0])
    for op in one.operations:
        block.add_op(op.clone(here))
    block.add_op(YieldOp(here.get(one.store.value, one.store.value)))
    return Region(block)


def _leave_behind(nest: NestOp, left: Sequence[Operation]) -> None:
    """Where there are several blocks of columns, nests that they must not take in follow."""
    if not left:
        return
    assert nest.blocking is not None
    structured = Structured.of(nest)
    builder = AffineBuilder(Block(), nest)
    columns = structured.extents(structured.columns)
    room = at_most(builder, columns, nest.blocking.data.column_block)
    if room:
        several = builder.branch([-form - 1 for form in room])
        with several.then():
            for root in left:
                builder.insert(root.clone())
        several.close()
    assert nest.parent is not None
    move_all(builder.block, nest.parent, nest.next_op)
