"""A function as one thread alone would run it, with each access under the constructs around it.

Constructs become the blocks that they are around; a shared loop becomes the source's loop, a nest
of them one loop in the other. What they meant is kept beside: `under` has, for each load and store,
the innermost construct that it stands in. Where all threads wait for each other, and where they may
do so in ways that are not seen through (a flush, an atomic flag), stands a store to `waits`.
"""

from __future__ import annotations

from xdsl.dialects import arith, cf, func, omp
from xdsl.dialects.builtin import (
    IntegerAttr,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import ompx
from polyopt.dialects.locations import span_of
from polyopt.passes.openmp.races.code import Code
from polyopt.passes.openmp.races.constructs import ORDERED, Construct, SerialView
from polyopt.passes.openmp.races.serial_atomics import SerialAtomics
from polyopt.passes.openmp.races.serial_loops import SerialLoops
from polyopt.passes.openmp.races.serial_writer import SerialWriter, insert_before
from polyopt.passes.openmp.races.variables import add_shadows, load_globals_once


def serial_view(function: func.FuncOp, thread_local: frozenset[str]) -> SerialView:
    """Changes the function."""
    view = SerialView(function, thread_local)
    writer = SerialWriter(view)
    for constructs in (_Regions, SerialLoops, SerialAtomics):
        constructs(writer)
    writer.read(list(function.body.blocks), None)
    for root in view.roots:
        load_globals_once(view, root)
    add_shadows(view, writer.first)
    return view


class _Regions:
    def __init__(self, writer: SerialWriter):
        self.writer = writer
        writer.handlers |= {
            omp.ParallelOp: self._parallel,
            omp.SingleOp: self._single,
            omp.MasterOp: self._master,
            omp.MaskedOp: self._unknown,
            ompx.LastOp: self._unknown,
            ompx.TeamsOp: self._teams,
            ompx.PostOp: writer.wait,
            ompx.AwaitOp: writer.wait,
            ompx.CriticalOp: self._lock,
            ompx.OrderedOp: self._lock,
            ompx.SectionsOp: self._sections,
            omp.BarrierOp: writer.wait,
            omp.FlushOp: writer.wait,
        }

    def _parallel(
        self, op: omp.ParallelOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        construct = Construct("parallel", parent, span_of(op))
        if op.num_threads is not None:
            one = code.add(arith.ConstantOp(IntegerAttr(1, i64))).result
            many = code.add(arith.CmpiOp(op.num_threads, one, "sgt"))
            code = self._where(many.result, code, after, construct)
        if op.if_expr is not None:
            code = self._where(op.if_expr, code, after, construct)
        self.writer.enter(construct, code)
        end = Block()
        insert_before(after, end)
        self.writer.run_region(op.regions[0], code, end, construct)
        at_end = Code(end, code.location)
        construct.end = self.writer.put_mark(at_end)
        at_end.jump(after)

    def _where(self, condition: SSAValue, code: Code, after: Block, construct: Construct) -> Code:
        """What follows runs where the condition holds."""
        inside = Block()
        insert_before(after, inside)
        branch = cf.ConditionalBranchOp(condition, inside, (), after, ())
        construct.conditions.append(code.add(branch))
        return Code(inside, code.location)

    def _single(self, op: omp.SingleOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self.writer.enter(Construct("single", parent, span_of(op)), code)
        self.writer.run_region(op.regions[0], code, after, construct)
        if op.nowait is None:
            self.writer.wait_before(after, code, parent)

    def _master(self, op: omp.MasterOp, code: Code, after: Block, parent: Construct | None) -> None:
        construct = self.writer.enter(Construct("master", parent, span_of(op)), code)
        self.writer.run_region(op.regions[0], code, after, construct)

    def _unknown(self, op: Operation, code: Code, after: Block, parent: Construct | None) -> None:
        self.writer.run_region(
            op.regions[0], code, after, Construct("unknown", parent, span_of(op))
        )

    def _teams(self, op: ompx.TeamsOp, code: Code, after: Block, parent: Construct | None) -> None:
        """What one team does, by its first thread."""
        self.writer.run_region(op.regions[0], code, after, parent)

    def _sections(
        self, op: ompx.SectionsOp, code: Code, after: Block, parent: Construct | None
    ) -> None:
        around = self.writer.enter(Construct("sections", parent, span_of(op)), code)
        for section in op.sections:
            following = Block()
            insert_before(after, following)
            construct = self.writer.enter(Construct("section", around, span_of(op)), code)
            self.writer.run_region(section, code, following, construct)
            code = Code(following, code.location)
        code.jump(after)
        if op.nowait is None:
            self.writer.wait_before(after, code, parent)

    def _lock(
        self,
        op: ompx.CriticalOp | ompx.OrderedOp,
        code: Code,
        after: Block,
        parent: Construct | None,
    ) -> None:
        name = f"critical {op.sym.data}" if isinstance(op, ompx.CriticalOp) else ORDERED
        construct = Construct("lock", parent, span_of(op), lock=name)
        self.writer.run_region(op.regions[0], code, after, construct)
