"""Loops of the source whose iterations take as long as data say, and may run in any order.

    for (i = 0; i < n; i++) {                     how often j runs, only ptr tells
      double s = 0;                               s: made in each iteration, its own; so are
                                                  arrays that it fills first (`scratch_arrays`)
      for (j = ptr[i]; j < ptr[i + 1]; j++)
        s += val[j] * x[idx[j]];                  read at any place: nobody writes there
      y[i] = s;                                   one element for each i
    }

Such a loop is no static control part, but to know that its iterations are independent it is enough
to know whose each element is that is written. An element belongs to the one iteration that its
subscript names: one subscript of all accesses to the array is `c*i + r`, c a number other than 0
and r the same in all iterations (what C says of subscripts and their dimensions holds); or each is
`s*i + r` in bytes with `0 <= r < s`, the rows of a matrix in one dimension; or the classic tests
find that nobody else comes there (`ir/references/loop_directions`). All else that is read lies in
objects that nothing in the loop writes: C says so (`restrict`, objects of the program, types that
are not those of one object), or their ranges are compared before. Arrays in which iterations do
meet may be such that all of them only update (`shared_bins`). What is not known is a dependence.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.trip_count import trip_count
from polyopt.ir.expressions.integer_expr import Compare, Counter, Expr, Unknown
from polyopt.ir.objects.bases import BaseKind, are_disjoint, base_kind
from polyopt.ir.objects.iteration_variables import first_reader, is_variable
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.loop_references import NotProved, references_of
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.parallel.index_bounds import ends_of, place_bounds
from polyopt.passes.parallel.scratch_arrays import scratch_arrays
from polyopt.passes.parallel.shared_bins import SharedBins, shared_bins
from polyopt.passes.parallel.shared_sums import SharedSum, carried_sum, shared_sum
from polyopt.support.record import record


@record
class ByteRange:
    """The bytes from `start` to before `end`."""

    start: Expr
    end: Expr


@record
class IrregularLoop:
    """`counter` goes by `step`, `rounds` times; `private` are the variables, and the arrays, of
    which each thread has its own; `sums` and `bins` what all iterations update. The loop is left
    from its header alone: nothing but sums that an iteration computes is used behind the loop. The
    two ranges of each pair of `apart` must be disjoint."""

    loop: NaturalLoop
    counter: BlockArgument
    step: int
    is_signed: bool
    rounds: Expr
    private: tuple[SSAValue, ...]
    sums: tuple[SharedSum, ...]
    bins: tuple[SharedBins, ...]
    apart: tuple[tuple[ByteRange, ByteRange], ...]

    @property
    def counter_type(self) -> IntegerType:
        type = self.counter.type
        assert isa(type, IntegerType)
        return type


def irregular_loop(view: LoopView) -> IrregularLoop:
    """Raises NotProved where the loop cannot be shared out among threads."""
    (counter, step, is_signed), carried = _counter(view)
    _check_way_out(view, {one.place for one in carried})
    rounds = _rounds(view)
    _check_names(view)
    references = list(references_of(view))
    variables, sums = _private_variables(view, references)
    private = (
        *variables,
        *scratch_arrays(view.loop, view.flow, view.evolution, references),
    )
    own = {*private, *(one.place for one in sums)}
    _check_header(view, [one for one in references if one.base not in private])
    shared = [one for one in references if one.base not in own]
    bins, apart = _check_order(view, shared)
    return IrregularLoop(
        *(view.loop, counter, step, is_signed, rounds, private),
        *((*sums, *carried), bins, apart),
    )


def _counter(
    view: LoopView,
) -> tuple[tuple[BlockArgument, int, bool], tuple[SharedSum, ...]]:
    """The variable that it counts with, its step, and whether that is signed; and the sums that
    iterations hand on."""
    header = view.loop.header
    sums = {one: carried_sum(view.loop, one) for one in header.args}
    carried = tuple(one for one in sums.values() if one is not None)
    others = [one for one, found in sums.items() if found is None]
    if len(others) != 1 or not isinstance(others[0].type, IntegerType):
        raise NotProved("an iteration hands values on to the next one", header.last_op)
    (counter,) = others
    for is_signed in (True, False):
        parts = view.counted(counter, is_signed).split(Counter(view.loop))
        step = None if parts is None else parts[1].as_constant
        if step:
            return (counter, step, is_signed), carried
    raise NotProved("what it counts with does not go in steps", header.last_op)


def _check_way_out(view: LoopView, carried: Collection[SSAValue]) -> None:
    """Raises NotProved where it is not left from its header alone, or with what is no sum."""
    loop = view.loop
    exits = loop.exits()
    if len(exits) != 1 or exits[0].source is not loop.header or len(loop.latches) != 1:
        raise NotProved("it may be left before it is through", loop.header.last_op)
    for block in view.blocks:
        values = [*block.args, *(result for op in block.ops for result in op.results)]
        for value in values:
            is_used = any(enclosing_block(use.operation) not in loop for use in value.uses)
            if is_used and value not in carried:
                raise NotProved("what its last iteration computes is used behind it", block.last_op)
    (leaving,) = exits
    if any(view.is_inside(value) and value not in carried for value in leaving.values):
        raise NotProved("what its last iteration computes is used behind it", loop.header.last_op)


def _rounds(view: LoopView) -> Expr:
    count = trip_count(view.loop, view.flow, view.evolution, wraps=not view.is_unsigned)
    if count is None or count.assumptions or not view.is_fixed(count.taken):
        raise NotProved("how often it runs is not known before", view.loop.header.last_op)
    return count.taken


def _check_names(view: LoopView) -> None:
    """By the names in it, and in front of it, every thread finds the same objects. Raises
    NotProved."""
    pending, seen = list(view.operations()), set[Operation]()
    while pending:
        op = pending.pop()
        if op in seen:
            continue
        seen.add(op)
        if isinstance(op, cmem.AddressOfOp) and op.symbol.string_value() in view.of_threads:
            name = op.symbol.string_value()
            raise NotProved(f"each thread has a variable {name} of its own", op)
        owners = (operand.owner for operand in op.operands)
        pending += [one for one in owners if isinstance(one, cmem.ViewOp | cmem.AddressOfOp)]


# Variables of an iteration


def _private_variables(
    view: LoopView, references: Sequence[Reference]
) -> tuple[list[SSAValue], tuple[SharedSum, ...]]:
    """The variables that are written: those of which nobody else reads what an iteration leaves
    there, and sums."""
    written = dict.fromkeys(one.base for one in references if one.is_write)
    variables, sums = list[SSAValue](), list[SharedSum]()
    for variable in filter(is_variable, written):
        reader = first_reader(view.loop.header, variable)
        found = None if reader is None else shared_sum(view.loop, variable)
        if found is not None:
            sums.append(found)
        elif reader is None:
            variables.append(variable)
        else:
            name = variable.name_hint or "a variable"
            raise NotProved(f"what an iteration leaves in {name} is read later", reader)
    return variables, tuple(sums)


def _check_header(view: LoopView, references: Sequence[Reference]) -> None:
    """It runs once more than the iterations do, which what is written there must not show. Raises
    NotProved."""
    for one in references:
        if one.is_write and enclosing_block(one.op) is view.loop.header:
            raise NotProved("it writes where it asks whether to go on", one.op)


# Elements


def _check_order(
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
    """What is stored as of one type is not read as of another one (C11 6.5p7)."""
    module = one[0].op.get_toplevel_object()
    if not isinstance(module, ModuleOp) or cmem.STRICT_ALIASING not in module.attributes:
        return False
    kinds = [{each.type.element_type for each in group} for group in (one, other)]
    return not any(_CHARACTER in group for group in kinds) and not kinds[0] & kinds[1]


_CHARACTER = IntegerType(8)
"""What any object may be accessed as."""


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
