"""A checked program as a module: functions with their C signatures, globals, strings."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, Region

from polyopt.dialects import cmem
from polyopt.frontend import c_types as ct
from polyopt.frontend.c_types import FunctionType, PointerType
from polyopt.frontend.emit_expressions import FunctionEmitter
from polyopt.frontend.emit_initialisers import encode
from polyopt.frontend.emit_statements import StatementEmitter
from polyopt.frontend.ir_builder import IRBuilder, named
from polyopt.frontend.ir_types import element_name, function_type, scalar_type
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.signature import parameter_attribute
from polyopt.frontend.typed_tree import Function, Program, StringConst, Symbol
from polyopt.support.diagnostics import Diagnostic, Span


class ModuleEmitter:
    """Makes the module of a program. Only functions that are called or whose address is taken
    are declared."""

    def __init__(self, options: CFrontendOptions, warnings: list[Diagnostic]):
        self.warnings = warnings
        self.warns_missing_return = "return-type" not in options.silenced
        self.declared: dict[str, Operation] = {}
        self.strings: dict[bytes, str] = {}

    def emit(self, program: Program) -> ModuleOp:
        for symbol in program.functions:
            self.declared[symbol.symbol.ir_name] = func.FuncOp(symbol.symbol.ir_name, ((), ()))
        functions = [self._function(function) for function in program.functions]
        globals = [self._global(symbol) for symbol in program.globals]
        globals += [self._global(symbol) for symbol in program.externals if symbol.kind == "global"]
        strings = [
            cmem.GlobalOp(name, len(data), 1, linkage="internal", constant=True, initial=data)
            for data, name in self.strings.items()
        ]
        defined = {function.symbol.ir_name for function in program.functions}
        declarations = [op for name, op in self.declared.items() if name not in defined]
        return ModuleOp([*globals, *strings, *declarations, *functions])

    # Symbols

    def string(self, data: bytes) -> str:
        """The name of an unnamed array with this content."""
        return self.strings.setdefault(data, f".str.{len(self.strings)}")

    def address_symbol(self, base: Symbol | StringConst) -> str:
        if isinstance(base, StringConst):
            return self.string(base.data)
        return self.function_symbol(base) if base.kind == "function" else base.ir_name

    def function_symbol(self, symbol: Symbol) -> str:
        """The name of a function; it is declared if it is not defined here."""
        if symbol.ir_name not in self.declared:
            self.declared[symbol.ir_name] = self._declaration(symbol)
        return symbol.ir_name

    def library_function(
        self, name: str, inputs: Sequence[Attribute], outputs: Sequence[Attribute]
    ) -> str:
        """A function of the C library that the program itself may not have declared."""
        if name not in self.declared:
            type = function_type(tuple(inputs), tuple(outputs))
            self.declared[name] = func.FuncOp(name, type, Region(), "private")
        return name

    def warn_missing_return(self, function: Function) -> None:
        if self.warns_missing_return:
            message = f"'{function.symbol.name}' may end without returning a value"
            self.warnings.append(
                Diagnostic("warning", message, function.symbol.span, None, "return-type")
            )

    # Functions

    def _declaration(self, symbol: Symbol) -> func.FuncOp:
        op = func.FuncOp(symbol.ir_name, _signature(symbol.type), Region(), "private")
        _describe(op, symbol)
        op.location = _location(symbol.span)
        return op

    def _function(self, function: Function) -> func.FuncOp:
        symbol = function.symbol
        type = _signature(symbol.type)
        builder = IRBuilder(type.inputs.data)
        builder.at(symbol.span)
        emitter = FunctionEmitter(self, function, builder)
        self._enter(function, emitter)
        StatementEmitter(emitter).body(function.body)
        attributes = ArrayAttr(
            [
                DictionaryAttr({"llvm.noalias": UnitAttr()} if _is_restrict(p) else {})
                for p in function.parameters
            ]
        )
        op = func.FuncOp(
            symbol.ir_name,
            type,
            builder.region,
            "private" if symbol.linkage == "internal" else None,
            arg_attrs=attributes if any(d.data for d in attributes) else None,
        )
        _describe(op, symbol)
        op.attributes["cmem.parameters"] = ArrayAttr(
            [parameter_attribute(p) for p in function.parameters]
        )
        op.location = _location(symbol.span)
        return op

    def _enter(self, function: Function, emitter: FunctionEmitter) -> None:
        """Parameters that are stored to are variables, the others plain values; then the
        sizes in their types are fixed."""
        builder = emitter.builder
        for symbol, argument in zip(function.parameters, builder.entry.args, strict=True):
            named(argument, symbol.name)
            argument.location = _location(symbol.span)
            if not symbol.is_modified:
                emitter.values[symbol] = argument
                continue
            builder.at(symbol.span)
            storage = emitter.places.allocate(symbol)
            builder.add(memref.StoreOp.get(argument, storage, []))
        for symbol in function.parameters:
            emitter.places.fix_lengths(symbol.type)
        builder.end_entry_prologue()

    # Globals

    def _global(self, symbol: Symbol) -> cmem.GlobalOp:
        size = ct.size_of(symbol.type) if ct.is_complete(symbol.type) else 0
        initial, relocations = None, []
        if symbol.initial is not None:
            initial, relocations = encode(self, symbol.type, symbol.initial)
        op = cmem.GlobalOp(
            symbol.ir_name,
            size,
            symbol.alignment or ct.align_of(symbol.type),
            linkage=symbol.linkage,
            constant=_is_constant(symbol.type) and symbol.is_defined,
            declaration=not symbol.is_defined,
            initial=initial,
            relocations=relocations,
        )
        op.location = _location(symbol.span)
        return op


def _signature(type: ct.CType):
    assert isinstance(type, FunctionType)
    inputs = tuple(scalar_type(p) for p in type.parameters)
    is_void = isinstance(type.result, ct.VoidType)
    return function_type(inputs, () if is_void else (scalar_type(type.result),))


def _describe(op: func.FuncOp, symbol: Symbol) -> None:
    assert isinstance(symbol.type, FunctionType)
    if symbol.type.variadic:
        op.attributes["cmem.variadic"] = UnitAttr()
    op.attributes["cmem.result"] = StringAttr(element_name(symbol.type.result))


def _is_restrict(symbol: Symbol) -> bool:
    return isinstance(symbol.type, PointerType) and symbol.type.restrict


def _is_constant(type: ct.CType) -> bool:
    while isinstance(type, ct.ArrayType):
        type = type.element
    return type.const and not type.volatile


def _location(span: Span) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(span.file), IntAttr(span.line), IntAttr(span.column))
