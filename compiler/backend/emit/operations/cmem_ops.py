"""cmem: C's memory. Pointers are LLVM pointers; a view costs nothing, its accesses do."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.abi import argument_attributes, result_type
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.globals import between_quotes, thread_control
from polyopt.backend.emit.llvm_types import llvm_type, mangled
from polyopt.backend.emit.memref_shapes import require_row_major
from polyopt.backend.emit.metadata import distinct_scopes
from polyopt.backend.emit.operations.func_ops import callee_abi, emit_call_text
from polyopt.backend.emit.operations.memref_ops import emit_memcpy, load, store
from polyopt.backend.emit.registry import EmitterTable
from polyopt.backend.emit.variable_arguments import emit_va_arg, emit_va_start
from polyopt.dialects import cmem
from polyopt.dialects.cmem_values import ApartOp


def emit_view(f: FunctionEmitter, op: cmem.ViewOp) -> None:
    type = cmem.memref_type(op.result)
    require_row_major(op, type)
    shape = type.get_shape()
    dynamic: list[str | None] = [f.length(size) for size in op.sizes]
    if shape and shape[0] == DYNAMIC_INDEX:
        dynamic.insert(0, None)
    sizes = memrefs.static_sizes(type, dynamic)
    scopes = f.pointer_scopes.get(op.source, ())
    f.memrefs[op.result] = memrefs.row_major(
        f, f.value(op.source), type.element_type, sizes, scopes
    )


def emit_address(f: FunctionEmitter, op: cmem.AddressOp) -> None:
    m = f.memref(op.memref)
    f.bind(op.result, memrefs.element_address(f, m, op.indices))
    if m.scopes:
        f.pointer_scopes[op.result] = m.scopes


def emit_offset(f: FunctionEmitter, op: cmem.OffsetOp) -> None:
    base, index = f.value(op.base), f.value(op.index)
    stride = op.stride.value.data
    step = "i8" if stride == 1 else f"[{stride} x i8]"
    if index == "0":
        f.bind(op.result, base)
    else:
        f.define(op.result, f"getelementptr inbounds {step}, ptr {base}, i64 {index}")
    if op.base in f.pointer_scopes:
        f.pointer_scopes[op.result] = f.pointer_scopes[op.base]


def emit_ptr_to_int(f: FunctionEmitter, op: cmem.PtrToIntOp) -> None:
    f.define(op.result, f"ptrtoint {f.typed(op.source)} to i64")


def emit_int_to_ptr(f: FunctionEmitter, op: cmem.IntToPtrOp) -> None:
    if f.value(op.source) == "0":
        f.bind(op.result, "null")
    else:
        f.define(op.result, f"inttoptr {f.typed(op.source)} to ptr")


def emit_address_of(f: FunctionEmitter, op: cmem.AddressOfOp | cmem.AliasOfOp) -> None:
    name = op.symbol.string_value()
    if name not in f.module.symbols:
        raise unsupported(op, f"there is no object or function '{name}'")
    if cmem.THREAD_LOCAL in f.module.symbols[name].attributes:
        f.module.referenced.add(name)
        own = f.module.intrinsic("__emutls_get_address", "ptr", "ptr")
        f.define(op.result, f"call ptr {own}(ptr {thread_control(name)})")
        return
    f.bind(op.result, f.module.symbol(name))


def emit_call_variadic(f: FunctionEmitter, op: cmem.CallVariadicOp) -> None:
    name = op.callee.string_value()
    abi = callee_abi(f, op, name)
    fixed = op.fixed.value.data
    if not abi.is_variadic or fixed != len(abi.types) or fixed > len(op.arguments):
        raise unsupported(op, f"'{name}' is not variadic after {fixed} arguments")
    arguments = abi.arguments(f.registers(op.arguments[:fixed]))
    attributes = op.attributes.get("arg_attrs")
    arguments += [
        f"{llvm_type(value.type)}{argument_attributes(op, attributes, position)} {f.value(value)}"
        for position, value in enumerate(op.arguments[fixed:])
    ]
    call = f"call {abi.function_type} {f.module.symbol(name)}({', '.join(arguments)})"
    emit_call_text(f, op, call, op.res)


def emit_call_indirect(f: FunctionEmitter, op: cmem.CallIndirectOp) -> None:
    attributes = op.attributes.get("arg_attrs")
    arguments = [
        f"{llvm_type(value.type)}{argument_attributes(op, attributes, position)} {f.value(value)}"
        for position, value in enumerate(op.arguments)
    ]
    type = result_type([result.type for result in op.res])
    if op.variadic_from is not None:
        fixed = op.arguments[: op.variadic_from.value.data]
        type += f" ({', '.join([*(llvm_type(value.type) for value in fixed), '...'])})"
    call = f"call {type} {f.value(op.callee)}({', '.join(arguments)})"
    emit_call_text(f, op, call, op.res)


def emit_copy(f: FunctionEmitter, op: cmem.CopyOp) -> None:
    size, align = op.size.value.data, op.alignment.value.data
    emit_memcpy(f, f.value(op.target), f.value(op.source), str(size), align)


def emit_volatile_load(f: FunctionEmitter, op: cmem.VolatileLoadOp) -> None:
    load(f, op, op.memref, op.indices, "load volatile")


def emit_volatile_store(f: FunctionEmitter, op: cmem.VolatileStoreOp) -> None:
    store(f, op, op.value, op.memref, op.indices, "store volatile")


def emit_unaligned_load(f: FunctionEmitter, op: cmem.UnalignedLoadOp) -> None:
    load(f, op, op.memref, op.indices, "load")


def emit_unaligned_store(f: FunctionEmitter, op: cmem.UnalignedStoreOp) -> None:
    store(f, op, op.value, op.memref, op.indices, "store")


def emit_barrier(f: FunctionEmitter, op: cmem.BarrierOp) -> None:
    f.emit('call void asm sideeffect "", "~{memory}"()')


def emit_instructions(f: FunctionEmitter, op: cmem.InstructionsOp) -> None:
    names = [*(name.data for name in op.clobbers), "memory", "dirflag", "fpsr", "flags"]
    clobbers = ",".join(f"~{{{name}}}" for name in names)
    text = between_quotes(op.text.data.encode())
    f.emit(f'call void asm sideeffect "{text}", "{clobbers}"()')


def emit_prefetch(f: FunctionEmitter, op: cmem.PrefetchOp) -> None:
    """To the caches of data."""
    function = f.module.intrinsic("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
    numbers = f"i32 {int(op.write is not None)}, i32 {op.term.value.data}, i32 1"
    f.emit(f"call void {function}({f.typed(op.address)}, {numbers})")


def emit_apart(f: FunctionEmitter, op: ApartOp) -> None:
    text = f'asm "", "=x,0"({f.typed(op.value)}) nounwind willreturn memory(none)'
    f.define(op.result, f"call {llvm_type(op.value.type)} {text}")


def emit_trap(f: FunctionEmitter, op: cmem.TrapOp) -> None:
    function = f.module.intrinsic("llvm.trap", "void", "")
    f.emit(f"call void {function}()")


def emit_frame_address(f: FunctionEmitter, op: cmem.FrameAddressOp) -> None:
    name = "llvm.returnaddress" if op.caller is not None else "llvm.frameaddress.p0"
    function = f.module.intrinsic(name, "ptr", "i32")
    f.define(op.result, f"call ptr {function}(i32 0)")


def emit_is_constant(f: FunctionEmitter, op: cmem.IsConstantOp) -> None:
    type = llvm_type(op.value.type)
    function = f.module.intrinsic(f"llvm.is.constant.{mangled(op.value.type)}", "i1", type)
    f.define(op.result, f"call i1 {function}({f.typed(op.value)})")


def emit_stack_save(f: FunctionEmitter, op: cmem.StackSaveOp) -> None:
    function = f.module.intrinsic("llvm.stacksave.p0", "ptr", "")
    f.define(op.result, f"call ptr {function}()")


def emit_stack_restore(f: FunctionEmitter, op: cmem.StackRestoreOp) -> None:
    function = f.module.intrinsic("llvm.stackrestore.p0", "void", "ptr")
    f.emit(f"call void {function}({f.typed(op.mark)})")


def emit_distinct_objects(f: FunctionEmitter, op: cmem.DistinctObjectsOp) -> None:
    """A scope for each result. Its declaration says where the promise begins: in a loop each
    iteration promises anew, about that iteration's memrefs only."""
    metadata = f.module.metadata
    declare = f.module.intrinsic("llvm.experimental.noalias.scope.decl", "void", "metadata")
    scopes = distinct_scopes(metadata, len(op.res))
    for source, result, scope in zip(op.memrefs, op.res, scopes, strict=True):
        f.emit(f"call void {declare}(metadata {metadata.node(', '.join(scope.touched))})")
        f.memrefs[result] = f.memref(source).within(scope)


