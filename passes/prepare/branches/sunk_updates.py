"""What an arm adds to variables is chosen by the branch, and added behind it, always.

    if (c) { s += a[i]; n++; }       ->      x = c ? a[i] : 0; s += x;  y = c ? 1 : 0; n += y

For arms that load what may not be there where the condition does not hold: a conditional stays
around that, and gives the term. What is accumulated can then be seen by who looks at the loop
around. Only updates whose order is free are taken: the others would stay in their order anyway.

Of several in a nest, one may need what is computed in an arm, and all begin anew in a loop around:
they would each compute it, in loops of their own (three sums of weights of near pairs: 3.3 of the
time). In a loop that is no nest they need no more together than loads and quick arithmetic, which
are shared again in vectors; an exponential, say, would not be.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from xdsl.dialects import arith, cf, memref, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.control.cfg import comes_back
from polyopt.ir.effects import accesses_in, is_access, is_pure
from polyopt.ir.idioms.updates import StoredUpdate, find_update, is_order_free
from polyopt.passes.prepare.branches.conditional_updates import COUNTS, nothing_of
from polyopt.passes.prepare.branches.hammocks import ElementName, Hammock, needed_in, place_of
from polyopt.support.record import record


@record
class _Update:
    """`combine` joins `old`, which is what `place` holds where there is one, with the terms that
    the arms have; None where an arm leaves it alone. What it gives is stored, or handed on as the
    join's argument `number`."""

    combine: Operation
    terms: tuple[SSAValue | None, SSAValue | None]
    old: SSAValue
    place: ElementName = ()
    number: int | None = None


def sink_updates(hammock: Hammock, variables: Container[ElementName], *, is_in_nest: bool) -> bool:
    """Whether all that the arms do is to update `variables`, and counts that go on to the join, and
    the branch is gone. `is_in_nest`: of loops, not of one."""
    stored = _stored(hammock, variables)
    passed = _passed(hammock)
    if stored is None or passed is None or not (*stored, *passed):
        return False
    updates = (*stored, *passed)
    stay_together = _stay_together if is_in_nest else _share_little
    if len(updates) > 1 and not stay_together(updates, hammock):
        return False
    _Writer(hammock).write(updates)
    return True


def _stay_together(updates: Sequence[_Update], hammock: Hammock) -> bool:
    """Whether one of them at most computes in the arms, beside such as count, and the loops around
    begin them anew: sums over all of a nest would each get loops in an order of its own."""
    is_one = sum(bool(_needed(one, hammock)) for one in updates) <= 1
    return is_one and all(_begins_anew(one, hammock) for one in updates)


def _share_little(updates: Sequence[_Update], hammock: Hammock) -> bool:
    """Whether nothing takes long that several of them need in an arm: each computes it for itself.
    Of one loop the sums stay together."""
    seen = set[Operation]()
    for one in updates:
        needed = _needed(one, hammock)
        if any(_takes_long(inner) for op in needed & seen for inner in op.walk()):
            return False
        seen |= needed
    return True


def _takes_long(op: Operation) -> bool:
    """A function or a quotient."""
    return op.name.startswith(("math.", "arith.div", "arith.rem", "func.call", "cmem.call"))


def _needed(one: _Update, hammock: Hammock) -> set[Operation]:
    """What its terms are computed by in the arms."""
    arms = (hammock.then, hammock.orelse)
    return {
        op
        for term, arm in zip(one.terms, arms, strict=True)
        if term is not None and arm is not None
        for op in needed_in(term, arm)
    }


def _begins_anew(one: _Update, hammock: Hammock) -> bool:
    """In a loop, is the variable stored, but for the arms, or a constant handed on instead?"""
    if one.place:
        blocks = {use.operation.parent for use in one.place[0].uses if _stores(use.operation)}
        blocks -= {hammock.then, hammock.orelse}
    else:
        assert isinstance(one.old, BlockArgument)
        number = one.old.index
        edges = incoming(one.old.block)
        blocks = {edge.source for edge in edges if _is_constant(edge.values[number])}
    return any(block is not None and comes_back(block) for block in blocks)


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, arith.ConstantOp)


def _stores(op: Operation) -> bool:
    return isinstance(op, memref.StoreOp)


