"""Register tiles: the two innermost loops of a nest in steps of a few iterations, done together.

    for i { for j { S } }     =>     for i step p { for j { S at i, i + 1, …, i + p - 1 } }

What does not move along i is loaded once for p iterations, as long as registers hold what does
(J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix, SC 2014, §IV.C: the two innermost
loops of each tile by 1, 2, 4, 6 or 8, whichever is best). The copies of the innermost loop are
done likewise where it runs in no vectors; a loop in vectors takes so many of them in a step, which
is the vectoriser's to do. Legal where no dependence that reaches the outer loop goes back along the
inner one. Loops whose range depends on the one around are done too: what makes straight code of the
copies keeps full tiles apart from partial ones.

Factors that nobody has chosen are those of a count: along p, vectors in registers and elements
loaded for an iteration. Sums in any order of an array that they also read (`x[i] -= L[i][j] x[j]`)
stay alone: one of them becomes lanes where addresses are compared when the loop runs, and several
do not (trisolv of 400 rows, AVX-512: 14 us alone, 27 by four and eight).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, is_coincident, is_forward
from polyopt.poly.analysis.strides import AccessMatrices
from polyopt.poly.changes.factors import FACTORS
from polyopt.poly.changes.updates import accumulator, varies
from polyopt.poly.isl.lists import sets
from polyopt.poly.schedule_tree import Leaf, Member, Tree
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Scop
from polyopt.poly.transform.places import SingleLoop, as_loop
from polyopt.poly.transform.tiling import UNROLL, tile_function
from polyopt.support.record import record


@record
class RegisterTiles:
    """`factors`: iterations of the second loop from inside, and of the innermost one; None: those
    of the count. `registers` hold vectors."""

    scop: Scop
    registers: int
    factors: tuple[int, int] | None = None

    def of(self, tree: Tree, place: TreePosition, instances: isl.UnionSet) -> Tree:
        """The tree of single loops with register tiles at the bottom of each of its nests."""
        if isinstance(tree, TreeSequence):
            children = tuple(
                (one, self.of(child, place.among(one), instances.intersect(one)))
                for one, child in tree.children
            )
            return replace(tree, children=children)
        loop = as_loop(tree)
        if loop is None:
            return tree
        inner = as_loop(loop.body)
        if _is_straight(loop.body):
            return self._innermost(loop, place).tree()
        if inner is not None and _is_straight(inner.body):
            return self._two(loop, inner, place, instances)
        return replace(loop, body=self.of(loop.body, place.inside([loop.member]), instances)).tree()

    def _two(
        self, outer: SingleLoop, inner: SingleLoop, place: TreePosition, instances: isl.UnionSet
    ) -> Tree:
        around = place.inside([outer.member])
        within = self._innermost(inner, around)
        if self.factors:
            count = self.factors[0]
        elif self._is_lone_sum(inner, around.pending, instances):
            count = 1
        else:
            count = self._counted(outer, inner, instances)
        if count == 1 or not is_forward(place.pending, inner.member):
            return replace(outer, body=within.tree()).tree()
        jammed = replace(within, body=_copies(outer, within.body))
        return replace(_strips(outer, count), body=jammed.tree()).tree()

    def _innermost(self, loop: SingleLoop, place: TreePosition) -> SingleLoop:
        """In copies where it carries something, and so runs in no vectors."""
        count = self.factors[1] if self.factors else 1
        if count == 1 or is_coincident(place.pending, loop.member):
            return loop
        return replace(_strips(loop, count), body=_copies(loop, loop.body))

    def _is_lone_sum(
        self, inner: SingleLoop, pending: isl.UnionMap, instances: isl.UnionSet
    ) -> bool:
        """Does a statement add up an element of an array along the loop, in any order, and read
        others of it?"""
        for domain in sets(instances):
            statement = self.scop.statement(domain.get_tuple_name() or "")
            axis, total = _axis(inner.member, statement.name), accumulator(statement)
            if axis is None or total is None or varies(total, axis):
                continue
            same = [one for one in statement.accesses if one.array == total.array]
            if all(one.relation.is_equal(total.relation) for one in same):
                continue
            own = isl.UnionSet.from_set(domain)
            if is_coincident(pending.intersect_domain(own).intersect_range(own), inner.member):
                return True
        return False

    def _counted(self, outer: SingleLoop, inner: SingleLoop, instances: isl.UnionSet) -> int:
        """The factor for which an iteration loads and stores the least, as far as registers go;
        of equal ones the least. Each moving access holds one register for each copy. Tiles are as
        long as powers of two are, and strips of 6 would go from one to the next."""
        moves = list(self._moves(outer, inner, instances))
        if not moves or all(moves):
            return 1  # nothing is used twice
        best, least = 1, float(len(moves))
        for count in (one for one in FACTORS[1:] if one & (one - 1) == 0):
            held = sum(count if one else 1 for one in moves)
            traffic = sum(1.0 if one else 1 / count for one in moves)
            if held <= self.registers and traffic < least:
                best, least = count, traffic
        return best

    def _moves(
        self, outer: SingleLoop, inner: SingleLoop, instances: isl.UnionSet
    ) -> Iterable[bool]:
        """For each access of the nest, whether it moves along the outer loop; nothing of a
        statement whose loops run along no single iterator."""
        matrices = AccessMatrices(self.scop)
        for domain in sets(instances):
            name = domain.get_tuple_name() or ""
            axis, other = _axis(outer.member, name), _axis(inner.member, name)
            if axis is None or other is None or axis == other:
                continue
            for access in self.scop.statement(name).accesses:
                rows = matrices.subscripts(name, access)
                yield rows is None or any(row[axis] for row in rows)


def _is_straight(tree: Tree) -> bool:
    """Whether the tree is one statement after another, in no loop."""
    if isinstance(tree, TreeSequence):
        return all(isinstance(child, Leaf) for _, child in tree.children)
    return isinstance(tree, Leaf)


def _axis(member: Member, statement: str) -> int | None:
    factors = member.factors(statement)
    axes = [k for k, factor in enumerate(factors or ()) if factor]
    return axes[0] if len(axes) == 1 else None


def _strips(loop: SingleLoop, count: int) -> SingleLoop:
    return replace(loop, member=Member(tile_function(loop.function, count), loop.member.coincident))


def _copies(loop: SingleLoop, body: Tree) -> Tree:
    return SingleLoop(Member(loop.function), body, (UNROLL,)).tree()
