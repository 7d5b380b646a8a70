"""Global objects: C's as bytes and addresses, MLIR's as arrays of elements."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.linker_marks import declared_linkage, linkage_text, note_marks
from polyopt.backend.emit.llvm_types import (
    LINE_BYTES,
    VECTOR_BYTES,
    byte_size,
    dense_literals,
    llvm_type,
)
from polyopt.backend.emit.module import ModuleEmitter, global_name
from polyopt.backend.emit.scalar_objects import scalar_value
from polyopt.dialects import cmem
from polyopt.dialects.cmem import linker_marks

_ADDRESS_BYTES = 8


def emit_cmem_global(m: ModuleEmitter, op: cmem.GlobalOp) -> str:
    name = global_name(op.sym_name.data)
    size = op.size.value.data
    align = op.alignment.value.data
    kind = "constant" if op.constant is not None else "global"
    marks = linker_marks(op)
    kind = "thread_local " * ("thread_local" in marks) + kind
    if cmem.THREAD_LOCAL in op.attributes:
        return _emit_thread_local(m, op)
    if op.declaration is not None:
        linkage = declared_linkage(marks, "external ")
        return f"{name} = {linkage}{kind} [{size} x i8], align {align}"
    element = m.scalars.get(op.sym_name.data)
    type, value = (element and scalar_value(op, element)) or _initial(m, op)
    linkage = linkage_text(_linkage(op.linkage.data, m), marks, m.options)
    if "section" in marks:
        section = f', section "{marks["section"]}"'
    else:
        section = _section(m, op.sym_name.data, kind, value, op.relocations is not None)
    note_marks(m, op.sym_name.data, marks)
    align = max(align, _placement(op, m))
    return f"{name} = {linkage}{kind} {type} {value}{section}, align {align}"


def emit_gap(m: ModuleEmitter, name: str, size: int) -> str:
    """Bytes that nobody uses in front of an object (`object_places.py`); they are kept."""
    gap = f".before.{name}"
    m.kept[gap] = None
    return f"{global_name(gap)} = internal global [{size} x i8] zeroinitializer, align {LINE_BYTES}"


def _placement(op: cmem.GlobalOp, m: ModuleEmitter) -> int:
    """Where an object of this size is best put: large ones at the start of a cache line, so that
    vectors do not cross from one line to the next. The linker may take another's definition of a
    symbol that is common or may be replaced: these have what the ABI gives to arrays."""
    size = op.size.value.data
    is_ours = op.linkage.data == "internal" or (op.linkage.data == "external" and not m.options.pic)
    if is_ours and size >= LINE_BYTES:
        return LINE_BYTES
    return VECTOR_BYTES if size >= VECTOR_BYTES else 1


def _section(m: ModuleEmitter, name: str, kind: str, value: str, is_relocated: bool) -> str:
    """The object's own section, of the kind that it would be in."""
    if not m.options.data_sections or name.startswith(".str"):
        return ""
    if kind == "constant":
        room = ".data.rel.ro" if is_relocated else ".rodata"
    else:
        of_thread = "t" if kind.startswith("thread_local") else ""
        room = f".{of_thread}bss" if value == "zeroinitializer" else f".{of_thread}data"
    return f', section "{room}.{name}"'


def _emit_thread_local(m: ModuleEmitter, op: cmem.GlobalOp) -> str:
    """What the compiler's run-time library asks for when a thread first wants its own: size,
    alignment, where it may note something, and the first value. Unlike the linker's way of having
    such objects it is there for code that is loaded in process too."""
    control = thread_control(op.sym_name.data)
    if op.declaration is not None:
        return f"{control} = external global {{ i64, i64, ptr, ptr }}, align 8"
    size, align = op.size.value.data, op.alignment.value.data
    template, lines = "null", ""
    if op.initial is not None or op.relocations is not None:
        template = global_name(f"__emutls_t.{op.sym_name.data}")
        type, value = _initial(m, op)
        lines = f"{template} = internal constant {type} {value}, align {align}\n"
    linkage = _linkage(op.linkage.data, m)
    return (
        f"{lines}{control} = {linkage}global {{ i64, i64, ptr, ptr }} "
        f"{{ i64 {size}, i64 {align}, ptr null, ptr {template} }}, align 8"
    )


def thread_control(name: str) -> str:
    return global_name(f"__emutls_v.{name}")


def _linkage(linkage: str, m: ModuleEmitter) -> str:
    if linkage == "internal":
        return "internal "
    local = "" if m.options.pic else "dso_local "
    return f"common {local}" if linkage == "common" else local


def _initial(m: ModuleEmitter, op: cmem.GlobalOp) -> tuple[str, str]:
    """The initial value: runs of bytes, between them addresses."""
    size = op.size.value.data
    data = op.initial_bytes()
    if op.relocations is None:
        return (f"[{size} x i8]", "zeroinitializer") if data is None else _bytes(data)
    data = data if data is not None else bytes(size)
    parts: list[tuple[str, str]] = []
    position = 0
    for offset, symbol, addend in sorted(_relocation(op, triple) for triple in op.relocations):
        if offset < position or offset + _ADDRESS_BYTES > size:
            raise unsupported(op, f"the address at byte {offset} does not fit in")
        if offset > position:
            parts.append(_bytes(data[position:offset]))
        address = m.symbol(symbol)
        if addend:
            address = f"getelementptr (i8, ptr {address}, i64 {addend})"
        parts.append(("ptr", address))
        position = offset + _ADDRESS_BYTES
    if position < size:
        parts.append(_bytes(data[position:]))
    types = ", ".join(type for type, _ in parts)
    values = ", ".join(f"{type} {value}" for type, value in parts)
    return f"<{{ {types} }}>", f"<{{ {values} }}>"


def _relocation(op: cmem.GlobalOp, triple: ArrayAttr[Attribute]) -> tuple[int, str, int]:
    match tuple(triple):
        case (IntAttr(data=offset), SymbolRefAttr() as symbol, IntAttr(data=addend)):
            return offset, symbol.string_value(), addend
        case _:
            raise unsupported(op, f"'{triple}' is not a relocation")


def _bytes(data: bytes) -> tuple[str, str]:
    type = f"[{len(data)} x i8]"
    if not any(data):
        return type, "zeroinitializer"
    return type, f'c"{between_quotes(data)}"'


def between_quotes(data: bytes) -> str:
    """Bytes as LLVM's text has them."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data
    )


def emit_memref_global(m: ModuleEmitter, op: memref.GlobalOp) -> str:
    type = op.type
    element = type.element_type
    array = llvm_type(element)
    for extent in reversed(type.get_shape()):
        array = f"[{extent} x {array}]"
    kind = "constant" if op.constant is not None else "global"
    linkage = _linkage("internal" if op.sym_visibility.data == "private" else "external", m)
    align = op.alignment.value.data if op.alignment is not None else byte_size(element)
    name = global_name(op.sym_name.data)
    return f"{name} = {linkage}{kind} {array} {_elements(op)}, align {align}"


def _elements(op: memref.GlobalOp) -> str:
    initial = op.initial_value
    if not isa(initial, DenseIntOrFPElementsAttr):
        return "undef"
    type = llvm_type(op.type.element_type)
    texts = dense_literals(initial)
    for extent in reversed(op.type.get_shape()):
        type_of_row = f"[{extent} x {type}]"
        rows = [texts[i : i + extent] for i in range(0, len(texts), extent)]
        texts = [f"{type_of_row} [{', '.join(row)}]" for row in rows]
        type = type_of_row
    return texts[0].removeprefix(type).strip()
