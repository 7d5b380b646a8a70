"""Calls and returns: direct, variadic, indirect; structs by value as the ABI passes them.

A call of a function of libm is a `math` operation where there is one, and one of `abs` the greater
of two. Such an operation does not
set errno, as compilers assume with -fno-math-errno.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import i8
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.stored_elements import Pair
from polyopt.frontend.emission.values.emit_arithmetic import negate
from polyopt.frontend.emission.values.emit_copies import copy_object
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.abi import (
    Passing,
    Signature,
    pass_arguments,
    signature_of,
    size_of_parts,
)
from polyopt.frontend.language.c_types import (
    ComplexType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
)
from polyopt.frontend.language.ir_types import memref_type
from polyopt.frontend.tree.typed_tree import Call, Symbol, Variable


class CallEmitter:
    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder

    def call(self, expr: Call) -> SSAValue | Pair | None:
        """The result of the call; None where it has none."""
        callee = expr.callee
        is_named = isinstance(callee, Variable) and callee.symbol.kind == "function"
        type = callee.type.target if isinstance(callee.type, PointerType) else callee.type
        assert isinstance(type, FunctionType)
        if not type.prototyped:
            type = replace(type, parameters=())
        values = [self.emission.expressions.operand(argument) for argument in expr.arguments]
        if is_named:
            assert isinstance(callee, Variable)
            is_known = self.emission.symbols.options.is_builtin(callee.symbol.name)
            operation = _library_operation(callee.symbol, type) if is_known else None
            if operation is not None:
                self.builder.at(expr.span)
                return self.builder.add(operation(*values)).results[0]
            if is_known and len(values) == 1 and isinstance(values[0], Pair):
                part = self._part_of(callee.symbol, type, values[0])
                if part is not None:
                    return part
            if is_known and _is_absolute_value(callee.symbol, type):
                self.builder.at(expr.span)
                (value,) = values
                assert isinstance(value, SSAValue)
                negative = negate(self.builder, value, type.result)
                return self.builder.add(arith.MaxSIOp(value, negative)).result
        signature = signature_of(type)
        pointer = None if is_named else self.emission.expressions.value(callee)
        self.builder.at(expr.span)
        target, arguments, passings = self._pass(expr, signature, values)
        signature = replace(signature, parameters=passings)
        if is_named:
            assert isinstance(callee, Variable)
            op = self._direct(callee.symbol, type, signature, arguments)
        else:
            assert pointer is not None
            fixed = _fixed(type, signature) if type.variadic or not type.prototyped else None
            op = cmem.CallIndirectOp(pointer, arguments, signature.outputs, fixed)
            _set_attributes(op, signature.argument_attributes)
        results = self.builder.add(op).results
        if isinstance(callee, Variable) and callee.symbol.is_noreturn:
            self.builder.stop()
        if signature.result.is_complex:
            return self.emission.complexes.gather(signature.result, results)
        if signature.result.is_record:
            return target if target is not None else self.gather(signature.result, results)
        return results[0] if results else None

    def _direct(
        self,
        symbol: Symbol,
        type: FunctionType,
        signature: Signature,
        arguments: list[SSAValue],
    ) -> Operation:
        """The call of a function by its name; the signature is that of this call."""
        name = self.emission.symbols.function(symbol)
        fixed = _fixed(type, signature)
        known = symbol.type
        assert isinstance(known, FunctionType)
        if type.variadic and known.variadic:
            op = cmem.CallVariadicOp(name, fixed, arguments, signature.outputs)
            variable = replace(signature, parameters=signature.parameters[len(type.parameters) :])
            _set_attributes(op, variable.parameter_attributes)
            return op
        declared = signature_of(known)
        same = (signature.inputs, signature.outputs) == (declared.inputs, declared.outputs)
        if same and not known.variadic:
            return func.CallOp(name, arguments, signature.outputs)
        # `int f();` says nothing of the parameters: the call goes by its arguments.
        op = cmem.CallIndirectOp(self.builder.address_of(name), arguments, signature.outputs, fixed)
        _set_attributes(op, signature.argument_attributes)
        return op

    def _pass(
        self, expr: Call, signature: Signature, values: list[SSAValue | Pair]
    ) -> tuple[SSAValue | None, list[SSAValue], tuple[Passing, ...]]:
        """Where a large result goes, the arguments in parts, and how each is passed."""
        target = None
        arguments: list[SSAValue] = []
        if signature.result.in_memory:
            target = self.memory(signature.result.type)
            arguments.append(target)
        passings = signature.parameters
        if len(values) > len(passings):
            types = tuple(argument.type for argument in expr.arguments)
            passings = pass_arguments(types, signature.result)
        for passing, value in zip(passings, values, strict=True):
            arguments += self._parts(passing, value)
        return target, arguments, passings

    def _part_of(self, symbol: Symbol, type: FunctionType, value: Pair) -> SSAValue | Pair | None:
        """What the functions of <complex.h> give that only take a number apart."""
        if symbol.is_defined or symbol.linkage != "external":
            return None
        source = type.parameters[0]
        assert isinstance(source, ComplexType)
        suffix = {ct.FLOAT.size: "f", ct.DOUBLE.size: "", ct.LDOUBLE.size: "l"}[source.part.size]
        if symbol.name == "creal" + suffix and type.result == source.part:
            return value.real
        if symbol.name == "cimag" + suffix and type.result == source.part:
            return value.imaginary
        if symbol.name == "conj" + suffix and type.result == source:
            return Pair(value.real, negate(self.builder, value.imaginary, source.part))
        return None

    # Records in parts

    def _parts(self, passing: Passing, value: SSAValue | Pair) -> list[SSAValue]:
        """What is passed for a value."""
        if isinstance(value, Pair):
            return self.emission.complexes.scatter(passing, value)
        return self.scatter(passing, value) if passing.is_record else [value]

    def scatter(self, passing: Passing, source: SSAValue) -> list[SSAValue]:
        """The parts of the record that lies at `source`."""
        if passing.in_memory:
            return [source]
        if not passing.parts:
            return []
        # A whole number of eightbytes can be read, whatever the size of the record.
        whole = self._memory(size_of_parts(passing.parts), passing.type)
        copy_object(self.emission, source, whole, passing.type)
        return [
            self.builder.add(memref.LoadOp.get(self._part(whole, position, part), [])).res
            for position, part in enumerate(passing.parts)
        ]

    def gather(self, passing: Passing, parts: Sequence[SSAValue]) -> SSAValue:
        """The record that arrived in parts, in memory."""
        whole = self._memory(max(1, size_of_parts(passing.parts)), passing.type)
        for position, part in enumerate(parts):
            element = self._part(whole, position, part.type)
            self.builder.add(memref.StoreOp.get(part, element, []))
        return whole

    def _part(self, start: SSAValue, position: int, type: Attribute) -> SSAValue:
        self.emission.symbols.puns = True
        pointer = self.emission.places.displace(start, 8 * position)
        return self.builder.view(pointer, memref_type((), type), [])

    def memory(self, type: ct.CType) -> SSAValue:
        """Memory of this function for an object on its way."""
        return self._memory(ct.size_of(type), type)

    def _memory(self, size: int, type: ct.CType) -> SSAValue:
        """Memory of this function for a record on its way."""
        storage = self.builder.alloca(memref_type((size,), i8), max(8, ct.align_of(type)), "")
        return self.emission.places.storage_address(storage)

    # Returns

    def leave(self, value: SSAValue | Pair | None) -> None:
        """Return from this function."""
        type = self.emission.function.symbol.type
        assert isinstance(type, FunctionType)
        values: list[SSAValue] = []
        if isinstance(value, Pair):
            values = self.emission.complexes.scatter(signature_of(type).result, value)
        elif value is not None and isinstance(type.result, RecordType):
            target = self.emission.result_pointer
            if target is not None:
                copy_object(self.emission, value, target, type.result)
            else:
                values = self.scatter(signature_of(type).result, value)
        elif value is not None:
            values = [value]
        self.builder.add(func.ReturnOp(*values))
        self.builder.block = None

    def leave_with_nothing(self) -> None:
        """Return where the program does not say what: zero."""
        type = self.emission.function.symbol.type
        assert isinstance(type, FunctionType)
        if isinstance(type.result, RecordType):
            self.leave(self.memory(type.result))
        elif isinstance(type.result, ComplexType):
            zero = self.emission.initialisers.zero(type.result.part)
            self.leave(Pair(zero, zero))
        else:
            self.leave(self.emission.initialisers.zero(type.result))


def _fixed(type: FunctionType, signature: Signature) -> int:
    """How many values of a call stand for its declared parameters and its result."""
    declared = replace(signature, parameters=signature.parameters[: len(type.parameters)])
    return len(declared.inputs)


def _set_attributes(op: Operation, attributes: Attribute | None) -> None:
    if attributes is not None:
        op.attributes["arg_attrs"] = attributes


def _library_operation(symbol: Symbol, type: FunctionType) -> Callable[..., Operation] | None:
    """The operation that a function of libm is; a function of the program's own is none."""
    if symbol.is_defined or symbol.linkage != "external" or not isinstance(type.result, FloatType):
        return None
    if any(parameter != type.result for parameter in type.parameters):
        return None
    from polyopt.frontend.emission.values.libm import operation_of

    return operation_of(symbol.name, is_single=type.result.size == ct.FLOAT.size)


def _is_absolute_value(symbol: Symbol, type: FunctionType) -> bool:
    """Of integers: of the least one C does not say what it is."""
    result = type.result
    return (
        symbol.name in ("abs", "labs", "llabs")
        and not symbol.is_defined
        and symbol.linkage == "external"
        and isinstance(result, IntType)
        and result.signed
        and type.parameters == (result,)
    )
