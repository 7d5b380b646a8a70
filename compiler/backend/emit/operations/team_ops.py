"""team: threads through the entry points of GNU's runtime (libgomp) or LLVM's (libomp, libiomp5).

A fork stores what the function takes in a struct on the stack, and hands the runtime a function of
one shape that reads it again:

    define internal void @f.member(ptr %live) {          ; GNU:  GOMP_parallel(f.member, live, n, 0)
      … load each register from %live …                  ; LLVM: __kmpc_fork_call(…, f.member, live)
      call void @f(i64 %member, i64 %size, …)
    }

Counters are atomic: `team.post` releases, `team.wait` acquires. A thread that waits tries some
times, then gives its processor away between tries, so that more threads than processors get on.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.abi import Abi
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.module import ModuleEmitter, global_name
from polyopt.backend.emit.operations.func_ops import callee_abi
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects import team

_TRIES = 1000
"""How often a waiting thread looks before it gives its processor away: some microseconds."""

_SOURCE = "polyopt.omp.source"
_IDENT = "polyopt.omp.ident"
_PLACE = ";unknown;unknown;0;0;;"


def emit_fork(f: FunctionEmitter, op: team.ForkOp) -> None:
    name = op.callee.string_value()
    abi = callee_abi(f, op, name)
    registers = f.registers(op.arguments)
    types = abi.types[2:]
    struct = f"{{ {', '.join(types)} }}"
    live = "null"
    if types:
        live = f.stack_slot(struct, 16, "live")
        for position, (type, register) in enumerate(zip(types, registers, strict=True)):
            place = f.temp(f"getelementptr inbounds {struct}, ptr {live}, i32 0, i32 {position}")
            f.emit(f"store {type} {register}, ptr {place}")
    threads = f.temp(f"trunc i64 {f.value(op.threads)} to i32")
    threads = f.temp(f"call i32 @llvm.smax.i32(i32 {threads}, i32 1)")
    f.module.intrinsic("llvm.smax.i32", "i32", "i32, i32")
    body = _member_function(f.module, name, abi, struct)
    if f.module.options.openmp == "libgomp":
        fork = f.module.intrinsic("GOMP_parallel", "void", "ptr, ptr, i32, i32")
        f.emit(f"call void {fork}(ptr {body}, ptr {live}, i32 {threads}, i32 0)")
        return
    ident = _ident(f.module)
    push = f.module.intrinsic("__kmpc_push_num_threads", "void", "ptr, i32, i32")
    f.emit(f"call void {push}(ptr {ident}, i32 {_global_thread(f)}, i32 {threads})")
    fork = f.module.intrinsic("__kmpc_fork_call", "void", "ptr, i32, ptr, ...")
    signature = "void (ptr, i32, ptr, ...)"
    f.emit(f"call {signature} {fork}(ptr {ident}, i32 1, ptr {body}, ptr {live})")


def _member_function(m: ModuleEmitter, name: str, abi: Abi, struct: str) -> str:
    """What a runtime calls in each thread; written once for each function that teams run."""
    symbol = global_name(f"{name}.member")
    member = m.intrinsic("omp_get_thread_num", "i32", "")
    size = m.intrinsic("omp_get_num_threads", "i32", "")
    parameters = "ptr %live" if m.options.openmp == "libgomp" else "ptr %0, ptr %1, ptr %live"
    lines = [
        f"define internal void {symbol}({parameters}) {m.definition_group(0)} {{",
        f"  %member32 = call i32 {member}()",
        f"  %size32 = call i32 {size}()",
        "  %member = sext i32 %member32 to i64",
        "  %size = sext i32 %size32 to i64",
    ]
    registers = ["%member", "%size"]
    for position, type in enumerate(abi.types[2:]):
        place, register = f"%place.{position}", f"%live.{position}"
        lines += [
            f"  {place} = getelementptr inbounds {struct}, ptr %live, i32 0, i32 {position}",
            f"  {register} = load {type}, ptr {place}",
        ]
        registers.append(register)
    call = ", ".join(abi.arguments(registers))
    lines += [f"  call void {m.symbol(name)}({call})", "  ret void", "}", ""]
    m.written_once[symbol] = lines
    return symbol


def _ident(m: ModuleEmitter) -> str:
    """Where in the source a runtime of LLVM's may say that it was called from."""
    length = len(_PLACE) + 1
    m.written_once[_SOURCE] = [
        f'@{_SOURCE} = internal constant [{length} x i8] c"{_PLACE}\\00"',
        f"@{_IDENT} = internal constant {{ i32, i32, i32, i32, ptr }} "
        f"{{ i32 0, i32 2, i32 0, i32 {length - 1}, ptr @{_SOURCE} }}, align 8",
        "",
    ]
    return f"@{_IDENT}"


