"""Values that one statement computes and another uses go through memory.

    a block argument that is not affine        is stored at the end of each predecessor
    a loaded value used in another block       is stored where it is loaded
    a value used after the region              is stored where it is computed, loaded behind

What is affine, and what is computed from such values alone, is computed again where it is used;
a pointer that moves in affine steps through one object is affine.

A variable is loaded once in each block that uses it; `Candidate.copies` says which load stands
for a value in a block. The code itself keeps its values: what was found out about it, such as
which arguments are affine, stays true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, Use

from polyopt.ir.branches import Edge, drop_passed, incoming, outgoing
from polyopt.ir.control.cfg import defining_block, enclosing_block
from polyopt.ir.control.regions import FlowRegion
from polyopt.ir.effects import is_access
from polyopt.passes.scop.candidate import Candidate, MemoryOp, pointer_parts
from polyopt.passes.scop.isolation import Surrounded
from polyopt.passes.scop.places import assigned_at, place_of
from polyopt.passes.scop.statements import run_time_operands
from polyopt.support.record import entity


def demote(candidate: Candidate, surrounded: Surrounded) -> list[SSAValue]:
    """Gives the new variables; fills `candidate.copies`."""
    wanted = _find(candidate, surrounded)
    slots: list[SSAValue] = []
    for argument, places in wanted.arguments.items():
        slots.extend(_demote_argument(candidate, argument, list(places)))
    for result, places in wanted.results.items():
        slots.append(_store_where_known(candidate, result, list(places)))
    for argument in reversed(surrounded.after.args):
        _take_from_memory(candidate, argument)
    return slots


def live_out(candidate: Candidate) -> list[SSAValue]:
    """The values of the region that are used outside."""
    return [
        value
        for value in values_of(candidate.region)
        if any(is_outside(candidate, use) for use in value.uses)
    ]


def values_of(region: FlowRegion) -> list[SSAValue]:
    """What its blocks have as arguments and compute, in their order."""
    values: list[SSAValue] = []
    for block in region.blocks:
        values.extend(block.args)
        for op in block.ops:
            values.extend(op.results)
    return values


def is_outside(candidate: Candidate, use: Use) -> bool:
    """The use is behind the region; what never comes back is left to from the original code."""
    block = enclosing_block(use.operation)
    return block not in candidate.region and block not in candidate.region.aside


@entity
class _Wanted:
    """The values that go through memory, each with the blocks (an ordered set) that use it and
    cannot compute it."""

    candidate: Candidate
    arguments: dict[BlockArgument, dict[Block, None]] = field(
        default_factory=dict[BlockArgument, dict[Block, None]]
    )
    results: dict[OpResult, dict[Block, None]] = field(
        default_factory=dict[OpResult, dict[Block, None]]
    )
    _pending: list[tuple[SSAValue, Block]] = field(default_factory=list[tuple[SSAValue, Block]])
    _seen: set[tuple[SSAValue, Block]] = field(default_factory=set[tuple[SSAValue, Block]])
    _recomputable: dict[tuple[SSAValue, Block], bool] = field(
        default_factory=dict[tuple[SSAValue, Block], bool]
    )

    def use(self, value: SSAValue, block: Block) -> None:
        """`value` is used as data in `block`."""
        self._pending.append((value, block))
        while self._pending:
            self._follow(*self._pending.pop())

    def use_address(self, op: MemoryOp, block: Block) -> None:
        """The indices of an access that is not affine are computed at run time."""
        for value in run_time_operands(self.candidate, op):
            self.use(value, block)

    def want(self, value: SSAValue, block: Block) -> None:
        """`block` has to load `value`."""
        self._want(value, block)
        while self._pending:
            self._follow(*self._pending.pop())

    def _follow(self, value: SSAValue, block: Block) -> None:
        if (value, block) in self._seen or self.candidate.space.is_constant(value):
            return
        self._seen.add((value, block))
        if isinstance(value, OpResult) and enclosing_block(value.owner) is block:
            if not is_access(value.owner):
                self._pending.extend((operand, block) for operand in reversed(value.owner.operands))
        elif not self.is_recomputable(value, block):
            self._want(value, block)

    def _want(self, value: SSAValue, block: Block) -> None:
        """What is stored for `value` is data where it is stored."""
        if isinstance(value, OpResult):
            if value not in self.results:
                self._pending.append((value, defining_block(value)))
            self.results.setdefault(value, {})[block] = None
            return
        assert isinstance(value, BlockArgument)
        if value not in self.arguments:
            self._pending.extend(
                (edge.values[value.index], edge.source)
                for edge in reversed(incoming(value.owner))
                if edge.source in self.candidate.region
            )
        self.arguments.setdefault(value, {})[block] = None

    def is_recomputable(self, value: SSAValue, at: Block) -> bool:
        """In block `at` the value can be computed anew from what is affine and what is
        constant."""
        known = self._recomputable
        pending = [value]
        while pending:
            current = pending[-1]
            if (current, at) in known:
                pending.pop()
                continue
            operands = self._operands(current, at)
            unavailable = next((o for o in operands if not known.get((o, at))), None)
            if unavailable is not None and (unavailable, at) not in known:
                pending.append(unavailable)
            else:
                known[current, at] = unavailable is None and self._is_available(current, at)
        return known[value, at]

    def _operands(self, value: SSAValue, at: Block) -> Sequence[SSAValue]:
        """What has to be computed first, if `value` is to be computed anew."""
        if isinstance(value, BlockArgument) or self.candidate.space.is_constant(value):
            return ()
        op = value.owner
        assert isinstance(op, Operation)
        return () if _is_computed_once(op) else op.operands

    def _is_available(self, value: SSAValue, at: Block) -> bool:
        """The value is there in `at`, as far as it is not its operands that decide."""
        candidate = self.candidate
        if isinstance(value.owner, memref.LoadOp) and value.owner in candidate.guarded:
            return at in candidate.region
        if candidate.space.is_constant(value):
            return True
        if isinstance(value, BlockArgument):
            return _is_affine(candidate, value, at)
        assert isinstance(value.owner, Operation)
        return not _is_computed_once(value.owner)


def _is_computed_once(op: Operation) -> bool:
    """What an access gives may be gone later, and a call may take long."""
    return is_access(op) or isinstance(op, func.CallOp)


def _is_affine(candidate: Candidate, value: SSAValue, at: Block) -> bool:
    if isinstance(value.type, LLVMPointerType):
        return pointer_parts(candidate, value, at) is not None
    if not isinstance(value.type, IntegerType | IndexType):
        return False
    return candidate.space.defect(candidate.evolution.signed(value, at)) is None


def _find(candidate: Candidate, surrounded: Surrounded) -> _Wanted:
    """Follow the operands of everything that is stored or leaves the region."""
    found = _Wanted(candidate)
    for block in candidate.region.blocks:
        for op in block.walk():
            if isinstance(op, memref.StoreOp):
                found.use(op.value, block)
            if isinstance(op, MemoryOp):
                found.use_address(op, block)
            if isinstance(op, scf.IfOp | scf.YieldOp):
                for operand in op.operands:
                    found.use(operand, block)
    for argument in surrounded.after.args:
        found.want(argument, surrounded.after)
    for value in live_out(candidate):
        if not found.is_recomputable(value, surrounded.after):
            found.want(value, surrounded.after)
    return found


def _demote_argument(
    candidate: Candidate, argument: BlockArgument, places: list[Block]
) -> Iterator[SSAValue]:
    """The variable changes at the end of the block's predecessors. Where control may then go
    elsewhere, what is stored is not the argument's value: it is kept in a second variable."""
    slot = _new_slot(candidate, argument)
    home = argument.owner
    edges = incoming(home)
    for edge in edges:
        passed = edge.values[argument.index]
        store = memref.StoreOp.get(passed, slot, ())
        store.location = assigned_at(edge, passed, candidate)
        edge.source.insert_op_before(store, edge.terminator)
    yield slot
    is_late = _reached_beside(candidate, home, edges)
    late = [place for place in places if place in is_late]
    loaded = [place for place in places if place not in is_late]
    if late and home not in loaded:
        loaded.append(home)
    for place in loaded:
        candidate.copies[argument, place] = _load_at_start(slot, argument, place)
    if late:
        yield _store_where_known(candidate, argument, late)


