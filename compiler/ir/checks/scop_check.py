"""Whether the static control parts of a module are what they have to be, asked between passes.

A pass leaves most of them alone. What was found to be in order, and consists of the same objects
still, is in order. Where only a SCoP's attributes are others (a new schedule), its own invariants
are asked again; where its operations are, also everything that a verifier asks of each of them,
and of the function around whether values are used only where they are defined.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import ScopOp
from polyopt.ir.checks.dominance_check import check_dominance
from polyopt.ir.same_objects import are_same, attributes_of, objects_in


class ScopCheck:
    """Remembers between two calls what was in order."""

    def __init__(self) -> None:
        self._operations: dict[ScopOp, list[object]] = {}
        self._attributes: dict[ScopOp, list[object]] = {}

    def check(self, module: ModuleOp) -> None:
        """Raise VerifyException where a SCoP breaks an invariant, or a value is used where it is
        not defined in a function with changed SCoPs."""
        for function in module.ops:
            if isinstance(function, func.FuncOp):
                self._check_function(function)

    def _check_function(self, function: func.FuncOp) -> None:
        changed = [self._check_scop(op) for op in operations_in(function, ScopOp)]
        if any(changed):
            check_dominance(function)

    def _check_scop(self, scop: ScopOp) -> bool:
        """Whether its operations are not those that were in order before."""
        operations, attributes = objects_in(scop), attributes_of(scop)
        is_other = not are_same(self._operations.get(scop), operations)
        if is_other:
            scop.verify()
        elif not are_same(self._attributes.get(scop), attributes):
            scop.verify_()
        self._operations[scop], self._attributes[scop] = operations, attributes
        return is_other
