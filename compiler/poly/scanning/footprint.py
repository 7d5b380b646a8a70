"""What several accesses touch together: of a whole SCoP, or of one tile whose number is given.

The elements are the union of the accesses' images (`image`), each image exact. They are made
disjoint where isl can do that at a bearable cost; where it cannot, or where an image is too dear,
the loops run over more than is needed and ask for each element, or visit a box:

    exact     each element that is touched, once
    box       the least box around them, each element of it once

A tile is given by parameters: the instances of tile (t0, t1) are those whose tile functions have
these values, so that what the tile touches is an image like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count

import islpy as isl

from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import basic_maps, basic_sets, pw_affs, sets
from polyopt.poly.isl.numbers import val
from polyopt.poly.isl.weight import weight
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.scanning.echelon import Polyhedron, polyhedra
from polyopt.poly.scanning.image import OPERATIONS, image, image_loops, union_of
from polyopt.poly.scanning.systems import System
from polyopt.poly.scop import Scop
from polyopt.support.record import record

FEW = 4
"""Nests of loops that the image of one array may be."""

_PARAM, _SET = isl.dim_type.param, isl.dim_type.set


@record(eq=False)
class Footprint:
    """`elements` may overlap, and are more than what is touched if it is not `exact`."""

    array: str
    elements: tuple[Polyhedron, ...]
    touched: isl.Set
    exact: bool

    def loops(self, known: System = ()) -> tuple[Node, ...]:
        """Loops that visit each element once. Raises Unbounded."""
        return image_loops(self.elements, self.array, known)


def footprint(relations: Sequence[isl.Map], operations: int = OPERATIONS) -> Footprint:
    """What `relations` { S[i] -> A[a] } of one array touch. `operations` of isl's, for making the
    parts disjoint, and ten times as many for each image; beyond, a box. Raises BudgetExceeded where
    not even a box is found."""
    first = relations[0]
    array = first.get_tuple_name(isl.dim_type.out) or ""
    total = first.range()
    for one in relations[1:]:
        total = total.union(one.range())
    try:
        single = [isl.Map.from_basic_map(one) for all in relations for one in basic_maps(all)]
        parts = [part for one in single for part in image(one, operations)]
    except BudgetExceeded:
        allowed = 10 * OPERATIONS // weight(basic_sets(total))
        with budget("a box around an image", allowed):
            box = _box(total)
            return Footprint(array, tuple(polyhedra(box)), total, box.is_subset(total))
    if len(parts) > 1:
        parts = _fewer(parts, first, operations)
    return Footprint(array, tuple(parts), total, True)


def _fewer(parts: list[Polyhedron], relation: isl.Map, operations: int) -> list[Polyhedron]:
    """A few disjoint parts, each with loops of its own, or parts that overlap, for which one nest
    asks at each element: many loops of few elements are worse than that test."""
    try:
        with budget("disjoint parts of an image", operations):
            union = union_of(parts, relation).coalesce()
            apart, merged = polyhedra(union.make_disjoint()), polyhedra(union)
    except BudgetExceeded:
        return parts
    if len(apart) <= FEW:
        return apart
    return min(parts, merged, key=len)


def _box(elements: isl.Set) -> isl.Set:
    """Each coordinate between its least and its greatest value."""
    box = isl.Set.universe(elements.get_space())
    for k in range(elements.dim(_SET)):
        others = elements.dim(_SET) - k - 1
        line = elements.project_out(_SET, k + 1, others).project_out(_SET, 0, k)
        low, high = isl.Set.from_pw_aff(line.dim_min(0)), isl.Set.from_pw_aff(line.dim_max(0))
        least = low.apply(isl.Map.lex_le(low.get_space()))
        greatest = high.apply(isl.Map.lex_ge(high.get_space()))
        between = least.intersect(greatest)
        inserted = between.insert_dims(_SET, 0, k).add_dims(_SET, others)
        box = box.intersect(inserted.set_tuple_name(elements.get_tuple_name() or ""))
    return box


def fresh_parameters(scop: Scop, number: int) -> list[str]:
    """So many names that no parameter has: t0, t1, …, or t0_2 where there is a t0."""
    context = scop.context
    taken = {context.get_dim_name(_PARAM, k) for k in range(context.dim(_PARAM))}
    found = list[str]()
    for k in range(number):
        candidates = chain((f"t{k}",), (f"t{k}_{again}" for again in count(2)))
        found.append(next(name for name in candidates if name not in taken))
    return found


def instances_with(
    domain: isl.UnionSet, functions: Sequence[isl.UnionPwAff], names: Sequence[str]
) -> isl.UnionSet:
    """The instances for which `functions` have the values of the parameters `names`, without the
    divisions that these values decide."""
    for name in names:  # in this order, behind those that there are
        position = domain.dim(_PARAM)
        known = domain.get_space().add_dims(_PARAM, 1).set_dim_name(_PARAM, position, name)
        domain = domain.align_params(known)
    for function, name in zip(functions, names, strict=True):
        here = isl.UnionSet.empty(domain.get_space())
        for part in pw_affs(function):
            space = part.get_domain_space().insert_dims(_PARAM, 0, 1)
            space = space.set_dim_name(_PARAM, 0, name)
            value = isl.Aff.zero_on_domain_space(space).set_coefficient_val(_PARAM, 0, val(1))
            here = here.union(isl.UnionSet.from_set(part.eq_set(isl.PwAff.from_aff(value))))
        domain = domain.intersect(here)
    return undivided(domain)


def undivided(instances: isl.UnionSet) -> isl.UnionSet:
    """Each division that the integer points determine by other columns goes, as a column that an
    equation eliminates."""
    found = isl.UnionSet.empty(instances.get_space())
    for part in sets(instances):
        plain = isl.Set.empty(part.get_space())
        for piece in basic_sets(part):
            lifted = isl.Set.from_basic_set(piece).lift()
            lifted = lifted.intersect(isl.Set.from_basic_set(lifted.affine_hull()))
            plain = plain.union(lifted.unwrap().domain())
        found = found.union(isl.UnionSet.from_set(plain.coalesce()))
    return found
