"""Calls of functions that change nothing are operations like others.

    __attribute__((const)) double f(double);      for (i …) B[i] = f(A[i]);

A function only computes if it is declared so, if it is one of libm's that does (with no regard to
errno, as elsewhere), or if its body shows it: it touches no memory but its own variables and
constant tables, calls only such functions, not itself, and its loops may be assumed to end. If it
reads other memory, its body says which: globals, and what its pointers lead to; where it is only
declared `pure`, that may be anything.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import cf, func, memref, ub
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.cmem import PROGRESS, THREAD_LOCAL, linker_marks
from polyopt.dialects.poly import PURE_CALL, READING_CALL
from polyopt.ir.control.cfg import reverse_postorder
from polyopt.ir.effects import is_pure, passes_values, pointers_passed
from polyopt.ir.objects.pointed_objects import pointed_objects
from polyopt.support.record import record

_DEFINED_ELSEWHERE = frozenset(("weak", "alias"))

_Reads = frozenset[str]
"""The globals that may be read, `_ANYTHING` among them where others may be, too."""

_ANYTHING = "?"
_NOTHING = _Reads()


@record
class MarkPureCallsPass(ModulePass):
    """Mark the calls of functions that change nothing, in functions and in what these call.

    Requires: nothing. Ensures: a marked call gives a value, no pointer. If it is `poly.pure`, that
    depends on the arguments alone, and no pointer is among them. If it `poly.reads`, it depends on
    what the pointers lead to, and on the globals that are named; on any memory if none can be.

        %y = func.call @f(%x) : (f64) -> f64   ->   %y = func.call @f(%x) {poly.pure} : (f64) -> f64
        %z = func.call @g(%p) : …                   %z = func.call @g(%p) {poly.reads = ["table"]} …
    """

    name = "mark-pure-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = _Found(op)
        for function in found.functions.values():
            for call in function.walk():
                if isinstance(call, func.CallOp) and _gives_a_number(call):
                    reads = found.read_by(call.callee.string_value())
                    if reads is not None:
                        _mark(call, reads)


def _gives_a_number(call: func.CallOp) -> bool:
    return bool(call.results) and not isinstance(call.results[0].type, LLVMPointerType)


def _mark(call: func.CallOp, reads: _Reads) -> None:
    if not reads and passes_values(call):
        call.attributes[PURE_CALL] = UnitAttr()
    elif _ANYTHING in reads:
        call.attributes[READING_CALL] = UnitAttr()
    else:
        call.attributes[READING_CALL] = ArrayAttr(StringAttr(one) for one in sorted(reads))


class _Found:
    """What is known of each function; while it is asked about one, that one does anything."""

    def __init__(self, module: ModuleOp):
        self.functions = {f.sym_name.data: f for f in module.ops if isinstance(f, func.FuncOp)}
        self._globals = {g.sym_name.data: g for g in module.ops if isinstance(g, cmem.GlobalOp)}
        self._known: dict[str, _Reads | None] = {}

    def read_by(self, name: str) -> _Reads | None:
        """Besides what its pointers lead to; None where it may do more than compute and read."""
        if name not in self._known:
            self._known[name] = None
            self._known[name] = self._find_out(name)
        return self._known[name]

    def _find_out(self, name: str) -> _Reads | None:
        function = self.functions.get(name)
        if function is None:
            return None
        marks = linker_marks(function)
        if "const" in marks:
            return _NOTHING
        declared = _Reads((_ANYTHING,)) if "pure" in marks else None
        if not function.body.blocks or not _DEFINED_ELSEWHERE.isdisjoint(marks):
            return declared
        shown = self._shown_by(function)
        return declared if shown is None else shown

    def _shown_by(self, function: func.FuncOp) -> _Reads | None:
        if not _comes_back(function):
            return None
        result = _NOTHING
        for block in function.body.blocks:
            for op in block.ops:
                reads = self._read_at(op)
                if reads is None:
                    return None
                result |= reads
        return result

    def _read_at(self, op: Operation) -> _Reads | None:
        match op:
            case memref.LoadOp():
                return self._read_through(op.memref)
            case memref.StoreOp():
                return _NOTHING if _is_own(op.memref) else None
            case memref.AllocaOp():
                return None if op.dynamic_sizes else _NOTHING
            case cf.BranchOp() | cf.ConditionalBranchOp() | cf.SwitchOp():
                return _NOTHING
            case func.ReturnOp():
                is_number = not any(isinstance(v.type, LLVMPointerType) for v in op.operands)
                return _NOTHING if is_number else None
            case func.CallOp():
                return self._read_by_call(op)
            case _:
                return _NOTHING if is_pure(op) else None

    def _read_by_call(self, call: func.CallOp) -> _Reads | None:
        reads = self.read_by(call.callee.string_value()) if _gives_a_number(call) else None
        if reads is None:
            return None
        for pointer in pointers_passed(call):
            through = self._read_through(pointer)
            if through is None:
                return None
            reads |= through
        return reads

    def _read_through(self, place: SSAValue) -> _Reads | None:
        """Of its own variables, of constant tables and of what parameters lead to nothing is said;
        what is another thread's own cannot be told."""
        objects = pointed_objects(place, parameters=True).objects
        if not objects:
            return _Reads((_ANYTHING,))
        names = {one for one in objects if isinstance(one, str)}
        known = [(name, self._globals.get(name)) for name in sorted(names)]
        if any(one is not None and _is_a_threads(one) for _, one in known):
            return None
        return _Reads(name for name, one in known if one is None or not _is_table(one))


def _is_a_threads(one: cmem.GlobalOp) -> bool:
    return THREAD_LOCAL in one.attributes or "thread_local" in linker_marks(one)


def _is_table(one: cmem.GlobalOp) -> bool:
    return one.constant is not None and one.declaration is None


def _is_own(place: SSAValue) -> bool:
    objects = pointed_objects(place).objects
    return bool(objects) and all(
        isinstance(one, OpResult) and isinstance(one.op, memref.AllocaOp) for one in objects
    )


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
