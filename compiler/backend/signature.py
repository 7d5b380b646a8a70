"""What a C function takes and gives, read from the attributes that the front end left on it.

Elements are named as in `cmem.parameters`: i8…i64 and u8…u64, f32, f64, bool, pointer, struct,
void. A function that no C front end made is described by its argument types.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from polyopt.backend.layouts import Layout, read_layout
from polyopt.support.record import record

C_NAMES = {
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "u16": "unsigned short",
    "i32": "int",
    "u32": "unsigned int",
    "i64": "long",
    "u64": "unsigned long",
    "f32": "float",
    "f64": "double",
    "bool": "_Bool",
    "pointer": "void *",
    "void": "void",
}


@record
class Parameter:
    """`kind` is "scalar", "pointer" or "array"; `shape` holds an array's extents as C text over
    the other parameters, "" where unknown. `passes_sizes`: a memref, whose dynamic extents
    follow its pointer in the call. `is_nullable`: the declaration, or a comparison in the function,
    says that the pointer may be null. `layout` is that of a struct, where it is known."""

    name: str
    ctype: str
    kind: str
    element: str
    is_const: bool = False
    shape: tuple[str, ...] = ()
    passes_sizes: bool = False
    is_nullable: bool = False
    layout: Layout | None = None

    def __str__(self) -> str:
        """The declaration: `double C[n][m]`, `const float *x`, `int n`."""
        if self.kind == "array":
            const = "const " if self.is_const else ""
            element = C_NAMES.get(self.element, self.element)
            return f"{const}{element} {self.name}{''.join(f'[{e}]' for e in self.shape)}"
        return _declaration(self.ctype, self.name)


@record
class Signature:
    """`problem` says why the function cannot be called from Python, where it cannot."""

    name: str
    result: str
    parameters: tuple[Parameter, ...]
    problem: str | None = None

    def __str__(self) -> str:
        result = C_NAMES.get(self.result, self.result)
        parameters = ", ".join(str(parameter) for parameter in self.parameters)
        return _declaration(result, f"{self.name}({parameters or 'void'})")


def _declaration(type: str, declarator: str) -> str:
    return f"{type}{declarator}" if type.endswith("*") else f"{type} {declarator}"


def read_signatures(module: ModuleOp) -> dict[str, Signature]:
    """The functions that the module defines and exports, by name."""
    return {
        op.sym_name.data: _signature(op)
        for op in module.ops
        if isinstance(op, FuncOp) and not op.is_declaration and not _is_private(op)
    }


def _is_private(func: FuncOp) -> bool:
    return func.sym_visibility is not None and func.sym_visibility.data == "private"


def _signature(func: FuncOp) -> Signature:
    inputs, outputs = func.function_type.inputs.data, func.function_type.outputs.data
    problem = None
    described = func.attributes.get("cmem.parameters")
    if isa(described, ArrayAttr[DictionaryAttr]):
        parameters = [_described(entry) for entry in described]
        if len(parameters) != len(inputs) or any(
            parameter.kind == "scalar" and parameter.element == "struct" for parameter in parameters
        ):
            problem = "it takes or returns a struct by value"
    else:
        parameters = [_typed(func, position, type) for position, type in enumerate(inputs)]
        names = [parameter.element for parameter in parameters]
        if "struct" in names:
            problem = f"argument {names.index('struct')} has a type that Python has no value for"
    result = func.attributes.get("cmem.result")
    if isinstance(result, StringAttr):
        element = result.data
    else:
        element = _element(outputs[0]) if outputs else "void"
    if len(outputs) > 1 or element == "struct":
        problem = "it takes or returns a struct by value"
    if "cmem.variadic" in func.attributes:
        problem = "it is variadic"
    return Signature(func.sym_name.data, element, tuple(parameters), problem)


def _described(entry: DictionaryAttr) -> Parameter:
    """A parameter as the C front end describes it."""
    shape = entry.data.get("shape")
    return Parameter(
        _text(entry, "name"),
        _text(entry, "ctype"),
        _text(entry, "kind"),
        _text(entry, "element"),
        "const" in entry.data,
        tuple(extent.data for extent in shape) if isa(shape, ArrayAttr[StringAttr]) else (),
        is_nullable="nullable" in entry.data,
        layout=read_layout(entry.data.get("layout")),
    )


def _text(entry: DictionaryAttr, key: str) -> str:
    value = entry.data.get(key)
    return value.data if isinstance(value, StringAttr) else ""


def _typed(func: FuncOp, position: int, type: Attribute) -> Parameter:
    """A parameter of which only the type is known."""
    name = func.args[position].name_hint or f"arg{position}"
    element = _element(type)
    if isa(type, MemRefType[Attribute]):
        extents = type.get_shape()
        shape = tuple("" if extent == DYNAMIC_INDEX else str(extent) for extent in extents)
        element = _element(type.element_type)
        return Parameter(name, str(type), "array", element, shape=shape, passes_sizes=True)
    kind = "pointer" if element == "pointer" else "scalar"
    parameter = Parameter(name, C_NAMES.get(element, str(type)), kind, element)
    return replace(parameter, element="void") if kind == "pointer" else parameter


def _element(type: Attribute) -> str:
    if isinstance(type, IndexType):
        return "i64"
    if isa(type, IntegerType):
        return "bool" if type.width.data == 1 else f"i{type.width.data}"
    if isinstance(type, LLVMPointerType):
        return "pointer"
    text = str(type)
    return text if text in C_NAMES else "struct"
