"""lrint and its kin: one instruction, which rounds as the program has chosen, as they do.

    long lrint(double x)     =>     llvm.lrint.i64.f64(x)

AVX2 has vectors of that for 32 bits, not for 64. Where numbers are finite and all that is used of
the results is their lower half, that is computed alone, of what differs by a multiple of 2^32:

    (int)lrint(x)            =>     llvm.lrint.i32.f64(x - 2^32 * roundeven(x * 2^-32))

Nothing is taken off where x lies between numbers that `int` holds (`number_bounds.py`).
Each of these operations is exact, fused or not, and what is rounded at last lies as far from
integers as x does. Where it is rounded first and cut then, neither is more than the instruction
does, which gives the least integer, too, of what does not fit:

    (int)rint(x)             =>     llvm.lrint.i32.f64(x)
"""

from __future__ import annotations

from xdsl.dialects import arith, func
from xdsl.ir import SSAValue

from polyopt.backend.emit.abi import Abi
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import llvm_type
from polyopt.backend.emit.operations.number_bounds import number_bounds

_NAMES = frozenset(("lrint", "llrint"))
_WHOLE = frozenset(("rint", "nearbyint"))
_SUFFIXES = {"float": "f32", "double": "f64"}
_HALVES = frozenset(("i32", "i16", "i8", "i1"))
_TURN, _SHARE = "0x41F0000000000000", "0x3DF0000000000000"
"""2^32 and 2^-32 as LLVM writes numbers of either kind."""
_MOST = 2.0**31 - 1024
"""What `int` holds, less what a sum of floats may be off there."""


def is_rounding(f: FunctionEmitter, name: str, abi: Abi) -> bool:
    """Is it one of these functions of the C library?"""
    if abi.result != "i64" or len(abi.types) != 1 or not f.module.options.knows(name):
        return False
    (type,) = abi.types
    return type in _SUFFIXES and (name[:-1] if type == "float" else name) in _NAMES


def emit_rounding(f: FunctionEmitter, op: func.CallOp, name: str, type: str, argument: str) -> None:
    suffix = _SUFFIXES[type]
    if not (f.module.may("nnan", None) and f.module.may("ninf", None) and _is_cut(op)):
        base = name.removesuffix("f") if type == "float" else name
        rounded = f.module.intrinsic(f"llvm.{base}.i64.{suffix}", "i64", type)
        f.define(op.res[0], f"call i64 {rounded}({type} {argument})")
        return
    rest = argument if _fits(op.arguments[0]) else _less_whole_turns(f, type, suffix, argument)
    rounded = f.module.intrinsic(f"llvm.lrint.i32.{suffix}", "i32", type)
    half = f.temp(f"call i32 {rounded}({type} {rest})")
    f.define(op.res[0], f"sext i32 {half} to i64")


def _fits(value: SSAValue) -> bool:
    """Does `int` hold what it is rounded to?"""
    least, greatest = number_bounds(value)
    return -_MOST <= least and greatest <= _MOST


def _less_whole_turns(f: FunctionEmitter, type: str, suffix: str, argument: str) -> str:
    nearest = f.module.intrinsic(f"llvm.roundeven.{suffix}", type, type)
    turns = f.temp(f"fmul {type} {argument}, {_SHARE}")
    whole = f.temp(f"call {type} {nearest}({type} {turns})")
    beyond = f.temp(f"fmul contract {type} {whole}, {_TURN}")
    return f.temp(f"fsub contract {type} {argument}, {beyond}")


def emit_rounded(f: FunctionEmitter, op: arith.FPToSIOp) -> bool:
    """Is it a number that is rounded to a whole one just so? Then its integer is made, of 32 bits
    at least."""
    call, wanted = op.input.owner, op.result.type.width.data
    if not isinstance(call, func.CallOp):
        return False
    name, type = call.callee.string_value(), llvm_type(op.input.type)
    callee = f.module.symbols.get(name)
    is_known = isinstance(callee, func.FuncOp) and callee.is_declaration
    if not is_known or type not in _SUFFIXES or len(call.arguments) != 1:
        return False
    base = name[:-1] if type == "float" else name
    if base not in _WHOLE or not f.module.options.knows(name) or wanted > 64:
        return False
    width = 64 if wanted > 32 else 32
    rounded = f.module.intrinsic(f"llvm.lrint.i{width}.{_SUFFIXES[type]}", f"i{width}", type)
    whole = f.temp(f"call i{width} {rounded}({f.typed(call.arguments[0])})")
    f.bind(op.result, whole if wanted == width else f.temp(f"trunc i{width} {whole} to i{wanted}"))
    return True


def _is_cut(op: func.CallOp) -> bool:
    """Are all users content with 32 bits?"""
    users = [use.operation for use in op.res[0].uses]
    return all(isinstance(one, arith.TruncIOp) and str(one.result.type) in _HALVES for one in users)
