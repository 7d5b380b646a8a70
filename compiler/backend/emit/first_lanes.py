"""The first lanes of a narrow vector in memory, on machines without masks for such lanes.

    n >= 8    the first 8 bytes, and the last 8 that end with byte n - 1     (the same with 4)
    n < 4     bytes 0, n / 2 and n - 1

AVX has masked loads of 4 and 8 bytes, SSE has none, and LLVM goes to each byte or short by itself,
behind a branch that depends on the data (Zen 4 with AVX2, sums of 3 to 20 bytes: 11 to 14 ns; so
6). Two loads that overlap, as in `memcpy` of so few bytes, touch the lanes that are set and no
other; what both load is the same, and shifted to its place. Vectors of two registers go by the
first of them first. Loops whose steps can be done with fewer lanes have no such loads
(`halved_rest.py`).
"""

from __future__ import annotations

from xdsl.dialects import vector
from xdsl.ir import Attribute, SSAValue

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import byte_size, llvm_type
from polyopt.backend.emit.module import ModuleEmitter
from polyopt.dialects.shaped_types import is_vector
from polyopt.support.core_model import CORE

_WORD = 8
_REGISTER = 16
_SIZES = (4, _WORD, _REGISTER, 2 * _REGISTER)


def bytes_of_first_lanes(f: FunctionEmitter, mask: SSAValue, type: Attribute) -> str | None:
    """How many bytes the lanes have that are set, where these are the first ones of a vector whose
    elements the machine has no masks for."""
    owner = mask.owner
    assert is_vector(type)
    element, (lanes,) = byte_size(type.element_type), type.get_shape()
    if not isinstance(owner, vector.CreateMaskOp) or element * lanes not in _SIZES:
        return None
    if f.module.options.target().has_mask_registers or element in CORE.strided.masked_bytes:
        return None
    count = f.value(owner.mask_dim_sizes[0])
    smin = f.module.intrinsic("llvm.smin.i64", "i64", "i64, i64")
    smax = f.module.intrinsic("llvm.smax.i64", "i64", "i64, i64")
    below = f.temp(f"call i64 {smin}(i64 {count}, i64 {lanes})")
    clamped = f.temp(f"call i64 {smax}(i64 {below}, i64 0)")
    return f.temp(f"mul i64 {clamped}, {element}")


def load_first(f: FunctionEmitter, pointer: str, count: str, type: Attribute) -> str:
    """The first `count` bytes, and zeros behind them."""
    size = _size(type)
    if size > _WORD:
        made, name = f"<{size} x i8>", _loads(f.module, size)
    else:
        made, name = "i64", _load_of_word(f.module)
    loaded = f.temp(f"call {made} {name}(ptr {pointer}, i64 {count})")
    if size < _WORD:
        loaded, made = f.temp(f"trunc i64 {loaded} to i{8 * size}"), f"i{8 * size}"
    return f.temp(f"bitcast {made} {loaded} to {llvm_type(type)}")


def _size(type: Attribute) -> int:
    assert is_vector(type)
    (lanes,) = type.get_shape()
    return byte_size(type.element_type) * lanes


def _loads(m: ModuleEmitter, size: int) -> str:
    return _load_of_register(m) if size == _REGISTER else _load_of_two(m)


def _written(m: ModuleEmitter, symbol: str, result: str, parameters: str, body: str) -> str:
    head = f"define internal {result} {symbol}({parameters}) alwaysinline {m.definition_group(256)}"
    lines = [line.strip() for line in body.strip().splitlines()]
    indented = [line if line.endswith(":") else f"  {line}" for line in lines]
    m.written_once[symbol] = [f"{head} {{", "entry:", *indented, "}", ""]
    return symbol


