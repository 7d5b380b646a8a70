"""Every use is dominated by its definition: what xDSL's verifier does not check.

A use lies below a definition if the operation that uses, or one around it, stands in the
definition's region: further down in the same block, or in a block that the definition's block
dominates. Blocks that are never reached may use what they like.

Most operands are defined further up in the block of their use: a block is read once from its
start, with the set of what was met, and the rest is asked one by one.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from polyopt.ir.control.cfg import Cfg
from polyopt.ir.control.dominance import DominatorTree, dominators


def check_dominance(root: Operation) -> None:
    """Raise VerifyException, with the IR attached, for a use in `root` that is not dominated."""
    checker = _Checker()
    pending = list(root.regions)
    while pending:
        for block in pending.pop().blocks:
            for op in checker.check_block(block):
                pending.extend(op.regions)


class _Checker:
    def __init__(self) -> None:
        self._places: dict[Block, dict[Operation, int]] = {}
        self._trees: dict[Region, DominatorTree] = {}

    def check_block(self, block: Block) -> list[Operation]:
        """Gives the operations with regions."""
        met: set[int] = {id(block)}
        nested: list[Operation] = []
        for op in block.ops:
            for number, operand in enumerate(op.operands):
                if id(operand.owner) in met or self._is_dominated(operand, op):
                    continue
                name = f" (%{operand.name_hint})" if operand.name_hint else ""
                message = f"operand {number}{name} of {op.name} does not dominate its use"
                op.emit_error(message, VerifyException(message))
            met.add(id(op))
            if op.regions:
                nested.append(op)
        return nested

    def _is_dominated(self, value: SSAValue, use: Operation) -> bool:
        owner = value.owner
        home = owner if isinstance(owner, Block) else owner.parent
        if home is None:
            return False
        around: Operation | None = use
        while around is not None and around.parent_region() is not home.parent:
            around = around.parent_op()
        if around is None or around.parent is None:
            return False
        if around.parent is home:
            return isinstance(owner, Block) or self._precedes(home, owner, around)
        return self._block_dominates(home, around.parent)

    def _precedes(self, block: Block, first: Operation, second: Operation) -> bool:
        places = self._places.get(block)
        if places is None:
            places = {op: place for place, op in enumerate(block.ops)}
            self._places[block] = places
        return places[first] < places[second]

    def _block_dominates(self, above: Block, below: Block) -> bool:
        region = below.parent
        assert region is not None
        tree = self._trees.get(region)
        if tree is None:
            tree = dominators(Cfg(region))
            self._trees[region] = tree
        if below not in tree.cfg:
            return True
        return above in tree.cfg and tree.dominates(above, below)
