"""Arrays that may overlap: the ranges of addresses to compare at run time.

For each array the rows from the first to the last one that the region touches, as expressions
over the parameters. More than what is touched may be compared, never less; the inner dimensions
are those that the C declaration gives, and C lets us rely on subscripts staying inside.
What is accessed as of types that C tells apart is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import islpy as isl
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects.locations import span_of
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.evolution.data_range import data_range
from polyopt.ir.evolution.domains import Domains
from polyopt.ir.evolution.masks import PossibleBits
from polyopt.ir.expressions.integer_expr import ZERO, Expr, Unknown
from polyopt.ir.expressions.integer_forms import extremum
from polyopt.ir.expressions.isl_expressions import expression_of
from polyopt.ir.expressions.shapes import strides
from polyopt.ir.objects.bases import BaseKind, are_disjoint, base_kind
from polyopt.ir.objects.type_aliasing import are_types_apart
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.scop.access_relations import StatementSpace
from polyopt.passes.scop.array_names import array_name
from polyopt.passes.scop.candidate import Candidate, CandidateArray
from polyopt.passes.scop.rejection import Reason, Rejected, Rejection
from polyopt.poly.isl.lists import basic_sets
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES

MOST_EXISTENTIALS = 2
"""The least row of more quotients than these is an integer program that may not end: then it is
that of the rows between which they lie, without them."""


@record
class AddressRange:
    """The bytes from address `start` up to but not including `end`; `name` is whose they are, and
    whether 'restrict' could be said of it."""

    start: Expr
    end: Expr
    name: str | None = None
    is_parameter: bool = False


def _named(start: Expr, end: Expr, base: SSAValue) -> AddressRange:
    return AddressRange(start, end, array_name(base), base_kind(base) is BaseKind.ARGUMENT)


@record(eq=False)
class _Object:
    """What is accessed through one base: an array, or values read before the region, of which one
    base may have some here and some there. `types`: of the elements."""

    base: SSAValue
    is_written: bool
    touched: CandidateArray | AddressRange
    types: frozenset[Attribute]


def possible_overlaps(
    candidate: Candidate, domains: Domains
) -> list[tuple[AddressRange, AddressRange]]:
    """The pairs of ranges that have to be disjoint and may not be, by their objects or by the types
    that they are accessed as. Raises Rejected where a range is not known."""
    inside = candidate.region.entry.parent_op()
    ranges: dict[_Object, AddressRange | None] = {}
    pairs: list[tuple[AddressRange, AddressRange]] = []
    for a, b in combinations(_objects(candidate), 2):
        if not (a.is_written or b.is_written) or a.base is b.base or are_disjoint(a.base, b.base):
            continue
        if inside is not None and are_types_apart(inside, a.types, b.types):
            continue
        for part, other in ((a, b), (b, a)):
            if part not in ranges:
                ranges[part] = _range(candidate, domains, part, other)
        first, second = ranges[a], ranges[b]
        if first is not None and second is not None:
            pairs.append((first, second))
    return pairs


def _objects(candidate: Candidate) -> Iterator[_Object]:
    for array in candidate.arrays:
        types = frozenset(one.type.element_type for one in array.references)
        yield _Object(array.base, array.is_written, array, types)
    for base, read, types in _ranges_read_before(candidate):
        yield _Object(base, False, read, types)


def _ranges_read_before(
    candidate: Candidate,
) -> list[tuple[SSAValue, AddressRange, frozenset[Attribute]]]:
    """Of each base, with the types of what is read; members of a structure, which lie close to each
    other, in one."""
    found: list[tuple[SSAValue, AddressRange, frozenset[Attribute]]] = []
    for read in candidate.hoisted.values():
        start = Expr.of(Unknown(read.base))
        start += read.offset if read.flat is None else read.flat * read.element_bytes
        part = _named(start, start + read.element_bytes, read.base)
        types = frozenset([read.type.element_type])
        for at, (base, other, before) in enumerate(found):
            joined = _joined(other, part) if base is read.base else None
            if joined is not None:
                found[at] = base, joined, types | before
                break
        else:
            found.append((read.base, part, types))
    return found


def _joined(one: AddressRange, other: AddressRange) -> AddressRange | None:
    """Both and what is between them, if that is less than a cache line."""
    behind = (other.start - one.end).as_constant
    before = (one.start - other.end).as_constant
    if behind is None or before is None or max(behind, before) >= LINE_BYTES:
        return None
    return AddressRange(
        extremum(False, [one.start, other.start]),
        extremum(True, [one.end, other.end]),
        one.name,
        one.is_parameter,
    )


def _range(
    candidate: Candidate, domains: Domains, part: _Object, other: _Object
) -> AddressRange | None:
    """None where nothing is touched: no access of the region ever runs. `other` may overlap it."""
    if isinstance(part.touched, AddressRange):
        return part.touched
    base = Expr.of(Unknown(part.base))
    array = part.touched
    size = array.references[0].element_bytes
    base = base + array.layout.start
    factors = strides(array.layout.shape)
    if not array.layout.shape:
        return _named(base, base + size, part.base)
    if factors is None:
        raise _unknown_range(candidate, array, array.references[0], other)
    rows = _rows(candidate, domains, array, other)
    if rows is None:
        return None
    first, last = rows
    row = factors[0] * size
    return _named(base + first * row, base + (last + 1) * row, part.base)


def _rows(
    candidate: Candidate, domains: Domains, array: CandidateArray, other: _Object
) -> tuple[Expr, Expr] | None:
    """The first and the last index in the outermost dimension, over all parameters for which
    there is any."""
    lowest: dict[Expr, None] = {}
    greatest: dict[Expr, None] = {}
    extent = array.layout.shape[0]
    divides = False
    for reference in array.references:
        rows = _row_set(candidate, domains, array, reference)
        if rows.is_empty():
            continue
        if _existentials(rows) > MOST_EXISTENTIALS and _is_bounded(rows.remove_divs()):
            rows = rows.remove_divs()
        if not _is_bounded(rows):
            raise _unknown_range(candidate, array, reference, other)
        divides = divides or _existentials(rows) > 0
        lowest.update(_pieces(candidate, rows.dim_min(0)))
        greatest.update(_pieces(candidate, rows.dim_max(0)))
    if not lowest:
        return None
    first, last = extremum(False, lowest), extremum(True, greatest)
    if divides and extent is not None:
        # A piece of such a bound may be anything for parameters that are not its own.
        first, last = extremum(True, [first, ZERO]), extremum(False, [last, extent - 1])
    return first, last


def _is_bounded(rows: isl.Set) -> bool:
    return bool(
        rows.dim_has_lower_bound(isl.dim_type.set, 0)
        and rows.dim_has_upper_bound(isl.dim_type.set, 0)
    )


def _existentials(rows: isl.Set) -> int:
    return sum(part.dim(isl.dim_type.div) for part in basic_sets(rows))


def _row_set(
    candidate: Candidate, domains: Domains, array: CandidateArray, reference: Reference
) -> isl.Set:
    """{ [a] : the reference touches row a }"""
    block = enclosing_block(reference.op)
    index = candidate.subscripts[reference.op].indices[0]
    affine = index if candidate.space.defect(index) is None else None
    statement = StatementSpace(candidate.space, block, "S", domains.of[block])
    relation = statement.relation("A", [affine], [array.layout.shape[0]])
    rows = relation.intersect_domain(statement.domain()).range()
    bits = PossibleBits(candidate.evolution, block)
    known = None if affine is not None else data_range(index, bits)
    if known is not None:
        rows = rows.lower_bound_val(isl.dim_type.set, 0, known[0])
        rows = rows.upper_bound_val(isl.dim_type.set, 0, known[1])
    return rows


def _pieces(candidate: Candidate, bound: isl.PwAff) -> dict[Expr, None]:
    return {expression_of(aff, candidate.space): None for _, aff in bound.get_pieces()}


def _unknown_range(
    candidate: Candidate, array: CandidateArray, reference: Reference, other: _Object
) -> Rejected:
    """The reason stands where both are first there: the array as far as nobody knows, and the
    other one. A region that ends before may be a static control part."""
    blocks = [enclosing_block(reference.op)]
    if isinstance(other.touched, CandidateArray):
        blocks.append(enclosing_block(other.touched.references[0].op))
    block = max(blocks, key=lambda one: candidate.flow.cfg.number[one])
    here, there = array_name(array.base), array_name(other.base)
    message = "the array may overlap another one: declare the pointers restrict"
    if here is not None and there is not None:
        message = (
            f"'{here}' may overlap '{there}', and how far it goes is not known before the loops "
            "run: declare the pointers restrict"
        )
    span = span_of(reference.op)
    return Rejected(Rejection(Reason.ALIAS, block, span, "range unknown", message))
