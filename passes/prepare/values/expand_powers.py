"""expand-powers: powers of which a number is known become products, or powers of two; so do
divisions by numbers."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.support.record import record

_POWERS = ("math.powf", "math.fpowi")
"""By name: `math` takes long to load."""


@record
class ExpandPowersPass(ModulePass):
    """Write `math.powf` as products, or as a power of two, where its exponent or its base is a
    number and approximations are allowed, and divisions by a number as products with its reciprocal
    where that is exact or allowed; `math.fpowi` as the products that LLVM makes of it.

    Requires: nothing; of what is a number, those that functions, members and tables are known for
    have to be constants by then. Ensures: the same values, but for rounding where that is allowed;
    nothing else changes, in functions and in what is kept of them as it was written.

        %c = arith.constant 2.5 : f64                %0 = arith.mulf %x, %x : f64
        %y = math.powf %x, %c : f64          ->      %1 = math.sqrt %x : f64
                                                     %y = arith.mulf %0, %1 : f64
    """

    name = "expand-powers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = [one for one in op.walk() if one.name in _POWERS or isinstance(one, arith.DivfOp)]
        if found:
            from polyopt.passes.prepare.values.powers import expand, multiply

            for one in found:
                if isinstance(one, arith.DivfOp):
                    multiply(one)
                else:
                    expand(one)
