"""Updates of a value that may be done in parts: how what is there then comes from what was there.

    total + v     v > best ? v : best     load, combine and store in turns

Sums, products, bits and extremes of integers are the same in any order (2^n wraps around);
floating-point sums and products where operations may be reassociated. An extreme that is chosen by
an ordered comparison is that of the parts, put together in their order by the same comparison, to
the bit: what is not comparable is never chosen, and of equal ones the first (the last) is. An
update may stand on a condition, by a branch or as a choice between the sum and what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import arith, memref
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.effects import is_pure
from polyopt.ir.elementwise import COMBINERS
from polyopt.ir.fast_math import permits
from polyopt.ir.idioms.updates import is_order_free
from polyopt.support.record import record

_ONE_SIDED = (arith.SubiOp, arith.SubfOp)


_IN_ANY_ORDER = (arith.MaximumfOp, arith.MinimumfOp)


_MODULAR = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp),
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp),
)
"""The lowest bits of what these give depend on as many of their operands."""


@record(eq=False)
class SharedUpdate:
    """`ops` combine `old` with `term`; the last one's result is what there is then. Updates of one
    `kind` may be done in any order of the parts that they are done in."""

    kind: str
    ops: tuple[Operation, ...]
    old: SSAValue
    term: SSAValue

    @property
    def result(self) -> SSAValue:
        return self.ops[-1].results[0]


def updates_among(accesses: set[Operation]) -> tuple[SharedUpdate, ...] | None:
    """Those that loads and stores of one variable, or of one array, are; None if that is not all
    that they are, or the kinds differ."""
    blocks = {op.parent: None for op in accesses if op.parent is not None}
    updates = [one for block in blocks for one in _in_turns(block, accesses)]
    known = tuple(one for one in updates if one is not None)
    if not known or len(known) < len(updates) or len({one.kind for one in known}) > 1:
        return None
    return known


def _in_turns(block: Block, accesses: set[Operation]) -> Iterator[SharedUpdate | None]:
    """Load and store take turns, and each store is of what was loaded from the same place, combined
    with something; None for all others."""
    loaded: memref.LoadOp | None = None
    for op in block.ops:
        if op not in accesses:
            continue
        if isinstance(op, memref.LoadOp):
            if loaded is not None:
                yield None
            loaded = op
        elif isinstance(op, memref.StoreOp):
            is_same = loaded is not None and _is_same_place(loaded, op)
            yield _stored(loaded, op) if loaded is not None and is_same else None
            loaded = None
    if loaded is not None:
        yield None


def _is_same_place(load: memref.LoadOp, store: memref.StoreOp) -> bool:
    return load.memref is store.memref and all(
        _are_same(one, other, store) for one, other in zip(load.indices, store.indices, strict=True)
    )


def _are_same(one: SSAValue, other: SSAValue, end: Operation) -> bool:
    """Two values are equal: they were computed in the same way, from what was loaded before `end`
    with nothing stored in between."""
    op, twin = one.owner, other.owner
    if one is other:
        return True
    if (
        not isinstance(op, Operation)
        or not isinstance(twin, Operation)
        or type(op) is not type(twin)
    ):
        return False
    if len(op.results) != 1 or len(twin.results) != 1 or op.properties != twin.properties:
        return False
    if isinstance(op, memref.LoadOp):
        if not all(_is_still_there(each, end) for each in (op, twin)):
            return False
    elif not is_pure(op) or op.regions:
        return False
    pairs = zip(op.operands, twin.operands, strict=True)
    return all(_are_same(left, right, end) for left, right in pairs)


def _is_still_there(load: Operation, end: Operation) -> bool:
    """In front of `end`, with nothing but loads and arithmetic between."""
    following = load.next_op
    while following is not None and following is not end:
        if not isinstance(following, memref.LoadOp) and not is_pure(following):
            return False
        following = following.next_op
    return following is end


def _stored(load: memref.LoadOp, store: memref.StoreOp) -> SharedUpdate | None:
    """The update between them, if there is nothing else that the values go to."""
    value, old = store.value, load.results[0]
    if not value.has_one_use():
        return None
    found, choice = find_update(old, value), value.owner
    readers = {use.operation for use in old.uses}
    if found is None and isinstance(choice, arith.SelectOp) and choice.cond is not old:
        arms = [choice.lhs, choice.rhs]
        if old not in arms:
            return None
        arms.remove(old)
        found = find_update(old, arms[0])
        readers.discard(choice)
        if found is not None and not found.result.has_one_use():
            return None
    if found is None or readers != {op for op in found.ops if old in op.operands}:
        return None
    return found


def find_update(old: SSAValue, result: SSAValue) -> SharedUpdate | None:
    """How the result comes from the old value and something, if in a way that parts may be put
    together in."""
    combine = result.owner
    match combine:
        case arith.SelectOp():
            return _extreme(old, combine)
        case arith.TruncIOp():
            return _narrow(old, combine)
        case Operation() if type(combine) in COMBINERS:
            term = _term(old, combine)
            is_free = is_order_free(combine) or isinstance(combine, _IN_ANY_ORDER)
            if term is None or not is_free:
                return None
            return SharedUpdate(COMBINERS[type(combine)], (combine,), old, term)
        case _:
            return None


def _narrow(old: SSAValue, cut: arith.TruncIOp) -> SharedUpdate | None:
    """Of a number that is made wider before and cut behind: `short h; h += 1`."""
    combine, wide = cut.input.owner, [use.operation for use in old.uses]
    if (
        not isinstance(combine, _MODULAR)
        or not cut.input.has_one_use()
        or old.type != cut.result.type
    ):
        return None
    readers = [one for one in wide if isinstance(one, arith.ExtSIOp | arith.ExtUIOp)]
    reader = next((one for one in readers if one.result in combine.operands), None)
    if reader is None or not reader.result.has_one_use():
        return None
    term = _term(reader.result, combine)
    if term is None:
        return None
    return SharedUpdate(COMBINERS[type(combine)], (reader, combine, cut), old, term)


def _term(old: SSAValue, combine: Operation) -> SSAValue | None:
    left, right = combine.operands
    if left is old and right is not old:
        return right
    is_other = right is old and left is not old and not isinstance(combine, _ONE_SIDED)
    return left if is_other else None


_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


_FLOAT_PREDICATES = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord")


_SWAPPED: Mapping[str, str] = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


_NEGATED: Mapping[str, str] = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


_EXTREMES: Mapping[str, str] = {"g": "max", "l": "min"}


def _extreme(old: SSAValue, choice: arith.SelectOp) -> SharedUpdate | None:
    """`term > old ? term : old`, in any of the ways to write it."""
    test, arms = choice.cond.owner, {choice.lhs, choice.rhs}
    if not isinstance(test, arith.CmpiOp | arith.CmpfOp) or not choice.cond.has_one_use():
        return None
    if {test.lhs, test.rhs} != arms or old not in arms or len(arms) != 2:
        return None
    words = _PREDICATES if isinstance(test, arith.CmpiOp) else _FLOAT_PREDICATES
    number = test.predicate.value.data
    word = words[number] if number < len(words) else ""
    sign, word = word[:1], word[1:]
    if word not in _SWAPPED:
        return None
    if test.lhs is old:
        word = _SWAPPED[word]
    if choice.lhs is old:
        if sign == "o" and not permits(test, FastMathFlag.NO_NANS):
            return None
        word = _NEGATED[word]
    (term,) = arms - {old}
    kind = f"{_EXTREMES[word[0]]}{'numf' if sign == 'o' else sign + 'i'}"
    return SharedUpdate(f"{kind} {word}", (test, choice), old, term)
