"""The last place where something held is the greatest of those where it did.

    for (i …) f = c ? i : f    ->    g = the least there is
                                     for (i …) g = max(g, c ? i + 1 : the least there is)
                                     f = g is more than that ? g - 1 : f

Then it is seen to be an update whose iterations may come in any order, lanes and threads keep one
each, and what else the loop adds up is not held up by it. What the counter becomes is never the
least number, wherever it begins; what is stored is computed from it behind the loop.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.idioms.last_places import (
    LastPlace,
    RisingCounter,
    is_inside,
    last_places,
    rising_counter,
    the_only_edges,
)
from polyopt.ir.insertion import insert_before
from polyopt.passes.prepare.branches.block_editing import insert_on_edges
from polyopt.support.record import record


def keep_greatest_places(flow: ControlFlow) -> None:
    """In all loops of one block, which conversions leave."""
    for loop in flow.loops.all_loops():
        edges = the_only_edges(loop)
        counter = None if edges is None else rising_counter(loop)
        found = [] if counter is None else last_places(loop, counter)
        if edges is None or counter is None or not found:
            continue
        entry, exit = edges
        front = entry.terminator
        behind = insert_on_edges([exit]).last_op
        assert behind is not None
        for places in _alike(found):
            _Writer(loop, counter, places).write(front, behind)


_Choice = tuple[object, ...]
"""What selections choose: a condition and the two choices, or which of the two values."""


def _alike(places: list[LastPlace]) -> list[list[LastPlace]]:
    """Those that are stored under the same conditions together: one greatest does for all."""
    groups: dict[_Choice, list[LastPlace]] = {}
    for one in places:
        groups.setdefault(_choice(one.store.value, one), []).append(one)
    return list(groups.values())


def _choice(value: SSAValue, last: LastPlace) -> _Choice:
    if value is last.load.res or value is last.place:
        return (value is last.place,)
    op = value.owner
    assert isinstance(op, arith.SelectOp)
    return op.cond, _choice(op.lhs, last), _choice(op.rhs, last)


@record
class _Writer:
    loop: NaturalLoop
    counter: RisingCounter
    places: list[LastPlace]

    @property
    def last(self) -> LastPlace:
        return self.places[0]

    def write(self, front: Operation, behind: Operation) -> None:
        """What is greatest so far instead of the variables, between `front` and `behind`."""
        load, store = self.last.load, self.last.store
        variable = load.memref.owner
        assert isinstance(variable, memref.AllocaOp)
        greatest = memref.AllocaOp.get(self._type, shape=[])
        greatest.memref.name_hint = variable.memref.name_hint
        insert_before(greatest, variable)
        (before,) = insert_before(self._least(), front, store)
        insert_before(memref.StoreOp.get(before, greatest.memref, []), front, store)

        (following,) = insert_before(self.counter.following.clone(), store)
        (nothing,) = insert_before(self._least(), store)
        chosen = self._chosen(store.value, following, nothing)
        (old,) = insert_before(memref.LoadOp.get(greatest.memref, []), store)
        best = arith.MaxSIOp if self.counter.is_signed else arith.MaxUIOp
        (new,) = insert_before(best(chosen, old), store)
        insert_before(memref.StoreOp.get(new, greatest.memref, []), store)

        (found,) = insert_before(memref.LoadOp.get(greatest.memref, []), behind, store)
        (nothing,) = insert_before(self._least(), behind, store)
        (holds,) = insert_before(arith.CmpiOp(found, nothing, "ne"), behind, store)
        for one in self.places:
            place = self._place(one, found, behind)
            memory = one.store.memref
            (kept,) = insert_before(memref.LoadOp.get(memory, []), behind, store)
            (value,) = insert_before(arith.SelectOp(holds, place, kept), behind, store)
            insert_before(memref.StoreOp.get(value, memory, []), behind, store)
        for one in self.places:
            _erase(one.store)

    @property
    def _type(self) -> IntegerType:
        type_ = self.counter.value.type
        assert isa(type_, IntegerType)
        return type_

    def _least(self) -> Operation:
        least = -(1 << (self._type.width.data - 1)) if self.counter.is_signed else 0
        return arith.ConstantOp(IntegerAttr(least, self._type))

    def _chosen(self, value: SSAValue, following: SSAValue, nothing: SSAValue) -> SSAValue:
        """What the selections of places choose of these."""
        if value is self.last.load.res:
            return nothing
        if value is self.last.place:
            return following
        op = value.owner
        assert isinstance(op, arith.SelectOp)
        arms = [self._chosen(arm, following, nothing) for arm in (op.lhs, op.rhs)]
        return insert_before(arith.SelectOp(op.cond, *arms), self.last.store)[0]

    def _place(self, last: LastPlace, found: SSAValue, behind: Operation) -> SSAValue:
        """What was stored in the iteration that ended with that counter."""
        (step,) = insert_before(self.counter.step.clone(), behind, self.last.store)
        (at,) = insert_before(arith.SubiOp(found, step), behind, self.last.store)
        return self._computed(last.place, {self.counter.value: at}, behind)

    def _computed(
        self, value: SSAValue, known: dict[SSAValue, SSAValue], behind: Operation
    ) -> SSAValue:
        """The same of another counter, which may be none: nothing is said of overflows."""
        if value not in known and is_inside(value, self.loop):
            op = value.owner
            assert isinstance(op, Operation)
            operands = {one: self._computed(one, known, behind) for one in op.operands}
            copy = op.clone(operands)
            if isinstance(copy, (arith.AddiOp, arith.SubiOp, arith.MuliOp)):
                copy.properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
            (known[value],) = insert_before(copy, behind, self.last.store)
        return known.get(value, value)


def _erase(store: memref.StoreOp) -> None:
    """It, and of the selections what nothing else asks for, and the load that they choose."""
    pending = [store.value]
    assert store.parent is not None
    store.parent.erase_op(store)
    while pending:
        op = pending.pop().owner
        if isinstance(op, (arith.SelectOp, memref.LoadOp)) and not op.results[0].uses:
            pending += [op.lhs, op.rhs] if isinstance(op, arith.SelectOp) else []
            assert op.parent is not None
            op.parent.erase_op(op)
