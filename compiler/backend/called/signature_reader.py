"""Signatures, read from the attributes that the front end left on its functions.

A function that no C front end made is described by its argument types.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from polyopt.backend.called.layouts import Layout, Member
from polyopt.backend.called.signature import C_NAMES, Parameter, Signature, Variable
from polyopt.backend.called.struct_arguments import structure_of
from polyopt.dialects import cmem
from polyopt.dialects.shaped_types import is_memref

_OF_ITS_PARTS = "{} is a {} by value, and has a union, bit-fields or packed members in it"

_NO_SUCH_NUMBER = "{} is a {}, which Python has no number for"


def read_signatures(module: ModuleOp) -> tuple[Signature, ...]:
    """The functions that the module defines and exports."""
    return tuple(
        _signature(op)
        for op in module.ops
        if isinstance(op, FuncOp) and not op.is_declaration and not _is_private(op)
    )


def read_variables(module: ModuleOp) -> tuple[Variable, ...]:
    """The variables that the module defines and that other files see. What each thread has for
    itself has no one place."""
    return tuple(
        Variable(_described(declared), op.constant is not None)
        for op in module.ops
        if isinstance(op, cmem.GlobalOp) and cmem.THREAD_LOCAL not in op.attributes
        for declared in [op.attributes.get(cmem.DECLARED)]
        if isinstance(declared, DictionaryAttr)
    )


def _is_private(func: FuncOp) -> bool:
    return func.sym_visibility is not None and func.sym_visibility.data == "private"


def _signature(func: FuncOp) -> Signature:
    inputs, outputs = func.function_type.inputs.data, func.function_type.outputs.data
    problem = None
    described = func.attributes.get("cmem.parameters")
    if isa(described, ArrayAttr[DictionaryAttr]):
        parameters = [_described(entry) for entry in described]
        structs = [one for one in parameters if (one.kind, one.element) == ("scalar", "struct")]
        for one in structs:
            problem = problem or _passing_problem(f"'{one.name}'", one.ctype, one.layout)
    else:
        parameters = [_typed(func, position, type) for position, type in enumerate(inputs)]
        names = [parameter.element for parameter in parameters]
        if "struct" in names:
            problem = f"argument {names.index('struct')} has a type that Python has no value for"
    result = func.attributes.get("cmem.result")
    if isinstance(result, StringAttr):
        element = "text" if "cmem.result_is_text" in func.attributes else result.data
    else:
        element = _element(outputs[0]) if outputs else "void"
        if len(outputs) > 1:
            problem = problem or f"it returns {len(outputs)} values: a memref may take them"
    spelt, layout = "", None
    if element == "struct":
        layout = read_layout(func.attributes.get("cmem.result_layout"))
        declared = func.attributes.get("cmem.result_type")
        spelt = declared.data if isinstance(declared, StringAttr) else ""
        problem = problem or _passing_problem("what it returns", spelt, layout)
    if "cmem.variadic" in func.attributes:
        problem = "it is variadic"
    name = func.sym_name.data
    return Signature(name, element, tuple(parameters), problem, spelt, layout)


def _passing_problem(what: str, ctype: str, layout: Layout | None) -> str | None:
    """Why a value that is no number cannot be passed, if it cannot."""
    if layout is None:
        return _NO_SUCH_NUMBER.format(what, ctype or "type of its own")
    return None if structure_of(layout) is not None else _OF_ITS_PARTS.format(what, ctype)


def _described(entry: DictionaryAttr) -> Parameter:
    """A parameter as the C front end describes it."""
    shape = entry.data.get("shape")
    return Parameter(
        _text(entry, "name"),
        _text(entry, "ctype"),
        _text(entry, "kind"),
        _text(entry, "element"),
        "const" in entry.data,
        _texts(shape),
        is_nullable="nullable" in entry.data,
        layout=read_layout(entry.data.get("layout")),
        function=_texts(entry.data.get("function")),
    )


def _texts(attribute: Attribute | None) -> tuple[str, ...]:
    return tuple(one.data for one in attribute) if isa(attribute, ArrayAttr[StringAttr]) else ()


def _text(entry: DictionaryAttr, key: str) -> str:
    value = entry.data.get(key)
    return value.data if isinstance(value, StringAttr) else ""


def _typed(func: FuncOp, position: int, type: Attribute) -> Parameter:
    """A parameter of which only the type is known."""
    name = func.args[position].name_hint or f"arg{position}"
    element = _element(type)
    if is_memref(type):
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


def read_layout(attribute: Attribute | None) -> Layout | None:
    """The layout that the front end has kept."""
    if not isinstance(attribute, DictionaryAttr):
        return None
    size, members = attribute.data.get("size"), attribute.data.get("members")
    if not isa(size, IntAttr[int]) or not isa(members, ArrayAttr[DictionaryAttr]):
        return None
    parts = tuple(_read_member(member) for member in members)
    return Layout(size.data, parts, "partial" not in attribute.data)


def _read_member(member: DictionaryAttr) -> Member:
    name, offset, element, shape = (
        member.data.get(key) for key in ("name", "offset", "element", "shape")
    )
    return Member(
        name.data if isinstance(name, StringAttr) else "",
        offset.data if isa(offset, IntAttr[int]) else 0,
        element.data if isinstance(element, StringAttr) else "",
        tuple(extent.data for extent in shape) if isa(shape, ArrayAttr[IntAttr]) else (),
        read_layout(member.data.get("layout")),
    )
