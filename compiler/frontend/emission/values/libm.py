"""The functions of libm that are operations. In a file of its own because most programs call none:
the `math` dialect is loaded with it.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, math
from xdsl.ir import Operation

# What each of these computes is an operation; with an "f" behind the name in single precision.
_OPERATIONS: dict[str, Callable[..., Operation]] = {
    "acos": math.AcosOp,
    "asin": math.AsinOp,
    "atan": math.AtanOp,
    "atan2": math.Atan2Op,
    "ceil": math.CeilOp,
    "copysign": math.CopySignOp,
    "cos": math.CosOp,
    "cosh": math.CoshOp,
    "exp": math.ExpOp,
    "exp2": math.Exp2Op,
    "fabs": math.AbsFOp,
    "floor": math.FloorOp,
    "fma": math.FmaOp,
    "fmax": arith.MaxnumfOp,
    "fmin": arith.MinnumfOp,
    "log": math.LogOp,
    "log10": math.Log10Op,
    "log2": math.Log2Op,
    "pow": math.PowFOp,
    "round": math.RoundOp,
    "sin": math.SinOp,
    "sinh": math.SinhOp,
    "sqrt": math.SqrtOp,
    "tan": math.TanOp,
    "tanh": math.TanhOp,
    "trunc": math.TruncOp,
}


def operation_of(name: str, *, is_single: bool) -> Callable[..., Operation] | None:
    """The operation that computes what the function of this name does."""
    if is_single and not name.endswith("f"):
        return None
    return _OPERATIONS.get(name[:-1] if is_single else name)
