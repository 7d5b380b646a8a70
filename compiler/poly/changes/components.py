"""Where to cut loops around sequences: into the smallest parts that the dependences allow.

    for i { S(i); for j T(i, j) }     =>     for i S(i)
                                             for i for j T(i, j)

What runs in one iteration then runs apart, so that nests are perfect and each may be transformed
by itself. The parts are as small as the dependences allow: the strongly connected components of
the dependences between the children of the sequence, in an order that these allow (R. Allen,
K. Kennedy, Optimizing compilers for modern architectures, 2001, section 5.2). The innermost member
of a band is distributed first, then the next one, as far as parts come apart.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, at_bands
from polyopt.poly.schedule_tree import Band, Leaf, Sequence, Tree
from polyopt.poly.transform.distributing import loop_around
from polyopt.support.components import ordered_components

Part = tuple[isl.UnionSet, Tree]


def distribute(tree: Tree, pairs: isl.UnionMap) -> Tree:
    """`tree` with every loop distributed; `pairs` are the dependences that it must order."""
    return _distribute(tree, TreePosition((), pairs))


def _distribute(tree: Tree, place: TreePosition) -> Tree:
    return at_bands(tree, place, _at_band)


def _at_band(band: Band, place: TreePosition) -> Tree:
    if isinstance(band.child, Leaf):
        return band
    child = _distribute(band.child, place.inside(band.members))
    return _distribute_band(replace(band, child=child), place)


def _distribute_band(band: Band, place: TreePosition) -> Tree:
    sequence = band.child
    if not isinstance(sequence, Sequence) or not sequence.is_ordered:
        return band
    *outer, last = band.members
    parts = _parts(sequence.children, place.inside(outer).pending)
    if len(parts) < 2:
        return band
    loops = Sequence(tuple(loop_around(last, part) for part in parts))
    if not outer:
        return loops
    return _distribute_band(replace(band, members=tuple(outer), child=loops), place)


def _parts(children: tuple[Part, ...], pairs: isl.UnionMap) -> list[tuple[Part, ...]]:
    """The strongly connected components of the children, each after those that it depends on;
    in the order of the sequence as far as that goes."""
    components = ordered_components(_edges(children, pairs))
    return [tuple(children[k] for k in component) for component in components]


def _edges(children: tuple[Part, ...], pairs: isl.UnionMap) -> list[list[bool]]:
    """Which child has a dependence to which."""
    edges = list[list[bool]]()
    for instances, _ in children:
        from_here = pairs.intersect_domain(instances)
        is_source = not from_here.is_empty()
        edges.append(
            [is_source and not from_here.intersect_range(other).is_empty() for other, _ in children]
        )
    return edges
