"""Contractions in a schedule: found, and given loops of their own.

A contraction is a statement whose n^3 instances run on n^2 data: it updates `X[f(i, j)]` from
operands none of which varies with both i and j, once for each k that X does not name. Blocked and
packed it runs at the speed of the registers (`passes/loops/contract` decides that on the
generated loops); fused with its neighbours or tiled with them it does not. So the tree is
cut:

    isolation   where the statement depends on others only one way round, it gets a place of its
                own in a sequence: [what comes before], contraction, [what comes after]. The others
                stay as the scheduler has ordered them.
    panels      where it depends on others both ways (a factorisation), the outermost member of the
                permutable band is cut into blocks. The instances whose element nothing else in
                the block touches wait for the end of the block:

                    for kb: [panel: all that is left of the block]; update: contraction

                For an LU factorisation the panel is the block's rows and columns, the update all
                that lies below and to the right: F. Gustavson, Recursion leads to automatic
                variable blocking for dense linear-algebra algorithms, IBM J. R&D 41(6), 1997,
                tells the algebra; here the split follows from the accesses alone.

    pulls       where an element is used in the block that completes it, but its updates may come in
                any order (a maximum, say, over all ways to split an interval), the two outermost
                members of the band are cut into tiles. The updates that take nothing from their own
                tile go first:

                    for ib: for jb: [update: contraction]; what is left of the tile

                What is left goes along rows, if it may (`pushes.py`).

A contraction's own loops are those of the source, under the mark "contract". Whoever uses the
tree checks it (`legality.check_schedule`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.contraction_roles import contraction_roles
from polyopt.poly.changes.pushes import pushed
from polyopt.poly.changes.updates import accumulator, is_unit_stride, varies
from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.lists import maps, pieces, pw_affs, sets
from polyopt.poly.schedule_tree import (
    LEAF,
    TILE,
    Band,
    Leaf,
    Mark,
    Member,
    Sequence,
    Tree,
    restrict,
)
from polyopt.poly.scop import Scop, Statement
from polyopt.poly.transform.tiling import tile_function
from polyopt.support.record import record

CONTRACT = "contract"


@record
class ContractionOptions:
    """`block` is the number of steps of the outermost band member in a panel."""

    block: int = 64


def expose_contractions(
    scop: Scop,
    dependences: Dependences,
    tree: Tree,
    options: ContractionOptions = ContractionOptions(),
) -> Tree:
    """`tree` with its contractions in places of their own; `tree` itself if there are none."""
    exposer = _Exposer(scop, options)
    return exposer.expose(tree, _Scope(scop.domain, dependences.validity, dependences.value_flow))


def is_contraction(statement: Statement, free: Iterable[int]) -> bool:
    """Is this an update X[f(i, j)] <- X[f(i, j)], P(i, k), Q(k, j), with i, j, k among the
    dimensions `free`? P or Q may be a few operands, but none of both i and j."""
    write = accumulator(statement)
    if write is None:
        return False
    dims = sorted(free)
    roles = contraction_roles(
        dims,
        [d for d in dims if varies(write, d)],
        [
            [d for d in dims if varies(one, d)]
            for one in statement.accesses
            if not one.relation.is_equal(write.relation)
        ],
        lambda d: is_unit_stride(write, d),
    )
    return next(roles, None) is not None


@record
class _Scope:
    """The instances that a tree orders, the dependences between them that nothing above it has
    ordered, those of them that carry a value, and the functions that are fixed above it."""

    instances: isl.UnionSet
    pairs: isl.UnionMap
    flow: isl.UnionMap
    fixed: tuple[isl.UnionPwAff, ...] = ()

    def within(self, instances: isl.UnionSet) -> _Scope:
        pairs, flow = (
            part.intersect_domain(instances).intersect_range(instances)
            for part in (self.pairs, self.flow)
        )
        instances = self.instances.intersect(instances)
        return replace(self, instances=instances, pairs=pairs, flow=flow)

    def at(self, function: isl.UnionPwAff) -> _Scope:
        """Below one value of `function`."""
        value = isl.MultiUnionPwAff.from_union_pw_aff(function)
        pairs, flow = (part.eq_at_multi_union_pw_aff(value) for part in (self.pairs, self.flow))
        return replace(self, pairs=pairs, flow=flow, fixed=(*self.fixed, function))


@record
class _Exposer:
    scop: Scop
    options: ContractionOptions

    def expose(self, tree: Tree, scope: _Scope) -> Tree:
        if not self._is_promising(scope):
            return tree
        candidates = self._candidates(scope)
        components = _components(scope)
        if candidates and len(components) > 1:
            batch = self._batch(tree, scope, candidates)
            return batch or self._separate(tree, scope, components, candidates)
        if len(components[0]) == 1:
            (name,) = components[0]
            if name in candidates and self._is_accumulation(name, scope):
                return self._own_loops(name, scope.instances)
        return self._below(tree, scope, candidates)

    def _candidates(self, scope: _Scope) -> frozenset[str]:
        return frozenset(
            statement.name
            for statement, free in self._free_dims(scope)
            if is_contraction(statement, free)
        )

    def _is_promising(self, scope: _Scope) -> bool:
        """Is there a statement that is a contraction, or may be one for fixed outer loops?"""
        for statement, free in self._free_dims(scope):
            write = accumulator(statement)
            depth = {d for d in free if write is not None and not varies(write, d)}
            if any(is_contraction(statement, free - depth | {k}) for k in depth):
                return True
        return False

    def _free_dims(self, scope: _Scope) -> Iterable[tuple[Statement, set[int]]]:
        for part in sets(scope.instances):
            statement = self.scop.statement(part.get_tuple_name() or "")
            fixed = {d for f in scope.fixed for d in _dims_in(f, statement)}
            yield statement, set(range(statement.domain.dim(isl.dim_type.set))) - fixed

    def _separate(
        self,
        tree: Tree,
        scope: _Scope,
        components: Seq[frozenset[str]],
        candidates: frozenset[str],
    ) -> Tree:
        """A sequence: each component with a contraction by itself, the others together as far as
        the dependences allow, in the order that `tree` gives them."""
        groups = _in_groups(scope, components, lambda one: not one.isdisjoint(candidates))
        if len(groups) == 1:
            return self._below(tree, scope, candidates)
        children: list[tuple[isl.UnionSet, Tree]] = []
        changed = False
        for names in groups:
            inner = scope.within(_instances(self.scop, names))
            part = restrict(tree, inner.instances)
            exposed = part if names.isdisjoint(candidates) else self.expose(part, inner)
            changed |= exposed is not part
            children.append((inner.instances, exposed))
        return Sequence(tuple(children)) if changed else tree

    def _batch(self, tree: Tree, scope: _Scope, candidates: frozenset[str]) -> Tree | None:
        """A loop around products that have nothing in common, with their neighbours still in it:
        what these leave in the cache is there for the product, and no panel is packed more often.
        None if there is no such loop."""
        if not isinstance(tree, Band):
            return None
        for position in range(len(tree.members) if tree.permutable else 1):
            first = tree.members[position]
            if not all(self._shares_nothing(name, first.function) for name in candidates):
                continue
            rest = (*tree.members[:position], *tree.members[position + 1 :])
            inner = replace(tree, members=rest) if rest else tree.child
            exposed = self.expose(inner, scope.at(first.function))
            if exposed is not inner:
                return replace(tree, members=(first,), child=exposed)
        return None

    def _shares_nothing(self, name: str, function: isl.UnionPwAff) -> bool:
        """Do all accesses of the statement vary with the one dimension that `function` is?"""
        statement = self.scop.statement(name)
        dims = _dims_in(function, statement)
        return len(dims) == 1 and all(
            varies(access, dim) for access in statement.accesses for dim in dims
        )

    def _below(self, tree: Tree, scope: _Scope, candidates: frozenset[str]) -> Tree:
        match tree:
            case Leaf():
                return tree
            case Mark(_, child):
                exposed = self.expose(child, scope)
                return tree if exposed is child else replace(tree, child=exposed)
            case Sequence(children):
                exposed = tuple((one, self.expose(sub, scope.within(one))) for one, sub in children)
                return tree if exposed == children else replace(tree, children=exposed)
            case Band(members, child, permutable):
                panels = self._panels(tree, scope, candidates) if permutable else None
                if panels is not None:
                    return panels
                pulled = self._pulled(tree, scope, candidates) if permutable else None
                if pulled is not None:
                    return pulled
                outermost = range(len(members)) if permutable else range(1)
                for position in outermost:
                    first = members[position]
                    rest = (*members[:position], *members[position + 1 :])
                    inner = replace(tree, members=rest) if rest else child
                    exposed = self.expose(inner, scope.at(first.function))
                    if exposed is not inner:
                        return replace(tree, members=(first,), child=exposed)
                return tree

    def _panels(self, band: Band, scope: _Scope, candidates: frozenset[str]) -> Tree | None:
        """The band in blocks of its outermost member, each a panel and then the updates of what
        nothing else in the block touches; None if there is no such update."""
        first, *others = band.members
        blocks = tile_function(first.function, self.options.block)
        updates: dict[str, isl.UnionSet] = {}
        panel = scope.instances
        for name in sorted(candidates):
            part = self._update(name, scope, first.function)
            inside = scope.at(blocks)
            if part.is_empty() or not self._is_accumulation(name, inside.within(part)):
                continue
            if not _none_between(inside.pairs, part, panel.subtract(part)):
                continue
            updates[name] = part
            panel = panel.subtract(part)
        if not updates:
            return None
        inner = replace(band, members=(*others[:1], first, *others[1:]), permutable=False)
        children = [(panel.coalesce(), restrict(inner, panel))]
        children += [(part, self._own_loops(name, part)) for name, part in updates.items()]
        member = Member(blocks.intersect_domain(scope.instances))
        return Mark(TILE, Band((member,), Sequence(tuple(children))))

    def _pulled(self, band: Band, scope: _Scope, candidates: frozenset[str]) -> Tree | None:
        """The band in tiles of its two outermost members, each beginning with the updates that
        take from finished tiles only; None if there are none, or if they are not accumulations."""
        if len(band.members) < 2:
            return None
        functions = [one.function for one in band.members[:2]]
        tiles = [tile_function(one, self.options.block) for one in functions]
        inside = scope.at(tiles[0]).at(tiles[1])
        pulled: dict[str, isl.UnionSet] = {}
        rest = scope.instances
        for name in sorted(candidates):
            part = self._finished(name, scope, functions)
            if part.is_empty() or not self._is_accumulation(name, inside.within(part)):
                continue
            if not _none_between(inside.pairs, rest.subtract(part), part):
                continue
            pulled[name] = part
            rest = rest.subtract(part)
        if not pulled:
            return None
        children = [(part, self._own_loops(name, part)) for name, part in pulled.items()]
        rest = rest.coalesce()
        after = pushed(self.scop, band, rest, inside.within(rest).pairs, pulled)
        children.append((rest, after or restrict(band, rest)))
        members = tuple(Member(tile.intersect_domain(scope.instances)) for tile in tiles)
        return Mark(TILE, Band(members, Sequence(tuple(children)), permutable=True))

    def _finished(self, name: str, scope: _Scope, functions: Seq[isl.UnionPwAff]) -> isl.UnionSet:
        """The instances of a contraction whose operands no instance of their tile writes.

            { s : there is no t with b <= functions(t) < b + block, b the start of the tile of s,
                  that writes an element which s reads, its accumulator apart }

        What is written is taken without its bounds, as in `_update`.
        """
        size = self.options.block
        window = isl.UnionMap(
            f"{{ [[b] -> [c]] -> [[x] -> [y]] : b <= x < b + {size} and c <= y < c + {size} }}"
        )
        steps, starts = (
            isl.UnionMap.from_union_pw_aff(first)
            .range_product(isl.UnionMap.from_union_pw_aff(second))
            .intersect_domain(scope.instances)
            for first, second in (functions, [tile_function(one, size) for one in functions])
        )
        written = isl.UnionSet.empty(self.scop.context.get_space())
        for one in self.scop.statements:
            for access in one.accesses:
                if access.is_write:
                    at = isl.UnionMap.from_map(access.relation).range_product(steps)
                    written = written.union(_without_bounds(at.range()))
        statement = self.scop.statement(name)
        result = accumulator(statement)
        assert result is not None
        own = isl.UnionSet.from_set(statement.domain)
        # Any window of that size first, so that no division comes in; then the tile.
        free = steps.intersect_domain(own).apply_range(window.reverse())
        for access in statement.accesses:
            if not access.is_write and not access.relation.is_equal(result.relation):
                taken = isl.UnionMap.from_map(access.relation).apply_range(written.unwrap())
                free = free.subtract(taken.apply_range(window.reverse()))
        return free.coalesce().intersect(starts).domain().coalesce()

    def _update(self, name: str, scope: _Scope, steps: isl.UnionPwAff) -> isl.UnionSet:
        """The instances of a contraction whose element no access of their block touches, but
        those to accumulate it; `steps` is the member that is cut into blocks.

            { s : there is no t with b <= steps(t) < b + block, b the block's start of s,
                  that touches the element of s }

        An operand is taken without its bounds (whole rows, whole columns): fewer instances wait,
        but those that do are a block without exceptions at its borders.
        """
        statement = self.scop.statement(name)
        write = accumulator(statement)
        assert write is not None
        at_step = isl.UnionMap.from_union_pw_aff(steps).intersect_domain(scope.instances)
        touched = isl.UnionSet.empty(self.scop.context.get_space())
        for one in self.scop.statements:
            result = accumulator(one)
            for access in one.accesses:
                is_result = result is not None and access.relation.is_equal(result.relation)
                if access.array != write.array or (is_result and one is statement):
                    continue
                elements = isl.UnionMap.from_map(access.relation).range_product(at_step).range()
                touched = touched.union(elements if is_result else _without_bounds(elements))
        # Any window of that many steps first, so that no division comes in; then the block.
        size = self.options.block
        window = isl.UnionMap(f"{{ [b] -> [k] : b <= k < b + {size} }}")
        written = isl.UnionMap.from_map(write.relation.intersect_domain(statement.domain))
        written = written.intersect_domain(scope.instances)
        element = isl.UnionMap.from_map(
            isl.Map.identity(write.relation.range().get_space().map_from_set())
        )
        conflicts = element.product(window).intersect_range(touched).domain()
        free = written.range_product(at_step.apply_range(window.reverse()))
        free = free.subtract(free.intersect_range(conflicts))
        start = isl.UnionMap.from_union_pw_aff(tile_function(steps, size))
        return free.intersect(written.range_product(start)).domain().coalesce()

    def _is_accumulation(self, name: str, scope: _Scope) -> bool:
        """Do values go from instance to instance through the accumulator only?"""
        own = scope.within(isl.UnionSet.from_set(self.scop.statement(name).domain)).flow
        write = accumulator(self.scop.statement(name))
        assert write is not None
        element = isl.UnionMap.from_map(write.relation)
        return own.is_subset(element.apply_range(element.reverse()))

    def _own_loops(self, name: str, instances: isl.UnionSet) -> Tree:
        """The loops of the source around one statement."""
        domain = self.scop.statement(name).domain
        space = domain.get_space()
        members: list[Member] = []
        for dim in range(domain.dim(isl.dim_type.set)):
            iterator = isl.PwAff.from_aff(
                isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), isl.dim_type.set, dim)
            )
            function = isl.UnionPwAff.from_pw_aff(iterator).intersect_domain(instances)
            members.append(Member(function))
        return Mark(CONTRACT, Band(tuple(members), LEAF))


def _without_bounds(elements: isl.UnionSet) -> isl.UnionSet:
    """What the equalities alone say."""
    result = isl.UnionSet.empty(elements.get_space())
    for part in sets(elements):
        result = result.union(isl.UnionSet.from_set(isl.Set.from_basic_set(part.affine_hull())))
    return result


def _none_between(pairs: isl.UnionMap, sources: isl.UnionSet, targets: isl.UnionSet) -> bool:
    return pairs.intersect_domain(sources).intersect_range(targets).is_empty()


def _dims_in(function: isl.UnionPwAff, statement: Statement) -> set[int]:
    """The dimensions of the statement that the function depends on."""
    own = function.intersect_domain(isl.UnionSet.from_set(statement.domain))
    found: set[int] = set()
    for part in pw_affs(own):
        for _, aff in pieces(part):
            count = aff.dim(isl.dim_type.in_)
            found |= {d for d in range(count) if aff.involves_dims(isl.dim_type.in_, d, 1)}
    return found


def _instances(scop: Scop, names: Iterable[str]) -> isl.UnionSet:
    result = isl.UnionSet.empty(scop.context.get_space())
    for name in names:
        result = result.union(isl.UnionSet.from_set(scop.statement(name).domain))
    return result


def _edges(scope: _Scope) -> dict[str, set[str]]:
    """From each statement to those that depend on it."""
    names = [part.get_tuple_name() or "" for part in sets(scope.instances)]
    edges: dict[str, set[str]] = {name: set() for name in names}
    for part in maps(scope.pairs):
        source = part.get_tuple_name(isl.dim_type.in_) or ""
        edges[source].add(part.get_tuple_name(isl.dim_type.out) or "")
    return edges


def _components(scope: _Scope) -> list[frozenset[str]]:
    """The strongly connected components of the statements."""
    edges = _edges(scope)
    reach: dict[str, set[str]] = {}
    for name in edges:
        seen: set[str] = set()
        stack = [name]
        while stack:
            for target in edges[stack.pop()]:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        reach[name] = seen
    found: dict[frozenset[str], None] = {}
    for name in edges:
        found[frozenset({name, *(o for o in reach[name] if name in reach[o])})] = None
    return list(found)


def _in_groups(
    scope: _Scope, components: Seq[frozenset[str]], stands_alone: Callable[[frozenset[str]], bool]
) -> list[frozenset[str]]:
    """The components in an order that respects the dependences, those that need not stand alone
    together wherever they can."""
    edges = _edges(scope)
    before = {
        one: {o for o in components if o != one and any(edges[n] & one for n in o)}
        for one in components
    }
    groups: list[frozenset[str]] = []
    done: set[frozenset[str]] = set()
    while len(done) < len(components):
        ready = [one for one in components if one not in done and before[one] <= done]
        together: frozenset[str] = frozenset()
        while common := [one for one in ready if not stands_alone(one)]:
            together = together.union(*common)
            done.update(common)
            ready = [one for one in components if one not in done and before[one] <= done]
        if together:
            groups.append(together)
        if ready:
            groups.append(ready[0])
            done.add(ready[0])
    return groups
