"""Full and partial tiles kept apart: around one tile, or by cutting the range of a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineExpr,
    AffineMap,
    AffineSet,
)
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Form, Linear, Quotient, map_of
from polyopt.passes.loops.copies import value_of
from polyopt.passes.loops.unroll.cuts import Cuts
from polyopt.support.record import entity

Change = Callable[[affine.ForOp], None]
"""What is done to a copy of a loop, which it may also remove."""


def separate(loop: affine.ForOp, cuts: Cuts, fast: Change, slow: Change) -> bool:
    """Replace `loop` by copies for its iterations in order: `fast` ones between the cuts, `slow`
    ones before and after them, and a slow one for all where a condition outside fails. Says
    false, and changes nothing, where the cuts cannot be written as bounds."""
    shape = AffineLoop(loop)
    if loop.inits or shape.lowers is None or shape.uppers is None:
        return False
    if shape.step != 1 and len(shape.lowers) != 1 and (cuts.firsts or cuts.ends):
        return False
    block = Block()
    whole = _Range(shape, shape.lowers, shape.uppers, block)
    for piece, change in _pieces(whole, cuts, fast, slow):
        block.add_op(piece)
        if _may_run(piece):
            change(piece)
        else:
            Rewriter.erase_op(piece)
    _replace(loop, cuts.outside, block, slow)
    return True


def choose(tile: affine.ForOp, conditions: Sequence[Linear], fast: Change, slow: Change) -> None:
    """Replace `tile`, which has no results, by a fast and a slow copy and a test between them."""
    block = Block()
    block.add_op(copy := tile.clone())
    fast(copy)
    _replace(tile, conditions, block, slow)


def _pieces(
    whole: _Range, cuts: Cuts, fast: Change, slow: Change
) -> list[tuple[affine.ForOp, Change]]:
    """The copies that together run every iteration once: where the cuts cross, the range between
    them is empty and the last copy begins after the first."""
    pieces: list[tuple[affine.ForOp, Change]] = []
    firsts = [whole.on_lattice(first) for first in cuts.firsts]
    if firsts:
        pieces.append((whole.copy([], [whole.maximum(cuts.firsts)]), slow))
    pieces.append((whole.copy(firsts, cuts.ends), fast))
    if cuts.ends:
        after = whole.on_lattice(whole.minimum(cuts.ends))
        pieces.append((whole.copy([*firsts, after], []), slow))
    return pieces


def _may_run(piece: affine.ForOp) -> bool:
    """False where some upper bound is never above some lower one."""
    shape = AffineLoop(piece)
    differences = [u - low for low in shape.lowers or () for u in shape.uppers or ()]
    return not any(not form.terms and form.constant <= 0 for form in differences)


@entity
class _Range:
    """The range of a loop, to be copied with more bounds; their values go to `block`."""

    loop: AffineLoop
    lowers: tuple[Linear, ...]
    uppers: tuple[Linear, ...]
    block: Block

    def copy(self, lowers: Sequence[Form], uppers: Sequence[Form]) -> affine.ForOp:
        original = self.loop.op
        lower_map, lower_operands = map_of(_strongest([*self.lowers, *lowers], is_lower=True))
        upper_map, upper_operands = map_of(_strongest([*self.uppers, *uppers], is_lower=False))
        copy = affine.ForOp.from_region(
            lower_operands,
            upper_operands,
            (),
            (),
            lower_map,
            upper_map,
            original.body.clone(),
            original.step,
        )
        copy.attributes = dict(original.attributes)
        copy.location = original.location
        return copy

    def on_lattice(self, form: Form) -> Form:
        """The first iteration from `form` on, if it is in the range."""
        step = self.loop.step
        if step == 1:
            return form
        map, operands = map_of([self.lowers[0], Linear.of(self._value(form))])
        first, wanted = map.data.results
        aligned = first + (wanted - first).ceil_div(step) * step
        return Linear.of(self._apply(AffineMap(map.data.num_dims, 0, (aligned,)), operands))

    def minimum(self, forms: Sequence[Form]) -> Form:
        if len(forms) == 1:
            return forms[0]
        map, operands = map_of(forms)
        return Linear.of(self._insert(affine.MinOp(operands, map)))

    def maximum(self, forms: Sequence[Form]) -> Form:
        return _negated(self.minimum([_negated(form) for form in forms]))

    def _value(self, form: Form) -> SSAValue:
        if isinstance(form, Quotient):
            map, operands = map_of([form])
            return self._apply(map.data, operands)
        value = value_of(form)
        return value if isinstance(value, SSAValue) else self._insert(value)

    def _apply(self, map: AffineMap, operands: Sequence[SSAValue]) -> SSAValue:
        return self._insert(affine.ApplyOp(operands, AffineMapAttr(map)))

    def _insert(self, op: Operation) -> SSAValue:
        op.location = self.loop.op.location
        self.block.add_op(op)
        return op.results[0]


def _strongest(forms: Sequence[Form], *, is_lower: bool) -> list[Form]:
    """The bounds without those that another one implies by a constant."""
    kept: dict[frozenset[tuple[SSAValue, int]] | Quotient, Form] = {}
    for form in forms:
        key = form if isinstance(form, Quotient) else frozenset(form.terms)
        other = kept.get(key)
        if isinstance(form, Linear) and isinstance(other, Linear):
            form = max(form, other, key=lambda one: one.constant if is_lower else -one.constant)
        kept[key] = form
    return list(kept.values())


def _negated(form: Form) -> Form:
    if isinstance(form, Linear):
        return -form
    return Quotient(-form.form, form.divisor, not form.is_ceiling)


def _replace(loop: affine.ForOp, conditions: Sequence[Linear], block: Block, slow: Change) -> None:
    """`block` where all `conditions` are at least 0, else `loop` itself, slow."""
    if not conditions:
        Rewriter.inline_block(block, InsertPoint.before(loop))
        Rewriter.erase_op(loop)
        return
    block.add_op(affine.YieldOp.get())
    map, operands = map_of(conditions)
    tests = tuple(
        AffineConstraintExpr(
            AffineConstraintKind.ge, form, AffineExpr.constant(0), canonicalize=False
        )
        for form in map.data.results
    )
    otherwise = Block()
    branch = affine.IfOp.build(
        operands=[operands],
        properties={"condition": AffineSetAttr(AffineSet(map.data.num_dims, 0, tests))},
        result_types=[[]],
        regions=[Region(block), Region(otherwise)],
    )
    branch.location = loop.location
    Rewriter.insert_op(branch, InsertPoint.before(loop))
    loop.detach()
    otherwise.add_ops([loop, affine.YieldOp.get()])
    slow(loop)
