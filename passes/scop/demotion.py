"""Values that one statement computes and another uses go through memory.

    a block argument that is not affine        is stored at the end of each predecessor
    a loaded value used in another block       is stored where it is loaded
    a value used after the region              is stored where it is computed, loaded behind

What is affine, and what is computed from such values alone, is computed again where it is used.
"""

from __future__ import annotations

from dataclasses import field

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IndexType, IntegerType, LocationAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, Use

from polyopt.ir.branches import drop_passed, incoming
from polyopt.ir.cfg import defining_block, enclosing_block
from polyopt.ir.effects import is_access
from polyopt.ir.integer_expr import Unknown
from polyopt.passes.scop.candidate import Candidate, MemoryOp
from polyopt.passes.scop.isolation import Surrounded
from polyopt.support.record import entity


def demote(candidate: Candidate, surrounded: Surrounded) -> list[SSAValue]:
    """Gives the new variables. Block arguments come first: what was an argument is then a loaded
    value like others."""
    slots: list[SSAValue] = []
    for argument in _find(candidate, surrounded).arguments:
        slots.append(_demote_argument(candidate, argument))
    candidate.refresh()
    for result in _find(candidate, surrounded).results:
        slots.append(_demote_result(candidate, surrounded, result))
    candidate.refresh()
    return slots


def live_out(candidate: Candidate) -> list[SSAValue]:
    """The values of the region that are used outside."""
    result: list[SSAValue] = []
    for block in candidate.region.blocks:
        values: list[SSAValue] = list(block.args)
        for op in block.ops:
            values.extend(op.results)
        result.extend(v for v in values if any(is_outside(candidate, use) for use in v.uses))
    return result


def is_recomputable(candidate: Candidate, value: SSAValue, at: Block) -> bool:
    """In block `at` the value can be computed anew from what is affine and what is constant."""
    if isinstance(value.owner, memref.LoadOp) and value.owner in candidate.guarded:
        return at in candidate.region
    if candidate.space.is_constant(value):
        return True
    if isinstance(value, BlockArgument):
        return is_affine(candidate, value, at)
    op = value.owner
    assert isinstance(op, Operation)
    return not is_access(op) and all(
        is_recomputable(candidate, operand, at) for operand in op.operands
    )


def is_affine(candidate: Candidate, value: SSAValue, at: Block) -> bool:
    if not isinstance(value.type, IntegerType | IndexType):
        return False
    return candidate.space.defect(candidate.evolution.signed(value, at)) is None


@entity
class _Found:
    candidate: Candidate
    arguments: dict[BlockArgument, None] = field(default_factory=dict[BlockArgument, None])
    results: dict[OpResult, None] = field(default_factory=dict[OpResult, None])
    seen: set[tuple[SSAValue, Block]] = field(default_factory=set[tuple[SSAValue, Block]])

    def use(self, value: SSAValue, block: Block) -> None:
        """`value` is used as data in `block`."""
        if (value, block) in self.seen or self.candidate.space.is_constant(value):
            return
        self.seen.add((value, block))
        if isinstance(value, BlockArgument):
            if not is_affine(self.candidate, value, block):
                self.demote(value)
            return
        op = value.owner
        assert isinstance(op, Operation)
        if enclosing_block(op) is not block and not is_recomputable(self.candidate, value, block):
            self.demote(value)
        elif not is_access(op):
            for operand in op.operands:
                self.use(operand, block)

    def use_address(self, op: MemoryOp, block: Block) -> None:
        """The indices of an access that is not affine are computed at run time."""
        if op in self.candidate.affine or op not in self.candidate.subscripts:
            return
        for index in self.candidate.subscripts[op].indices:
            for atom in index.all_atoms():
                if isinstance(atom, Unknown):
                    self.use(atom.value, block)

    def demote(self, value: SSAValue) -> None:
        if isinstance(value, OpResult):
            if value not in self.results:
                self.results[value] = None
                self.use(value, defining_block(value))
            return
        assert isinstance(value, BlockArgument)
        if value in self.arguments:
            return
        self.arguments[value] = None
        for edge in incoming(value.owner):
            if edge.source in self.candidate.region:
                self.use(edge.values[value.index], edge.source)


def _find(candidate: Candidate, surrounded: Surrounded) -> _Found:
    """Follow the operands of everything that is stored or leaves the region."""
    found = _Found(candidate)
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
        found.demote(argument)
    for value in live_out(candidate):
        if not is_recomputable(candidate, value, surrounded.after):
            found.demote(value)
    return found


def _demote_argument(candidate: Candidate, argument: BlockArgument) -> SSAValue:
    block, place = argument.owner, argument.index
    slot = _new_slot(candidate, argument)
    for edge in incoming(block):
        store = memref.StoreOp.get(edge.values[place], slot, ())
        store.location = edge.terminator.location
        edge.source.insert_op_before(store, edge.terminator)
    for source in {edge.source: None for edge in incoming(block)}:
        drop_passed(source, block, place)
    for place in {_place_of_reload(candidate, argument, use): None for use in argument.uses}:
        load = _load_at_start(slot, argument, place)
        argument.replace_uses_with_if(
            load, lambda use, p=place: _place_of_reload(candidate, argument, use) is p
        )
    block.erase_arg(argument)
    return slot


def _place_of_reload(candidate: Candidate, argument: BlockArgument, use: Use) -> Block:
    """Where to load the variable that stood for a block argument: where it is used, if that is in
    the same iteration, since it changes only at the end of the block's predecessors; else in its
    block."""
    block, home = enclosing_block(use.operation), argument.owner
    loop = candidate.flow.loops.innermost(home)
    if block not in candidate.region:
        return home
    return block if loop is None or block in loop else home


def _demote_result(candidate: Candidate, surrounded: Surrounded, result: OpResult) -> SSAValue:
    home = defining_block(result)
    slot = _new_slot(candidate, result)
    store = memref.StoreOp.get(result, slot, ())
    store.location = result.owner.location
    home.insert_op_after(store, result.owner)
    for place in {_place_of_use(candidate, surrounded, use): None for use in result.uses}:
        if place is home:
            continue
        load = _load_at_start(slot, result, place)
        result.replace_uses_with_if(
            load, lambda use, p=place: _place_of_use(candidate, surrounded, use) is p
        )
    return slot


def _place_of_use(candidate: Candidate, surrounded: Surrounded, use: Use) -> Block:
    """The block where the value is to be loaded for a use: behind the region for all uses
    outside."""
    block = enclosing_block(use.operation)
    return block if block in candidate.region else surrounded.after


def is_outside(candidate: Candidate, use: Use) -> bool:
    return enclosing_block(use.operation) not in candidate.region


def _new_slot(candidate: Candidate, value: SSAValue) -> SSAValue:
    entry = candidate.flow.body.blocks.first
    assert entry is not None
    assert entry.first_op is not None
    alloca = memref.AllocaOp.get(value.type, shape=())
    alloca.location = _location(value)
    entry.insert_op_before(alloca, entry.first_op)
    alloca.memref.name_hint = value.name_hint
    return alloca.memref


def _load_at_start(slot: SSAValue, value: SSAValue, block: Block) -> SSAValue:
    load = memref.LoadOp.get(slot, ())
    load.location = _location(value)
    assert block.first_op is not None
    block.insert_op_before(load, block.first_op)
    load.res.name_hint = value.name_hint
    return load.res


def _location(value: SSAValue) -> LocationAttr:
    if isinstance(value, BlockArgument):
        return value.location
    assert isinstance(value.owner, Operation)
    return value.owner.location
