"""A checked program as a module: functions with their C signatures, globals, strings."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.ir_builder import IRBuilder, location, named
from polyopt.frontend.emission.module_symbols import ModuleSymbols, make_function
from polyopt.frontend.emission.signature import parameter_attribute
from polyopt.frontend.emission.statements.emit_statements import StatementEmitter
from polyopt.frontend.emission.stored_elements import Pair
from polyopt.frontend.emission.values.emit_arithmetic import convert
from polyopt.frontend.emission.values.emit_builtins import BuiltinEmitter
from polyopt.frontend.emission.values.emit_calls import CallEmitter
from polyopt.frontend.emission.values.emit_complex import ComplexEmitter
from polyopt.frontend.emission.values.emit_expressions import ExpressionEmitter
from polyopt.frontend.emission.values.emit_initialisers import InitialiserEmitter, encode
from polyopt.frontend.emission.values.emit_places import PlaceEmitter
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.abi import Passing, signature_of
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    PointerType,
)
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.tree.expression_effects import has_effect
from polyopt.frontend.tree.typed_statements import Function, Program
from polyopt.frontend.tree.typed_tree import ComputedLength, Symbol
from polyopt.support.target import LINE_BYTES


def emit_program(program: Program, warnings: Warnings, options: CFrontendOptions) -> ModuleOp:
    """The module of the program. With `strict_aliasing` objects are accessed as of their types only
    (C17 6.5, paragraph 7); where the program reads members of unions nothing is said of that."""
    symbols = ModuleSymbols(program.functions, options)
    symbols.puns = program.puns
    symbols.has_tight_records = program.has_tight_records
    functions: list[FuncOp] = []
    for function in program.functions:
        emission = _start(symbols, function)
        functions.append(_finish(emission, has_pragmas=program.has_pragmas))
        if emission.may_miss_return:
            symbol = function.symbol
            message = f"'{symbol.name}' may end without returning a value"
            warnings.add("return-type", message, symbol.span)
    used = [symbol for symbol in program.externals if symbol.kind == "global"]
    aliases = [symbol for symbol in program.aliases if symbol.kind == "global"]
    used += [symbol for symbol in aliases if symbol not in used]
    for alias in program.aliases:
        if alias.kind == "function":
            symbols.function(alias)
    globals = [_global(symbols, symbol) for symbol in [*program.globals, *used]]
    module = ModuleOp(
        [*globals, *symbols.strings.values(), *symbols.declarations.values(), *functions]
    )
    if options.strict_aliasing and not symbols.puns:
        module.attributes[cmem.STRICT_ALIASING] = UnitAttr()
    if program.assembly:
        module.attributes[cmem.ASSEMBLY] = ArrayAttr(map(StringAttr, program.assembly))
    return module


def _start(symbols: ModuleSymbols, function: Function) -> Emission:
    """The emitter of a function, at its first statement."""
    inputs = signature_of(function.passed).inputs
    builder = IRBuilder(inputs, wrapping=symbols.options.wrapping)
    builder.at(function.symbol.span)
    emission = Emission(symbols, function, builder)
    emission.places = PlaceEmitter(emission)
    emission.expressions = ExpressionEmitter(emission)
    emission.calls = CallEmitter(emission)
    emission.complexes = ComplexEmitter(emission)
    emission.builtins = BuiltinEmitter(emission)
    emission.statements = StatementEmitter(emission)
    emission.initialisers = InitialiserEmitter(emission)
    _take_arguments(emission)
    return emission


def _take_arguments(emission: Emission) -> None:
    """Parameters that are stored to are variables, the others plain values; then the sizes in
    their types are evaluated, from left to right."""
    function, builder = emission.function, emission.builder
    signature = signature_of(function.passed)
    arguments = list(builder.entry.args)
    if signature.result.in_memory:
        emission.result_pointer = arguments.pop(0)
    for symbol, passing in zip(function.parameters, signature.parameters, strict=True):
        parts = arguments[: len(passing.parts)]
        del arguments[: len(passing.parts)]
        for part in parts:
            part.location = location(symbol.span)
            named(part, symbol.name)
        builder.at(symbol.span)
        _take_argument(emission, symbol, passing, list(parts))
    for symbol in function.parameters:
        declared = symbol.declared
        if isinstance(declared, ArrayType) and isinstance(declared.length, ComputedLength):
            # The adjusted type has lost this size, but not what it does (C 6.9.1, paragraph 10).
            if has_effect(declared.length.value):
                emission.expressions.effect(declared.length.value)
        emission.places.fix_lengths(symbol.type)
    builder.end_entry_prologue()


def _take_argument(
    emission: Emission, symbol: Symbol, passing: Passing, parts: list[SSAValue]
) -> None:
    if passing.is_record:
        pointer = parts[0] if passing.in_memory else emission.calls.gather(passing, parts)
        emission.places.pointers[symbol] = pointer
        return
    if passing.is_complex:
        _take_complex(emission, symbol, emission.complexes.gather(passing, parts))
        return
    value = convert(emission.builder, parts[0], passing.type, symbol.type)
    if symbol.is_modified:
        storage = emission.places.allocate(symbol)
        emission.builder.add(memref.StoreOp.get(value, storage, []))
    else:
        emission.values[symbol] = value


def _take_complex(emission: Emission, symbol: Symbol, value: Pair) -> None:
    if not symbol.is_modified and emission.symbols.options.openmp is None:
        emission.pairs[symbol] = value
        return
    assert isinstance(symbol.type, ComplexType)
    pointer = emission.places.storage_address(emission.places.allocate(symbol))
    emission.complexes.store_to(pointer, value, symbol.type.part)


def _finish(emission: Emission, *, has_pragmas: bool) -> FuncOp:
    """The function with its body."""
    function = emission.function
    if has_pragmas:
        from polyopt.frontend.emission.statements.emit_openmp_all import openmp_emitters

        statements = emission.statements
        assert isinstance(statements, StatementEmitter)
        statements.emitters |= openmp_emitters(statements)
    emission.statements.body(function.body)
    op = make_function(function.symbol, emission.builder.region, function.passed)
    if function.symbol.linkage == "internal":
        op.sym_visibility = StringAttr("private")
    op.attributes["cmem.parameters"] = ArrayAttr(
        [parameter_attribute(symbol) for symbol in function.parameters]
    )
    cmem.set_linker_marks(op, function.symbol.marks)
    _mark_pointers(op, emission)
    return op


def _mark_pointers(op: FuncOp, emission: Emission) -> None:
    """What is promised of pointers that are passed: with `restrict`, what one points to is reached
    through it alone; how it is aligned."""
    function, arguments = emission.function, list(emission.builder.entry.args)
    signature = signature_of(function.passed)
    symbols: list[Symbol | None] = [None] if signature.result.in_memory else []
    for symbol, passing in zip(function.parameters, signature.parameters, strict=True):
        symbols += [symbol] * len(passing.parts)
    promises = [
        _promises(symbol, emission.alignments.get(argument, 1), emission.symbols.options.aligned)
        for symbol, argument in zip(symbols, arguments, strict=True)
    ]
    if not any(promises):
        return
    old = op.arg_attrs.data if op.arg_attrs is not None else [DictionaryAttr({})] * len(promises)
    op.arg_attrs = ArrayAttr(
        [
            DictionaryAttr({**attributes.data, **more})
            for attributes, more in zip(old, promises, strict=True)
        ]
    )


def _promises(symbol: Symbol | None, alignment: int, are_aligned: bool) -> dict[str, Attribute]:
    """`are_aligned`: pointers to numbers are to the beginning of a cache line."""
    if symbol is None or not isinstance(symbol.type, PointerType):
        return {}
    found: dict[str, Attribute] = {}
    if symbol.type.restrict:
        found["llvm.noalias"] = UnitAttr()
    if are_aligned and _leads_to_numbers(symbol.type):
        alignment = max(alignment, LINE_BYTES)
    if alignment > 1:
        found["llvm.align"] = IntegerAttr(alignment, i64)
    return found


def _leads_to_numbers(type: CType) -> bool:
    while isinstance(type, PointerType | ArrayType):
        type = type.target if isinstance(type, PointerType) else type.element
        if isinstance(type, PointerType):
            return False
    return ct.is_arithmetic(type) and ct.size_of(type) > 1


def _global(symbols: ModuleSymbols, symbol: Symbol) -> cmem.GlobalOp:
    size = ct.size_of(symbol.type) if ct.is_complete(symbol.type) else 0
    initial, relocations = None, []
    if symbol.initial is not None:
        # A flexible array that is initialised makes its object larger than its type.
        size = max(size, symbol.initial.end)
        initial, relocations = encode(symbols, size, symbol.initial)
    op = cmem.GlobalOp(
        symbol.ir_name,
        size,
        symbol.alignment or ct.align_of(symbol.type),
        linkage=symbol.linkage,
        constant=_is_constant(symbol.type) and symbol.is_defined,
        declaration=not symbol.is_defined or "alias" in symbol.marks,
        initial=initial,
        relocations=relocations,
    )
    if symbol.is_threadprivate:
        op.attributes[cmem.THREAD_LOCAL] = UnitAttr()
    if symbol.is_defined and symbol.linkage != "internal":
        op.attributes[cmem.DECLARED] = parameter_attribute(symbol)
    op.location = location(symbol.span)
    marks = {**symbol.marks, **({"thread_local": ""} if symbol.is_thread_local else {})}
    cmem.set_linker_marks(op, marks)
    return op


def _is_constant(type: ct.CType) -> bool:
    while isinstance(type, ct.ArrayType):
        type = type.element
    return type.const and not type.volatile
