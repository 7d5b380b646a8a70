"""time-nests: what each static control part takes when the program runs."""

from __future__ import annotations

from urllib.parse import quote

from xdsl.context import Context
from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import FunctionType, ModuleOp, UnitAttr, i64
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects import cmem
from polyopt.dialects.cmem import PTR
from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import TIMED, ScopOp
from polyopt.support.record import record

PREFIX = "__polyopt_time_"
FUNCTIONS = {
    "parameter": FunctionType.from_lists([i64], []),
    "begin": FunctionType.from_lists([PTR], []),
    "end": FunctionType.from_lists([PTR], []),
}
BYTES_BEFORE_NAME = 16
"""Those of a site that are the run-time library's."""


@record
class TimeNestsPass(ModulePass):
    """Put calls around each SCoP that tell `driver/runtimes/time_runtime.c` when it begins, for
    which values of its parameters, and when it ends: in front of the choice between its loops and
    the code that they were made from, and where both go on. Both are timed, whichever runs.

    Requires: SCoPs are as they were detected. Ensures: nothing else changes; their functions are
    marked `poly.timed`, and are not given back as they were written.

        ^before:                                ^before:
          cf.cond_br %ok, ^scop, ^source          func.call @__polyopt_time_parameter(%n)
        ^scop:                                    func.call @__polyopt_time_begin(%site)
          poly.scop …                  =>         cf.cond_br %ok, ^scop, ^source
          cf.br ^after                            …
        ^after:                                 ^after:
                                                  func.call @__polyopt_time_end(%site)
    """

    name = "time-nests"

    unit: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scops = operations_in(op, ScopOp)
        if not scops:
            return
        for name, type in FUNCTIONS.items():
            op.body.block.add_op(func.FuncOp(PREFIX + name, type, Region(), "private"))
        for number, scop in enumerate(scops):
            self._time(op, scop, f"{PREFIX}site.{number}")

    def _time(self, module: ModuleOp, scop: ScopOp, symbol: str) -> None:
        unit = quote(self.unit, errors="surrogateescape")
        text = f"{unit}\t{scop.scop_name.data}\0".encode()
        data = b"\0" * BYTES_BEFORE_NAME + text
        module.body.block.add_op(
            cmem.GlobalOp(symbol, len(data), 8, linkage="internal", initial=data)
        )
        begin = Block()
        for parameter in scop.params:
            wide = arith.IndexCastOp(parameter, i64)
            begin.add_ops([wide, func.CallOp(f"{PREFIX}parameter", [wide.result], [])])
        begin.add_ops(_call("begin", symbol))
        end = Block()
        end.add_ops(_call("end", symbol))
        first, last = _ends(scop)
        for block, place in ((begin, first), (end, last)):
            for new in block.ops:
                new.location = scop.location
            Rewriter.inline_block(block, place)
        function = scop.parent_op()
        while function is not None and not isinstance(function, func.FuncOp):
            function = function.parent_op()
        assert function is not None
        function.attributes[TIMED] = UnitAttr()


def _call(name: str, symbol: str) -> list[Operation]:
    site = cmem.AddressOfOp(symbol)
    return [site, func.CallOp(PREFIX + name, [site.result], [])]


def _ends(scop: ScopOp) -> tuple[InsertPoint, InsertPoint]:
    """Where it begins, the choice included if there is one, and where it has ended."""
    block = scop.parent
    assert block is not None
    branch = block.last_op
    before = [edge for edge in block.predecessors() if edge is not block]
    if not isinstance(branch, cf.BranchOp) or len(before) != 1 or block.first_op is not scop:
        return InsertPoint.before(scop), InsertPoint.after(scop)
    choice = before[0].last_op
    after = branch.successor.first_op
    assert choice is not None
    assert after is not None
    return InsertPoint.before(choice), InsertPoint.before(after)
