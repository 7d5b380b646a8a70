"""Variable arguments as the System V ABI for x86-64 lays them down (section 3.5.7).

A variadic function keeps its argument registers in a save area on entry: six of 8 bytes, then
eight of 16. A `va_list` is

    0   gp_offset            where the next general register lies in the save area, at most 48
    4   fp_offset            where the next vector register lies, at most 176
    8   overflow_arg_area    the next argument on the stack
    16  reg_save_area

An argument lies in registers as a whole, or on the stack as a whole.
"""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType, f64, i64
from xdsl.ir import Attribute

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.dialects import cmem

_GENERAL_END, _VECTOR_END = 48, 176
_GENERAL, _VECTOR = 8, 16


def emit_va_start(f: FunctionEmitter, op: cmem.VaStartOp) -> None:
    function = f.module.intrinsic("llvm.va_start.p0", "void", "ptr")
    f.emit(f"call void {function}({f.typed(op.list)})")


def emit_va_arg(f: FunctionEmitter, op: cmem.VaArgOp) -> None:
    """The save area where enough registers are left, else the stack."""
    list = f.value(op.list)
    if not op.parts:
        f.bind(op.result, _on_stack(f, op, list))
        return
    general, vectors = op.parts.data.count(i64), sum(map(_is_in_vector, op.parts))
    saved, stacked = f.new_join("va.saved"), f.new_join("va.stacked")
    end = f.new_join("va.end", [op.result.type])
    fits: list[str] = []
    for name, count, last in (
        (list, general, _GENERAL_END - _GENERAL * general),
        (_field(f, list, 4), vectors, _VECTOR_END - _VECTOR * vectors),
    ):
        if count:
            fits.append(f.temp(f"icmp ule i32 {f.temp(f'load i32, ptr {name}, align 4')}, {last}"))
    both = fits[0] if len(fits) == 1 else f.temp(f"and i1 {fits[0]}, {fits[1]}")
    f.terminate(f"br i1 {both}, label %{f.edge(saved)}, label %{f.edge(stacked)}")
    f.enter(saved)
    f.jump(end, [_in_registers(f, op, list)])
    f.enter(stacked)
    f.jump(end, [_on_stack(f, op, list)])
    f.enter_binding(end, [op.result])


def _in_registers(f: FunctionEmitter, op: cmem.VaArgOp, list: str) -> str:
    """The argument in the save area; in a place of its own where its parts do not lie side by side
    there, or not as it is to be aligned."""
    area = f.temp(f"load ptr, ptr {_field(f, list, 16)}, align 8")
    vectors = sum(map(_is_in_vector, op.parts))
    starts = [_next_register(f, list, area, _is_in_vector(part)) for part in op.parts]
    alignment = op.alignment.value.data
    if alignment <= 8 and (vectors == 0 or len(starts) == 1):
        return starts[0]
    if isinstance(op.parts.data[0], VectorType):  # the area is aligned for these
        return starts[0]
    whole = f.stack_slot(f"[{8 * len(starts)} x i8]", max(8, alignment), None)
    for position, start in enumerate(starts):
        part = f.temp(f"load i64, ptr {start}, align 8")
        f.emit(f"store i64 {part}, ptr {_field(f, whole, 8 * position)}, align 8")
    return whole


def _is_in_vector(part: Attribute) -> bool:
    return part == f64 or isinstance(part, VectorType)


def _next_register(f: FunctionEmitter, list: str, area: str, is_vector: bool) -> str:
    """Where the next register of this kind lies; the list goes on behind it."""
    offset, width = (_field(f, list, 4), _VECTOR) if is_vector else (list, _GENERAL)
    now = f.temp(f"load i32, ptr {offset}, align 4")
    f.emit(f"store i32 {f.temp(f'add i32 {now}, {width}')}, ptr {offset}, align 4")
    return f.temp(f"getelementptr i8, ptr {area}, i64 {f.temp(f'zext i32 {now} to i64')}")


def _on_stack(f: FunctionEmitter, op: cmem.VaArgOp, list: str) -> str:
    """Where the next argument on the stack lies, in whole eightbytes; the list goes on behind."""
    overflow = _field(f, list, 8)
    start = f.temp(f"load ptr, ptr {overflow}, align 8")
    alignment = op.alignment.value.data
    if alignment > 8:
        mask = f.module.intrinsic("llvm.ptrmask.p0.i64", "ptr", "ptr, i64")
        behind = _field(f, start, alignment - 1)
        start = f.temp(f"call ptr {mask}(ptr {behind}, i64 {-alignment})")
    size = -(-op.size.value.data // 8) * 8
    f.emit(f"store ptr {_field(f, start, size)}, ptr {overflow}, align 8")
    return start


def _field(f: FunctionEmitter, pointer: str, offset: int) -> str:
    return f.temp(f"getelementptr i8, ptr {pointer}, i64 {offset}")