def _global_thread(f: FunctionEmitter) -> str:
    number = f.module.intrinsic("__kmpc_global_thread_num", "i32", "ptr")
    return f.temp(f"call i32 {number}(ptr {_ident(f.module)})")


def emit_available(f: FunctionEmitter, op: team.AvailableOp) -> None:
    most = f.module.intrinsic("omp_get_max_threads", "i32", "")
    inside = f.module.intrinsic("omp_in_parallel", "i32", "")
    count = f.temp(f"call i32 {most}()")
    alone = f.temp(f"icmp eq i32 {f.temp(f'call i32 {inside}()')}, 0")
    chosen = f.temp(f"select i1 {alone}, i32 {count}, i32 1")
    f.define(op.count, f"sext i32 {chosen} to i64")


def emit_barrier(f: FunctionEmitter, op: team.BarrierOp) -> None:
    if f.module.options.openmp == "libgomp":
        f.emit(f"call void {f.module.intrinsic('GOMP_barrier', 'void', '')}()")
        return
    barrier = f.module.intrinsic("__kmpc_barrier", "void", "ptr, i32")
    f.emit(f"call void {barrier}(ptr {_ident(f.module)}, i32 {_global_thread(f)})")


def _counter(f: FunctionEmitter, counters: SSAValue, indices: Sequence[SSAValue]) -> str:
    return memrefs.element_address(f, f.memref(counters), indices)


def emit_post(f: FunctionEmitter, op: team.PostOp) -> None:
    place = _counter(f, op.counters, op.indices)
    f.emit(f"store atomic {f.typed(op.value)}, ptr {place} release, align 8")


def emit_take(f: FunctionEmitter, op: team.TakeOp) -> None:
    place = _counter(f, op.counters, op.indices)
    f.define(op.before, f"atomicrmw add ptr {place}, {f.typed(op.value)} acq_rel, align 8")


def emit_wait(f: FunctionEmitter, op: team.WaitOp) -> None:
    place = _counter(f, op.counters, op.indices)
    f.emit(f"call void {_wait_function(f.module)}(ptr {place}, {f.typed(op.value)})")


def _wait_function(m: ModuleEmitter) -> str:
    symbol = "@polyopt.wait"
    pause = m.intrinsic("llvm.x86.sse2.pause", "void", "")
    give_way = m.intrinsic("sched_yield", "i32", "")
    m.written_once[symbol] = [
        f"define internal void {symbol}(ptr %counter, i64 %value) {m.definition_group(0)} {{",
        "entry:",
        "  br label %look",
        "look:",
        "  %tries = phi i64 [ 0, %entry ], [ %more, %again ], [ %more, %give.way ]",
        "  %seen = load atomic i64, ptr %counter acquire, align 8",
        "  %enough = icmp sge i64 %seen, %value",
        "  br i1 %enough, label %done, label %again.or.not",
        "again.or.not:",
        "  %more = add i64 %tries, 1",
        f"  %many = icmp sgt i64 %more, {_TRIES}",
        "  br i1 %many, label %give.way, label %again",
        "again:",
        f"  call void {pause}()",
        "  br label %look",
        "give.way:",
        f"  call i32 {give_way}()",
        "  br label %look",
        "done:",
        "  ret void",
        "}",
        "",
    ]
    return symbol


EMITTERS: EmitterTable = {
    team.ForkOp: emit_fork,
    team.AvailableOp: emit_available,
    team.BarrierOp: emit_barrier,
    team.PostOp: emit_post,
    team.WaitOp: emit_wait,
    team.TakeOp: emit_take,
}