def _reached_beside(candidate: Candidate, home: Block, edges: Sequence[Edge]) -> set[Block]:
    """The blocks to which control may come from the sources of `edges` without passing `home`."""
    pending = [
        other.target
        for source in {edge.source: None for edge in edges}
        for other in outgoing(source)
        if source in candidate.region
    ]
    reached: set[Block] = {home}
    while pending:
        block = pending.pop()
        if block in reached:
            continue
        reached.add(block)
        if block in candidate.region:
            pending.extend(edge.target for edge in outgoing(block))
    return reached - {home}


def _store_where_known(candidate: Candidate, value: SSAValue, places: list[Block]) -> SSAValue:
    """A variable that is stored as soon as the value is there, or its copy."""
    slot = _new_slot(candidate, value)
    home = defining_block(value)
    stored = candidate.copies.get((value, home), value)
    assert isinstance(stored, OpResult)
    store = memref.StoreOp.get(stored, slot, ())
    store.location = stored.owner.location
    home.insert_op_after(store, stored.owner)
    for place in places:
        candidate.copies[value, place] = _load_at_start(slot, value, place)
    return slot


def _take_from_memory(candidate: Candidate, argument: BlockArgument) -> None:
    """An argument of the block behind the region, which the SCoP passes nothing to."""
    block = argument.owner
    for source in {edge.source: None for edge in incoming(block)}:
        drop_passed(source, block, argument.index)
    argument.replace_all_uses_with(candidate.copies.pop((argument, block)))
    block.erase_arg(argument)


def _new_slot(candidate: Candidate, value: SSAValue) -> SSAValue:
    entry = candidate.flow.body.blocks.first
    assert entry is not None
    assert entry.first_op is not None
    alloca = memref.AllocaOp.get(value.type, shape=())
    alloca.location = place_of(value)
    entry.insert_op_before(alloca, entry.first_op)
    alloca.memref.name_hint = value.name_hint
    return alloca.memref


def _load_at_start(slot: SSAValue, value: SSAValue, block: Block) -> SSAValue:
    load = memref.LoadOp.get(slot, ())
    load.location = place_of(value)
    assert block.first_op is not None
    block.insert_op_before(load, block.first_op)
    load.res.name_hint = value.name_hint
    return load.res
