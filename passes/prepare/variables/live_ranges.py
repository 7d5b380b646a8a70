"""A variable that is used for several things in turn becomes one variable for each.

    t = a < b ? a : b;  x = f(t);                t = a < b ? a : b;    x = f(t);
    t = c < d ? c : d;  y = g(t);        ->      t_1 = c < d ? c : d;  y = g(t_1);

C of all ages declares `r, s, t` once and writes them where it needs one. As one variable each part
waits for the one before it, in dependences that no value flows along, and it lives in no one block.

The parts are the webs of G. J. Chaitin et al., "Register allocation via coloring", Computer
Languages 6, 1981: stores that a same load may see are of one part. Which those are the arguments
tell that blocks would get, were the variable a value (`ssa_construction.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from xdsl.dialects import memref
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.prepare.ssa_construction import Variable, blocks_with_arguments

_Source = memref.StoreOp | Block | None
"""Where a value comes from: a store, a block in front of which several meet, or nowhere."""


def separate_live_ranges(flow: ControlFlow, variables: Iterable[Variable]) -> bool:
    """Give each part of the variables a slot of its own. Did any have more than one?"""
    parts = [_Parts(flow, variable) for variable in variables if len(variable.stores) > 1]
    return any([one.separate() for one in parts])


class _Parts:
    """The sources of a variable's values, in sets that a same load may see."""

    def __init__(self, flow: ControlFlow, variable: Variable):
        self.flow = flow
        self.variable = variable
        self.meetings = set(blocks_with_arguments(flow, variable))
        self.last: dict[Block, memref.StoreOp] = {}
        self.joined: dict[_Source, _Source] = {}

    def separate(self) -> bool:
        seen = list(self._seen())
        for block in self.meetings:
            for before in self.flow.cfg.predecessors[self.flow.cfg.number[block]]:
                self._join(block, self._at_end(self.flow.cfg.blocks[before]))
        # What may be read before it is written keeps the slot, else the first store's part does.
        first = self._part(None if any(one is None for _, one in seen) else self.variable.stores[0])
        slots: dict[_Source, SSAValue] = {first: self.variable.slot.memref}
        for access, source in seen:
            part = self._part(source)
            if part not in slots:
                slots[part] = self._copy()
            access.operands[list(access.operands).index(self.variable.slot.memref)] = slots[part]
        return len(slots) > 1

    def _seen(self) -> Iterator[tuple[memref.LoadOp | memref.StoreOp, _Source]]:
        """Each load, and where its value comes from; each store, which is its own source."""
        stores = set(self.variable.stores)
        accesses = {*self.variable.loads, *stores}
        for store in self.variable.stores:
            assert store.parent is not None
            self.last[store.parent] = store
        blocks = {one.parent: None for one in (*self.variable.stores, *self.variable.loads)}
        for block in blocks:
            assert block is not None
            source = self._at_start(block)
            for op in block.ops:
                if op in stores:
                    source = cast("memref.StoreOp", op)
                if op in accesses:
                    yield cast("memref.LoadOp | memref.StoreOp", op), source

    def _at_start(self, block: Block) -> _Source:
        while block not in self.meetings:
            above = self.flow.dominators.immediate(block)
            if above is None:
                return None
            if above in self.last:
                return self.last[above]
            block = above
        return block

    def _at_end(self, block: Block) -> _Source:
        return self.last[block] if block in self.last else self._at_start(block)

    def _part(self, source: _Source) -> _Source:
        while (above := self.joined.get(source, source)) is not source:
            source = above
        return source

    def _join(self, one: _Source, other: _Source) -> None:
        self.joined[self._part(one)] = self._part(other)

    def _copy(self) -> SSAValue:
        slot = self.variable.slot
        copy = slot.clone()
        copy.location = slot.location
        copy.memref.name_hint = slot.memref.name_hint
        assert slot.parent is not None
        slot.parent.insert_op_after(copy, slot)
        return copy.memref
