"""Functions called in loops take the place of their calls, whole, where that may make a nest.

    static double dot(n, x, y) { double s = 0; for (k …) s += x[k] * y[k]; return s; }
    for (i …) for (j …) C[i][j] = dot(n, A[i], B[j]);            one nest, three loops deep

A call may do anything, so that a loop with one is part of no static control part. Inlined are
functions that compute, load and store, with loops in a row at most. A nest is worth as much alone,
but for one of short loops: the caller may know that a block is apart from others, which takes a
while to ask, and what is the same for all blocks is done once. Callees go first, so that what they
call has gone into them already.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, ub
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i8
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.cmem import linker_marks
from polyopt.dialects.locations import span_of
from polyopt.ir.branches import Edge
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_access, is_pure
from polyopt.ir.functions import is_far_from_loops
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark

_KEPT_APART = frozenset(
    ("weak", "alias", "optnone", "noinline", "returns_twice", "section", "target")
)
_ONLY_MEMORY = frozenset(("memcpy", "memmove", "memset"))
_BYVAL = "llvm.byval"


@record
class InlineFunctionsPass(ModulePass):
    """Put the body of a function in the place of calls in loops.

    A function without loops goes anywhere if it has `small` operations at most; into loops if it
    has `largest`. One with loops, in nests only where these are short, goes into loops that do
    nothing but compute, load, store and call such functions. A function grows by `growth`
    operations at most.

    Requires: nothing. Ensures: functions that another file may define otherwise, that call
    themselves, that take variable arguments or stack as they run, and those declared `noinline`,
    are called as before.

        func.func @f(%x) { … func.return %y }
        %r = func.call @f(%a)                   ->     …              // with %a for %x
        …                                              cf.br ^after(%y)
                                                     ^after(%r):
                                                       …
    """

    name = "inline-functions"

    small: int = CORE.code.inlined
    largest: int = CORE.code.inlined_in_loops
    growth: int = CORE.code.inlined_growth

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {
            one.sym_name.data: one
            for one in op.ops
            if isinstance(one, func.FuncOp) and one.body.blocks
        }
        order, recursive = _callees_first(functions)
        known: dict[str, _Callee] = {}
        for function in order:
            self._inline_into(function, known)
            name = function.sym_name.data
            if name not in recursive and (callee := _callee(function, self.largest)) is not None:
                known[name] = callee

    def _inline_into(self, function: func.FuncOp, known: dict[str, _Callee]) -> None:
        calls = [one for one in _calls_in(function) if one.callee.string_value() in known]
        if not calls or cmem.AS_WRITTEN in function.attributes or is_far_from_loops(function):
            return
        flow = ControlFlow(function.body)
        chosen: list[tuple[func.CallOp, _Callee]] = []
        left = self.growth
        for call in calls:
            callee = known[call.callee.string_value()]
            if callee.size <= left and _fits(call, callee.function):
                if self._is_worthwhile(flow, call, callee, known):
                    chosen.append((call, callee))
                    left -= callee.size
        for call, callee in chosen:
            name = callee.function.sym_name.data
            remark("applied", self.name, f"call of {name} inlined", span_of(call))
        # The last one first: what stands behind a call moves to the block that begins there.
        for call, _ in reversed(chosen):
            assert call.parent is not None
            call.parent.split_before(call)
        for call, callee in chosen:
            _inline(function, call, callee.function)

    def _is_worthwhile(
        self, flow: ControlFlow, call: func.CallOp, callee: _Callee, known: dict[str, _Callee]
    ) -> bool:
        block = call.parent
        if block is None or block not in flow.cfg:
            return False
        if not callee.has_loops and callee.size <= self.small:
            return True
        loop = flow.loops.innermost(block)
        if loop is None:
            return False
        return not callee.has_loops or _is_plain_loop(loop, known)


@record(eq=False)
class _Callee:
    """A function that may be inlined; `size` is the number of its operations, but for those that
    only say where something is: structs that are passed by value are many of these, and nothing is
    left of them."""

    function: func.FuncOp
    size: int
    has_loops: bool


def _calls_in(function: func.FuncOp) -> Iterator[func.CallOp]:
    """Those in the blocks of its body: in no other region."""
    for block in function.body.blocks:
        for op in block.ops:
            if isinstance(op, func.CallOp):
                yield op


def _callees_first(
    functions: dict[str, func.FuncOp],
) -> tuple[list[func.FuncOp], set[str]]:
    """The functions, each behind those that it calls, and the names of those that are in a
    circle of calls."""
    called = {
        name: list(dict.fromkeys(one.callee.string_value() for one in _calls_in(function)))
        for name, function in functions.items()
    }
    order: list[func.FuncOp] = []
    recursive: set[str] = set()
    done: set[str] = set()
    for root in functions:
        path: dict[str, Iterator[str]] = {}
        if root not in done:
            path[root] = iter(called[root])
        while path:
            name = next(reversed(path))
            callee = next(path[name], None)
            if callee is None:
                del path[name]
                done.add(name)
                order.append(functions[name])
            elif callee in path:
                names = list(path)
                recursive |= set(names[names.index(callee) :])
            elif callee in functions and callee not in done:
                path[callee] = iter(called[callee])
    return order, recursive


def _callee(function: func.FuncOp, largest: int) -> _Callee | None:
    """None where it cannot be inlined, or where nothing would come of it."""
    if not _KEPT_APART.isdisjoint(linker_marks(function)):
        return None
    if function.attributes.keys() & {"cmem.variadic", cmem.AS_WRITTEN}:
        return None
    size = 0
    for block in function.body.blocks:
        for op in block.ops:
            size += not _names_a_place(op)
            if size > largest or not (_is_plain(op) or _is_error(op)):
                return None
    flow = ControlFlow(function.body)
    deep = any(loop.children for loop in flow.loops.top_level)
    if flow.loops.irreducible or (deep and not all(map(_is_short, flow.loops.all_loops()))):
        return None
    return _Callee(function, size, bool(flow.loops.top_level))


def _is_short(loop: NaturalLoop) -> bool:
    """Does it go on until a variable is a small number, or that of a loop around that is short?"""
    for edge in loop.exits():
        compare = _comparison(edge)
        if compare is None:
            return False
        bound = constant_integer(compare.rhs)
        if bound is not None:
            if abs(bound) > CORE.nests.short:
                return False
        elif not _leads_around(compare.rhs, loop):
            return False
    return True


def _comparison(edge: Edge) -> arith.CmpiOp | None:
    branch = edge.terminator
    compare = branch.cond.owner if isinstance(branch, cf.ConditionalBranchOp) else None
    return compare if isinstance(compare, arith.CmpiOp) else None


def _leads_around(bound: SSAValue, loop: NaturalLoop) -> bool:
    """Is the bound the variable, give or take a number, that a loop around goes on with?"""
    variable = _variable(bound)
    around = loop.parent
    while variable is not None and around is not None:
        for edge in around.exits():
            compare = _comparison(edge)
            if compare is not None and _variable(compare.lhs) is variable:
                return True
        around = around.parent
    return False


def _variable(value: SSAValue) -> SSAValue | None:
    """The variable that the value is, give or take a number."""
    op = value.owner
    if isinstance(op, arith.AddiOp | arith.SubiOp) and constant_integer(op.rhs) is not None:
        op = op.lhs.owner
    if not isinstance(op, memref.LoadOp) or op.indices:
        return None
    return op.memref if isinstance(op.memref.owner, memref.AllocaOp) else None


def _names_a_place(op: Operation) -> bool:
    return isinstance(
        op, memref.AllocaOp | cmem.AddressOp | cmem.OffsetOp | cmem.ViewOp | arith.ConstantOp
    )


def _is_plain(op: Operation) -> bool:
    """It computes, loads, stores or decides, and its storage is of constant size."""
    match op:
        case memref.AllocaOp():
            return not op.dynamic_sizes
        case cf.BranchOp() | cf.ConditionalBranchOp() | cf.SwitchOp() | func.ReturnOp():
            return True
        case ub.UnreachableOp() | cmem.CopyOp():
            return True
        case func.CallOp():
            return op.callee.string_value() in _ONLY_MEMORY
        case _:
            return is_pure(op) or is_access(op)


def _is_error(op: Operation) -> bool:
    """A call from which nothing comes back."""
    return isinstance(op, func.CallOp) and isinstance(op.next_op, ub.UnreachableOp)


def _is_plain_loop(loop: NaturalLoop, known: dict[str, _Callee]) -> bool:
    return all(
        _is_plain(op) or (isinstance(op, func.CallOp) and op.callee.string_value() in known)
        for block in loop.blocks
        for op in block.ops
    )


def _fits(call: func.CallOp, callee: func.FuncOp) -> bool:
    """The call has the arguments and results that the function has."""
    wanted = callee.function_type
    return tuple(call.operand_types) == tuple(wanted.inputs) and tuple(call.result_types) == tuple(
        wanted.outputs
    )


def _inline(function: func.FuncOp, call: func.CallOp, callee: func.FuncOp) -> None:
    """The call begins a block; what was in front of it ends the block before, without a branch."""
    after = call.parent
    entry = function.body.blocks.first
    assert after is not None
    assert entry is not None
    block = after.prev_block
    assert block is not None
    body = _copied(callee)
    start = body.blocks.first
    assert start is not None
    passed = _passed(function, call, callee, block)
    for argument, value in zip(start.args, passed, strict=True):
        argument.replace_all_uses_with(value)
    for op in list(start.ops):
        op.detach()
        if isinstance(op, memref.AllocaOp):
            _put_first(entry, op)
        else:
            block.add_op(op)
    results = [after.insert_arg(one.type, place) for place, one in enumerate(call.res)]
    for old, new in zip(call.res, results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    after.erase_op(call)
    inside = [one for one in body.blocks if one is not start]
    place = after
    for one in inside:
        body.detach_block(one)
        function.body.insert_block_before(one, place)
    for one in (block, *inside):
        last = one.last_op
        if isinstance(last, func.ReturnOp):
            leave = cf.BranchOp(after, *last.arguments)
            leave.location = last.location
            one.insert_op_before(leave, last)
            one.erase_op(last)


def _copied(callee: func.FuncOp) -> Region:
    body = callee.body.clone()
    for old, new in zip(callee.body.walk(), body.walk(), strict=True):
        new.location = old.location
    for old, new in zip(callee.body.blocks, body.blocks, strict=True):
        for one, other in zip(old.args, new.args, strict=True):
            other.name_hint = one.name_hint
            other.location = one.location
    return body


def _passed(
    function: func.FuncOp, call: func.CallOp, callee: func.FuncOp, block: Block
) -> Iterator[SSAValue]:
    """The arguments; of a struct that is passed in memory the callee has a copy of its own."""
    entry = function.body.blocks.first
    assert entry is not None
    attributes = [one.data for one in callee.arg_attrs] if callee.arg_attrs is not None else []
    for number, value in enumerate(call.arguments):
        size = attributes[number].get(_BYVAL) if number < len(attributes) else None
        if not isinstance(size, IntegerAttr):
            yield value
            continue
        storage = memref.AllocaOp.get(i8, 16, [size.value.data])
        storage.location = call.location
        _put_first(entry, storage)
        zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
        address = cmem.AddressOp(storage.memref, [zero])
        copy = cmem.CopyOp(value, address.result, size.value.data, 1)
        for op in (zero, address, copy):
            op.location = call.location
            block.add_op(op)
        yield address.result


def _put_first(entry: Block, op: Operation) -> None:
    """At the start of a block, which is empty where it began with the call."""
    if entry.first_op is None:
        entry.add_op(op)
    else:
        entry.insert_op_before(op, entry.first_op)
