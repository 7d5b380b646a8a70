"""verify-dominance: values are defined before they are used, on every path."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.checks.dominance_check import check_dominance
from polyopt.support.record import record


@record
class VerifyDominancePass(ModulePass):
    """Refuse a module in which a use is not dominated by its definition.

    Requires: nothing. Ensures: the module is as it was; every operand's definition stands before
    its use on every path from the entry. xDSL's own verifier does not look at this.

        cf.cond_br %c, ^a, ^b
        ^a: %x = …; cf.br ^b
        ^b: use %x                =>    error: operand 0 (%x) of use does not dominate its use
    """

    name = "verify-dominance"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_dominance(op)
