"""affine-group-sums: sums of narrow products take a group of neighbours into each lane."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.pvec_group_sums import BYTE, HALF
from polyopt.dialects.pvec_lanes import lanes_of, vector_type
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.groups.carried_sums import carry_sums
from polyopt.passes.loops.groups.group_terms import (
    ByteDistance,
    Product,
    Term,
    find_terms,
)
from polyopt.passes.loops.groups.group_writer import GroupPlan, GroupSumWriter
from polyopt.passes.loops.groups.tap_pairs import pair_taps
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop, masked_loops
from polyopt.passes.loops.replacement import replace_op
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import LANE_BYTES, Target


@record
class AffineGroupSumsPass(ModulePass):
    """Let loops over masked vectors that add up products of narrow integers, such integers, or
    distances of bytes, or count what they compare, take whole registers of them: two of 16 bits, or
    four bytes, for each lane of an accumulator of 32 bits, eight bytes for each of 64
    (`pvec.group_dot`, `pvec.group_distance`). Filters whose sums stay in registers,
    one for each lane, take two taps of 16 bits in a step (`tap_pairs.py`). Sums of integers that
    loops around go on with stay in their lanes until these are done (`carried_sums.py`).

    Requires: what the mark `interleave` says (`masked_loop.py`). Ensures: the lanes of each result
    have the same sum, modulo their bits, which is all that is asked of them; a loop that does
    anything else stays as it is.

        affine.for %v = 0 to %n step 16              affine.for %v = 0 to %n step 32
            iter_args(%s : vector<16xi32>) {             iter_args(%s : vector<16xi32>) {
          %a = pvec.read %A[%v] : vector<16xi16>       %a = pvec.read %A[%v] : vector<32xi16>
          %b = pvec.read %B[%v] : vector<16xi16>  =>   %b = pvec.read %B[%v] : vector<32xi16>
          %x = pvec.convert "extsi", %a …              %t = pvec.group_dot "extsi" %a,
          %y = pvec.convert "extsi", %b …                     "extsi" %b to %s
          %p = arith.muli %x, %y                       affine.yield %t }
          %t = arith.addi %s, %p
          affine.yield %t }
    """

    name = "affine-group-sums"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        for loop in operations_in(op, affine.ForOp):
            self._pair_taps(loop)
        for loop in masked_loops(op):
            terms = find_terms(loop)
            if terms is not None:
                self._rewrite(loop, terms, target)
        carry_sums(op)

    def _pair_taps(self, loop: affine.ForOp) -> None:
        builder = AffineBuilder(Block(), loop)
        results = pair_taps(loop, builder)
        if results is None:
            return
        for old, new in zip(loop.results, results, strict=True):
            old.replace_all_uses_with(new)
        remark("applied", self.name, "two taps in one step", span_of(loop))
        replace_op(loop, builder.block)

    def _rewrite(self, source: MaskedLoop, terms: Sequence[Sequence[Term]], target: Target) -> None:
        bits, op = BYTE, source.loop.op
        if not all(_are_bytes(one, target) for one in terms):
            products = [_as_products(one) for one in terms]
            if not all(products) or not all(_has_groups_of_two(one) for one in op.results):
                return
            bits, terms = HALF, products
        lanes = _lanes(source, bits, target)
        interleave = max(CORE.rows.chains_of_many, source.interleave * bits // HALF)
        builder = AffineBuilder(Block(), op)
        plan = GroupPlan(bits, lanes, interleave)
        results = GroupSumWriter(builder, source, terms, plan).write()
        for old, new in zip(op.results, results, strict=True):
            old.replace_all_uses_with(new)
        neighbours = lanes // lanes_of(results[0])
        remark("applied", self.name, f"{neighbours} neighbours in each lane of a sum", span_of(op))
        replace_op(op, builder.block)


def _are_bytes(terms: Sequence[Term], target: Target) -> bool:
    return all(
        isinstance(one, ByteDistance) or (target.sums_bytes and one.are_bytes) for one in terms
    )


def _has_groups_of_two(result: SSAValue) -> bool:
    """Products of halves are summed modulo 2^32."""
    return vector_type(result).element_type == i32


def _as_products(terms: Sequence[Term]) -> list[Product]:
    """Empty where one of them is none."""
    found = [one if isinstance(one, Product) else one.as_product for one in terms]
    products = [one for one in found if one is not None]
    return products if len(products) == len(found) else []


def _lanes(source: MaskedLoop, bits: int, target: Target) -> int:
    """A register of elements, or no more than there are iterations."""
    lanes, extent = target.lanes(bits // 8), source.greatest_extent
    while extent is not None and lanes >= 2 * extent and lanes * bits > 8 * LANE_BYTES:
        lanes //= 2
    return lanes
