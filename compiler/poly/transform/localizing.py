"""A tile works on copies: buffers of its own, filled before it and written back after it.

    for i_tile { for i { B[i] += A[i - 1] + A[i] } }
  =>
    for i_tile {
      for a = 32 i_tile - 1, ..., 32 i_tile + 31 { A_local[a - 32 i_tile + 1] = A[a] }
      for i { B[i] += A_local[i - 32 i_tile] + A_local[i - 32 i_tile + 1] }
    }

C. Ancourt, F. Irigoin, Scanning polyhedra with DO loops, PPoPP 1991: array parts are copied between
levels of a memory by loops that visit each element once. The copies are statements like others,
with domains { A_in[t, a] : tile t needs the element a } and accesses of their own, ordered by the
schedule tree, so that whatever holds of a SCoP is asked of the new one, too.

What the new SCoP computes is what the old one did if, tile by tile, each read of the buffer finds
what was copied in or written since, in the same tile; nothing in the tile touches the array by
another way; and what is written is copied out. The first is shown by the dataflow of the buffer in
a tile (`_refuse_unfilled`), the others hold by construction: all accesses in a tile are moved, and
the elements that are copied out are the image of all writes. That the new order keeps all old
dependences, and those of the copies, is asked as of any schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import maps, sets
from polyopt.poly.scanning.footprint import fresh_parameters, instances_with
from polyopt.poly.schedule_tree import LEAF, Member, Tree, build_schedule, restrict
from polyopt.poly.schedule_tree import Sequence as SequenceNode
from polyopt.poly.scop import Array, Scop, Statement
from polyopt.poly.transform.copied_elements import copied_elements
from polyopt.poly.transform.local_copies import Buffer, buffer_for
from polyopt.poly.transform.local_dependences import local_dependences
from polyopt.poly.transform.places import (
    CannotTransform,
    Path,
    SingleLoop,
    as_loop,
    instances_at,
    node_at,
    sequence,
)
from polyopt.poly.transform.tile_numbers import Numbered, number_instances
from polyopt.support.record import record

OPERATIONS = 200_000
LIMIT = 1 << 24
_CHECK = 4_000_000


@record(eq=False)
class Localized:
    """`scop`, with its schedule, is ordered by `tree`. `leading`: how many iterators its statements
    have got in front of those that they had. `limit`: how many bytes each of the buffers may
    take."""

    scop: Scop
    tree: Tree
    leading: Mapping[str, int]
    buffers: tuple[Buffer, ...]
    back: isl.UnionPwMultiAff
    numbers: tuple[isl.UnionPwAff, ...]
    limit: int

    def dependences(self, before: Dependences) -> Dependences:
        """Those of the new SCoP, from those of the old one. Raises BudgetExceeded."""
        return local_dependences(self.scop, before, self.back, self.numbers, self.buffers)


def localize(
    scop: Scop,
    tree: Tree,
    loop: Path,
    arrays: Sequence[str] = (),
    operations: int = OPERATIONS,
    limit: int = LIMIT,
) -> Localized:
    """The body of the loop works on buffers instead of `arrays`; of all that can be where none is
    named. An image may cost `operations`; a buffer of known size takes at most `limit` bytes.
    Raises CannotTransform, also where it costs too much to show that the result is right."""
    try:
        with budget("copies for tiles", _CHECK):
            return _localize(scop, tree, (*loop, 0), arrays, operations, limit)
    except BudgetExceeded as error:
        raise CannotTransform(f"the copies cost too much: {error}") from None


def _localize(
    scop: Scop, tree: Tree, place: Path, arrays: Sequence[str], operations: int, limit: int
) -> Localized:
    numbered = number_instances(scop, tree, place)
    numbers = fresh_parameters(scop, len(numbered.numbers))
    buffers = list[Buffer]()
    for array in _chosen(numbered, arrays):
        try:
            elements = copied_elements(numbered, place, array, numbers, operations)
            buffers.append(buffer_for(numbered, array, elements, limit))
        except CannotTransform:
            if arrays:
                raise
    if not buffers:
        raise CannotTransform("no array has elements here that could be in a buffer")
    new = numbered.scop
    for one in buffers:
        new = one.apply(new)
    ordered = _ordered(numbered, place, buffers)
    new = new.with_schedule(build_schedule(new.domain.intersect_params(new.known), ordered))
    counted = _all_numbers(numbered, buffers)
    for one in buffers:
        _refuse_unfilled(new, node_at(ordered, place), one, counted, numbers)
    made = tuple(buffers)
    return Localized(new, ordered, numbered.leading, made, numbered.back, counted, limit)


def _chosen(numbered: Numbered, names: Sequence[str]) -> Iterator[Array]:
    """Arrays, no single variables, that the instances touch at places that are known."""
    scop = numbered.scop
    below = {one.get_tuple_name() for one in sets(numbered.inside)}
    accesses = [access for one in scop.statements if one.name in below for access in one.accesses]
    known = {one.name: one for one in scop.arrays}
    for name in names:
        if name not in known:
            listed = ", ".join(one.name for one in scop.arrays if one.extents)
            raise CannotTransform(f"no array '{name}'", f"there are {listed}" if listed else None)
        if not known[name].extents:
            raise CannotTransform(f"{name} is a single variable, no array")
        if all(access.array != name for access in accesses):
            raise CannotTransform(f"nothing in the loop touches {name}")
    for array in scop.arrays if not names else [known[name] for name in dict.fromkeys(names)]:
        own = [access for access in accesses if access.array == array.name]
        vague = [one for one in own if not one.relation.is_single_valued()]
        if vague and names:
            raise CannotTransform(f"which elements of {array.name} are touched, data decide")
        if array.extents and own and not vague:
            yield array


# The order


def _ordered(numbered: Numbered, place: Path, buffers: Sequence[Buffer]) -> Tree:
    """The copies before and after what is at `place`."""
    into = [one.into for one in buffers if one.into is not None]
    out = [one.out for one in buffers if one.out is not None]
    scop = numbered.scop
    below = instances_at(numbered.tree, place, scop.domain.intersect_params(scop.known))

    def around(node: Tree) -> Tree:
        children = [
            *((_all_of(one), _loops(one, numbered)) for one in into),
            (below, node),
            *((_all_of(one), _loops(one, numbered)) for one in out),
        ]
        return sequence(tuple(children))

    body = around(node_at(numbered.tree, place))
    return _inserted(numbered.tree, place, 0, [*into, *out], body)


def _inserted(tree: Tree, place: Path, depth: int, copies: Sequence[Statement], body: Tree) -> Tree:
    """`body` at `place`, with the copies in all that is around it; `depth` loops are done."""
    if not place:
        return body
    step, *rest = place
    loop = as_loop(tree)
    if loop is not None:
        function = loop.function
        for one in copies:
            function = function.union_add(_counted(one, depth))
        inner = _inserted(loop.body, tuple(rest), depth + 1, copies, body)
        return replace(loop.counting(function), body=inner).tree()
    assert isinstance(tree, SequenceNode)
    children = list(tree.children)
    instances, child = children[step]
    for one in copies:
        instances = instances.union(_all_of(one))
    inner = _inserted(child, tuple(rest), depth, copies, body)
    children[step] = instances, inner
    return replace(tree, children=tuple(children))


def _all_of(copy: Statement) -> isl.UnionSet:
    return isl.UnionSet.from_set(isl.Set.universe(copy.domain.get_space()))


def _counted(copy: Statement, position: int) -> isl.UnionPwAff:
    """The coordinate of the copy at this position."""
    local = isl.LocalSpace.from_space(copy.domain.get_space())
    value = isl.Aff.var_on_domain(local, isl.dim_type.set, position)
    return isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(value))


def _loops(copy: Statement, numbered: Numbered) -> Tree:
    """Loops over the elements, in their order in memory."""
    tree: Tree = LEAF
    for position in reversed(range(len(numbered.numbers), copy.domain.dim(isl.dim_type.set))):
        tree = SingleLoop(Member(_counted(copy, position)), tree).tree()
    return tree


# The proof


def _all_numbers(numbered: Numbered, buffers: Sequence[Buffer]) -> tuple[isl.UnionPwAff, ...]:
    """The numbers of the instances in tiles, and of the copies."""
    result = list[isl.UnionPwAff]()
    for position, number in enumerate(numbered.numbers):
        total = number
        for copy in (copy for one in buffers for copy in one.copies):
            total = total.union_add(_counted(copy, position))
        result.append(total)
    return tuple(result)


def _refuse_unfilled(
    scop: Scop,
    body: Tree,
    buffer: Buffer,
    counted: Sequence[isl.UnionPwAff],
    numbers: Sequence[str],
) -> None:
    """Each read of the buffer finds what its own tile has put there, in the `body` that runs in one
    without anything else in between: what no instance in it has written, the first copy has."""
    inside = counted[0].domain().intersect(scop.domain).intersect_params(scop.known)
    tile = instances_with(inside, counted, numbers)
    reads = _accesses(scop, buffer.array, tile, writes=False)
    surely = _accesses(scop, buffer.array, tile, writes=True, must=True)
    filled = isl.UnionMap.empty(surely.get_space())
    if buffer.into is not None:
        filled = surely.intersect_domain(_all_of(buffer.into))
        surely = surely.subtract_domain(filled.domain())
    below = inside.intersect(reads.domain().union(surely.domain()).universe())
    order = build_schedule(below, restrict(body, below))
    info = isl.UnionAccessInfo.from_sink(reads).set_must_source(surely).set_schedule(order)
    if not info.compute_flow().get_must_no_source().range().is_subset(filled.range()):
        raise CannotTransform(f"what a tile reads of {buffer.source.name} could not be shown")


def _accesses(
    scop: Scop, array: Array, tile: isl.UnionSet, *, writes: bool, must: bool | None = None
) -> isl.UnionMap:
    found = isl.UnionMap.empty(scop.context.get_space())
    for one in maps(scop.accesses(writes=writes, must=must).intersect_domain(tile)):
        if one.get_tuple_name(isl.dim_type.out) == array.name:
            found = found.union(isl.UnionMap.from_map(one))
    return found
