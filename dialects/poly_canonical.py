"""poly: static control parts in their plainest form.

    a statement whose domain is empty        =>  nothing, and no place in the schedule
    an array that no statement accesses      =>  no operand, no name
    a SCoP without statements                =>  nothing

What is plainer of a set, a relation or a tree is isl's to say: attributes are canonical when they
are parsed.
"""

from __future__ import annotations

from contextlib import suppress

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from polyopt.dialects.poly import ScopOp, StmtOp
from polyopt.dialects.poly_sets import ScheduleAttr


class ScopOfNothing(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ScopOp, rewriter: PatternRewriter) -> None:
        if not op.statements():
            rewriter.erase(op)


class UnusedArrays(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ScopOp, rewriter: PatternRewriter) -> None:
        used = {access.array for one in op.statements() for access in one.accesses()}
        names = [name.data for name in op.array_names]
        kept = [
            (array, name) for array, name in zip(op.arrays, names, strict=True) if array in used
        ]
        if len(kept) == len(names):
            return
        left = {name for _, name in kept}
        scop = ScopOp(
            op.scop_name.data,
            op.params,
            [name.data for name in op.param_names],
            [array for array, _ in kept],
            [name for _, name in kept],
            op.context,
            op.schedule,
            rewriter.move_region_contents_to_new_regions(op.body),
            assumed=op.assumed,
            local=[name.data for name in op.local or () if name.data in left],
        )
        scop.attributes = dict(op.attributes)
        rewriter.replace(op, scop)


class StatementOfNoInstances(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StmtOp, rewriter: PatternRewriter) -> None:
        from polyopt.poly.schedule_tree import (
            UnsupportedTree,
            build_schedule,
            read_tree,
            restrict,
        )

        scop = op.parent_op()
        if not isinstance(scop, ScopOp) or not op.domain.union_set().is_empty():
            return
        schedule = scop.schedule.schedule()
        instances = schedule.get_domain()
        if not instances.is_empty():
            with suppress(UnsupportedTree):  # its filter stays, and lets nothing through
                tree = restrict(read_tree(schedule), instances)
                scop.schedule = ScheduleAttr.of(build_schedule(instances, tree))
        rewriter.erase(op)
        rewriter.notify_op_modified(scop)
