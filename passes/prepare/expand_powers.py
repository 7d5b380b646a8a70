"""expand-powers: powers of which a number is known become products, or powers of two."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.support.record import record

_POWER = "math.powf"
"""By name: `math` takes long to load."""


@record
class ExpandPowersPass(ModulePass):
    """Write `math.powf` as products, or as a power of two, where its exponent or its base is a
    number and approximations are allowed.

    Requires: nothing; of what is a number, those that functions, members and tables are known for
    have to be constants by then. Ensures: the same values but for rounding; nothing else changes,
    in functions and in what is kept of them as it was written.

        %c = arith.constant 2.5 : f64                %0 = arith.mulf %x, %x : f64
        %y = math.powf %x, %c : f64          ->      %1 = math.sqrt %x : f64
                                                     %y = arith.mulf %0, %1 : f64
    """

    name = "expand-powers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        powers = [one for one in op.walk() if one.name == _POWER]
        if powers:
            from polyopt.passes.prepare.powers import expand

            for power in powers:
                expand(power)
