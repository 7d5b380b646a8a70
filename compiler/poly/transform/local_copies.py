"""One array of a tile in a buffer: where the accesses go, and the statements that copy.

S[i]      -> A[i]           becomes      S[i]      -> A_local[i - first(t(i))]
A_in[t, a]                               A_local[a - first(t)] = A[a]
A_out[t, a]                              A[a] = A_local[a - first(t)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from math import prod

import islpy as isl

from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import sets
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.poly.transform.copied_elements import Copied, How
from polyopt.poly.transform.local_addresses import AddressRange, ranges_of
from polyopt.poly.transform.places import CannotTransform
from polyopt.poly.transform.tile_numbers import Numbered
from polyopt.support.record import record

TYPICAL = 1000
"""What a parameter is taken for where elements are counted."""
_COUNT_OPERATIONS = 1_000_000
_KINDS: Mapping[How, str] = {
    "exact": "",
    "reads": ", where all that is read is copied in",
    "box": ", all of a box",
}

_IN, _OUT, _SET, _PARAM = (
    isl.dim_type.in_,
    isl.dim_type.out,
    isl.dim_type.set,
    isl.dim_type.param,
)


@record(eq=False)
class Buffer:
    """`array` holds what a tile touches of `source`; `extents` are over the SCoP's parameters.
    `moved` are the accesses, by statement and position, that go there; `copies` fill it and empty
    it. `counts`: how many elements a tile in the middle copies in and out, where that is known."""

    array: Array
    source: Array
    extents: tuple[isl.Aff, ...]
    moved: Mapping[tuple[str, int], isl.Map]
    into: Statement | None
    out: Statement | None
    how: How
    counts: tuple[int | None, int | None]

    @property
    def copies(self) -> tuple[Statement, ...]:
        return tuple(one for one in (self.into, self.out) if one is not None)

    @property
    def told(self) -> str:
        """What is copied, in a sentence."""
        sizes = " x ".join(_text(extent) for extent in self.extents)
        copied = [
            f"{'as many elements as there are' if number is None else number} {way}"
            for number, way, statement in zip(
                self.counts, ("in", "out"), (self.into, self.out), strict=True
            )
            if statement is not None
        ]
        kind = _KINDS[self.how] if copied else ""
        what = f"{' and '.join(copied)} for a tile{kind}" if copied else "nothing is copied"
        return f"{self.source.name} in a buffer of {sizes}: {what}"

    def apply(self, scop: Scop) -> Scop:
        """The SCoP with the accesses moved, and the copies, which its schedule does not have."""

        def changed(statement: Statement) -> Statement:
            found = [self.moved.get((statement.name, one.position)) for one in statement.accesses]
            accesses = tuple(
                one if to is None else replace(one, array=self.array.name, relation=to)
                for one, to in zip(statement.accesses, found, strict=True)
            )
            reductions = tuple(
                replace(one, array=self.array.name)
                if (statement.name, one.read) in self.moved
                else one
                for one in statement.reductions
            )
            return replace(statement, accesses=accesses, reductions=reductions)

        return replace(
            scop,
            statements=(*(changed(one) for one in scop.statements), *self.copies),
            arrays=(*scop.arrays, self.array),
        )


def buffer_for(numbered: Numbered, source: Array, elements: Copied, limit: int) -> Buffer:
    """Raises CannotTransform."""
    scop = numbered.scop
    ranges = ranges_of(elements.touched, elements.numbers)
    if ranges is None:
        raise CannotTransform(f"what a tile touches of {source.name} is in no box of known size")
    known = [one.constant for one in ranges]
    size = prod(one for one in known if one is not None) * source.element_bytes
    if size > limit:
        raise CannotTransform(f"a buffer for {source.name} takes {size} bytes, more than {limit}")
    name = _fresh(f"{source.name}_local", [one.name for one in scop.arrays])
    extents = tuple(None if one is None else str(one) for one in known)
    array = Array(name, source.element_bytes, extents, is_local=True)
    place = _place(elements, ranges, array)
    moved = {
        (statement.name, access.position): _moved(numbered, statement, access, elements, place)
        for statement in scop.statements
        if _touches(numbered, statement)
        for access in statement.accesses
        if access.array == source.name
    }
    statements = [one.name for one in scop.statements]
    into = _copy(_fresh(f"{source.name}_in", statements), numbered, elements.into, elements, place)
    out = _copy(_fresh(f"{source.name}_out", statements), numbered, elements.out, elements, place)
    if into is not None:
        into = replace(into, accesses=(_read(into, 0, source), _local(into, 1, place, elements)))
    if out is not None:
        local = replace(_local(out, 0, place, elements), is_write=False)
        out = replace(out, accesses=(local, replace(_read(out, 1, source), is_write=True)))
    return Buffer(
        array,
        source,
        tuple(one.extent for one in ranges),
        moved,
        into,
        out,
        elements.how,
        _counts(scop, elements),
    )


def _touches(numbered: Numbered, statement: Statement) -> bool:
    return any(one.get_tuple_name() == statement.name for one in sets(numbered.inside))


def _fresh(name: str, taken: Sequence[str]) -> str:
    return next(one for one in chain((name,), (f"{name}{k}" for k in count(2))) if one not in taken)


def _place(elements: Copied, ranges: Sequence[AddressRange], array: Array) -> isl.Map:
    """{ A[a] -> A_local[a - first] }, over the numbers of the tile."""
    space = elements.touched.get_space()
    affs = isl.AffList.alloc(isl.DEFAULT_CONTEXT, len(ranges))
    for k, one in enumerate(ranges):
        affs = affs.add(
            isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), _SET, k).sub(
                _over(one.first, space)
            )
        )
    target = space.params().add_unnamed_tuple_ui(len(ranges)).set_tuple_name(_SET, array.name)
    return isl.Map.from_multi_aff(
        isl.MultiAff.from_aff_list(space.map_from_domain_and_range(target), affs)
    )


def _over(first: isl.Aff, space: isl.Space) -> isl.Aff:
    """A function of the parameters, over `space`."""
    result = isl.Aff.zero_on_domain_space(space).set_constant_val(first.get_constant_val())
    for k in range(first.dim(_PARAM)):
        factor = first.get_coefficient_val(_PARAM, k)
        if not factor.is_zero():
            at = space.find_dim_by_name(_PARAM, first.get_dim_name(_PARAM, k) or "")
            result = result.set_coefficient_val(_PARAM, at, factor)
    return result


def _moved(
    numbered: Numbered, statement: Statement, access: Access, elements: Copied, place: isl.Map
) -> isl.Map:
    """The relation to the buffer: that to the array, at the tile of the instance."""
    there = access.relation.apply_range(place)
    for name, number in zip(elements.numbers, numbered.number_of(statement.name), strict=True):
        there = _with_number(there, name, number)
    for name in elements.numbers:
        at = there.find_dim_by_name(_PARAM, name)
        if at >= 0:
            there = there.project_out(_PARAM, at, 1)
    return there.coalesce()


def _with_number(relation: isl.Map, name: str, number: isl.PwAff) -> isl.Map:
    """The part where the parameter is the number of the instance."""
    at = relation.find_dim_by_name(_PARAM, name)
    if at < 0:
        return relation
    space = relation.get_space().domain()
    parameter = isl.Aff.zero_on_domain_space(space).set_coefficient_val(_PARAM, at, 1)
    return relation.intersect_domain(number.eq_set(isl.PwAff.from_aff(parameter)))


def _copy(
    name: str, numbered: Numbered, elements: isl.Set, copied: Copied, place: isl.Map
) -> Statement | None:
    """A statement without accesses for each element of each tile; None if there is none."""
    if elements.is_empty():
        return None
    domain = _with_numbers(elements, copied).set_tuple_name(name)
    rank = elements.dim(_SET)
    iterators = (*numbered.names, *(f"a{k}" for k in range(rank)))
    return Statement(name, domain, (), (), iterators, numbered.scop.span)


def _with_numbers(elements: isl.Set, copied: Copied) -> isl.Set:
    """{ [t, a] }: the numbers are coordinates."""
    for position, name in enumerate(copied.numbers):
        at = elements.find_dim_by_name(_PARAM, name)
        if at < 0:
            elements = elements.insert_dims(_SET, position, 1)
        else:
            elements = elements.move_dims(_SET, position, _PARAM, at, 1)
    return elements


def _elements_of(copy: Statement, source: Array) -> isl.Map:
    """{ copy[t, a] -> A[a] }"""
    identity = isl.Map.identity(copy.domain.get_space().map_from_set())
    numbers = copy.domain.dim(_SET) - len(source.extents)
    return identity.project_out(_OUT, 0, numbers).set_tuple_name(_OUT, source.name)


def _read(copy: Statement, position: int, source: Array) -> Access:
    return Access(source.name, _elements_of(copy, source), False, True, position)


def _local(copy: Statement, position: int, place: isl.Map, copied: Copied) -> Access:
    """The write of the element's place in the buffer."""
    there = place.reset_tuple_id(_IN)
    name = place.get_tuple_name(_OUT) or ""
    for k, number in enumerate(copied.numbers):
        at = there.find_dim_by_name(_PARAM, number)
        if at < 0:
            there = there.insert_dims(_IN, k, 1)
        else:
            there = there.move_dims(_IN, k, _PARAM, at, 1)
    there = there.set_tuple_name(_IN, copy.name).set_tuple_name(_OUT, name)
    return Access(name, there, True, True, position)