def _load_of_word(m: ModuleEmitter) -> str:
    return _written(
        m,
        "@polyopt.load.first.8",
        "i64",
        "ptr %from, i64 %count",
        """
        %is.half = icmp ugt i64 %count, 3
        br i1 %is.half, label %half, label %less
        half:
        %low = load i32, ptr %from, align 1
        %beyond = add i64 %count, -4
        %behind = getelementptr i8, ptr %from, i64 %beyond
        %last = load i32, ptr %behind, align 1
        %bits = shl i64 %beyond, 3
        %low.wide = zext i32 %low to i64
        %last.wide = zext i32 %last to i64
        %high = shl i64 %last.wide, %bits
        %both = or i64 %low.wide, %high
        br label %done
        less:
        %is.none = icmp eq i64 %count, 0
        br i1 %is.none, label %done, label %some
        some:
        %middle = lshr i64 %count, 1
        %end = add i64 %count, -1
        %place.middle = getelementptr i8, ptr %from, i64 %middle
        %place.end = getelementptr i8, ptr %from, i64 %end
        %a = load i8, ptr %from, align 1
        %b = load i8, ptr %place.middle, align 1
        %c = load i8, ptr %place.end, align 1
        %a.wide = zext i8 %a to i64
        %b.wide = zext i8 %b to i64
        %c.wide = zext i8 %c to i64
        %bits.middle = shl i64 %middle, 3
        %bits.end = shl i64 %end, 3
        %b.placed = shl i64 %b.wide, %bits.middle
        %c.placed = shl i64 %c.wide, %bits.end
        %two = or i64 %a.wide, %b.placed
        %three = or i64 %two, %c.placed
        br label %done
        done:
        %word = phi i64 [ %both, %half ], [ 0, %less ], [ %three, %some ]
        ret i64 %word
        """,
    )


def _load_of_register(m: ModuleEmitter) -> str:
    word = _load_of_word(m)
    return _written(
        m,
        "@polyopt.load.first.16",
        "<16 x i8>",
        "ptr %from, i64 %count",
        f"""
        %is.word = icmp ugt i64 %count, 7
        br i1 %is.word, label %more, label %less
        more:
        %low = load i64, ptr %from, align 1
        %beyond = add i64 %count, -8
        %behind = getelementptr i8, ptr %from, i64 %beyond
        %last = load i64, ptr %behind, align 1
        %left = sub i64 16, %count
        %bits = shl i64 %left, 3
        %bits.of.word = and i64 %bits, 63
        %moved = lshr i64 %last, %bits.of.word
        %is.all = icmp eq i64 %beyond, 0
        %high = select i1 %is.all, i64 0, i64 %moved
        %one = insertelement <2 x i64> poison, i64 %low, i64 0
        %both = insertelement <2 x i64> %one, i64 %high, i64 1
        br label %done
        less:
        %word = call i64 {word}(ptr %from, i64 %count)
        %alone = insertelement <2 x i64> zeroinitializer, i64 %word, i64 0
        br label %done
        done:
        %words = phi <2 x i64> [ %both, %more ], [ %alone, %less ]
        %bytes = bitcast <2 x i64> %words to <16 x i8>
        ret <16 x i8> %bytes
        """,
    )


def _load_of_two(m: ModuleEmitter) -> str:
    register = _load_of_register(m)
    both = ", ".join(f"i32 {k}" for k in range(2 * _REGISTER))
    return _written(
        m,
        "@polyopt.load.first.32",
        "<32 x i8>",
        "ptr %from, i64 %count",
        f"""
        %is.more = icmp ugt i64 %count, 15
        %beyond = add i64 %count, -16
        %behind = getelementptr i8, ptr %from, i64 16
        %place = select i1 %is.more, ptr %behind, ptr %from
        %rest = select i1 %is.more, i64 %beyond, i64 %count
        %last = call <16 x i8> {register}(ptr %place, i64 %rest)
        br i1 %is.more, label %more, label %done
        more:
        %first = load <16 x i8>, ptr %from, align 1
        br label %done
        done:
        %low = phi <16 x i8> [ %last, %entry ], [ %first, %more ]
        %high = phi <16 x i8> [ zeroinitializer, %entry ], [ %last, %more ]
        %all = shufflevector <16 x i8> %low, <16 x i8> %high, <32 x i32> <{both}>
        ret <32 x i8> %all
        """,
    )
