"""affine-vectorize: innermost loops become vector code."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from xdsl.context import Context
from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import nearest_span
from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.pvec_accesses import is_table
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.elementwise import calls_to_round
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.index_ranges import is_never_negative
from polyopt.passes.loops.plain_bounds import (
    is_divided,
    with_plain_bounds,
    with_plain_bounds_where,
)
from polyopt.passes.loops.replacement import replace_op, tell
from polyopt.passes.loops.vector_memory import fence_behind_nest
from polyopt.passes.loops.vectors.bests import counts_of
from polyopt.passes.loops.vectors.find_vector_loop import (
    find_best_loop,
    find_scan_loop,
    find_vector_loop,
)
from polyopt.passes.loops.vectors.flat_rows import make_rows_flat
from polyopt.passes.loops.vectors.forwarding import drop_overwritten, forward_stores
from polyopt.passes.loops.vectors.handed_values import hand_on_stored
from polyopt.passes.loops.vectors.just_stored import end_just_stored
from polyopt.passes.loops.vectors.late_terms import add_late_terms_last
from polyopt.passes.loops.vectors.left_to_llvm import (
    is_worthwhile,
    keep_from_llvm,
    side_by_side_or_ours,
)
from polyopt.passes.loops.vectors.plain_subscripts import make_subscripts_plain
from polyopt.passes.loops.vectors.same_members import over_members
from polyopt.passes.loops.vectors.scan_model import pays_to_scan
from polyopt.passes.loops.vectors.short_loops import (
    enough_lanes,
    is_cut_and_awaited,
    is_left_to_llvm,
    is_taken_up,
)
from polyopt.passes.loops.vectors.square_writer import SquareWriter
from polyopt.passes.loops.vectors.stream_width import lanes_for, vectors_in_a_step
from polyopt.passes.loops.vectors.strided_model import (
    ends_one_by_one,
    is_for_llvm,
    least_distance,
    least_row,
    pays_strided,
    takes_triples,
)
from polyopt.passes.loops.vectors.subtracted_counts import subtract_counts
from polyopt.passes.loops.vectors.sums_of_sums import close_sums
from polyopt.passes.loops.vectors.transposed_rows import find_transposed_rows
from polyopt.passes.loops.vectors.unfused_products import keep_products_unfused
from polyopt.passes.loops.vectors.unit_steps import with_unit_steps
from polyopt.passes.loops.vectors.upward import run_upward
from polyopt.passes.loops.vectors.vector_writer import VectorLoopWriter
from polyopt.passes.loops.vectors.whole_vectors import (
    write_just_stored_last,
    write_long_rows,
    write_where,
    write_whole_vectors,
)
from polyopt.passes.loops.vectors.why_not import tell_why_not
from polyopt.poly.loops.loop_tree import VECTORS
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target


@record
class AffineVectorizePass(ModulePass):
    """Write innermost loops whose iterations are independent (`find_vector_loop.py`) as loops over
    vectors, the last one of which is masked: all are under one mask (`vector_writer.py`), which
    `affine-peel-masks` takes from those that need none.

    Requires: nothing; a loop is believed to be parallel if it is marked so, else it is looked at.
    Ensures: no rounding changes but in accumulations whose order is free. A product that a loop
    in its own order adds up is marked `unfused`: it is rounded before it is added. Elements
    that are strided, or lie where an array of indices says, are gathered where a model of their
    cost says that it pays; with AVX-512 conditionals are masks, and elements in turns that are
    changed in place, such as the members of structures, are deinterleaved in registers. Where two
    parallel loops go along the rows of one array and down the columns of another, squares of
    elements are transposed in registers. Running sums and other recurrences whose order is free
    are taken together in steps within a vector (`scan.py`). Where an iteration takes up what is
    left at a distance that is known when the loop runs, there are two loops (`distances.py`).
    Where an iteration takes or writes what a later one changes, operations are put in an order in
    which vectors keep that (`iteration_order.py`). Rows of calls that are added up call the vector
    forms of the C library's functions, masked at the end. Searches for the best value, and what
    goes with it, keep one in each lane (`bests.py`). Independent iterations whose elements lie
    backwards run from the last to the first (`upward.py`), records of which each member gets the
    same become rows of members (`same_members.py`). Sums of running sums of integers become
    sums of products (`sums_of_sums.py`), and the terms of a sum that the loop around has just
    stored are added one by one behind the vectors (`just_stored.py`). In loops that stay as they
    are, what a free sum waits for is added last (`late_terms.py`), and what two iterations before
    and more have stored goes on in registers (`handed_values.py`).

        affine.for %j = 0 to %n {           affine.for %v = 0 to %n step 8 {
          B[j] = A[j - 1] + A[j + 1] }   =>   2 vectors of A, a sum, a vector of B,
                                              in the lanes less than %n - %v }
    """

    name = "affine-vectorize"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        innermost = [
            loop
            for loop in operations_in(op, affine.ForOp)
            if not any(isinstance(inner, affine.ForOp) for inner in loop.body.walk())
        ]
        groups = groupby([(loop.parent_op(), loop) for loop in innermost], key=itemgetter(0))
        for around, loops in groups:
            if isinstance(around, affine.ForOp) and self._transpose(around, target):
                continue
            for _, loop in loops:
                left = loop
                if not calls_to_round(loop, target.vector_bits):
                    left = self._vectorize(loop, target)
                if left is not None:
                    tell_why_not(left, target)
                    hand_on_stored(left)

    def _transpose(self, op: affine.ForOp, target: Target) -> bool:
        found = find_transposed_rows(op)
        side = 0 if found is None else found.side(target)
        if found is None or not side:
            return False
        builder = AffineBuilder(Block(), op)
        SquareWriter(builder, found, side, target.line_bytes, target.l1_bytes).write()
        tell(self.name, op, f"squares of {side} x {side} elements, transposed", side)
        replace_op(op, builder.block)
        return True

    def _vectorize(self, op: affine.ForOp, target: Target) -> affine.ForOp | None:
        """The loop where it stays one after the other, which may be another one than before."""
        is_asked = VECTORS in facts_of(op).marks
        make_subscripts_plain(op)
        make_rows_flat(op)
        op = over_members(op)
        close_sums(op)
        op = run_upward(op)
        if not target.has_mask_registers:
            subtract_counts(op)
        if _looks_up_bytes(op) and AffineLoop(op).uppers is None:
            op = with_plain_bounds(op)
        elif is_divided(op):
            op = with_plain_bounds_where(op, lambda one: side_by_side_or_ours(one, target))
        loops = with_unit_steps(op)
        if loops is not None:
            unit, op = loops
            self._vectorize(unit, target)
        found = find_vector_loop(op)
        if found is None and self._scan(op, target, is_asked=is_asked):
            return None
        if found is None:
            is_wide = target.vector_bits >= CORE.strided.wide_bits
            found = find_vector_loop(op, is_strided=True, may_leave_out=is_wide)
            if found is not None and not is_asked:
                if not found.tables and is_for_llvm(found, target):
                    return op
                if not pays_strided(found, target):
                    keep_from_llvm(found, target)
                    return op
        if found is None:
            is_wide = target.vector_bits >= CORE.strided.wide_bits
            found = find_vector_loop(op, is_strided=is_wide, in_order=target.lanes(1))
            if found is not None and not (is_asked or pays_strided(found, target)):
                found = None
        if found is None and self._at_distances(op, target, is_asked=is_asked):
            return None
        if found is None and self._search(op, target):
            return None
        if found is None:
            keep_products_unfused(op)
            add_late_terms_last(op)
        elif not (is_asked or is_worthwhile(found) or is_taken_up(found, target)):
            return op
        elif takes_triples(found, target) and not is_asked:
            return op
        lanes = 0 if found is None else lanes_for(found, target)
        if found is None or lanes < 2:
            if is_asked:
                name = facts_of(op).iterator
                message = f"loop {name} is not in vectors as was asked for: it has no form for them"
                remark("missed", "no-vectors", message, nearest_span(op))
            return op
        extent = found.loop.greatest_extent
        if is_left_to_llvm(found, lanes) and not is_asked:
            return op
        builder = AffineBuilder(Block(), op)
        if extent is not None and not found.groups:
            lanes = enough_lanes(found, extent, lanes, target)
        if is_cut_and_awaited(found, extent, lanes) and not is_asked:
            return op
        interleave = vectors_in_a_step(found, target)
        if found.streamed is not None:
            fence_behind_nest(op)
        writer = VectorLoopWriter(builder, found, lanes, interleave)
        if found.groups:
            write_whole_vectors(writer)
        elif found.gathers and found.accumulations:
            whole = ends_one_by_one(found, lanes, target)
            write_long_rows(writer, least_row(found, lanes, target, whole=whole), whole=whole)
        elif (end := end_just_stored(found)) is not None:
            write_just_stored_last(writer, end)
        else:
            writer.write()
        tell(self.name, op, f"vectors of {lanes}", lanes)
        replace_op(op, builder.block)
        return None

    def _at_distances(self, op: affine.ForOp, target: Target, *, is_asked: bool) -> bool:
        """Iterations that depend on each other at distances which the loop is asked for."""
        is_wide = target.vector_bits >= CORE.strided.wide_bits
        found = find_vector_loop(op, may_carry=True)
        if found is None:
            found = find_vector_loop(op, is_strided=True, may_leave_out=is_wide, may_carry=True)
            if found is None or not (is_asked or pays_strided(found, target)):
                return False
        lanes = target.lanes(found.element_bytes)
        if lanes < 2 or not (is_asked or is_worthwhile(found)):
            return False
        least = least_distance(found, lanes)
        allowed = [one.allows(least) for one in found.distances]
        asked = [one for one in allowed if not any(_holds(form) for form in one)]
        if any(not form.terms for one in asked for form in one):
            return False
        builder = AffineBuilder(Block(), op)
        write_where(builder, found, lanes, [builder.maximum(one) for one in asked])
        what = f"vectors of {lanes}, where what is carried goes {least} iterations or more"
        tell(self.name, op, what, lanes)
        replace_op(op, builder.block)
        return True

    def _search(self, op: affine.ForOp, target: Target) -> bool:
        """Iterations that keep the best value, which lanes keep each for themselves."""
        found = find_best_loop(op)
        lanes = 0 if found is None else target.lanes(found.element_bytes)
        if found is None or lanes < 2:
            return False
        extent = found.loop.greatest_extent
        if extent is not None and extent < CORE.rows.searched * lanes:
            return False
        builder = AffineBuilder(Block(), op)
        counted = [form for best in found.bests for form in counts_of(best, found.loop)]
        asked = [form for form in counted if not is_never_negative(form)]
        if any(not form.terms for form in asked):
            return False
        write_where(builder, found, lanes, asked)
        what = f"vectors of {lanes}, each lane with the best of its iterations"
        tell(self.name, op, what, lanes)
        replace_op(op, builder.block)
        return True

    def _scan(self, op: affine.ForOp, target: Target, *, is_asked: bool) -> bool:
        """Iterations that depend on each other, taken together."""
        forward_stores(op.body.block)
        drop_overwritten(op.body.block)
        found = find_scan_loop(op)
        lanes = 0 if found is None else target.lanes(found.element_bytes)
        if found is None or lanes < 2:
            return False
        extent = found.loop.greatest_extent
        if extent is not None and extent < 2 * lanes:
            return False
        if not is_asked and not pays_to_scan(found.scans, lanes, target):
            return False
        builder = AffineBuilder(Block(), op)
        VectorLoopWriter(builder, found, lanes).write()
        tell(self.name, op, f"vectors of {lanes}, each taken together in steps", lanes)
        replace_op(op, builder.block)
        return True


def _holds(form: Linear) -> bool:
    """In every run: is it at least zero?"""
    return not form.terms and form.constant >= 0


def _looks_up_bytes(op: affine.ForOp) -> bool:
    loads = [one for one in op.body.block.ops if isinstance(one, memref.LoadOp)]
    return any(is_table(one.memref.type) for one in loads)
