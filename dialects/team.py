"""team: threads that run one function together, and how they meet.

What xDSL's `omp` becomes on the way to a runtime, and what it has no words for. `omp.parallel` says
that a region runs in each thread of a team; `team.fork` is the call that makes it so. A region has
become a function by then, whose first two arguments are who runs it and how many do:

    func.func private @f(%member: index, %size: index, %A: memref<?xf64>) { … team.barrier … }

    %n = team.available
    team.fork @f(%A) threads(%n) : memref<?xf64>       // f(0, s, A), …, f(s-1, s, A) for one s <= n
    func.call @f(%zero, %one, %A)                      // the same by a team of one

A team of one may be had by a plain call, so no operation here but `team.barrier` needs a team, and
that is meant for the innermost one.

Threads meet in three ways besides: they count up a place that all see (`team.take`: who comes
first gets the next number), they post how far they have come and wait for how far another one has
(`team.post`, `team.wait`: what was written before a post is seen after a wait that it ends), and
they exclude each other by what a runtime has for it, which is called as any function.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    IndexType,
    MemRefType,
    SymbolRefAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolTable,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.cmem import memref_type

IN_TEAM = "team.member"
"""On a function (unit): a team that the programmer asked for runs it; no other is made in it."""

IN_STEP = "team.in_step"
"""On an `omp.wsloop` (unit): all members run equally many iterations, so that they may meet within
them. Behind the last one there may be some of the number that the last one is below: these do
nothing but to meet the others."""

MEMBER_AND_SIZE = (IndexType(), IndexType())
"""The types of the first two arguments of a function that a team runs."""


class _KnownBody(SymbolUserOpInterface):
    def verify(self, op: Operation) -> None:
        assert isinstance(op, ForkOp)
        name = op.callee.string_value()
        found = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(found, FuncOp):
            raise VerifyException(f"there is no function @{name}")
        expected = (*MEMBER_AND_SIZE, *(value.type for value in op.arguments))
        if tuple(found.function_type.inputs) != expected or found.function_type.outputs.data:
            wanted = ", ".join(map(str, expected))
            raise VerifyException(f"expected @{name} to take ({wanted}) and to return nothing")


@irdl_op_definition
class ForkOp(IRDLOperation):
    """Call `callee` with (0, s, arguments…) to (s-1, s, arguments…), each in a thread of its own,
    for one s with 1 <= s <= max(1, threads) that the runtime chooses; return when all have."""

    name = "team.fork"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    threads = operand_def(IndexType())
    assembly_format = (
        "$callee `(` $arguments `)` `threads` `(` $threads `)` attr-dict (`:` type($arguments)^)?"
    )
    traits = traits_def(_KnownBody())

    def __init__(
        self, callee: str, arguments: Sequence[SSAValue | Operation], threads: SSAValue | Operation
    ):
        super().__init__(
            operands=[arguments, threads], properties={"callee": SymbolRefAttr(callee)}
        )


@irdl_op_definition
class AvailableOp(IRDLOperation):
    """How many threads a team may have that is made here: 1 within a team, else what the user has
    said (`OMP_NUM_THREADS`, `omp_set_num_threads`), else one for each processor."""

    name = "team.available"
    count = result_def(IndexType())
    assembly_format = "attr-dict"
    traits = traits_def(MemoryReadEffect())

    def __init__(self):
        super().__init__(result_types=[IndexType()])


@irdl_op_definition
class ShareOp(IRDLOperation):
    """A member's share of a range, `from <= i < to`, as it is; and of which range: that lies in
    `lower <= i < upper`, which is the same for all members.

    %first, %last = team.share %from to %to of %lower to %upper
    """

    name = "team.share"
    start = operand_def(IndexType())
    end = operand_def(IndexType())
    lower = operand_def(IndexType())
    upper = operand_def(IndexType())
    first = result_def(IndexType())
    last = result_def(IndexType())
    assembly_format = "$start `to` $end `of` $lower `to` $upper attr-dict"
    traits = traits_def(Pure())

    def __init__(self, share: tuple[SSAValue, SSAValue], whole: tuple[SSAValue, SSAValue]):
        super().__init__(operands=[*share, *whole], result_types=[IndexType(), IndexType()])
        self.first.name_hint, self.last.name_hint = "first", "last"


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """No member of the innermost team goes on before all have come here; what one wrote before,
    all see after."""

    name = "team.barrier"
    assembly_format = "attr-dict"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self):
        super().__init__()


class _OnCounter(IRDLOperation):
    """`counters[indices]` is a place that threads share; nothing else reads or writes it while they
    do."""

    counters = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    value = operand_def(IndexType())

    def verify_(self) -> None:
        type_ = memref_type(self.counters)
        if type_.element_type != i64:
            raise VerifyException("expected counters of type i64")
        if type_.get_num_dims() != len(self.indices):
            raise VerifyException("expected one index for each dimension")


@irdl_op_definition
class PostOp(_OnCounter):
    """Let the counter be `value`; what was written before is seen by whom that lets go on."""

    name = "team.post"
    assembly_format = "$counters `[` $indices `]` `,` $value attr-dict `:` type($counters)"
    traits = traits_def(MemoryWriteEffect())

    def __init__(self, counters: SSAValue, indices: Sequence[SSAValue], value: SSAValue):
        super().__init__(operands=[counters, indices, value])


@irdl_op_definition
class WaitOp(_OnCounter):
    """Go on when the counter is `value` or more. Who waits long lets others have the processor."""

    name = "team.wait"
    assembly_format = "$counters `[` $indices `]` `,` $value attr-dict `:` type($counters)"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, counters: SSAValue, indices: Sequence[SSAValue], value: SSAValue):
        super().__init__(operands=[counters, indices, value])


@irdl_op_definition
class TakeOp(_OnCounter):
    """Add `value` to the counter, at once as seen by all; what it was before."""

    name = "team.take"
    before = result_def(IndexType())
    assembly_format = "$counters `[` $indices `]` `,` $value attr-dict `:` type($counters)"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, counters: SSAValue, indices: Sequence[SSAValue], value: SSAValue):
        super().__init__(operands=[counters, indices, value], result_types=[IndexType()])


Team = Dialect("team", [ForkOp, AvailableOp, ShareOp, BarrierOp, PostOp, WaitOp, TakeOp])
