"""Where in a buffer an element is that a tile touches: its place less the tile's first one.

    [t] -> { A[a] : 32 t - 1 <= a <= 32 t + 32 }      =>     A[a] at a - (32 t - 1), of 34

For each dimension an affine lower bound whose distance to an upper one does not depend on the tile:
the one for which it is the least. Where no distance is constant, one may be affine in the SCoP's
parameters, as of the rows that a tile takes whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from polyopt.support.record import record

_PARAM, _SET = isl.dim_type.param, isl.dim_type.set


@record(eq=False)
class AddressRange:
    """Coordinates from `first`, over all parameters, on; fewer than `extent`, which is over those
    that are no number of a tile."""

    first: isl.Aff
    extent: isl.Aff

    @property
    def constant(self) -> int | None:
        return self.extent.get_constant_val().to_python() if self.extent.is_cst() else None


def ranges_of(elements: isl.Set, numbers: Sequence[str]) -> tuple[AddressRange, ...] | None:
    """One for each dimension of `elements`, whose tile is in the parameters `numbers`; None where
    a dimension has none."""
    found = [_range(_line(elements, k), numbers) for k in range(elements.dim(_SET))]
    complete = tuple(one for one in found if one is not None)
    return complete if len(complete) == len(found) else None


def _line(elements: isl.Set, dimension: int) -> isl.Set:
    """The coordinates along one dimension."""
    others = elements.dim(_SET) - dimension - 1
    return elements.project_out(_SET, dimension + 1, others).project_out(_SET, 0, dimension)


def _range(line: isl.Set, numbers: Sequence[str]) -> AddressRange | None:
    hull = line.remove_divs().simple_hull()
    lower, upper = list(_bounds(hull, +1)), list(_bounds(hull, -1))
    best: AddressRange | None = None
    for low in lower:
        distance = _greatest(line, low)
        if distance is not None and (best is None or distance + 1 < (best.constant or 0)):
            extent = isl.Aff.zero_on_domain_space(_params_of(low, numbers))
            best = AddressRange(low, extent.set_constant_val(distance + 1))
    if best is not None:
        return best
    for low in lower:
        for high in upper:
            extent = _without(high.sub(low).add_constant_val(1), numbers)
            if extent is not None:
                return AddressRange(low, extent)
    return None


def _bounds(hull: isl.BasicSet, sign: int) -> Iterator[isl.Aff]:
    """The bounds of the one coordinate with the factor 1: from below for +1, from above for -1."""
    constraints = list[isl.Constraint]()
    hull.foreach_constraint(constraints.append)
    for one in constraints:
        factor = one.get_coefficient_val(_SET, 0).to_python()
        if factor == sign or (one.is_equality() and abs(factor) == 1):
            yield one.get_bound(_SET, 0)


def _greatest(line: isl.Set, low: isl.Aff) -> int | None:
    """How far the coordinate is above `low`, at most; None if that is no constant."""
    space = line.get_space()
    here = isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), _SET, 0)
    on_line = low.add_dims(isl.dim_type.in_, 0)
    distance = here.sub(_on(on_line, space))
    most = line.max_val(distance)
    return most.to_python() if most.is_int() else None


def _on(aff: isl.Aff, space: isl.Space) -> isl.Aff:
    """`aff`, which is over a space of as many dimensions, over `space`."""
    return aff if aff.get_domain_space().is_equal(space) else aff.align_params(space)


def _params_of(aff: isl.Aff, numbers: Sequence[str]) -> isl.Space:
    space = aff.get_domain_space().params()
    for name in numbers:
        at = space.find_dim_by_name(_PARAM, name)
        if at >= 0:
            space = space.drop_dims(_PARAM, at, 1)
    return space


def _without(aff: isl.Aff, numbers: Sequence[str]) -> isl.Aff | None:
    """The function over the parameters that are no number of a tile, if it is one."""
    if aff.dim(isl.dim_type.div) or not aff.get_denominator_val().is_one():
        return None
    space = _params_of(aff, numbers)
    result = isl.Aff.zero_on_domain_space(space).set_constant_val(aff.get_constant_val())
    for k in range(aff.dim(_PARAM)):
        name = aff.get_dim_name(_PARAM, k) or ""
        factor = aff.get_coefficient_val(_PARAM, k)
        if factor.is_zero():
            continue
        if name in numbers:
            return None
        at = space.find_dim_by_name(_PARAM, name)
        result = result.set_coefficient_val(_PARAM, at, factor)
    return result
