"""For each block of a region, the set of iteration vectors for which it runs.

Conditions are propagated along the edges of the control-flow graph in topological order, as in
Polly (J. Doerfert, T. Grosser, S. Hack: "Optimistic Loop Optimization", CGO 2017). A loop is
first taken to run for ever; the iterations in which it is left then cut it off:

    reached header = iterations - { j : some i before j leaves the loop }

A block that runs exactly when a dominator of it runs (the join after a branch, what follows a
loop) has its dominator's domain.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import islpy as isl
from xdsl.ir import Block

from polyopt.ir.branches import Edge, incoming, outgoing
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.control.regions import FlowRegion
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.ir.expressions.conditions import edge_condition


class Domains:
    """`of[block]` is over the iterators around the block. `finite` holds the parameters for
    which no loop runs for ever, as long as integers do not wrap: C lets us rely on that (6.8.5).
    Exits to where control never comes back from leave a loop like others."""

    def __init__(self, region: FlowRegion, space: AffineSpace, evolution: Evolution):
        self.region = region
        self.space = space
        self.evolution = evolution
        self.of: dict[Block, isl.Set] = {}
        self._left: dict[NaturalLoop, isl.Set] = {}
        self._propagate(None, list(region.blocks))
        self.finite = self._finite()

    def restrict(self, parameters: isl.Set) -> None:
        """Leave out all parameters but these; say it without redundancies."""
        restricts = not parameters.plain_is_universe()
        for block, domain in self.of.items():
            reduced = domain.intersect_params(parameters) if restricts else domain
            self.of[block] = reduced.remove_redundancies().coalesce()

    def _propagate(self, scope: NaturalLoop | None, blocks: Iterable[Block]) -> None:
        """Find the domains of `blocks`, those of the loop `scope`, in reverse postorder."""
        for block in blocks:
            if block in self.of:
                continue
            inner = self._loop_headed_by(block)
            if inner is not None and inner is not scope:
                self._enter_loop(inner, self._where_entered(block, scope))
            else:
                self.of[block] = self._where_entered(block, scope)

    def _enter_loop(self, loop: NaturalLoop, outer: isl.Set) -> None:
        header = loop.header
        iterations = self._iterations(loop, outer)
        self.of[header] = iterations
        self._propagate(loop, [block for block in self.region.blocks if block in loop])
        depth = self._depth(header)
        leaving = [self._along(edge, depth) for edge in loop.exits()]
        left = reduce(isl.Set.union, leaving, isl.Set.empty(iterations.get_space()))
        self._left[loop] = left
        self._cut_off(loop, iterations, left)

    def _finite(self) -> isl.Set:
        """The parameters for which each loop that is entered is left."""
        finite = isl.Set.universe(self.space.space(0).params())
        for loop, left in self._left.items():
            first = self.of[loop.header].intersect(self.space.counter(loop).zero_set())
            last = self._depth(loop.header) - 1
            entered = first.project_out(isl.dim_type.set, last, 1)
            endless = entered.subtract(left.project_out(isl.dim_type.set, last, 1))
            if not endless.is_empty():
                finite = finite.subtract(endless.params())
        return finite

    def _cut_off(self, loop: NaturalLoop, iterations: isl.Set, left: isl.Set) -> None:
        """Restrict the blocks of a loop to iterations with no earlier exit."""
        iterator = self.space.iterators[loop]
        depth = self._depth(loop.header)
        next_left = left.apply(_advance(left.get_space(), depth - 1, iterator.direction))
        is_final = next_left.is_subset(left)
        if not is_final:
            next_left = left.apply(_all_later(left.get_space(), depth - 1, iterator.direction))
        reached = iterations.subtract(next_left).coalesce()
        exits = {edge.source for edge in loop.exits()}
        tree = self.space.flow.dominators
        for block in loop.blocks:
            if is_final and all(
                tree.strictly_dominates(e, block) and self._depth(e) == depth for e in exits
            ):
                continue
            deeper = reached.add_dims(isl.dim_type.set, self._depth(block) - depth)
            self.of[block] = self.of[block].intersect(deeper).coalesce()

    def _iterations(self, loop: NaturalLoop, outer: isl.Set) -> isl.Set:
        """All iterations that a loop without an exit would have."""
        iterator = self.space.iterators[loop]
        count = self.space.counter(loop)
        place = self._depth(loop.header) - 1
        assert outer.dim(isl.dim_type.set) == place, iterator.name
        return outer.add_dims(isl.dim_type.set, 1).intersect(count.nonneg_set())

    def _where_entered(self, block: Block, scope: NaturalLoop | None) -> isl.Set:
        """The domain of a block, or of a loop's entry, over the iterators of `scope`."""
        depth = 0 if scope is None else self._depth(scope.header)
        if block is self.region.entry:
            return isl.Set.universe(self.space.space(depth))
        equivalent = self._control_equivalent(block, scope)
        if equivalent is not None:
            return self.of[equivalent]
        inner = self._loop_headed_by(block)
        edges = [
            edge
            for edge in incoming(block)
            if edge.source in self.of and not (inner is not None and edge.source in inner)
        ]
        domains = [self._along(edge, depth) for edge in edges]
        return reduce(isl.Set.union, domains).coalesce()

    def _along(self, edge: Edge, depth: int) -> isl.Set:
        """Where control takes an edge, over the first `depth` iterators around its source."""
        source = edge.source
        condition = edge_condition(edge, self.evolution)
        domain = self.of[source].intersect(self.space.condition_set(condition, source))
        return domain.project_out(isl.dim_type.set, depth, self._depth(source) - depth)

    def _control_equivalent(self, block: Block, scope: NaturalLoop | None) -> Block | None:
        """A dominator in the same iteration from which every path leads to `block`."""
        tree, loops = self.space.flow.dominators, self.space.flow.loops
        above = tree.immediate(block)
        while above is not None and above in self.region and loops.innermost(above) is not scope:
            if scope is None and self._depth(above) == 0:
                break
            above = tree.immediate(above)
        if above is None or above not in self.of or not self._leads_to(above, block, scope):
            return None
        return above

    def _leads_to(self, above: Block, block: Block, scope: NaturalLoop | None) -> bool:
        """Every path from `above` comes to `block` before the region or the iteration ends."""
        seen = {above}
        pending = [above]
        while pending:
            for edge in outgoing(pending.pop()):
                target = edge.target
                if target is block:
                    continue
                if target not in self.region or (scope is not None and target is scope.header):
                    return False
                if scope is not None and target not in scope:
                    return False
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return True

    def _loop_headed_by(self, block: Block) -> NaturalLoop | None:
        loop = self.space.flow.loops.innermost(block)
        return loop if loop in self.space.iterators and loop.header is block else None

    def _depth(self, block: Block) -> int:
        return len(self.space.loops_around(block))


def _advance(space: isl.Space, place: int, direction: int) -> isl.Map:
    """{ [.., i] -> [.., i + direction] }"""
    step = isl.MultiAff.identity(space.map_from_set())
    moved = step.get_aff(place).add_constant_val(direction)
    return isl.Map.from_multi_aff(step.set_aff(place, moved))


def _all_later(space: isl.Space, place: int, direction: int) -> isl.Map:
    """{ [.., i] -> [.., j] : j comes after i }"""
    same = isl.Map.identity(space.map_from_set())
    free = same.project_out(isl.dim_type.out, place, 1).insert_dims(isl.dim_type.out, place, 1)
    order = free.order_lt if direction > 0 else free.order_gt
    return order(isl.dim_type.in_, place, isl.dim_type.out, place)
