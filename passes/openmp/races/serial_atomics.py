"""Atomic accesses as accesses under a lock that all of them share.

Before what is read so and behind what is written so, all may wait for each other (a flag).
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Block, Operation

from polyopt.dialects import ompx
from polyopt.dialects.locations import span_of
from polyopt.passes.openmp.races.code import Code
from polyopt.passes.openmp.races.constructs import Construct
from polyopt.passes.openmp.races.serial_writer import SerialWriter


class SerialAtomics:
    def __init__(self, writer: SerialWriter):
        self.writer = writer
        writer.handlers |= {
            ompx.AtomicUpdateOp: self._atomic_update,
            ompx.AtomicReadOp: self._atomic_read,
            ompx.AtomicWriteOp: self._atomic_write,
        }

    def _atomic(self, op: Operation, parent: Construct | None) -> Construct:
        return Construct("lock", parent, span_of(op), lock="atomic")

    def _atomic_update(
        self, op: ompx.AtomicUpdateOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        construct = self._atomic(op, parent)
        old = code.add(memref.LoadOp.get(op.memref, list(op.indices)))
        block = op.region.block
        block.args[0].replace_all_uses_with(old.res)
        for inner in list(block.ops):
            inner.detach()
            if isinstance(inner, ompx.YieldOp):
                store = code.add(memref.StoreOp.get(inner.value, op.memref, list(op.indices)))
                op.after.replace_all_uses_with(inner.value)
                self.writer.view.under[store] = construct
            else:
                code.block.add_op(inner)
                self.writer.note(inner, parent)
        op.before.replace_all_uses_with(old.res)
        self.writer.view.under[old] = construct
        code.jump(after)

    def _atomic_read(
        self, op: ompx.AtomicReadOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        load = code.add(memref.LoadOp.get(op.memref, list(op.indices)))
        op.result.replace_all_uses_with(load.res)
        self.writer.view.under[load] = self._atomic(op, parent)
        self.writer.wait(op, code, after, parent)

    def _atomic_write(
        self, op: ompx.AtomicWriteOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        self.writer.put_wait(code, parent)
        store = code.add(memref.StoreOp.get(op.value, op.memref, list(op.indices)))
        self.writer.view.under[store] = self._atomic(op, parent)
        code.jump(after)
