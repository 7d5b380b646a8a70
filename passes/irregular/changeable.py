"""The functions of a module whose nests may get another order."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.cmem import AS_WRITTEN, linker_marks
from polyopt.dialects.loop_pragmas import loop_pragmas_of
from polyopt.dialects.serial_places import serial_places_of
from polyopt.ir.functions import functions_near_loops


def changeable_functions(module: ModuleOp) -> Iterator[func.FuncOp]:
    """Those with a body that nobody wants as they are written; none where the source says what is
    to be done with its loops."""
    if loop_pragmas_of(module) or serial_places_of(module):
        return
    for function in functions_near_loops(module):
        if AS_WRITTEN not in function.attributes and "optnone" not in linker_marks(function):
            yield function
