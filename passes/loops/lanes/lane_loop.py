"""Loops whose iterations can run in lanes, in step, around serial loops.

A lane loop holds groups: runs of straight-line code, and innermost loops in which each iteration
may need the one before. Iterations i, i + 1, ... (the lanes) run together: each group for all
lanes before the next group, and an inner loop at each moment `time = j + skew * lane` for all
lanes. That keeps the order of two instances

    in one lane                                                  always
    in lanes di > 0 apart, in one inner loop, dj iterations on   if dj + skew * di > 0
    in different lanes otherwise                                 if nothing is carried by i

so that a recurrence along both loops, as that of Gauss and Seidel, has its lanes along the
wavefront (L. Lamport, The parallel execution of DO loops, CACM 17(2), 1974), and a recurrence
along j alone has them straight down.

What a lane has just loaded or stored and reads again some iterations later stays in a register:
a `Reuse`. A variable that each iteration sets before it reads it is private: each lane has its
own, in a register, and memory gets that of the last lane. Straight-line code that has no lanes,
such as calls, or that carries something from lane to lane, is run by one lane after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.subscripts import may_meet, subscripts_of
from polyopt.passes.loops.lanes.meetings import (
    UNKNOWN,
    Meeting,
    meeting,
    meeting_in_row,
    shift_between,
)
from polyopt.passes.loops.lanes.serial_loop import Group, Reuse, SerialLoop, families, without_gaps
from polyopt.support.record import record


@record
class LaneLoop:
    """The iterations of `loop` are lanes; a lane is `skew` iterations of an inner loop behind the
    lane before it. `private` are memrefs of no dimensions."""

    loop: AffineLoop
    groups: tuple[Group, ...]
    skew: int
    private: frozenset[SSAValue] = frozenset()

    def steps(self, op: ElementAccess, inner: AffineLoop | None) -> tuple[int, ...]:
        """How far apart two neighbouring lanes touch memory, in each dimension."""
        forms = subscripts_of(op)
        assert forms is not None
        iv = self.loop.iv
        if inner is None:
            return tuple(form.coefficient(iv) for form in forms)
        return tuple(
            form.coefficient(iv) - self.skew * form.coefficient(inner.iv) for form in forms
        )

    def _changes_private(self, group: SerialLoop) -> bool:
        return any(store.memref in self.private for store in group.stores)

    def accumulators(self, group: SerialLoop) -> dict[ElementAccess, affine.StoreOp]:
        """The accesses to an element that stands still while the inner loop runs, and that
        nothing else there may touch: a register can hold it. Each with the first store to it."""
        if self._changes_private(group):
            return {}
        touches: list[ElementAccess] = [*group.loads, *group.stores]
        found: dict[ElementAccess, affine.StoreOp] = {}
        for store in group.stores:
            forms = subscripts_of(store)
            if (
                store in found
                or forms is None
                or any(form.coefficient(group.loop.iv) for form in forms)
            ):
                continue
            near = [op for op in touches if may_meet(op, store) and not self._is_beside(op, store)]
            if all(op.memref is store.memref and subscripts_of(op) == forms for op in near):
                found |= dict.fromkeys(near, store)
        return found

    def _is_beside(self, op: ElementAccess, store: affine.StoreOp) -> bool:
        """Does it touch another element in each lane, as a member of the same struct? What
        different lanes touch is apart where they carry nothing."""
        here, there = subscripts_of(op), subscripts_of(store)
        if op.memref is not store.memref or not self.loop.is_marked_parallel:
            return False
        if here is None or there is None:
            return False
        differences = [one - other for one, other in zip(here, there, strict=True)]
        return any(d.constant and not d.terms for d in differences)

    def streams(self, group: SerialLoop) -> dict[ElementAccess, int]:
        """The accesses that run through a row in each lane, forward (1) or backward (-1), where a
        stretch of each row can be loaded before and stored after the iterations that it is for;
        none if some lane might see the difference."""
        if not self.skew and not self._may_be_done_in_stretches(group):
            return {}
        reused = {**self.kept(group), **self.accumulators(group)}
        touches = [op for op in (*group.loads, *group.stores) if op.memref not in self.private]
        found: dict[ElementAccess, int] = {}
        for op in touches:
            forms = subscripts_of(op)
            assert forms is not None
            steps = self.steps(op, group.loop)
            *others, last = [form.coefficient(group.loop.iv) for form in forms] or [0]
            if op in reused or any(others) or abs(last) != 1 or not any(steps[:-1]):
                continue
            if self.skew and not self._is_read_from_registers(op, group):
                continue
            found[op] = last
        return found

    def _is_read_from_registers(self, op: ElementAccess, group: SerialLoop) -> bool:
        """Is it a store that memory may wait for, along a wavefront too: what the lanes read of it
        they have from each other, and the first of them from rows of an earlier strip?"""
        reuses = self.reuses(group)
        near = [one for one in (*group.loads, *group.stores) if may_meet(one, op)]
        return isinstance(op, affine.StoreOp) and all(one is op or one in reuses for one in near)

    def _may_be_done_in_stretches(self, group: SerialLoop) -> bool:
        """Does a load never take what the same loop has stored, but where it is reused?"""
        reused, held = self.kept(group), self.accumulators(group)
        ivs = self.loop.iv, group.loop.iv
        for store in group.stores:
            if store in held:
                continue
            for load in group.loads:
                if load in reused or load in held or load.memref in self.private:
                    continue
                found = meeting(store, load, ivs)
                if isinstance(found, Meeting):
                    return False
                if found is None or (found[0] and self.loop.is_marked_parallel):
                    continue
                lanes, iterations = found
                is_later = iterations == 0 and (lanes or store.is_before_in_block(load))
                if iterations > 0 or is_later:
                    return False
            for other in group.stores:
                if other is not store and meeting(store, other, ivs) is not None:
                    return False
        return True

    def kept(self, group: SerialLoop) -> dict[affine.LoadOp, Reuse]:
        """Of what need not be loaded, that which is carried in registers: nothing where private
        variables are, unless lanes run behind each other."""
        return {} if self._changes_private(group) and not self.skew else self.reuses(group)

    def reuses(self, group: SerialLoop) -> dict[affine.LoadOp, Reuse]:
        """What need not be loaded in the inner loop, where all lanes run it from an earlier
        iteration on."""
        found: dict[affine.LoadOp, Reuse] = {}
        for family in families(group):
            found.update(self._reuses_in(group, family))
        return found | self._passed_on(group, found)

    def _passed_on(
        self, group: SerialLoop, own: dict[affine.LoadOp, Reuse]
    ) -> dict[affine.LoadOp, Reuse]:
        """What the lane before has stored and still holds for itself, as each lane along a
        wavefront takes the row above from its neighbour. Nothing else may store there, and each
        element is stored once."""
        kept = {(reuse.source, reuse.age) for reuse in own.values()}
        ivs = self.loop.iv, group.loop.iv
        found: dict[affine.LoadOp, Reuse] = {}
        for load in group.loads:
            stores = [op for op in group.stores if may_meet(op, load)]
            if load in own or len(stores) != 1:
                continue
            if self._is_row_in_place(group, stores[0], load):
                found[load] = Reuse(stores[0], self.skew, 1)
                continue
            if meeting(stores[0], stores[0], ivs) != (0, 0):
                continue
            distance = meeting(stores[0], load, ivs)
            if isinstance(distance, tuple) and distance[0] == 1:
                age = distance[1] + self.skew
                if (stores[0], age) in kept:
                    found[load] = Reuse(stores[0], age, 1)
        return found

    def _is_row_in_place(
        self, group: SerialLoop, store: affine.StoreOp, load: affine.LoadOp
    ) -> bool:
        """Does each lane load what the lane before has stored in the same row, and then store there
        itself? Of the iteration in front of the first, which is loaded from memory to begin with,
        the element must be one that is touched anyway."""
        ivs = self.loop.iv, group.loop.iv
        same = [meeting_in_row(store, one, ivs) for one in (store, load)]
        if not self.skew or same != [0, 0] or not load.is_before_in_block(store):
            return False
        forms, lowers = subscripts_of(store), group.loop.lowers
        if forms is None or lowers is None or len(lowers) != 1:
            return False
        in_front = tuple(form.substitute({ivs[1]: lowers[0] - 1}) for form in forms)
        return self.skew == 1 and any(
            isinstance(op, affine.LoadOp)
            and op.memref is store.memref
            and subscripts_of(op) == in_front
            for other in self.groups
            if not isinstance(other, SerialLoop)
            for op in other
        )

    def _reuses_in(
        self, group: SerialLoop, family: dict[affine.LoadOp, int]
    ) -> dict[affine.LoadOp, Reuse]:
        """`family`: the loads that move through the same elements, and how many iterations each
        one is ahead of the first."""
        iv = group.loop.iv
        first = next(iter(family))
        own: dict[affine.StoreOp, int] = {}
        others: list[affine.StoreOp] = []
        for store in group.stores:
            ahead = shift_between(first, store, iv)
            if ahead is not None:
                own[store] = ahead
            elif may_meet(store, first):
                others.append(store)
        if len(own) > 1:
            return {}
        found: dict[affine.LoadOp, Reuse] = {}
        fresh = dict(family)
        for store, ahead in own.items():
            late = {load: ahead - k for load, k in family.items() if k < ahead}
            if not others:
                found |= {load: Reuse(store, age) for load, age in late.items()}
            fresh = {
                load: k
                for load, k in family.items()
                if k > ahead or (k == ahead and load.is_before_in_block(store))
            }
        if fresh:
            lead = max(fresh, key=lambda load: fresh[load])
            late = {load: fresh[lead] - k for load, k in fresh.items() if k < fresh[lead]}
            if all(self._is_kept(group, lead, load, others) for load in late):
                found |= {load: Reuse(lead, age) for load, age in late.items()}
        return without_gaps(found)

    def _is_kept(
        self,
        group: SerialLoop,
        lead: affine.LoadOp,
        load: affine.LoadOp,
        stores: Sequence[affine.StoreOp],
    ) -> bool:
        """Does no lane write the element between the time when `lead` reads it and that when
        `load` would?"""
        for store in stores:
            early = self._time_between(group, store, lead)
            late = self._time_between(group, store, load)
            if early is UNKNOWN or late is UNKNOWN:
                return False
            if early is not None and late is not None and not (early >= 1 or late <= -1):
                return False
        return True

    def _time_between(
        self, group: SerialLoop, store: affine.StoreOp, load: affine.LoadOp
    ) -> Meeting | int | None:
        """How long after `store` the lanes' `load` touches the same element."""
        found = meeting(store, load, (self.loop.iv, group.loop.iv))
        if found is None or isinstance(found, Meeting):
            return found
        lanes, iterations = found
        return iterations + self.skew * lanes
