"""Conditionals of `scf` as those of `affine`, or as selections.

A condition is affine where it compares affine values, and `andi` of such; where its negation is
(`ne`, `ori`), the arms change places.
"""

from __future__ import annotations

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import AffineSetAttr, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind, AffineExpr, AffineSet
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.effects import is_speculatable
from polyopt.passes.raising.affine_loops import replace_yield
from polyopt.passes.raising.affine_values import AffineReader, NotAffineValue

_EQ, _NE, _SLT, _SLE, _SGT, _SGE = range(6)
_NEGATED = {_EQ: _NE, _NE: _EQ, _SLT: _SGE, _SGE: _SLT, _SGT: _SLE, _SLE: _SGT}
"""By `arith.cmpi`'s numbers; the four behind compare unsigned."""


def raise_branch(op: scf.IfOp) -> affine.IfOp:
    """The conditional in its place; raises NotAffine, and then it is as it was."""
    reader = AffineReader(lambda value: not _is_beside(value, op))
    swapped = False
    try:
        tests = _conjunction(op.cond, reader, negated=False)
    except NotAffineValue as first:
        reader = AffineReader(reader.is_free)
        try:
            tests = _conjunction(op.cond, reader, negated=True)
        except NotAffineValue:
            raise first from None
        swapped = True
    condition = _set(reader, tests)
    other, then = op.detach_region(op.false_region), op.detach_region(op.true_region)
    for region in (then, other):
        for block in region.blocks:
            replace_yield(block)
    if swapped:
        then, other = other if other.blocks else _empty(), then
    new = affine.IfOp.build(
        operands=[reader.operands],
        properties={"condition": condition},
        result_types=[op.result_types],
        regions=[then, other],
    )
    new.attributes, new.location = dict(op.attributes), op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, result in zip(op.output, new.res, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    Rewriter.erase_op(op)
    return new


def select_instead(op: scf.IfOp) -> bool:
    """Replace a conditional that only computes by `arith.select`; whether it was one."""
    regions = (op.true_region, op.false_region)
    blocks = [block for region in regions for block in region.blocks]
    if not op.results or len(blocks) != 2:
        return False
    if not all(is_speculatable(inner) for block in blocks for inner in list(block.ops)[:-1]):
        return False
    arms: list[list[SSAValue]] = []
    for block in blocks:
        terminator = block.last_op
        assert isinstance(terminator, scf.YieldOp)
        arms.append(list(terminator.arguments))
        Rewriter.erase_op(terminator)
        Rewriter.inline_block(block, InsertPoint.before(op))
    for old, one, other in zip(op.output, *arms, strict=True):
        select = arith.SelectOp(op.cond, one, other)
        select.location = op.location
        select.result.name_hint = old.name_hint
        Rewriter.insert_op(select, InsertPoint.before(op))
        old.replace_all_uses_with(select.result)
    Rewriter.erase_op(op)
    return True


def _conjunction(
    value: SSAValue, reader: AffineReader, *, negated: bool
) -> list[AffineConstraintExpr]:
    """Constraints that hold together exactly where `value` is true; `negated`: where it is not."""
    both = arith.OrIOp if negated else arith.AndIOp
    op = value.owner
    if isinstance(op, both):
        left = _conjunction(op.lhs, reader, negated=negated)
        return [*left, *_conjunction(op.rhs, reader, negated=negated)]
    match op:
        case arith.CmpiOp():
            return [_comparison(op, reader, negated)]
        case arith.XOrIOp() if _is_true(op.rhs):
            return _conjunction(op.lhs, reader, negated=not negated)
        case arith.ConstantOp() if _is_true(value) != negated:
            return []
        case _:
            raise NotAffineValue(value, "it is no comparison of affine values, nor several at once")


def _comparison(op: arith.CmpiOp, reader: AffineReader, negated: bool) -> AffineConstraintExpr:
    predicate = op.predicate.value.data
    if predicate > _SGE:
        advice = "a signed comparison is, of numbers that are not negative"
        raise NotAffineValue(op.result, "it compares unsigned numbers", advice)
    predicate = _NEGATED[predicate] if negated else predicate
    if predicate == _NE:
        raise NotAffineValue(op.result, "it holds on both sides of an equality")
    left, right = reader.expression(op.lhs), reader.expression(op.rhs)
    zero = AffineExpr.constant(0)
    if predicate == _EQ:
        return AffineConstraintExpr(AffineConstraintKind.eq, left + right * -1, zero)
    if predicate in (_SLT, _SLE):
        left, right = right, left
    difference = left + right * -1
    if predicate in (_SLT, _SGT):
        difference = difference + AffineExpr.constant(-1)
    return AffineConstraintExpr(AffineConstraintKind.ge, difference, zero)


def _set(reader: AffineReader, tests: list[AffineConstraintExpr]) -> AffineSetAttr:
    map_ = reader.map([test.lhs for test in tests]).data
    zero = AffineExpr.constant(0)
    placed = [
        AffineConstraintExpr(test.kind, lhs, zero)
        for test, lhs in zip(tests, map_.results, strict=True)
    ]
    return AffineSetAttr(AffineSet(map_.num_dims, map_.num_symbols, tuple(placed)))


def _is_true(value: SSAValue) -> bool:
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, IntegerAttr):
        return False
    return bool(owner.value.value.data)


def _is_beside(value: SSAValue, op: Operation) -> bool:
    """Does the block of `op`, or one that it shares a loop's iteration with, compute the value?"""
    owner = value.owner
    if isinstance(owner, Block):
        return False
    around = op.parent
    while around is not None and around is not owner.parent:
        parent = around.parent_op()
        around = parent.parent if isinstance(parent, affine.IfOp | scf.IfOp) else None
    return around is not None and isinstance(around.parent_op(), affine.ForOp | scf.ForOp)


def _empty() -> Region:
    return Region(Block([affine.YieldOp.get()]))
