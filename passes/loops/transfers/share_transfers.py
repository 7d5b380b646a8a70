"""share-transfers: what vector code has read or written it takes from registers."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.loops.transfers.places import blocks_with_transfers
from polyopt.passes.loops.transfers.seldom_lanes import skip_empty_masks
from polyopt.passes.loops.transfers.sharing import share_in_block
from polyopt.support.record import record


@record
class ShareTransfersPass(ModulePass):
    """Read each vector once, and let writes wait for the end of a block, or for what may touch one
    of their elements (`sharing.py`): a read of what waits takes it from its register, a write over
    what waits takes its place. Then what is only for lanes that data choose runs where any of
    a vector's are chosen (`seldom_lanes.py`).

    Requires: nothing; lanes of two transfers meet where their subscripts do not show otherwise.
    Ensures: where a block ends, and in front of each operation that is no transfer, memory holds
    what it would hold, as far as that operation may touch it.

        %x = pvec.read %A[%v]                          %x = pvec.read %A[%v]
        pvec.write %y, %A[%v]                          %s = arith.addf %x, %y
        %z = pvec.read %A[%v]                   =>     pvec.write %s, %A[%v]
        %s = arith.addf %x, %z
        pvec.write %s, %A[%v]
    """

    name = "share-transfers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in blocks_with_transfers(op):
            share_in_block(block)
            skip_empty_masks(block)
