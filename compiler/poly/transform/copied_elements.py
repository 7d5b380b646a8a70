"""Which elements of an array a tile needs to find in its buffer, and which it leaves there.

    in      what is read and not made inside before, and what is written on a condition only
    out     what is written

for one tile, whose number is parameters. What is made inside is told by the dataflow of the tile
alone. Both are exact images (`scanning/image`), element by element. Where the first is in more than
a few parts, so that the loops would be many and their tests dear, all that is read is copied in;
and where the images of these are too dear, the box around all that the tile touches, which is
copied in and out as a whole.

What is touched on a condition that data decide need not be there: an array may end before it. It is
copied only if the array is declared to have it, or if another access surely touches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import islpy as isl

from polyopt.poly.isl.lists import maps, sets
from polyopt.poly.isl.names import apart, parameters_of
from polyopt.poly.scanning.footprint import FEW, footprint, instances_with
from polyopt.poly.scanning.image import union_of
from polyopt.poly.schedule_tree import build_schedule, restrict
from polyopt.poly.scop import Array, Scop
from polyopt.poly.transform.places import CannotTransform, Path, node_at
from polyopt.poly.transform.tile_numbers import Numbered
from polyopt.support.record import record

How = Literal["exact", "reads", "box"]


@record(eq=False)
class Copied:
    """Elements { A[a] } over the parameters of the SCoP and the `numbers` of a tile; `touched`: all
    that have a place in the buffer. `how`: what is copied in is what is needed, or all that is
    read, or what is copied is all of a box."""

    numbers: tuple[str, ...]
    into: isl.Set
    out: isl.Set
    touched: isl.Set
    how: How


def copied_elements(
    numbered: Numbered, place: Path, array: Array, numbers: Sequence[str], operations: int
) -> Copied:
    """Those of the tile below `place`. Raises CannotTransform, and BudgetExceeded."""
    scop = numbered.scop
    inside = numbered.inside.intersect_params(scop.known)
    tile = instances_with(inside, numbered.numbers, numbers)
    reads = _of(scop, array.name, tile, writes=False)
    writes = _of(scop, array.name, tile, writes=True)
    surely = _of(scop, array.name, tile, writes=True, must=True)
    unsure = _of(scop, array.name, tile, writes=True, must=False)
    maybe = unsure.subtract_range(surely.range()) if not unsure.is_empty() else unsure
    _refuse_absent(scop, array, tile)
    needed = _needed(numbered, place, reads, surely).union(maybe)
    touched = reads.union(writes)
    all_in = _only(touched.range(), array)
    going = _exact(writes, array, operations)
    if going is not None:
        ways: tuple[tuple[How, isl.UnionMap], ...] = (
            ("exact", needed),
            ("reads", reads.union(maybe)),
        )
        for how, wanted in ways:
            coming = _exact(wanted, array, operations)
            if coming is not None:
                return Copied(tuple(numbers), coming, going, all_in, how)
    box = _box(touched, array)
    nothing = box.subtract(box)
    return Copied(tuple(numbers), box, nothing if writes.is_empty() else box, box, "box")


def _of(
    scop: Scop, array: str, tile: isl.UnionSet, *, writes: bool, must: bool | None = None
) -> isl.UnionMap:
    """The accesses to the array in the tile."""
    found = isl.UnionMap.empty(scop.context.get_space())
    for one in maps(scop.accesses(writes=writes, must=must).intersect_domain(tile)):
        if one.get_tuple_name(isl.dim_type.out) == array:
            found = found.union(isl.UnionMap.from_map(one))
    return found


def _refuse_absent(scop: Scop, array: Array, tile: isl.UnionSet) -> None:
    """Elements that the tile touches, if data say so, are elements of the array."""
    doubtful = isl.UnionSet.empty(scop.context.get_space())
    there = isl.UnionSet.empty(scop.context.get_space())
    for writes in (False, True):
        doubtful = doubtful.union(_of(scop, array.name, tile, writes=writes, must=False).range())
        everywhere = scop.domain.intersect_params(scop.known)
        there = there.union(_of(scop, array.name, everywhere, writes=writes, must=True).range())
    if doubtful.is_empty():
        return
    if None not in array.extents:
        there = there.union(isl.UnionSet.from_set(_declared(array, scop.context.get_space())))
    if not doubtful.is_subset(there):
        raise CannotTransform(
            f"data decide which elements of {array.name} are touched, and it may not have all",
            "an array of known extents has, or one that is touched as a whole besides",
        )


def _needed(
    numbered: Numbered, place: Path, reads: isl.UnionMap, surely: isl.UnionMap
) -> isl.UnionMap:
    """The reads that find a value from before the tile."""
    if reads.is_empty() or surely.is_empty():
        return reads
    concerned = reads.domain().union(surely.domain())
    below = numbered.inside.intersect(concerned.universe())
    order = build_schedule(below, restrict(node_at(numbered.tree, place), below))
    info = isl.UnionAccessInfo.from_sink(reads).set_must_source(surely).set_schedule(order)
    return info.compute_flow().get_must_no_source()


def _exact(accesses: isl.UnionMap, array: Array, operations: int) -> isl.Set | None:
    """The elements in a few parts, if the image costs no more than `operations`."""
    found = [one for one in maps(accesses.coalesce()) if not one.is_empty()]
    if not found:
        return _only(accesses.range(), array)
    image = footprint(found, operations)
    if not image.exact or len(image.elements) > FEW:
        return None
    return union_of(image.elements, found[0]).coalesce()


def _only(elements: isl.UnionSet, array: Array) -> isl.Set:
    for one in sets(elements):
        return one
    space = elements.get_space().add_unnamed_tuple_ui(len(array.extents))
    return isl.Set.empty(space.set_tuple_name(isl.dim_type.set, array.name))


def _box(touched: isl.UnionMap, array: Array) -> isl.Set:
    """The least box around the elements, in which all are elements of the array: between those
    that are touched of an array of one dimension, within the extents of others."""
    if len(array.extents) > 1 and None in array.extents:
        raise CannotTransform(
            f"which elements of {array.name} a tile touches costs too much to say exactly",
            f"a box may have elements that {array.name}, whose extents are not known, does not",
        )
    found = footprint(maps(touched), 1)
    box = union_of(found.elements, maps(touched)[0])
    if len(array.extents) > 1:
        box = box.intersect(_declared(array, box.get_space()))
    return box.coalesce()


def _declared(array: Array, space: isl.Space) -> isl.Set:
    """The elements of an array all of whose extents are known, over the parameters of `space`."""
    parameters = parameters_of(space)
    names = apart("a", len(array.extents), parameters)
    inside = " and ".join(
        f"0 <= {name} < {extent}" for name, extent in zip(names, array.extents, strict=True)
    )
    element = f"{array.name}[{', '.join(names)}]"
    return isl.Set(f"[{', '.join(parameters)}] -> {{ {element} : {inside} }}")
