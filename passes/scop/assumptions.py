"""What has to hold for the polyhedral view of a region to be exact.

    integers do not wrap                    each `Wrapped` that was taken for its term is in
                                            range wherever control can be; of products that
                                            were, each factor is small (`wrapped_products.py`)
    subscripts stay in their dimension      where a subscript was found by taking apart
    there is no error                       abort, exit and their like are not come to
    parameters are sums of others           where that tells accesses apart (`parameter_sums.py`)

Each is proved on the domains, or holds for some parameters only: then these are the assumed
context, checked at run time. The proof is by the first instance in execution order that breaks
an assumption: up to it, the domains are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import islpy as isl
from xdsl.dialects import ub
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, SSAValue

from polyopt.dialects.locations import span_of
from polyopt.ir.branches import outgoing
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import bit_width, is_pure
from polyopt.ir.evolution.domains import Domains
from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_expr import Compare, Condition, Either, Expr, Unknown
from polyopt.passes.scop.candidate import Candidate
from polyopt.passes.scop.parameter_sums import parameter_sums
from polyopt.passes.scop.rejection import Reason, Rejected, Rejection

MOST_PIECES = 8
"""Half-spaces multiply where sets of them are intersected: of six assumptions on three sizes, which
say in five pieces what they say, there were twelve thousand."""

CHECKED_ROW = 8
"""The least number of elements of a row that is taken for one behind a check."""


def assumed_context(
    candidate: Candidate, domains: Domains
) -> tuple[isl.Set | None, set[Block], bool]:
    """The parameters for which everything assumed holds, None for all; the blocks that are assumed
    to stay in one row (`_in_one_row`), none if others are assumed to stay in their rows; and
    whether it is assumed that integers do not wrap. Raises Rejected where there are no such
    parameters, where nothing is written for any of them but for others, or where subscripts are in
    their rows only because they are in none."""
    sums, ranges = parameter_sums(candidate), type_ranges(candidate.space)
    types = ranges.intersect(sums)
    assumed = isl.Set.universe(types.get_space())
    doubted: tuple[Block, Reason] | None = None
    doubted_rows, may_wrap = set[Block](), False
    for block, wrong, reason in _obligations(candidate):
        broken = domains.of[block].intersect_params(types).intersect(wrong)
        if broken.is_empty():
            continue
        assumed = without(assumed, broken.params().remove_divs(), types)
        if assumed.intersect(types).is_empty():
            raise _rejected(block, reason)
        doubted = doubted or (block, reason)
        if reason is Reason.SUBSCRIPT:
            doubted_rows.add(block)
        may_wrap = may_wrap or reason is Reason.WRAP
    checked = assumed.intersect(types)
    if doubted is not None and not _writes(candidate, domains, checked):
        if _writes(candidate, domains, types):
            raise _rejected(*doubted)
    for block in doubted_rows:
        if domains.of[block].intersect_params(checked).is_empty():
            raise _rejected(block, Reason.SUBSCRIPT)
    assumed = assumed.gist(types).coalesce().intersect(sums).gist(ranges)
    is_plain = all(map(partial(_in_one_row, candidate), doubted_rows))
    one_row = doubted_rows if is_plain else set[Block]()
    return (None if assumed.plain_is_universe() else assumed), one_row, may_wrap


def _in_one_row(candidate: Candidate, block: Block) -> bool:
    """Whether a number says in which row each of the block's subscripts is that may leave one."""
    return all(
        all(index.as_constant is not None for index in subscript.indices[:-1])
        for op, subscript in candidate.subscripts.items()
        if subscript.bounds and enclosing_block(op) is block
    )


def _writes(candidate: Candidate, domains: Domains, parameters: isl.Set) -> bool:
    """Whether anything is, for some of the parameters."""
    blocks = {
        enclosing_block(reference.op)
        for array in candidate.arrays
        for reference in array.references
        if reference.is_write
    }
    return any(not domains.of[one].intersect_params(parameters).is_empty() for one in blocks)


def without(allowed: isl.Set, values: isl.Set, types: isl.Set) -> isl.Set:
    """{ x in `allowed` : x not in `values` }, as far as `types` go: unions of half-spaces that may
    overlap, fewer constraints to check than with the disjoint pieces that isl gives."""
    result = isl.Set.universe(values.get_space())
    for part in values.get_basic_sets():
        outside = isl.Set.empty(values.get_space())
        for constraint in part.get_constraints():
            aff = constraint.get_aff()
            pieces = [aff, aff.neg()] if constraint.is_equality() else [aff]
            for piece in pieces:
                outside = outside.union(isl.Set.from_basic_set(piece.neg_basic_set()))
        result = _in_few_pieces(result.intersect(outside), types)
    return _in_few_pieces(allowed.intersect(result), types)


def _in_few_pieces(values: isl.Set, types: isl.Set) -> isl.Set:
    """The same as far as `types` go, where isl would have to go on with many pieces."""
    if values.n_basic_set() <= MOST_PIECES:
        return values
    return values.gist(types).coalesce()


