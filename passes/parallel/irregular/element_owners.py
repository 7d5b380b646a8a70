"""Whose each element is that iterations of a loop write.

    y[2*i + 1] = …      m[i*s + j] = …, 0 <= j < s      read x, that nothing writes

An element belongs to the one iteration that its subscript names: one subscript of all accesses to
the array is `c*i + r`, c a number other than 0 and r the same in all iterations (what C says of
subscripts and their dimensions holds); or each is `s*i + r` in bytes with `0 <= r < s`, the rows of
a matrix in one dimension; or the classic tests find that nobody else comes there
(`ir/references/loop_directions`). All else that is read lies in objects that nothing in the loop
writes: C says so (`restrict`, objects of the program, types that are not those of one object), or
their ranges are compared before.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.expressions.integer_expr import Compare, Counter, Expr, Unknown
from polyopt.ir.objects.bases import BaseKind, are_disjoint, base_kind
from polyopt.ir.objects.type_aliasing import are_types_apart
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.loop_references import NotProved
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.parallel.irregular.index_bounds import ends_of, place_bounds
from polyopt.passes.parallel.irregular.shared_bins import SharedBins, shared_bins
from polyopt.support.record import record


@record
class ByteRange:
    """The bytes from `start` to before `end`."""

    start: Expr
    end: Expr


def check_order(
    view: LoopView, references: Sequence[Reference]
) -> tuple[tuple[SharedBins, ...], tuple[tuple[ByteRange, ByteRange], ...]]:
    """No iteration touches what another one writes, but for arrays that all of them update, and if
    some ranges are apart. Raises NotProved."""
    groups = {one.base: list[Reference]() for one in references}
    stores = dict[SSAValue, Reference]()
    for one in references:
        groups[one.base].append(one)
        if one.is_write:
            stores.setdefault(one.base, one)
    bins = list[SharedBins]()
    for base, store in stores.items():
        if not view.is_fixed(Expr.of(Unknown(base))) and base_kind(base) is not BaseKind.GLOBAL:
            raise NotProved("through which pointer it writes is not known before", store.op)
        if not _are_owned(view, groups[base]):
            found = shared_bins(view, groups[base])
            if found is None:
                name = base.name_hint or "an array"
                raise NotProved(f"iterations may meet in {name}", store.op)
            bins.append(found)
    apart = dict[frozenset[SSAValue], tuple[ByteRange, ByteRange]]()
    for base, store in stores.items():
        for other, group in groups.items():
            pair = frozenset((base, other))
            if other is base or are_disjoint(base, other) or pair in apart:
                continue
            if other in stores or not _have_types_apart(groups[base], group):
                apart[pair] = _to_compare(view, groups[base], group, store)
    return tuple(bins), tuple(apart.values())


def _to_compare(
    view: LoopView, one: Sequence[Reference], other: Sequence[Reference], store: Reference
) -> tuple[ByteRange, ByteRange]:
    """The ranges that two arrays are touched in, if they are known before."""
    first, second = (_range(view, group) for group in (one, other))
    if first is None or second is None:
        raise NotProved(_may_meet(store, other[0]), other[0].op)
    return first, second


def _range(view: LoopView, references: Sequence[Reference]) -> ByteRange | None:
    base, size = references[0].base, references[0].element_bytes
    places = [place_bounds(one, view) for one in references]
    if None in places or view.is_inside(base):
        return None
    if any(one.element_bytes != size for one in references):
        return None
    least, most = ends_of([one for one in places if one is not None])
    start = Expr.of(Unknown(base))
    return ByteRange(start + least * size, start + (most + 1) * size)


def _have_types_apart(one: Sequence[Reference], other: Sequence[Reference]) -> bool:
    kinds = ([each.type.element_type for each in group] for group in (one, other))
    return are_types_apart(one[0].op, *kinds)


def _may_meet(store: Reference, other: Reference) -> str:
    one, two = (each.base.name_hint or "an array" for each in (store, other))
    return (
        f"{one}, which it writes, and {two} may overlap: `restrict` on {one} says that they do not"
    )


def _are_owned(view: LoopView, references: Sequence[Reference]) -> bool:
    """Accesses to one object, by different iterations, are to different elements."""
    return (
        _name_iteration(view, references)
        or _stay_in_rows(view, references)
        or _are_apart(view, references)
    )


def _name_iteration(view: LoopView, references: Sequence[Reference]) -> bool:
    """One subscript is the same in all of them, `c*i + r`."""
    first, *others = references
    shape = (first.shape, first.offset, first.element_bytes)
    if any((one.shape, one.offset, one.element_bytes) != shape for one in others):
        return False
    if not view.is_fixed(first.offset):
        return False
    for place, index in enumerate(first.indices):
        parts = index.split(Counter(view.loop))
        if parts is None or not parts[1].as_constant or not view.is_fixed(parts[0]):
            continue
        if all(one.indices[place] == index for one in others):
            return True
    return False


def _are_apart(view: LoopView, references: Sequence[Reference]) -> bool:
    """The classic tests find no distance in the loop but 0: odd and even elements, halves."""
    from polyopt.ir.references.loop_directions import directions

    nest = NaturalNest((view.loop,), view.flow, view.ranges, view.is_fixed)
    return all(vector[0].is_zero for vector in directions(nest, references))


def _stay_in_rows(view: LoopView, references: Sequence[Reference]) -> bool:
    """Each goes `s` bytes on by iteration, and reaches from 0 to less than `s` from there, but for
    what is the same in all iterations and all of them."""
    row: Expr | None = None
    start: Expr | None = None
    for one in references:
        parts = None if one.place is None else one.place.split(Counter(view.loop))
        if parts is None or not view.is_fixed(parts[1]) or row not in (None, parts[1]):
            return False
        row = parts[1]
        fixed = _fixed_part(parts[0], view)
        if start is None:
            start = fixed
        reach, block = parts[0] - start, enclosing_block(one.op)
        inside = (Compare("<=", -reach), Compare("<=", reach + one.element_bytes - row))
        if not all(view.ranges.always(condition, block) for condition in inside):
            return False
    return True


def _fixed_part(expr: Expr, view: LoopView) -> Expr:
    """The terms that are the same in all iterations, without the number."""
    terms = {
        monomial: factor
        for monomial, factor in expr.terms.items()
        if monomial and view.is_fixed(Expr({monomial: factor}))
    }
    return Expr(terms)
