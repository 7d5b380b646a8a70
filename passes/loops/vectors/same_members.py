"""Records of which each member gets the same are rows of members.

    for i: b[3 * i] = a[3 * i], b[3 * i + 1] = a[3 * i + 1], b[3 * i + 2] = a[3 * i + 2]
      =>
    for x in 3 * i: b[x] = a[x]

Copies of structures, complex numbers that are scaled, pixels all of whose colours are treated
alike: no lane has to be told from another one, and nothing is taken apart. The same is done in the
same order where it can matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from xdsl.dialects import affine
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.effects import is_speculatable
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import replace_op

Pairs = dict[Operation, Operation]
"""Of what is done for a member, each operation with the one that does the same for the first."""


def over_members(op: affine.ForOp) -> affine.ForOp:
    """The loop over the members, in its place; itself where they are not all treated alike."""
    loop = AffineLoop(op)
    found = _members(loop)
    if not found or loop.lowers is None or loop.uppers is None:
        return op
    length, (first, *_) = len(found), found
    facts = loop.facts if _is_alone(loop, length) else loop.facts.of_unknown_order()
    builder = AffineBuilder(Block(), op)
    lowers, uppers = ([one * length for one in forms] for forms in (loop.lowers, loop.uppers))
    with builder.loop(lowers, uppers, name=loop.iv.name_hint, facts=facts) as made:
        values: dict[SSAValue, SSAValue] = {}
        for inner in loop.block.ops:
            if inner in first:
                with builder.in_place_of(inner):
                    _copy(builder, inner, loop.iv, made.iv, values)
    rows = builder.block.last_op
    assert isinstance(rows, affine.ForOp)
    replace_op(op, builder.block)
    return rows


def _is_alone(loop: AffineLoop, length: int) -> bool:
    """Does each member load of what is stored only its own element? Then members are as
    independent as records are."""
    accesses = [one for one in loop.block.ops if isinstance(one, ElementAccess)]
    stored = {one.memref for one in accesses if isinstance(one, affine.StoreOp)}
    places = {(one.memref, subscripts_of(one)) for one in accesses if one.memref in stored}
    return len(places) == length * len(stored)


def _copy(
    builder: AffineBuilder,
    op: Operation,
    old: SSAValue,
    new: SSAValue,
    values: dict[SSAValue, SSAValue],
) -> None:
    """What is done for the first member of the record at `old`, for the member at `new`."""
    if not isinstance(op, ElementAccess):
        builder.insert(op.clone(values))
        return
    place = list(subscripts_of(op) or ())
    moved = place[-1].coefficient(old) if place else 0
    if moved:
        place[-1] = place[-1] - Linear.of(old) * moved + Linear.of(new)
    if isinstance(op, affine.LoadOp):
        values[op.result] = builder.load(op.memref, place)
    else:
        builder.store(values.get(op.value, op.value), op.memref, place)


def _members(loop: AffineLoop) -> list[Pairs] | None:
    """What is done for each member; None where that is not the same, or not all that is done."""
    body = list(loop.block.ops)
    facts = loop.facts
    if loop.op.inits or loop.step != 1 or facts.marks or facts.nontemporal:
        return None
    if facts.interleave or facts.at_most or any(one.regions for one in body):
        return None
    stores = _stores(loop)
    if stores is None:
        return None
    found = list[Pairs]()
    for number, own in enumerate(zip(*stores, strict=True)):
        pairs: Pairs = {}
        firsts = [one[0] for one in stores]
        alike = zip(own, firsts, strict=True)
        if not all(_is_alike(one, first, number, loop, pairs) for one, first in alike):
            return None
        found.append(pairs)
    if not all(_moves_by(one, loop) in (0, len(found)) for one in found[0]):
        return None
    return found if _may_be_in_turn(found, {op: k for k, op in enumerate(body)}) else None


def _moves_by(op: Operation, loop: AffineLoop) -> int:
    """How many elements an access goes on in a row from record to record."""
    places = subscripts_of(op) if isinstance(op, ElementAccess) else None
    return places[-1].coefficient(loop.iv) if places else 0


def _stores(loop: AffineLoop) -> list[list[affine.StoreOp]] | None:
    """Of each array those of the members, from the first to the last; None where there are others,
    or members without."""
    rows: dict[tuple[SSAValue, tuple[Linear, ...]], dict[int, affine.StoreOp]] = {}
    lengths, count = set[int](), 0
    for op in loop.block.ops:
        if isinstance(op, affine.StoreOp):
            places = subscripts_of(op)
            if not places or any(one.coefficient(loop.iv) for one in places[:-1]):
                return None
            *outer, last = places
            lengths.add(last.coefficient(loop.iv))
            row = (op.memref, (*outer, last - last.constant))
            rows.setdefault(row, {})[last.constant] = op
            count += 1
    if len(lengths) != 1 or (length := lengths.pop()) < 2 or count != length * len(rows):
        return None
    found = [[row[place] for place in sorted(row)] for row in rows.values()]
    is_whole = all(len(row) == length == max(row) - min(row) + 1 for row in rows.values())
    arrays = {array for array, _ in rows}
    return found if is_whole and len(arrays) == len(rows) else None


def _is_alike(
    one: Operation, first: Operation, number: int, loop: AffineLoop, pairs: Pairs
) -> bool:
    """Does `one` do for the member of that number what `first` does for the first one?"""
    if one in pairs:
        return pairs[one] is first
    pairs[one] = first
    if type(one) is not type(first) or not _same(one, first):
        return False
    operands, others = list(one.operands), list(first.operands)
    if isinstance(one, ElementAccess) and isinstance(first, ElementAccess):
        here, there = subscripts_of(one), subscripts_of(first)
        if here is None or there is None or one.memref is not first.memref:
            return False
        if not _is_beside(here, there, number, loop):
            return False
        operands = [one.value] if isinstance(one, affine.StoreOp) else []
        others = [first.value] if isinstance(first, affine.StoreOp) else []
    elif not is_speculatable(one):
        return False
    return all(
        _is_same_value(a, b, number, loop, pairs) for a, b in zip(operands, others, strict=True)
    )


def _same(one: Operation, first: Operation) -> bool:
    """But for operands, and where accesses go."""
    types = [value.type for value in one.results] == [value.type for value in first.results]
    if isinstance(one, ElementAccess):
        return types
    return types and one.properties == first.properties and one.attributes == first.attributes


def _is_same_value(
    one: SSAValue, first: SSAValue, number: int, loop: AffineLoop, pairs: Pairs
) -> bool:
    if isinstance(one.owner, Block) or one.owner.parent is not loop.block:
        return one is first and one is not loop.iv
    if isinstance(first.owner, Block):
        return False
    return _is_alike(one.owner, first.owner, number, loop, pairs)


def _is_beside(
    here: tuple[Linear, ...], there: tuple[Linear, ...], number: int, loop: AffineLoop
) -> bool:
    """The element of that number of a record whose first one is `there`, or one that stays."""
    if not any(form.uses([loop.iv]) for form in (*here, *there)):
        return here == there
    *outer, last = here
    *others, start = there
    if any(form.uses([loop.iv]) for form in others):
        return False
    return outer == others and last == start + number


def _may_be_in_turn(found: Sequence[Pairs], place: Mapping[Operation, int]) -> bool:
    """Whatever may touch one element: is it done in the order of the members, and for each member
    in the order of the first?"""
    accesses = [[one for one in member if isinstance(one, ElementAccess)] for member in found]
    for member, own in zip(found, accesses, strict=True):
        own.sort(key=place.__getitem__)
        order = [place[member[one]] for one in own]
        if any(a > b for a, b in pairwise(order)):
            return False
    for number, own in enumerate(accesses):
        for other in accesses[number + 1 :]:
            for one in own:
                for later in other:
                    if _may_meet(one, later) and place[one] >= place[later]:
                        return False
    return True


def _may_meet(one: ElementAccess, other: ElementAccess) -> bool:
    if not isinstance(one, affine.StoreOp) and not isinstance(other, affine.StoreOp):
        return False
    if one.memref is not other.memref:
        return may_overlap(one.memref, other.memref)
    here, there = subscripts_of(one), subscripts_of(other)
    if here is None or there is None:
        return True
    apart = [a - b for a, b in zip(here, there, strict=True)]
    return not any(not form.terms and form.constant for form in apart)
