"""func: calls and returns (definitions are in `functions`)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from polyopt.backend.emit.abi import Abi, abi_of, result_type
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.operations.rounded_to_long import emit_rounding, is_rounding
from polyopt.backend.emit.registry import EmitterTable
from polyopt.backend.emit.vector_math import library_call_attributes


def callee_abi(f: FunctionEmitter, op: Operation, name: str) -> Abi:
    """How the function of this name, declared or defined in the module, is called."""
    callee = f.module.symbols.get(name)
    if not isinstance(callee, func.FuncOp):
        raise unsupported(op, f"there is no function '{name}'")
    return abi_of(callee)


def emit_call_text(
    f: FunctionEmitter, op: Operation, call: str, results: Sequence[SSAValue]
) -> None:
    """Emit the call and take its results."""
    if not results:
        f.emit(call)
    elif len(results) == 1:
        f.define(results[0], call)
    else:
        struct = f.temp(call)
        type = result_type([result.type for result in results])
        for position, result in enumerate(results):
            f.define(result, f"extractvalue {type} {struct}, {position}")


def emit_call(f: FunctionEmitter, op: func.CallOp) -> None:
    name = op.callee.string_value()
    abi = callee_abi(f, op, name)
    registers = f.registers(op.arguments)
    if abi.is_variadic or len(registers) != len(abi.types):
        raise unsupported(op, f"'{name}' does not take {len(registers)} arguments")
    arguments = ", ".join(abi.arguments(registers))
    callee, known = f.module.symbols[name], ""
    if isinstance(callee, func.FuncOp) and callee.is_declaration:
        if is_rounding(f, name, abi):
            emit_rounding(f, op, name, abi.types[0], registers[0])
            return
        known = library_call_attributes(f, name, abi.result, abi.types)
    call = f"call {abi.result} {f.module.symbol(name)}({arguments}){known}"
    emit_call_text(f, op, call, op.res)


def emit_return(f: FunctionEmitter, op: func.ReturnOp) -> None:
    if not op.arguments:
        f.terminate("ret void")
        return
    if len(op.arguments) == 1:
        f.terminate(f"ret {f.typed(op.arguments[0])}")
        return
    type = result_type([argument.type for argument in op.arguments])
    struct = "poison"
    for position, argument in enumerate(op.arguments):
        struct = f.temp(f"insertvalue {type} {struct}, {f.typed(argument)}, {position}")
    f.terminate(f"ret {type} {struct}")


EMITTERS: EmitterTable = {func.CallOp: emit_call, func.ReturnOp: emit_return}
