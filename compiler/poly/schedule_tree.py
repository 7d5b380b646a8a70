"""Schedule trees as frozen Python values: read from isl, changed by pure functions, given back.

    Band      order by the members' functions, outermost first; `permutable` members may be
              interchanged and tiled; a `coincident` member carries no dependence
    Sequence  the children one after another, each for the instances of its filter;
              `is_ordered` is false for isl's set node: any order, even interleaved
    Mark      a name for what is below
    Leaf      nothing left to order

`read_tree(build_schedule(d, t)) == t` up to isl's simplifications of functions and filters.
S. Verdoolaege, S. Guelton, T. Grosser, A. Cohen, Schedule trees, IMPACT 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import cached_property

import islpy as isl

from polyopt.poly.isl.lists import pw_affs, sets
from polyopt.poly.linear.linear_forms import Vector, functions_of
from polyopt.support.record import record

_NodeType = isl.schedule_node_type


@record(eq=False)
class Member:
    """One dimension of a band: { S[i] -> function(i) }."""

    function: isl.UnionPwAff
    coincident: bool = False

    def factors(self, statement: str) -> Vector | None:
        """The factors of the statement's iterators in the function; None if it is not linear."""
        return self._factors.get(statement)

    @cached_property
    def _factors(self) -> Mapping[str | None, Vector | None]:
        return functions_of(self.function)


@record(eq=False)
class Band:
    members: tuple[Member, ...]
    child: Tree
    permutable: bool = False

    @cached_property
    def statements(self) -> tuple[str, ...]:
        """The names of the statements that the band orders."""
        domain = self.members[0].function.domain()
        return tuple(one.get_tuple_name() for one in sets(domain))