def _counts(scop: Scop, elements: Copied) -> tuple[int | None, int | None]:
    """In a tile in the middle; parameters are TYPICAL where they may be."""
    try:
        with budget("how many elements a tile copies", _COUNT_OPERATIONS):
            middle = _middle(_with_numbers(elements.touched, elements), len(elements.numbers))
            return (
                _count(_with_numbers(elements.into, elements), middle),
                _count(_with_numbers(elements.out, elements), middle),
            )
    except BudgetExceeded:
        return None, None


def _middle(points: isl.Set, numbers: int) -> Sequence[tuple[isl.dim_type, str | int, int]]:
    """Values of the parameters, by name, and of the numbers."""
    chosen = list[tuple[isl.dim_type, str | int, int]]()
    for k in range(points.dim(_PARAM)):
        fixed = points.fix_val(_PARAM, k, val(TYPICAL))
        if not fixed.is_empty():
            points = fixed
            chosen.append((_PARAM, points.get_dim_name(_PARAM, k) or "", TYPICAL))
    for k in range(numbers):
        low, high = points.dim_min_val(k), points.dim_max_val(k)
        if not (low.is_int() and high.is_int()):
            continue
        value = (low.to_python() + high.to_python()) // 2
        fixed = points.fix_val(_SET, k, val(value))
        if not fixed.is_empty():
            points = fixed
            chosen.append((_SET, k, value))
    return chosen


def _count(points: isl.Set, values: Sequence[tuple[isl.dim_type, str | int, int]]) -> int | None:
    for kind, where, value in values:
        at = points.find_dim_by_name(kind, where) if isinstance(where, str) else where
        if at >= 0:
            points = points.fix_val(kind, at, val(value))
    number = points.project_out_all_params().count_val()
    return number.to_python() if number.is_int() else None


def _text(extent: isl.Aff) -> str:
    names = list[str]()
    for k in range(extent.dim(_PARAM)):
        factor = extent.get_coefficient_val(_PARAM, k).to_python()
        if factor:
            names.append(f"{'' if factor == 1 else f'{factor} '}{extent.get_dim_name(_PARAM, k)}")
    constant = extent.get_constant_val().to_python()
    if constant or not names:
        names.append(str(constant))
    return " + ".join(names).replace("+ -", "- ")
