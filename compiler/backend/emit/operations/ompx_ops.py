"""ompx: accesses that other threads see whole, fences, and tasks.

LLVM compares and exchanges integers and pointers only; a floating-point place is one of the integer
with its bits. A task's arguments are copied by the runtime, from a struct on the stack:

    store … %live …;  call void @GOMP_task(ptr @f.call, ptr %live, …)

LLVM's runtime has this entry point as well.
"""

from __future__ import annotations

from xdsl.ir import Attribute

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import byte_size, llvm_type
from polyopt.backend.emit.module import ModuleEmitter, global_name
from polyopt.backend.emit.operations.func_ops import callee_abi
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects import ompx

_ORDER = "seq_cst"
_STRUCT_ALIGNMENT = 16
_HAS_DEPENDENCES = 8
"""A flag of GNU's runtime."""


def _place(
    f: FunctionEmitter,
    op: ompx.AtomicReadOp | ompx.AtomicWriteOp | ompx.CompareExchangeOp | ompx.FetchOp,
) -> str:
    return memrefs.element_address(f, f.memref(op.memref), op.indices)


def _atomic_type(type: Attribute) -> str:
    """The LLVM type whose accesses are atomic: an integer for a floating-point number."""
    text = llvm_type(type)
    return f"i{8 * byte_size(type)}" if text in ("float", "double") else text


def _bits(f: FunctionEmitter, register: str, type: Attribute) -> str:
    text, atomic = llvm_type(type), _atomic_type(type)
    return register if text == atomic else f.temp(f"bitcast {text} {register} to {atomic}")


def emit_read(f: FunctionEmitter, op: ompx.AtomicReadOp) -> None:
    type = op.result.type
    load = (
        f"load atomic {_atomic_type(type)}, ptr {_place(f, op)} {_ORDER}, align {byte_size(type)}"
    )
    if _atomic_type(type) == llvm_type(type):
        f.define(op.result, load)
    else:
        f.define(op.result, f"bitcast {_atomic_type(type)} {f.temp(load)} to {llvm_type(type)}")


def emit_write(f: FunctionEmitter, op: ompx.AtomicWriteOp) -> None:
    type = op.value.type
    value = _bits(f, f.value(op.value), type)
    place = _place(f, op)
    f.emit(
        f"store atomic {_atomic_type(type)} {value}, ptr {place} {_ORDER}, align {byte_size(type)}"
    )


def emit_compare_exchange(f: FunctionEmitter, op: ompx.CompareExchangeOp) -> None:
    type = op.old.type
    atomic = _atomic_type(type)
    old, new = (_bits(f, f.value(value), type) for value in (op.old, op.new))
    place = _place(f, op)
    pair = f.temp(
        f"cmpxchg ptr {place}, {atomic} {old}, {atomic} {new} {_ORDER} {_ORDER}, "
        f"align {byte_size(type)}"
    )
    f.define(op.done, f"extractvalue {{ {atomic}, i1 }} {pair}, 1")
    seen = f"extractvalue {{ {atomic}, i1 }} {pair}, 0"
    if atomic == llvm_type(type):
        f.define(op.seen, seen)
    else:
        f.define(op.seen, f"bitcast {atomic} {f.temp(seen)} to {llvm_type(type)}")


def emit_fetch(f: FunctionEmitter, op: ompx.FetchOp) -> None:
    place = _place(f, op)
    f.define(
        op.before,
        f"atomicrmw {op.kind.data} ptr {place}, {f.typed(op.value)} {_ORDER}, "
        f"align {byte_size(op.value.type)}",
    )


def emit_fence(f: FunctionEmitter, _: ompx.FenceOp) -> None:
    f.emit(f"fence {_ORDER}")


