"""Calls of functions that only compute are operations like others.

    __attribute__((const)) double f(double);      for (i …) B[i] = f(A[i]);

A function only computes if it is declared so, if it is one of libm's that does (with no regard to
errno, as elsewhere), or if its body shows it: it touches no memory but its own variables and
constant tables, calls only such functions, not itself, and its loops may be assumed to end.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import cf, func, memref, ub
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.cmem import PROGRESS, linker_marks
from polyopt.dialects.poly import PURE_CALL
from polyopt.ir.bases import object_of
from polyopt.ir.cfg import reverse_postorder
from polyopt.ir.effects import is_pure, passes_values
from polyopt.support.record import record

_DEFINED_ELSEWHERE = frozenset(("weak", "alias"))


@record
class MarkPureCallsPass(ModulePass):
    """Mark the calls of functions that only compute, in functions and in what these call.

    Requires: nothing. Ensures: a marked call passes no pointer, gives a value, and that depends on
    the arguments alone.

        %y = func.call @f(%x) : (f64) -> f64   ->   %y = func.call @f(%x) {poly.pure} : (f64) -> f64
    """

    name = "mark-pure-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {one.sym_name.data: one for one in op.ops if isinstance(one, func.FuncOp)}
        tables = frozenset(
            one.sym_name.data
            for one in op.ops
            if isinstance(one, cmem.GlobalOp) and one.constant and not one.declaration
        )
        found = _Found(functions, tables)
        for function in functions.values():
            for call in function.walk():
                if isinstance(call, func.CallOp) and passes_values(call):
                    if found.only_computes(call.callee.string_value()):
                        call.attributes[PURE_CALL] = UnitAttr()


class _Found:
    """What is known of each function; while it is asked about one, that one does anything."""

    def __init__(self, functions: dict[str, func.FuncOp], tables: frozenset[str]):
        self._functions = functions
        self._tables = tables
        self._known: dict[str, bool] = {}

    def only_computes(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = False
            self._known[name] = self._find_out(name)
        return self._known[name]

    def _find_out(self, name: str) -> bool:
        function = self._functions.get(name)
        if function is None:
            return False
        marks = linker_marks(function)
        if "const" in marks:
            return True
        if not function.body.blocks or not _DEFINED_ELSEWHERE.isdisjoint(marks):
            return False
        if not _comes_back(function):
            return False
        return all(self._is_harmless(op) for block in function.body.blocks for op in block.ops)

    def _is_harmless(self, op: Operation) -> bool:
        match op:
            case memref.LoadOp():
                return _is_own(op.memref) or self._is_constant(op.memref)
            case memref.StoreOp():
                return _is_own(op.memref) and not isinstance(op.value.type, LLVMPointerType)
            case memref.AllocaOp():
                return not op.dynamic_sizes
            case cf.BranchOp() | cf.ConditionalBranchOp() | cf.SwitchOp() | func.ReturnOp():
                return not any(isinstance(one.type, LLVMPointerType) for one in op.operands)
            case func.CallOp():
                return passes_values(op) and self.only_computes(op.callee.string_value())
            case _:
                return is_pure(op)

    def _is_constant(self, place: SSAValue) -> bool:
        """It lies in a table that nobody changes."""
        origin = object_of(place).owner
        return isinstance(origin, cmem.AddressOfOp) and origin.symbol.string_value() in self._tables


def _is_own(place: SSAValue) -> bool:
    return isinstance(object_of(place).owner, memref.AllocaOp)


def _comes_back(function: func.FuncOp) -> bool:
    """Each loop may be assumed to end (C11 6.8.5p6), and no end is an error."""
    first = function.body.blocks.first
    assert first is not None
    order = reverse_postorder(first)
    number = {block: place for place, block in enumerate(order)}
    return all(
        block.last_op is not None
        and not isinstance(block.last_op, ub.UnreachableOp)
        and (
            PROGRESS in block.last_op.attributes
            or all(number[target] > number[block] for target in block.last_op.successors)
        )
        for block in order
    )