def _stored(hammock: Hammock, variables: Container[ElementName]) -> list[_Update] | None:
    """None where an arm does anything else, or uses what is updated."""
    found: dict[ElementName, _Update] = {}
    used = set[ElementName]()
    for side, arm in enumerate((hammock.then, hammock.orelse)):
        updates: dict[ElementName, StoredUpdate] = {}
        for op in hammock.arm_ops(arm):
            if isinstance(op, memref.StoreOp):
                update = find_update(op.value, place_of(op))
                if update is None or update.load.parent is not arm or place_of(op) in updates:
                    return None
                updates[place_of(op)] = update
        taken = {one.load for one in updates.values()}
        for op in hammock.arm_ops(arm):
            if isinstance(op, memref.StoreOp) or op in taken:
                continue
            inside = accesses_in(op)
            if not (is_pure(op) or is_access(op)) or not all(map(_loads, inside)):
                return None
            used |= {place_of(one) for one in inside}
        for place, one in updates.items():
            known = found.get(place)
            if place not in variables or not is_order_free(one.combine):
                return None
            if known is not None and not _are_alike(known.combine, one.combine):
                return None
            first = None if known is None else known.terms[0]
            terms = (one.term, None) if side == 0 else (first, one.term)
            found[place] = _Update(one.combine, terms, one.load.res, place=place)
    return None if used & found.keys() else list(found.values())


def _loads(op: Operation) -> bool:
    return isinstance(op, memref.LoadOp)


def _are_alike(one: Operation, other: Operation) -> bool:
    return type(one) is type(other) and one.properties == other.properties


def _passed(hammock: Hammock) -> list[_Update] | None:
    """Counts that go on as arguments of the join; None where anything else is handed on that the
    branch decides."""
    found: list[_Update] = []
    for number, values in enumerate(zip(*hammock.passed(), strict=True)):
        if values[0] is values[1]:
            continue
        side = 0 if isinstance(values[1], BlockArgument) else 1
        counted, old = values[side], values[1 - side]
        if not isinstance(old, BlockArgument) or not isinstance(counted, OpResult):
            return None
        combine = counted.op
        if not isinstance(combine, COUNTS) or combine.lhs is not old:
            return None
        if not counted.has_one_use() or not is_order_free(combine):
            return None
        terms = (combine.rhs, None) if side == 0 else (None, combine.rhs)
        found.append(_Update(combine, terms, old, number=number))
    return found


class _Writer:
    """Writes in front of the branch, and takes it away."""

    def __init__(self, hammock: Hammock) -> None:
        self.hammock = hammock
        self.branch = hammock.branch

    def write(self, updates: Sequence[_Update]) -> None:
        passed = list(self.hammock.passed()[0])
        for one in updates:
            term = self._term(one)
            old = one.old
            if one.place:
                target, *indices = one.place
                old = self._insert(memref.LoadOp.get(target, indices)).results[0]
            result = self._combined(one, old, term)
            if one.place:
                target, *indices = one.place
                self._insert(memref.StoreOp.get(result, target, indices))
            elif one.number is not None:
                passed[one.number] = result
        self._insert(cf.BranchOp(self.hammock.join, *passed))
        block = self.branch.parent
        assert block is not None
        block.erase_op(self.branch)
        self.hammock.erase_arms()

    def _combined(self, one: _Update, old: SSAValue, term: SSAValue) -> SSAValue:
        is_first = one.combine.operands[0] is one.old
        kind: type[Operation] = type(one.combine)
        combine = kind.create(
            operands=[old, term] if is_first else [term, old],
            result_types=[old.type],
            properties=one.combine.properties.copy(),
            attributes=one.combine.attributes.copy(),
        )
        result = self._insert(combine).results[0]
        result.name_hint = one.combine.results[0].name_hint
        return result

    def _term(self, one: _Update) -> SSAValue:
        """What is added by either way, nothing where an arm does not update: computed under the
        condition if it is computed in an arm."""
        computed: list[Sequence[Operation]] = []
        values: list[SSAValue] = []
        for term, arm in zip(one.terms, (self.hammock.then, self.hammock.orelse), strict=True):
            computed.append(() if term is None or arm is None else needed_in(term, arm))
            values.append(nothing_of(one.combine, self._insert) if term is None else term)
        chosen: Operation
        if not any(computed):
            chosen = arith.SelectOp(self.branch.cond, *values)
        else:
            then, orelse = map(self._region, computed, values)
            chosen = scf.IfOp(self.branch.cond, [values[0].type], then, orelse)
        return self._insert(chosen).results[0]

    def _region(self, ops: Sequence[Operation], value: SSAValue) -> Region:
        """Copies of the operations, and the value."""
        block = Block()
        copies = dict[SSAValue, SSAValue]()
        for op in ops:
            block.add_op(op.clone(copies))
        end = scf.YieldOp(copies.get(value, value))
        end.location = self.branch.location
        block.add_op(end)
        return Region(block)

    def _insert(self, op: Operation) -> Operation:
        op.location = self.branch.location
        block = self.branch.parent
        assert block is not None
        block.insert_op_before(op, self.branch)
        return op