def type_ranges(space: AffineSpace) -> isl.Set:
    """What the types of the parameters say about their values."""
    result = isl.Set.universe(space.space(0).params())
    for place, monomial in enumerate(space.parameters):
        if len(monomial) != 1 or not isinstance(atom := monomial[0], Unknown):
            continue
        if not isinstance(atom.value.type, IntegerType | IndexType):
            continue
        bits = bit_width(atom.value)
        if bits == 1 or not atom.is_signed:
            lowest, greatest = 0, (1 << bits) - 1
        else:
            lowest, greatest = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        result = result.lower_bound_val(isl.dim_type.param, place, lowest)
        result = result.upper_bound_val(isl.dim_type.param, place, greatest)
    return result


def doubtful_rows(candidate: Candidate, domains: Domains) -> dict[SSAValue, int | None]:
    """The objects whose rows are not what the numbers in their subscripts suggest, with how long
    they have to be (`LeastRows`) when they are looked at again.

    Rows that can be proved are believed. A check is worth its while for rows of some length in an
    object that is written, about whose dependences little is known otherwise, and where one loop
    runs over the row: `a[2*i + j]` is no array of pairs because two elements would fit, and
    `a[8*i + 3*j + k]` none of rows."""
    types = type_ranges(candidate.space)
    allowed, doubtful = types, dict[SSAValue, int | None]()
    for array in sorted(candidate.arrays, key=lambda one: not one.is_written):
        if not array.layout.rows:
            continue
        checked, shortest, is_plain = allowed, None, True
        for reference, subscript in zip(array.references, array.layout.subscripts, strict=True):
            block = enclosing_block(reference.op)
            for index, extent in subscript.bounds:
                outside = candidate.space.condition_set(_outside(index, extent), block)
                broken = domains.of[block].intersect_params(allowed).intersect(outside)
                size = extent.as_constant
                if broken.is_empty() or size is None:
                    continue
                checked = without(checked, broken.params().remove_divs(), types)
                checked = checked.intersect(types)
                shortest = size if shortest is None else min(shortest, size)
                is_plain = is_plain and _is_plain(index, candidate.space)
        if shortest is None:
            continue
        runs = domains.of[enclosing_block(array.references[0].op)].params()
        if array.is_written and is_plain and not checked.intersect(runs).is_empty():
            if shortest >= CHECKED_ROW:
                allowed = checked
            else:
                doubtful[array.base] = CHECKED_ROW
        else:
            doubtful[array.base] = None
    return doubtful


def _is_plain(index: Expr, space: AffineSpace) -> bool:
    """Whether one loop at most is in the index."""
    return sum(not space.is_parameter(one) for one in index.terms) <= 1


def _outside(index: Expr, extent: Expr) -> Either:
    return Either(Compare("<", index), Compare("<=", extent - index))


def _obligations(candidate: Candidate) -> list[tuple[Block, isl.Set, Reason]]:
    """(the block, the iterations in which an assumption does not hold, what it is for)."""
    space = candidate.space
    result: list[tuple[Block, isl.Set, Reason]] = []
    for op, subscript in candidate.subscripts.items():
        block = enclosing_block(op)
        for index in subscript.indices:
            if space.defect(index) is None:
                space.pw_aff(index, block)
        if op not in candidate.affine:
            continue
        for index, extent in subscript.bounds:
            outside = space.condition_set(_outside(index, extent), block)
            result.append((block, outside, Reason.SUBSCRIPT))
        for factor in candidate.small.get(op, ()):
            result.append((block, space.condition_set(factor.is_broken, block), Reason.WRAP))
    for source, condition in _ways_aside(candidate, promised=False):
        result.append((source, space.condition_set(condition, source), Reason.ERROR))
    for duty in list(space.obligations):
        result.append((duty.block, space.broken(duty), Reason.WRAP))
    return result


def promised_context(candidate: Candidate, domains: Domains) -> isl.Set:
    """The parameters for which control comes to no `__builtin_unreachable()`."""
    promised = isl.Set.universe(candidate.space.space(0).params())
    for source, condition in _ways_aside(candidate, promised=True):
        wrong = candidate.space.condition_set(condition, source)
        promised = promised.subtract(domains.of[source].intersect(wrong).params())
    return promised


def _ways_aside(candidate: Candidate, *, promised: bool) -> Iterator[tuple[Block, Condition]]:
    """(the block, when it goes to where it never comes back from): where that is said never to
    happen, or where it may."""
    for block in candidate.region.blocks:
        for edge in outgoing(block):
            if edge.target in candidate.region.aside and promised is _is_promise(edge.target):
                yield block, edge_condition(edge, candidate.evolution)


def _is_promise(block: Block) -> bool:
    """Nothing happens before what cannot be reached."""
    *before, last = block.ops
    return isinstance(last, ub.UnreachableOp) and all(map(is_pure, before))


def _rejected(block: Block, reason: Reason) -> Rejected:
    messages = {
        Reason.WRAP: "an integer computation may wrap around for all sizes: use signed integers",
        Reason.ERROR: "these loops always end in an error",
        Reason.SUBSCRIPT: "a subscript may leave its row: index the array with its dimensions",
    }
    span = None if block.first_op is None else span_of(block.first_op)
    return Rejected(Rejection(reason, block, span, "assumption never holds", messages[reason]))
