"""The names of a module: functions that are called, strings, what the C library adds."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Region

from polyopt.dialects import cmem
from polyopt.frontend.emission.ir_builder import location
from polyopt.frontend.emission.signature import layout_attribute
from polyopt.frontend.language.abi import signature_of
from polyopt.frontend.language.c_types import (
    CType,
    FunctionType,
    PointerType,
    RecordType,
    align_of,
    is_complete,
    is_plain_char,
    spell,
)
from polyopt.frontend.language.element_names import element_name
from polyopt.frontend.language.ir_types import function_type
from polyopt.frontend.language.library_functions import only_computes
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.tree.typed_statements import Function
from polyopt.frontend.tree.typed_tree import StringConst, Symbol
from polyopt.support.diagnostics import Span

_RETURNS_TWICE = frozenset(
    "setjmp _setjmp __setjmp sigsetjmp __sigsetjmp savectx vfork getcontext".split()
)


class ModuleSymbols:
    """Only functions that are called or whose address is taken are declared. `puns`: some memory
    is accessed as of several types, as the members of a union are. `has_tight_records`: a struct
    may lie where its type alone would not let it."""

    def __init__(
        self, functions: Sequence[Function], options: CFrontendOptions = CFrontendOptions()
    ):
        self.options = options
        self.defined = {function.symbol.ir_name for function in functions}
        self.declarations: dict[str, func.FuncOp] = {}
        self.strings: dict[tuple[bytes, int], cmem.GlobalOp] = {}
        self.puns = False
        self.has_tight_records = False

    def string(self, text: StringConst) -> str:
        """The name of an unnamed array with this content."""
        return self.constant(text.data, align_of(text.type), text.span)

    def constant(self, data: bytes, alignment: int, span: Span) -> str:
        """The name of an unnamed constant object of these bytes."""
        known = self.strings.get((data, alignment))
        if known is None:
            name = f".str.{len(self.strings)}"
            known = cmem.GlobalOp(
                name, len(data), alignment, linkage="internal", constant=True, initial=data
            )
            known.location = location(span)
            self.strings[data, alignment] = known
        return known.sym_name.data

    def of(self, base: Symbol | StringConst) -> str:
        """The name of an object or a function."""
        if isinstance(base, StringConst):
            return self.string(base)
        return self.function(base) if base.kind == "function" else base.ir_name

    def function(self, symbol: Symbol) -> str:
        """The name of a function; it is declared if it is not defined here."""
        name = symbol.ir_name
        if name not in self.defined and name not in self.declarations:
            op = make_function(symbol, Region())
            op.sym_visibility = StringAttr("private")
            marks = dict(symbol.marks)
            if name in _RETURNS_TWICE:
                marks["returns_twice"] = ""
            if self.options.is_builtin(symbol.name) and only_computes(symbol.name):
                marks["const"] = ""
            cmem.set_linker_marks(op, marks)
            self.declarations[name] = op
        return name

    def library_function(
        self,
        name: str,
        inputs: Sequence[Attribute],
        outputs: Sequence[Attribute],
        span: Span,
        *,
        only_computes: bool = False,
    ) -> str:
        """A function of a library that the program itself may not have declared."""
        if name not in self.defined and name not in self.declarations:
            type = function_type(tuple(inputs), tuple(outputs))
            op = self.declarations[name] = func.FuncOp(name, type, Region(), "private")
            op.location = location(span)
            cmem.set_linker_marks(op, {"const": ""} if only_computes else {})
        return name


def make_function(symbol: Symbol, body: Region, passed: FunctionType | None = None) -> func.FuncOp:
    """A function with its type and what its C type says; `passed`: how it takes its arguments."""
    type = passed or symbol.type
    assert isinstance(type, FunctionType)
    signature = signature_of(type)
    op = func.FuncOp(
        symbol.ir_name,
        function_type(signature.inputs, signature.outputs),
        body,
        arg_attrs=signature.argument_attributes,
    )
    if type.variadic:
        op.attributes["cmem.variadic"] = UnitAttr()
    op.attributes["cmem.result"] = StringAttr(element_name(type.result))
    if element_name(type.result) == "struct":
        op.attributes["cmem.result_type"] = StringAttr(spell(type.result))
    if isinstance(type.result, RecordType) and is_complete(type.result):
        op.attributes["cmem.result_layout"] = layout_attribute(type.result.record)
    if _is_text(type.result):
        op.attributes["cmem.result_is_text"] = UnitAttr()
    op.location = location(symbol.span)
    return op


def _is_text(type: CType) -> bool:
    """Whether it is `const char *`."""
    return isinstance(type, PointerType) and type.target.const and is_plain_char(type.target)
