"""lrint and its kin: one instruction, which rounds as the program has chosen, as they do.

    long lrint(double x)     =>     llvm.lrint.i64.f64(x)

AVX2 has vectors of that for 32 bits, not for 64. Where numbers are finite and all that is used of
the results is their lower half, that is computed alone, of what differs by a multiple of 2^32:

    (int)lrint(x)            =>     llvm.lrint.i32.f64(x - 2^32 * roundeven(x * 2^-32))

Each of these operations is exact, fused or not, and what is rounded at last lies as far from
integers as x does.
"""

from __future__ import annotations

from xdsl.dialects import arith, func

from polyopt.backend.emit.abi import Abi
from polyopt.backend.emit.function import FunctionEmitter

_NAMES = frozenset(("lrint", "llrint"))
_SUFFIXES = {"float": "f32", "double": "f64"}
_HALVES = frozenset(("i32", "i16", "i8", "i1"))
_TURN, _SHARE = "0x41F0000000000000", "0x3DF0000000000000"
"""2^32 and 2^-32 as LLVM writes numbers of either kind."""


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
    nearest = f.module.intrinsic(f"llvm.roundeven.{suffix}", type, type)
    turns = f.temp(f"fmul {type} {argument}, {_SHARE}")
    whole = f.temp(f"call {type} {nearest}({type} {turns})")
    beyond = f.temp(f"fmul contract {type} {whole}, {_TURN}")
    rest = f.temp(f"fsub contract {type} {argument}, {beyond}")
    rounded = f.module.intrinsic(f"llvm.lrint.i32.{suffix}", "i32", type)
    half = f.temp(f"call i32 {rounded}({type} {rest})")
    f.define(op.res[0], f"sext i32 {half} to i64")


def _is_cut(op: func.CallOp) -> bool:
    """Are all users content with 32 bits?"""
    users = [use.operation for use in op.res[0].uses]
    return all(isinstance(one, arith.TruncIOp) and str(one.result.type) in _HALVES for one in users)
