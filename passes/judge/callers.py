"""Whether LLVM makes a function part of callers that know more than it does.

void f(double *y, double *x) { … }         in f, y and x may be one array;
double a[9], b[9];  f(a, b);               in here they are two
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.cmem import PTR
from polyopt.dialects.inside import operations_in
from polyopt.ir.objects.pointed_objects import pointed_objects
from polyopt.passes.judge.operation_costs import is_free
from polyopt.support.core_model import CORE

Calls = Mapping[str, Sequence[func.CallOp]]
"""The direct calls of each function, by its name."""


def calls_in(module: ModuleOp) -> Calls:
    """All of the module, found in one walk."""
    calls: dict[str, list[func.CallOp]] = {}
    for call in operations_in(module, func.CallOp):
        calls.setdefault(call.callee.string_value(), []).append(call)
    return calls


def is_part_of_callers(function: func.FuncOp, in_module: Calls) -> bool:
    """Whether it is small, or nobody else's and called once, and some call of the module passes it
    pointers to as many objects as there are pointers. `in_module`: `calls_in` its module."""
    calls = in_module.get(function.sym_name.data, ())
    if not calls:
        return False
    is_private = function.sym_visibility is not None and function.sym_visibility.data == "private"
    if not (is_private and len(calls) == 1):
        size = sum(not is_free(op) for op in function.walk())
        if size > CORE.nests.inlined:
            return False
    return any(_passes_different_objects(call) for call in calls)


def _passes_different_objects(call: func.CallOp) -> bool:
    seen = set[object]()
    for argument in call.arguments:
        if argument.type != PTR:
            continue
        objects = pointed_objects(argument).objects
        if not objects or not seen.isdisjoint(objects):
            return False
        seen.update(objects)
    return True
