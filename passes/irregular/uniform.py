"""What is the same in all iterations of a loop, and what has a value for each.

Where a loop inside ends is decided by the first kind alone in nests whose iterations can run side
by side. All is taken to be the same until something says otherwise: an operand that differs, or a
place that the loop writes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xdsl.dialects import memref, scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.ir.branches import Edge, incoming
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.bases import are_disjoint, object_of
from polyopt.ir.objects.iteration_variables import is_variable
from polyopt.passes.irregular.exchange import Counted


class Variation:
    """`values` differ from iteration to iteration, variables that hold such values among them.
    Operations that give one, and those that write or may, are `each_anew`."""

    def __init__(self, loop: Counted):
        self._loop = loop
        self.values: set[SSAValue] = {loop.counter}
        blocks = loop.loop.blocks
        self._stores = [op for one in blocks for op in one.walk() if isinstance(op, memref.StoreOp)]
        self._written = {object_of(op.memref) for op in self._stores}
        self._own = {base for base in self._written if is_variable(base)}
        before = 0
        while before != len(self.values):
            before = len(self.values)
            for block in blocks:
                for op in block.ops:
                    self._visit(op)

    @property
    def variables(self) -> Collection[SSAValue]:
        """Local ones that the iterations write."""
        return self._own

    @property
    def decides(self) -> bool:
        """Some branch inside goes another way in another iteration."""
        return any(
            isinstance(block.last_op, Operation)
            and block.last_op is not self._loop.branch
            and len(block.last_op.successors) > 1
            and block.last_op.operands[0] in self.values
            for block in self._loop.loop.blocks
        )

    def each_anew(self, op: Operation) -> bool:
        if isinstance(op, memref.StoreOp):
            return op.memref not in self._own or op.memref in self.values
        if isinstance(op, scf.IfOp) or not (is_pure(op) or isinstance(op, memref.LoadOp)):
            return True
        return any(one in self.values for one in op.results)

    def _visit(self, op: Operation) -> None:
        if op.successors:
            self._pass_on(op)
        elif isinstance(op, memref.StoreOp):
            if op.memref in self._own and op.value in self.values:
                self.values.add(op.memref)
        elif op.regions:
            self.values.update(op.results)
            held = (one.memref for one in self._stores if op.is_ancestor(one))
            self.values.update(one for one in held if one in self._own)
        elif any(one in self.values for one in op.operands) or self._reads_written(op):
            self.values.update(op.results)

    def _pass_on(self, branch: Operation) -> None:
        for position in range(len(branch.successors)):
            edge = Edge(branch, position)
            if edge.target in self._loop.loop and edge.target is not self._loop.loop.header:
                pairs = zip(edge.target.args, edge.values, strict=True)
                self.values.update(one for one, value in pairs if value in self.values)

    def _reads_written(self, op: Operation) -> bool:
        """A variable tells by itself whether it differs."""
        if not isinstance(op, memref.LoadOp):
            return not is_pure(op)
        if op.memref in self._own:
            return False
        base = object_of(op.memref)
        return any(one is base or not are_disjoint(one, base) for one in self._written)


def ends_by_data(loop: NaturalLoop) -> bool:
    """Whether some branch inside is decided by what is loaded at places that change inside, or by
    a variable: else what decides is known before the loop."""
    pending = [
        block.last_op.operands[0]
        for block in loop.blocks
        if block.last_op is not None and len(block.last_op.successors) > 1
    ]
    seen = set(pending)
    while pending:
        value = pending.pop()
        found = list(_made_of(value, loop))
        owner = value.owner
        if isinstance(owner, memref.LoadOp) and owner.parent in loop.blocks:
            if is_variable(object_of(owner.memref)) or _changes(found, loop):
                return True
        pending += [one for one in found if one not in seen]
        seen.update(found)
    return False


def _changes(values: Sequence[SSAValue], loop: NaturalLoop) -> bool:
    """Some of them are computed from what a block of the loop is given."""
    pending, seen = list(values), set(values)
    while pending:
        value = pending.pop()
        if isinstance(value.owner, Block):
            if value.owner in loop:
                return True
            continue
        found = [one for one in _made_of(value, loop) if one not in seen]
        pending += found
        seen.update(found)
    return False


def _made_of(value: SSAValue, loop: NaturalLoop) -> Iterator[SSAValue]:
    """Operands in the loop, and what is passed to it."""
    owner = value.owner
    if isinstance(owner, Operation):
        if enclosing_block(owner) in loop:
            yield from (one for op in owner.walk() for one in op.operands)
    elif owner in loop:
        assert isinstance(value, BlockArgument)
        for edge in incoming(owner):
            yield edge.values[value.index]
