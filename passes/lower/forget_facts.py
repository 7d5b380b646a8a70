"""Back to a module that any MLIR reads: what only polyopt reads of it goes."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import DistinctObjectsOp
from polyopt.dialects.locations import span_of
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

OURS = ("polyopt.", "poly.", "cmem.", "contract.", "pvec.", "team.", "ompx.")
"""How the names of our operations and attributes begin."""


@record
class ForgetFactsPass(ModulePass):
    """Remove facts, marks and promises that no other MLIR knows.

    Requires: no operation of polyopt's own dialects but `cmem.distinct_objects`; where there is
    another one, nothing is changed, and the error names the first.
    Ensures: no attribute of polyopt's is left (`poly.loop`, `poly.rounding`, `polyopt.level`, …),
    and what the module computes is the same: all that goes permits something, or asks for it.
    That memrefs are apart, or iterations independent, has to be found again.

        %b, %d = cmem.distinct_objects %a, %c
        affine.for %i = 0 to %n {                    affine.for %i = 0 to %n {
          affine.store %x, %b[%i]              =>      affine.store %x, %a[%i]
        } {poly.loop = #poly.loop<parallel>}         }
    """

    name = "forget-facts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operations = list(op.walk())
        for one in operations:
            if one.name.startswith(OURS) and not isinstance(one, DistinctObjectsOp):
                raise CompileError(
                    f"'{one.name}' is polyopt's own: no other MLIR has such an operation",
                    span_of(one),
                    hint="a level before it, or passes that lower it, leave MLIR's operations only",
                )
        for one in operations:
            _forget(one)


def _forget(op: Operation) -> None:
    for name in [name for name in op.attributes if name.startswith(OURS)]:
        del op.attributes[name]
    if isinstance(op, DistinctObjectsOp):
        for result, memref in zip(op.res, op.memrefs, strict=True):
            result.replace_all_uses_with(memref)
        op.detach()
        op.erase()
