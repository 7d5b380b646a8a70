"""Which kind of argument a parameter has."""

from __future__ import annotations

from polyopt.backend.called.arguments import (
    Argument,
    ComplexArgument,
    IntegerArgument,
    RealArgument,
    TruthArgument,
)
from polyopt.backend.called.callbacks import FunctionArgument
from polyopt.backend.called.memory_arguments import MemoryArgument
from polyopt.backend.called.signature import Parameter
from polyopt.backend.called.struct_arguments import StructArgument


def argument_of(function: str, parameter: Parameter) -> Argument:
    """How the parameter of this function takes its value."""
    if parameter.element == "function":
        return FunctionArgument(function, parameter)
    if parameter.kind != "scalar":
        return MemoryArgument(function, parameter)
    if parameter.element == "struct":
        return StructArgument(function, parameter)
    if parameter.element == "bool":
        return TruthArgument(function, parameter)
    kinds = {"f": RealArgument, "c": ComplexArgument}
    return kinds.get(parameter.element[0], IntegerArgument)(function, parameter)
