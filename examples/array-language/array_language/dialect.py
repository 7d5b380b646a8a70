"""The dialect: one operation for an assignment to all elements, and its lowering to loops.

array.assign (%lower, … to %upper, …) {      =>      scf.for %i = %lower to %upper { …
^bb(%i : index, …): … array.end }                      …
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Dialect, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator
from xdsl.universe import Universe


@irdl_op_definition
class EndOp(IRDLOperation):
    name = "array.end"
    traits = traits_def(IsTerminator())


@irdl_op_definition
class AssignOp(IRDLOperation):
    """Its block, with one index for each pair of bounds, runs for all of them, in any order."""

    name = "array.assign"
    lower = var_operand_def(IndexType)
    upper = var_operand_def(IndexType)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@dataclass(frozen=True)
class ArrayToLoopsPass(ModulePass):
    """Each `array.assign` becomes loops of `scf` around what is in it."""

    name = "array-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for assign in [inner for inner in op.walk() if isinstance(inner, AssignOp)]:
            one = arith.ConstantOp.from_int_and_width(1, IndexType())
            Rewriter.insert_op(one, InsertPoint.before(assign))
            point, iterators = InsertPoint.before(assign), list[SSAValue]()
            for low, high, old in zip(assign.lower, assign.upper, assign.body.block.args):
                block = Block([end := scf.YieldOp()], arg_types=[IndexType()])
                block.args[0].name_hint = old.name_hint
                Rewriter.insert_op(scf.ForOp(low, high, one, (), Region(block)), point)
                point, iterators = InsertPoint.before(end), [*iterators, block.args[0]]
            inner = assign.body.block
            assert inner.last_op is not None
            Rewriter.erase_op(inner.last_op)
            Rewriter.inline_block(inner, point, iterators)
            Rewriter.erase_op(assign)


ARRAY = Dialect("array", [AssignOp, EndOp])
UNIVERSE = Universe(
    all_dialects={"array": lambda: ARRAY},
    all_passes={"array-to-loops": lambda: ArrayToLoopsPass},
)