@record(eq=False)
class Sequence:
    """`children` are pairs of a filter and the subtree for its instances."""

    children: tuple[tuple[isl.UnionSet, Tree], ...]
    is_ordered: bool = True

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The child that has instances of a statement, the first of several."""
        found: dict[str, int] = {}
        for place, (instances, _) in enumerate(self.children):
            for one in sets(instances):
                found.setdefault(one.get_tuple_name(), place)
        return found


@record(eq=False)
class Mark:
    name: str
    child: Tree


@record(eq=False)
class Leaf:
    pass


Tree = Band | Sequence | Mark | Leaf
LEAF = Leaf()

TILE, POINT = "tile", "point"
"""The marks of a band whose members count tiles, and of what runs in one."""


class UnsupportedTree(Exception):
    """The tree has a node that none of our transformations knows (extension, expansion)."""


def read_tree(schedule: isl.Schedule) -> Tree:
    """The tree below the domain node; raises UnsupportedTree."""
    return _read(schedule.get_root().child(0))


def _read(node: isl.ScheduleNode) -> Tree:
    match node.get_type():
        case _NodeType.leaf:
            return LEAF
        case _NodeType.band:
            schedule = node.band_get_partial_schedule()
            members = tuple(
                Member(schedule.get_at(k), bool(node.band_member_get_coincident(k)))
                for k in range(len(schedule))
            )
            child = _read(node.child(0))
            # isl allows bands without members: they say nothing.
            return Band(members, child, bool(node.band_get_permutable())) if members else child
        case _NodeType.sequence | _NodeType.set as kind:
            filters = [node.child(k) for k in range(node.n_children())]
            children = tuple((one.filter_get_filter(), _read(one.child(0))) for one in filters)
            return Sequence(children, kind == _NodeType.sequence)
        case _NodeType.mark:
            return Mark(node.mark_get_id().get_name() or "", _read(node.child(0)))
        case _NodeType.filter:
            return Sequence(((node.filter_get_filter(), _read(node.child(0))),))
        case _NodeType.context | _NodeType.guard:
            return _read(node.child(0))
        case kind:
            name = str(kind).rpartition(".")[2]
            raise UnsupportedTree(f"its schedule tree has a node of kind {name}")


def build_schedule(domain: isl.UnionSet, tree: Tree) -> isl.Schedule:
    """The schedule that runs `domain` in the order of `tree`."""
    root = isl.ScheduleNode.from_domain(domain)
    return _build(root.child(0), tree).get_schedule()


def _build(node: isl.ScheduleNode, tree: Tree, whole: bool = False) -> isl.ScheduleNode:
    """`node` is a leaf; gives the node that is in its place afterwards. `whole`: one loop for each
    member, which isl does not cut where the pieces of a function meet."""
    match tree:
        case Leaf():
            return node
        case Mark(name, child):
            tiles = child if name == TILE and isinstance(child, Band) else None
            whole = whole or (tiles is not None and _is_piecewise(tiles))
            built = _build(node, child, whole)
            if tiles is not None and not whole:
                # One loop over all tiles, not one for each set of statements that a tile may hold.
                built = _in_one_loop_each(built, len(tiles.members))
            return built.insert_mark(isl.Id(name))
        case Band(members, child, permutable):
            node = node.insert_partial_schedule(joint_function(members))
            node = node.band_set_permutable(permutable)
            for k, member in enumerate(members):
                node = node.band_member_set_coincident(k, member.coincident)
            node = _in_one_loop_each(node, len(members)) if whole else node
            return _build(node.child(0), child, whole).parent()
        case Sequence(children, is_ordered):
            filters = isl.UnionSetList.alloc(isl.DEFAULT_CONTEXT, len(children))
            for instances, _ in children:
                filters = filters.add(instances)
            node = node.insert_sequence(filters) if is_ordered else node.insert_set(filters)
            for k, (_, child) in enumerate(children):
                node = _build(node.child(k).child(0), child, whole).grandparent()
            return node


def _in_one_loop_each(band: isl.ScheduleNode, members: int) -> isl.ScheduleNode:
    for k in range(members):
        band = band.band_member_set_ast_loop_type(k, isl.ast_loop_type.atomic)
    return band


def _is_piecewise(tiles: Band) -> bool:
    """Whether the number of a tile is one expression here and another there (`scanning/
    tile_functions`): the tile is one all the same."""
    return any(part.n_piece() > 1 for member in tiles.members for part in pw_affs(member.function))


def joint_function(members: Seq[Member]) -> isl.MultiUnionPwAff:
    """{ S[i] -> (f_1(i), ..., f_n(i)) }."""
    return joint([one.function for one in members])


def joint(functions: Seq[isl.UnionPwAff]) -> isl.MultiUnionPwAff:
    """The functions, one or more, as one to tuples."""
    first, *rest = (isl.MultiUnionPwAff.from_union_pw_aff(one) for one in functions)
    for one in rest:
        first = first.flat_range_product(one)
    return first


def map_tree(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """Every node replaced by `change` of it, children first."""
    match tree:
        case Leaf():
            return change(tree)
        case Band() | Mark():
            return change(replace(tree, child=map_tree(tree.child, change)))
        case Sequence(children):
            mapped = tuple((one, map_tree(child, change)) for one, child in children)
            return change(replace(tree, children=mapped))


def bands(tree: Tree) -> list[Band]:
    """All bands, outer before inner."""
    match tree:
        case Leaf():
            return []
        case Mark(_, child):
            return bands(child)
        case Band():
            return [tree, *bands(tree.child)]
        case Sequence(children):
            return [band for _, child in children for band in bands(child)]


def marks(tree: Tree) -> list[str]:
    """The names of all marks, outer before inner."""
    match tree:
        case Leaf():
            return []
        case Mark(name, child):
            return [name, *marks(child)]
        case Band(_, child):
            return marks(child)
        case Sequence(children):
            return [name for _, child in children for name in marks(child)]


def on_statements_of(function: isl.UnionPwAff, instances: isl.UnionSet) -> isl.UnionPwAff:
    """`function` for the statements of `instances`: for all of their instances, since isl would
    write the constraints of a smaller domain into it, and `i` where i = k would become `k`; and
    code generation asks for values between the points of a lattice."""
    return function.intersect_domain(instances.universe())


def restrict(tree: Tree, instances: isl.UnionSet) -> Tree:
    """The tree for some of the instances: the same order, no statement of the others."""
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=restrict(child, instances))
        case Band(members, child):
            mine = tuple(
                replace(one, function=on_statements_of(one.function, instances)) for one in members
            )
            return replace(tree, members=mine, child=restrict(child, instances))
        case Sequence(children):
            common = [(filter.intersect(instances), child) for filter, child in children]
            kept = [
                (filter, restrict(child, instances))
                for filter, child in common
                if not filter.is_empty()
            ]
            return kept[0][1] if len(kept) == 1 else replace(tree, children=tuple(kept))


def each_apart(parts: Seq[tuple[isl.UnionSet, Tree]]) -> Sequence:
    """The trees one after another, each for its own instances, without those that have none."""
    return Sequence(tuple((one, restrict(tree, one)) for one, tree in parts if not one.is_empty()))


def without_members(tree: Tree, fixed: Seq[Member]) -> Tree:
    """The tree inside one iteration of the `fixed` members: without its own that equal them."""
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=without_members(child, fixed))
        case Sequence(children):
            inner = tuple((one, without_members(child, fixed)) for one, child in children)
            return replace(tree, children=inner)
        case Band(members, child):
            left = tuple(one for one in members if not any(_same(one, other) for other in fixed))
            inner = without_members(child, fixed)
            return replace(tree, members=left, child=inner) if left else inner


def _same(one: Member, other: Member) -> bool:
    """Whether the functions are equal wherever `one` is defined."""
    zero = one.function.sub(other.function).zero_union_set()
    return one.function.domain().is_subset(zero)


def statements_of(band: Band) -> list[str]:
    """The names of the statements that a band orders."""
    return list(band.statements)


def members_below(tree: Tree, statement: str) -> list[Member]:
    """The members of the bands above the statement's leaf, outermost first."""
    match tree:
        case Leaf():
            return []
        case Mark(_, child):
            return members_below(child, statement)
        case Band(members, child):
            return [*members, *members_below(child, statement)]
        case Sequence(children):
            place = tree.places.get(statement)
            return [] if place is None else members_below(children[place][1], statement)
