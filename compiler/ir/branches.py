"""The values that terminators pass to block arguments.

Every edge of the control-flow graph is a pair (terminator, successor position). The operands
passed along an edge are a slice of the terminator's operands, so that reading and rewriting are
the same for each kind of branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, cf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.support.record import record


@record
class Edge:
    """The edge from the block that ends in `terminator` to its successor at `position`."""

    terminator: Operation
    position: int

    @property
    def source(self) -> Block:
        block = self.terminator.parent
        assert block is not None
        return block

    @property
    def target(self) -> Block:
        return self.terminator.successors[self.position]

    @property
    def values(self) -> Sequence[SSAValue]:
        """What the edge passes to the arguments of its target."""
        start, length = _slice(self.terminator, self.position)
        return self.terminator.operands[start : start + length]

    def redirect(self, target: Block, values: Sequence[SSAValue]) -> None:
        """Let the edge go to `target` with `values`; it and all others of the branch are what they
        were. What is said of the branch (`cmem.progress`) holds for the old target only."""
        op = self.terminator
        arguments = [
            list(values) if i == self.position else list(Edge(op, i).values)
            for i in range(len(op.successors))
        ]
        targets = [
            target if i == self.position else successor for i, successor in enumerate(op.successors)
        ]
        if target is not self.target:
            op.attributes.clear()
        like = _rebuild(op, targets, arguments)
        op.operands, op.successors, op.properties = like.operands, targets, like.properties
        like.erase()


def outgoing(block: Block) -> Iterator[Edge]:
    last = block.last_op
    if last is not None:
        for position in range(len(last.successors)):
            yield Edge(last, position)


def redirect_all(source: Block, old: Block, new: Block, *, with_values: bool) -> None:
    """Let the edges from `source` to `old` go to `new`, passing what they passed or nothing."""
    for position in range(len(source.last_op.successors) if source.last_op else 0):
        edge = list(outgoing(source))[position]
        if edge.target is old:
            edge.redirect(new, edge.values if with_values else ())


def drop_passed(source: Block, target: Block, place: int) -> None:
    """The edges from `source` to `target` no longer pass the value of argument number `place`."""
    for position in range(len(source.last_op.successors) if source.last_op else 0):
        edge = list(outgoing(source))[position]
        if edge.target is target:
            edge.redirect(target, [v for i, v in enumerate(edge.values) if i != place])


def passed_as(terminator: Operation, operand: int) -> list[BlockArgument]:
    """The argument that the terminator passes its operand as; none where it does not."""
    found = list[BlockArgument]()
    for position, target in enumerate(terminator.successors):
        start, length = _slice(terminator, position)
        if start <= operand < start + length:
            found.append(target.args[operand - start])
    return found


def incoming(block: Block) -> list[Edge]:
    """The edges into a block, also those from unreachable blocks."""
    return [
        Edge(use.operation, use.index) for use in block.uses if use.operation.parent is not None
    ]


def counts(value: SSAValue, argument: BlockArgument) -> bool:
    """Is what a way back passes the argument and a number, or the argument as it was?"""
    op = value.owner
    if not isinstance(op, arith.AddiOp | arith.SubiOp):
        return value is argument
    return op.lhs is argument and isinstance(op.rhs.owner, arith.ConstantOp)


def _slice(op: Operation, position: int) -> tuple[int, int]:
    """Where the operands of the edge at `position` start, and how many they are."""
    match op:
        case cf.BranchOp():
            return 0, len(op.arguments)
        case cf.ConditionalBranchOp():
            first = len(op.then_arguments)
            return (1, first) if position == 0 else (1 + first, len(op.else_arguments))
        case cf.SwitchOp():
            lengths = [len(op.default_operands), *op.case_operand_segments.get_values()]
            return 1 + sum(lengths[:position]), lengths[position]
        case _:
            return len(op.operands), 0


def _rebuild(
    op: Operation, targets: Sequence[Block], arguments: Sequence[Sequence[SSAValue]]
) -> Operation:
    match op:
        case cf.BranchOp():
            return cf.BranchOp(targets[0], *arguments[0])
        case cf.ConditionalBranchOp():
            return cf.ConditionalBranchOp(
                op.cond, targets[0], arguments[0], targets[1], arguments[1]
            )
        case cf.SwitchOp():
            return cf.SwitchOp(
                op.flag, targets[0], arguments[0], op.case_values, targets[1:], arguments[1:]
            )
        case _:
            raise AssertionError(f"{op.name} passes no values to its successors")