def _packed(f: FunctionEmitter, op: ompx.SpawnOp | ompx.LeagueOp) -> tuple[str, str, str]:
    """The function that unpacks a struct and calls, a struct of the arguments, and its size."""
    name = op.callee.string_value()
    abi = callee_abi(f, op, name)
    registers = f.registers(op.arguments)
    struct = f"{{ {', '.join(abi.types)} }}"
    live, size = "null", "0"
    if abi.types:
        live = f.stack_slot(struct, _STRUCT_ALIGNMENT, "live")
        size = f"ptrtoint (ptr getelementptr ({struct}, ptr null, i32 1) to i64)"
        for position, (type, register) in enumerate(zip(abi.types, registers, strict=True)):
            place = f.temp(f"getelementptr inbounds {struct}, ptr {live}, i32 0, i32 {position}")
            f.emit(f"store {type} {register}, ptr {place}")
    return _task_function(f.module, name, list(abi.types), struct), live, size


def emit_league(f: FunctionEmitter, op: ompx.LeagueOp) -> None:
    body, live, _ = _packed(f, op)
    league = f.module.intrinsic("GOMP_teams_reg", "void", "ptr, ptr, i32, i32, i32")
    f.emit(
        f"call void {league}(ptr {body}, ptr {live}, {f.typed(op.teams)}, {f.typed(op.limit)}, "
        "i32 0)"
    )


def emit_spawn(f: FunctionEmitter, op: ompx.SpawnOp) -> None:
    body, live, size = _packed(f, op)
    condition = "1"
    if op.condition is not None:
        condition = f.temp(f"zext {f.typed(op.condition)} to i8")
    parameters = "ptr, ptr, ptr, i64, i64, i8 zeroext, i32, ptr, i32"
    task = f.module.intrinsic("GOMP_task", "void", parameters)
    flags, places = f.typed(op.flags), "null"
    if op.writes or op.reads:
        flags = f"i32 {f.temp(f'or {flags}, {_HAS_DEPENDENCES}')}"
        places = _dependences(f, op)
    f.emit(
        f"call void {task}(ptr {body}, ptr {live}, ptr null, i64 {size}, "
        f"i64 {_STRUCT_ALIGNMENT}, i8 zeroext {condition}, {flags}, ptr {places}, i32 0)"
    )


def _dependences(f: FunctionEmitter, op: ompx.SpawnOp) -> str:
    """{ how many, how many of them written, those written …, those read … }, as pointers."""
    places = [*op.writes, *op.reads]
    type = f"[{2 + len(places)} x ptr]"
    array = f.stack_slot(type, _STRUCT_ALIGNMENT, "dependences")
    counts = [f"inttoptr (i64 {count} to ptr)" for count in (len(places), len(op.writes))]
    for position, value in enumerate([*counts, *(f.value(place) for place in places)]):
        at = f.temp(f"getelementptr inbounds {type}, ptr {array}, i32 0, i32 {position}")
        f.emit(f"store ptr {value}, ptr {at}")
    return array


def _task_function(m: ModuleEmitter, name: str, types: list[str], struct: str) -> str:
    """What the runtime calls with a copy of the struct; written once for each task's function."""
    symbol = global_name(f"{name}.call")
    lines = [f"define internal void {symbol}(ptr %live) {m.definition_group(0)} {{"]
    arguments: list[str] = []
    for position, type in enumerate(types):
        place, register = f"%place.{position}", f"%live.{position}"
        lines += [
            f"  {place} = getelementptr inbounds {struct}, ptr %live, i32 0, i32 {position}",
            f"  {register} = load {type}, ptr {place}",
        ]
        arguments.append(f"{type} {register}")
    call = f"  call void {m.symbol(name)}({', '.join(arguments)})"
    m.written_once[symbol] = [*lines, call, "  ret void", "}", ""]
    return symbol


EMITTERS: EmitterTable = {
    ompx.AtomicReadOp: emit_read,
    ompx.AtomicWriteOp: emit_write,
    ompx.CompareExchangeOp: emit_compare_exchange,
    ompx.FetchOp: emit_fetch,
    ompx.FenceOp: emit_fence,
    ompx.SpawnOp: emit_spawn,
    ompx.LeagueOp: emit_league,
}
