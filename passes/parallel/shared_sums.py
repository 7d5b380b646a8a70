"""Values that all iterations of a loop combine with something, and nothing else in it looks at.

    for (i = 1; i < n; i++) {                    long total;       in memory, or handed on from
      long v = i; while (v != 1) { …; total += 1; }                iteration to iteration
      if (v > best) best = v;                    an extreme, as a choice between two
      bins[key[i]] += 1;                         at a place that data choose (`shared_bins`)
    }

Sums, products, bits and extremes of integers are the same in any order (2^n wraps around);
floating-point sums and products where operations may be reassociated. An extreme that is chosen by
an ordered comparison is that of the parts, put together in their order by the same comparison, to
the bit: what is not comparable is never chosen, and of equal ones the first (the last) is. An
update may stand on a condition, by a branch or as a choice between the sum and what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.loop_facts import restrict_rounding
from polyopt.ir.branches import incoming, outgoing
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.ir.elementwise import COMBINERS, neutral_of
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


@record(eq=False)
class SharedSum:
    """`place` is a local variable, or an argument of the loop's header."""

    place: SSAValue
    updates: tuple[SharedUpdate, ...]

    @property
    def is_carried(self) -> bool:
        return isinstance(self.place, BlockArgument)

    @property
    def type(self) -> Attribute:
        return self.updates[0].result.type


def shared_sum(loop: NaturalLoop, variable: SSAValue) -> SharedSum | None:
    """A local variable of no dimension, of which all accesses are seen, if all that the loop does
    with it is to combine it with something."""
    uses = [use.operation for use in variable.uses]
    inside = {op for op in uses if enclosing_block(op) in loop}
    updates = updates_among(inside)
    return None if updates is None else SharedSum(variable, updates)


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


# Handed on


def carried_sum(loop: NaturalLoop, argument: BlockArgument) -> SharedSum | None:
    """Of an argument of the loop's header: all that becomes of it until it comes back is that it is
    combined with something, or passed on as it is."""
    web: dict[SSAValue, None] = {argument: None}
    updates, choices = list[SharedUpdate](), list[arith.SelectOp]()
    tests = set[Operation]()
    pending: list[SSAValue] = [argument]
    while pending:
        value = pending.pop()
        for op in {use.operation: None for use in value.uses}:
            if enclosing_block(op) not in loop:
                if value is not argument:
                    return None
                continue
            results = _handed_on(op, value, loop, argument) if op.successors else None
            if not op.successors:
                found = find_update(value, op.results[0]) if len(op.results) == 1 else None
                if found is not None:
                    updates.append(found)
                    results = [found.result]
                elif isinstance(op, arith.SelectOp) and op.cond is not value:
                    choices.append(op)
                    results = [op.results[0]]
                elif isinstance(op, arith.CmpiOp | arith.CmpfOp):
                    tests.add(op)
                    results = []
            if results is None:
                return None
            new = [one for one in results if one not in web]
            web |= dict.fromkeys(new)
            pending += new
    is_all = tests <= {op for one in updates for op in one.ops}
    if not is_all or not _come_back(loop, argument, web) or not updates:
        return None
    if any(one.term in web for one in updates) or len({one.kind for one in updates}) > 1:
        return None
    if any(one.lhs not in web or one.rhs not in web or one.cond in web for one in choices):
        return None
    return SharedSum(argument, tuple(updates))


def _handed_on(
    op: Operation, value: SSAValue, loop: NaturalLoop, argument: BlockArgument
) -> list[SSAValue] | None:
    """The arguments that a branch passes the value to; None where it asks for it, or leaves the
    loop with another one than the argument."""
    block = op.parent
    assert block is not None
    found = list[SSAValue]()
    count = 0
    for edge in outgoing(block):
        for taken, passed in zip(edge.target.args, edge.values, strict=True):
            if passed is not value:
                continue
            count += 1
            if edge.target in loop:
                found.append(taken)
            elif value is not argument:
                return None
    return found if count == list(op.operands).count(value) else None


def _come_back(loop: NaturalLoop, argument: BlockArgument, web: Mapping[SSAValue, None]) -> bool:
    """What is passed to one of these places is always one of these values; but for the start."""
    for taken in web:
        if not isinstance(taken, BlockArgument):
            continue
        for edge in incoming(taken.block):
            is_start = taken is argument and edge.source not in loop
            if not is_start and edge.values[taken.index] not in web:
                return False
    return True


# Parts


def wrap_around(updates: Sequence[SharedUpdate]) -> None:
    """What is added may overflow in parts where all of it does not."""
    for update in updates:
        for op in update.ops:
            _without_overflow(op)


def neutral(update: SharedUpdate) -> Attribute:
    """What changes nothing where it is combined."""
    is_finite = permits(update.ops[-1], FastMathFlag.NO_INFS)
    return neutral_of(update.kind.split()[0], update.result.type, is_finite=is_finite)


def combined(update: SharedUpdate, sofar: SSAValue, more: SSAValue) -> list[Operation]:
    """What puts together the parts before and one more; the last one's result is all of them."""
    combine = next((op for op in update.ops if type(op) in COMBINERS), None)
    if combine is not None:
        kind = _ADDED.get(type(combine), type(combine))
        copies = [kind.create(operands=[sofar, more], result_types=[sofar.type])]
    else:
        values, copies = {update.old: sofar, update.term: more}, list[Operation]()
        for op in update.ops:
            copies.append(op.clone(values))
            values |= zip(op.results, copies[-1].results, strict=True)
    for op in copies:
        op.attributes = dict(op.attributes)
        _without_overflow(op)
        if isa(sofar.type, AnyFloat):
            restrict_rounding(op.attributes, "in_order")
    return copies


_ADDED: Mapping[type[Operation], type[Operation]] = {
    arith.SubiOp: arith.AddiOp,
    arith.SubfOp: arith.AddfOp,
}
"""What is taken away in parts is negative: the parts are added."""


def _without_overflow(op: Operation) -> None:
    if isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        op.properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
