"""How a function is called: the registers it takes and gives, under the C ABI of x86-64.

A caller extends an integer narrower than 32 bits; whether by its sign or by zeros the front end
says by the argument attributes `llvm.signext` and `llvm.zeroext`, and for the result by the C type
in `cmem.result`. Where nobody says it, nothing is relied on.

A memref argument of a function that no C front end made is passed as its registers: the pointer,
then an i64 for each dynamic size and stride.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.llvm_types import is_integer, llvm_type
from polyopt.dialects.shaped_types import is_memref
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

_FLAGS = frozenset(
    "noalias nocapture nonnull noundef readnone readonly writeonly signext zeroext".split()
)
_NUMBERS = {
    "align": "align {}",
    "byval": "byval([{} x i8])",
    "dereferenceable": "dereferenceable({})",
    "sret": "sret([{} x i8])",
}


@record
class Abi:
    """`attributes` stand beside each register type, with a space before them where not empty."""

    result: str
    types: tuple[str, ...]
    attributes: tuple[str, ...]
    is_variadic: bool

    @property
    def function_type(self) -> str:
        """The type that a call of a variadic function has to state."""
        return f"{self.result} ({', '.join([*self.types, '...'])})"

    def arguments(self, registers: Sequence[str]) -> list[str]:
        """The registers with type and attributes, as a call lists them."""
        return [
            f"{type}{attributes} {register}"
            for type, attributes, register in zip(
                self.types, self.attributes, registers, strict=True
            )
        ]


def abi_of(func: FuncOp) -> Abi:
    """CompileError for a function that is passed, or returns, what fits no registers."""
    try:
        return _abi_of(func)
    except CompileError as error:
        if error.diagnostic.span is not None:
            raise
        raise unsupported(func, error.diagnostic.message, error.diagnostic.hint) from None


def _abi_of(func: FuncOp) -> Abi:
    types: list[str] = []
    attributes: list[str] = []
    for position, type in enumerate(func.function_type.inputs):
        registers = value_registers(type)
        types += registers
        attributes += [argument_attributes(func, func.arg_attrs, position)]
        attributes += [""] * (len(registers) - 1)
    extension = _extension(func.attributes.get("cmem.result"), _only(func.function_type.outputs))
    return Abi(
        extension + result_type(func.function_type.outputs.data),
        tuple(types),
        tuple(attributes),
        "cmem.variadic" in func.attributes,
    )


def value_registers(type: Attribute) -> list[str]:
    """The register types that a value of this type is passed in."""
    return memrefs.register_types(type) if is_memref(type) else [llvm_type(type)]


def result_type(types: Sequence[Attribute]) -> str:
    """void, one type, or a struct of several."""
    if not types:
        return "void"
    if any(is_memref(type) for type in types):
        hint = "let the caller pass it one to fill"
        raise CompileError("the LLVM back end cannot return a memref", hint=hint)
    found = [llvm_type(type) for type in types]
    return found[0] if len(found) == 1 else f"{{ {', '.join(found)} }}"


def _only(types: ArrayAttr[Attribute]) -> Attribute | None:
    return types.data[0] if len(types) == 1 else None


def _extension(element: Attribute | None, type: Attribute | None) -> str:
    if type is None or not is_integer(type) or type.width.data >= 32:
        return ""
    if type.width.data == 1:
        return "zeroext "
    if not isinstance(element, StringAttr):
        return ""
    return "signext " if element.data.startswith("i") else "zeroext "


def argument_attributes(op: Operation, attributes: Attribute | None, position: int) -> str:
    """The `llvm.*` attributes of one argument, each after a space; others say nothing to LLVM."""
    if attributes is None or not isa(attributes, ArrayAttr[DictionaryAttr]):
        return ""
    if position >= len(attributes):
        return ""
    return "".join(
        f" {_attribute(op, name.removeprefix('llvm.'), value)}"
        for name, value in attributes.data[position].data.items()
        if name.startswith("llvm.")
    )


def _attribute(op: Operation, name: str, value: Attribute) -> str:
    if name in _FLAGS and isinstance(value, UnitAttr):
        return name
    if name in _NUMBERS and isa(value, IntegerAttr):
        return _NUMBERS[name].format(value.value.data)
    raise unsupported(op, f"unknown argument attribute 'llvm.{name}'")
