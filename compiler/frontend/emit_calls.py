"""Calls: direct, variadic, indirect; functions of libm as `math` operations.

`math` operations do not set errno, as compilers assume with -fno-math-errno.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects import arith, func, math
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.frontend import c_types as ct
from polyopt.frontend.c_types import FloatType, FunctionType, PointerType
from polyopt.frontend.ir_types import scalar_type
from polyopt.frontend.typed_tree import Call, Symbol, Variable

if TYPE_CHECKING:
    from polyopt.frontend.emit_expressions import FunctionEmitter

# What each of these computes is an operation; with an "f" behind the name in single precision.
_LIBM: dict[str, Callable[..., Operation]] = {
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


class CallEmitter:
    def __init__(self, emitter: FunctionEmitter):
        self.emitter = emitter
        self.builder = emitter.builder

    def call(self, expr: Call) -> SSAValue | None:
        """The result of the call; None where it has none."""
        arguments = [self.emitter.value(argument) for argument in expr.arguments]
        callee = expr.callee
        if isinstance(callee, Variable) and callee.symbol.kind == "function":
            self.builder.at(expr.span)
            return self._call_named(callee.symbol, arguments, expr)
        pointer = self.emitter.value(callee)
        self.builder.at(expr.span)
        assert isinstance(callee.type, PointerType)
        type = callee.type.target
        assert isinstance(type, FunctionType)
        fixed = len(type.parameters) if type.variadic else None
        op = cmem.CallIndirectOp(pointer, arguments, self._results(type), fixed)
        return _only(self.builder.add(op))

    def _call_named(self, symbol: Symbol, arguments: list[SSAValue], expr: Call) -> SSAValue | None:
        type = symbol.type
        assert isinstance(type, FunctionType)
        operation = _library_operation(symbol, type)
        if operation is not None:
            return self.builder.add(operation(*arguments)).results[0]
        name = self.emitter.module.function_symbol(symbol)
        results = self._results(type)
        if type.variadic:
            op = cmem.CallVariadicOp(name, expr.fixed, arguments, results)
            return _only(self.builder.add(op))
        return _only(self.builder.add(func.CallOp(name, arguments, results)))

    def _results(self, type: FunctionType) -> list[Attribute]:
        return [] if isinstance(type.result, ct.VoidType) else [scalar_type(type.result)]

    def leave(self, value: SSAValue | None) -> None:
        """Return from this function."""
        self.builder.add(func.ReturnOp(*([] if value is None else [value])))
        self.builder.block = None

    def leave_with_nothing(self) -> None:
        """Return where the program does not say what: zero."""
        type = self.emitter.function.symbol.type
        assert isinstance(type, FunctionType)
        self.leave(self.emitter.initialisers.zero(type.result))


def _library_operation(symbol: Symbol, type: FunctionType) -> Callable[..., Operation] | None:
    """The operation that a function of libm is; a function of the program's own is none."""
    if symbol.is_defined or symbol.linkage != "external" or not isinstance(type.result, FloatType):
        return None
    single = type.result.size == ct.FLOAT.size
    if single and not symbol.name.endswith("f"):
        return None
    operation = _LIBM.get(symbol.name[:-1] if single else symbol.name)
    if operation is None or any(parameter != type.result for parameter in type.parameters):
        return None
    return operation


def _only(operation: Operation) -> SSAValue | None:
    return operation.results[0] if operation.results else None