EMITTERS: EmitterTable = {
    cmem.ViewOp: emit_view,
    cmem.AddressOp: emit_address,
    cmem.OffsetOp: emit_offset,
    cmem.PtrToIntOp: emit_ptr_to_int,
    cmem.IntToPtrOp: emit_int_to_ptr,
    cmem.AddressOfOp: emit_address_of,
    cmem.AliasOfOp: emit_address_of,
    cmem.CallVariadicOp: emit_call_variadic,
    cmem.CallIndirectOp: emit_call_indirect,
    cmem.VaStartOp: emit_va_start,
    cmem.VaArgOp: emit_va_arg,
    cmem.CopyOp: emit_copy,
    cmem.VolatileLoadOp: emit_volatile_load,
    cmem.VolatileStoreOp: emit_volatile_store,
    cmem.UnalignedLoadOp: emit_unaligned_load,
    cmem.UnalignedStoreOp: emit_unaligned_store,
    cmem.BarrierOp: emit_barrier,
    cmem.InstructionsOp: emit_instructions,
    cmem.PrefetchOp: emit_prefetch,
    cmem.TrapOp: emit_trap,
    cmem.FrameAddressOp: emit_frame_address,
    cmem.IsConstantOp: emit_is_constant,
    ApartOp: emit_apart,
    cmem.StackSaveOp: emit_stack_save,
    cmem.StackRestoreOp: emit_stack_restore,
    cmem.DistinctObjectsOp: emit_distinct_objects,
}
