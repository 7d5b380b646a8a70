"""The source's order of a region as a function of its own, which no later pass changes.

    before:  builtin.unrealized_conversion_cast %n, %p      // holds what the function takes
             cf.br ^region
    region:  …                                              // becomes the SCoP
    after:   cf.br ^examine
    examine: memref.store %x, %x_optimised[]                // values that are used behind the
             %x2 = memref.load %x_optimised[]               // region go through memory
             cf.br ^exit

    func.func private @f.0.source(%frame, %x_source, %v, %n, %p) attributes {cmem.as_written} { … }

It is taken before the region is changed in any way: the values that go from statement to statement
are SSA values still. Later the operation in front of the region becomes the call; until then it
follows what is done to the values around. It does not hold local variables: they would no longer
be the function's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from xdsl.dialects import arith, cf, func, memref, ub
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    UnitAttr,
    UnrealizedConversionCastOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import AS_WRITTEN, PTR, memref_type
from polyopt.ir.branches import outgoing
from polyopt.ir.control.cfg import reverse_postorder
from polyopt.ir.control.regions import FlowRegion
from polyopt.ir.objects.bases import BaseKind, base_kind, escapes
from polyopt.support.record import entity


@entity
class Kept:
    """A value that is used behind the region: where the two orders put it."""

    name: str
    type: Attribute
    source: SSAValue
    optimised: SSAValue


@entity
class SourceFunction:
    """The arguments of `function` are the frame, the places of `kept`, the addresses of the local
    `variables`, and the operands of `holder`. `stores` are those of the function by those of the
    region. What examines the results goes in front of `behind`, which runs whatever has run."""

    function: func.FuncOp
    holder: UnrealizedConversionCastOp
    variables: list[SSAValue]
    behind: Operation
    kept: list[Kept] = field(default_factory=list[Kept])
    stores: dict[Operation, memref.StoreOp] = field(default_factory=dict[Operation, memref.StoreOp])


def take_source(region: FlowRegion, before: Block, after: Block, name: str) -> SourceFunction:
    """The function for a region that is entered from `before` only and left to `after` only."""
    blocks = [block for block in reverse_postorder(region.entry) if block in region]
    views = _views_behind(region, blocks, after)
    values = _used_outside(region, blocks, after)
    writer = _Writer(region, before, after)
    frame = writer.argument(PTR)
    places = [writer.argument(PTR) for _ in values]
    writer.find_outside(blocks)
    writer.write(blocks, list(zip(values, places, strict=True)))
    holder = UnrealizedConversionCastOp(operands=[writer.taken], result_types=[[]])
    entering = before.last_op
    assert entering is not None
    before.insert_op_before(holder, entering)
    function = func.FuncOp(
        name,
        FunctionType.from_lists([argument.type for argument in writer.start.args], []),
        writer.body,
        "private",
        arg_attrs=ArrayAttr(writer.attributes(skipped=1 + len(places))),
    )
    function.attributes[AS_WRITTEN] = UnitAttr()
    function.location = holder.location = entering.location
    frame.name_hint = "frame"
    behind, kept = _examine(region, after, values, views)
    return SourceFunction(function, holder, writer.variables, behind, kept, writer.stores)


def _views_behind(region: FlowRegion, blocks: Sequence[Block], after: Block) -> list[Operation]:
    """Memory holds no views: those that are used outside are made anew in `after`. What they are
    made from is used outside then."""
    views: list[Operation] = []
    for op in (op for block in reversed(blocks) for op in reversed(block.ops)):
        if isinstance(op, _VIEWS) and any(
            _is_outside(region, use.operation) for value in op.results for use in value.uses
        ):
            clone = op.clone()
            clone.location = op.location
            assert after.first_op is not None
            after.insert_op_before(clone, after.first_op)
            for old, new in zip(op.results, clone.results, strict=True):
                new.name_hint = old.name_hint
                old.replace_uses_with_if(new, lambda use: _is_outside(region, use.operation))
            views.insert(0, clone)
    return views


def _used_outside(region: FlowRegion, blocks: Iterable[Block], after: Block) -> list[SSAValue]:
    """The values of the region, and the arguments of `after`, that are used outside."""
    values: list[SSAValue] = list(after.args)
    for block in blocks:
        values += block.args
        for op in block.ops:
            values += op.results
    return [
        value for value in values if any(_is_outside(region, use.operation) for use in value.uses)
    ]


def _is_outside(region: FlowRegion, op: Operation) -> bool:
    block = op.parent
    while block is not None and block not in region and block not in region.aside:
        parent = block.parent_op()
        block = None if parent is None else parent.parent
    return block is None


def _examine(
    region: FlowRegion, after: Block, values: Sequence[SSAValue], views: Sequence[Operation]
) -> tuple[Operation, list[Kept]]:
    """In a block behind `after` all uses outside take their values from memory, from the operation
    on that is given."""
    body = after.parent
    assert body is not None
    leaving = after.last_op
    assert leaving is not None
    examine = Block()
    body.insert_block_after(examine, after)
    stores: list[Operation] = []
    kept: list[Kept] = []
    loads: list[memref.LoadOp] = []
    for value in values:
        source, optimised = (_slot(body, value) for _ in range(2))
        kept.append(Kept(value.name_hint or "value", value.type, source, optimised))
        load = memref.LoadOp.get(optimised, ())
        load.res.name_hint = value.name_hint
        value.replace_uses_with_if(load.res, lambda use: _is_outside(region, use.operation))
        stores.append(memref.StoreOp.get(value, optimised, ()))
        loads.append(load)
    leaving.detach()
    for op in (*stores, *loads):
        op.location = leaving.location
        examine.add_op(op)
    for op in views:
        op.detach()
        examine.add_op(op)
    examine.add_op(leaving)
    onwards = cf.BranchOp(examine)
    onwards.location = leaving.location
    after.add_op(onwards)
    return loads[0] if loads else leaving, kept


def _slot(body: Region, value: SSAValue) -> SSAValue:
    entry = body.blocks.first
    assert entry is not None
    assert entry.first_op is not None
    alloca = memref.AllocaOp.get(value.type, shape=())
    alloca.location = entry.first_op.location
    entry.insert_op_before(alloca, entry.first_op)
    return alloca.memref


class _Writer:
    """The body of the function. Pointers, numbers and addresses of variables are arguments; views
    of them are made anew."""

    def __init__(self, region: FlowRegion, before: Block, after: Block):
        self.region = region
        self.before = before
        self.after = after
        self.start = Block()
        self.body = Region([self.start])
        self.values: dict[SSAValue, SSAValue] = {}
        self.variables: list[SSAValue] = []
        self.taken: list[SSAValue] = []
        self.stores: dict[Operation, memref.StoreOp] = {}

    def argument(self, type: Attribute) -> SSAValue:
        return self.start.insert_arg(type, len(self.start.args))

    def attributes(self, skipped: int) -> list[DictionaryAttr]:
        """What nobody else reaches is said not to overlap."""
        none = DictionaryAttr({})
        alone = DictionaryAttr({"llvm.noalias": UnitAttr()})
        pointers = [value for value in self.taken if value.type == PTR]
        are_known = all(base_kind(value) is not BaseKind.UNKNOWN for value in pointers)
        return [
            *[none] * skipped,
            *(none if escapes(value) else alone for value in self.variables),
            *(
                alone if are_known and base_kind(value) is BaseKind.RESTRICT else none
                for value in self.taken
            ),
        ]

    def find_outside(self, blocks: Sequence[Block]) -> None:
        """The arguments: variables first."""
        (edge,) = outgoing(self.before)
        needed = dict.fromkeys(edge.values)
        for block in blocks:
            for op in block.walk():
                needed.update(dict.fromkeys(op.operands))
        outside = self._closed(value for value in needed if not self._is_inside(value))
        self.variables = [one for one in outside if isinstance(one.owner, memref.AllocaOp)]
        self.taken = [
            one
            for one in outside
            if not isinstance(one.owner, (memref.AllocaOp, *_MADE_ANEW, cmem.DistinctObjectsOp))
        ]
        pointers = {one: self.argument(PTR) for one in self.variables}
        for value in self.taken:
            self.values[value] = self.argument(value.type)
        for value in outside:
            if value in pointers:
                self.values[value] = self._variable(value, pointers[value])
            elif value not in self.values:
                self.values[value] = self._anew(value)
        for old in outside:
            self.values[old].name_hint = old.name_hint

    def _closed(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """With what they are made from, each after that."""
        done: dict[SSAValue, None] = {}
        pending = [(value, False) for value in values]
        while pending:
            value, is_ready = pending.pop()
            if is_ready:
                done[value] = None
            elif value not in done:
                pending.append((value, True))
                pending += [(one, False) for one in _made_from(value)]
        return list(done)

    def _variable(self, value: SSAValue, pointer: SSAValue) -> SSAValue:
        """A C pointer knows no rows, so that a view has no size for dimension 0."""
        assert isinstance(value.owner, memref.AllocaOp)
        type = memref_type(value)
        sizes = [self.values[size] for size in value.owner.dynamic_sizes]
        if type.get_shape()[:1] == (DYNAMIC_INDEX,):
            sizes = sizes[1:]
        return self._add(cmem.ViewOp(pointer, sizes, type))

    def _anew(self, value: SSAValue) -> SSAValue:
        op = value.owner
        assert isinstance(op, Operation)
        if isinstance(op, cmem.DistinctObjectsOp):
            return self.values[op.memrefs[op.results.index(value)]]
        return self._add(op.clone({one: self.values[one] for one in op.operands}))

    def _add(self, op: Operation) -> SSAValue:
        self.start.add_op(op)
        return op.results[0]

    def _is_inside(self, value: SSAValue) -> bool:
        owner = value.owner
        if isinstance(owner, Operation):
            return not _is_outside(self.region, owner)
        parent = owner.parent_op()
        return owner in self.region or (parent is not None and not _is_outside(self.region, parent))

    def write(self, blocks: Sequence[Block], places: Sequence[tuple[SSAValue, SSAValue]]) -> None:
        entering = self.before.last_op
        assert entering is not None
        (edge,) = outgoing(self.before)
        clones = {block: Block(arg_types=[one.type for one in block.args]) for block in blocks}
        leave = Block(arg_types=[one.type for one in self.after.args])
        targets = {**clones, self.after: leave}
        for old, new in targets.items():
            for one, other in zip(old.args, new.args, strict=True):
                other.name_hint = one.name_hint
                self.values[one] = other
        never = {block: _never(block) for block in self._left_aside(blocks)}
        targets |= never
        for block in blocks:
            for op in block.ops:
                self._copy(op, clones[block], targets)
        for value, place in places:
            view = cmem.ViewOp(place, (), MemRefType(value.type, ()))
            store = memref.StoreOp.get(self.values[value], view, ())
            leave.add_ops([view, store])
        leave.add_op(func.ReturnOp())
        passed = [self.values[value] for value in edge.values]
        self.start.add_op(cf.BranchOp(clones[self.region.entry], *passed))
        for block in (*clones.values(), leave, *never.values()):
            self.body.add_block(block)
        for op in (*leave.ops, *self.start.ops):
            op.location = entering.location

    def _left_aside(self, blocks: Iterable[Block]) -> dict[Block, None]:
        """Where the region may go and never come back from: not where the SCoP has run, too."""
        edges = (edge for block in blocks for edge in outgoing(block))
        return {edge.target: None for edge in edges if edge.target in self.region.aside}

    def _copy(self, op: Operation, block: Block, targets: dict[Block, Block]) -> None:
        clone = op.clone(self.values, targets)
        for old, new in zip(op.walk(), clone.walk(), strict=True):
            new.location = old.location
            if isinstance(new, memref.StoreOp):
                self.stores[old] = new
        block.add_op(clone)


def _never(block: Block) -> Block:
    unreachable = ub.UnreachableOp()
    assert block.last_op is not None
    unreachable.location = block.last_op.location
    return Block([unreachable], arg_types=[one.type for one in block.args])


_VIEWS = (cmem.ViewOp, cmem.DistinctObjectsOp)
_MADE_ANEW = (cmem.ViewOp, cmem.AddressOfOp, cmem.AddressOp, cmem.OffsetOp, arith.ConstantOp)


def _made_from(value: SSAValue) -> Sequence[SSAValue]:
    match value.owner:
        case memref.AllocaOp() as op:
            return op.dynamic_sizes
        case cmem.DistinctObjectsOp() as op:
            return [op.memrefs[op.results.index(value)]]
        case Operation() as op if isinstance(op, _MADE_ANEW):
            return op.operands
        case _:
            return ()
