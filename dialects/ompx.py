"""ompx: what OpenMP has and xDSL's `omp` has no operations for.

Constructs as the front end writes them, around a region that ends in `omp.terminator`:

    ompx.critical "name" { … }      one thread at a time, of all that there are
    ompx.ordered { … }              in the order of the loop around it
    ompx.sections { … }, { … }      each region once, by any thread of the team
    ompx.body { … }                 what a loop does: blocks, in the one block of a loop nest
    ompx.last { … }                 by the thread that had the last iteration of the loop, or the
                                    last of the sections, right before it
    ompx.teams { … }                once for each team of a league
    ompx.doacross(%n, %m) { … }     around a nest whose iterations wait for one another
    ompx.post %i, %j                … this one has come so far
    ompx.await %i, %j               … when that one has
    %c = ompx.cancel "for" …        whether the construct around is left now, by `ompx.leave`
    ompx.atomic_update %m[%i] { ^(%old: f64): … ompx.yield %new : f64 }

and below, what threads do to memory that others see, until the back end:

    %v = ompx.atomic_read %m[%i]               ompx.atomic_write %v, %m[%i]
    %seen, %done = ompx.compare_exchange %old, %new, %m[%i]
    %old = ompx.fetch "add" %v, %m[%i]          ompx.fence
    ompx.spawn @f(%a, %b) if %c flags %n        a task: f(a, b), now or later
    ompx.league @f(%a, %b) teams %n limit %m    f(a, b) by each of n teams

A loop nest of `omp` counts up or down, in signed or unsigned numbers: `ompx.directions` and
`ompx.unsigned` on `omp.loop_nest` say so, one word and one truth value for each loop. A schedule
that `omp` has no name for stands in `ompx.schedule` on `omp.wsloop`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import omp
from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
)
from xdsl.traits import (
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.cmem import PTR, element_type, memref_type

DIRECTIONS = "ompx.directions"
UNSIGNED = "ompx.unsigned"
SCHEDULE = "ompx.schedule"
DISTRIBUTED = "ompx.distributed"
"""On `omp.wsloop`: its iterations are what its team has of those of a league."""
SIZES = "ompx.sizes"
"""On `omp.single`: how many bytes of each `copyprivate` variable all threads get."""

FETCHES = ("add", "sub", "and", "or", "xor")


REDUCTION = ".reduction"
"""The name of the critical regions in which copies are combined."""

ATOMIC = ".atomic"
"""The name of the critical regions around accesses that no instruction makes at once."""


@irdl_op_definition
class CriticalOp(IRDLOperation):
    """No two threads of the program are in critical regions of one name: `REDUCTION` and
    `ATOMIC` have one lock together, that of `GOMP_atomic_start`."""

    name = "ompx.critical"
    sym = prop_def(StringAttr)
    region = region_def()
    assembly_format = "$sym $region attr-dict"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, name: str, region: Region):
        super().__init__(properties={"sym": StringAttr(name)}, regions=[region])


class _Around(IRDLOperation):
    region = region_def()
    assembly_format = "$region attr-dict"
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, region: Region):
        super().__init__(regions=[region])


@irdl_op_definition
class OrderedOp(_Around):
    name = "ompx.ordered"


@irdl_op_definition
class LastOp(_Around):
    name = "ompx.last"


@irdl_op_definition
class BodyOp(_Around):
    """What a loop of `omp.loop_nest` does, whose own region is one block."""

    name = "ompx.body"


@irdl_op_definition
class SectionsOp(IRDLOperation):
    name = "ompx.sections"
    nowait = opt_prop_def(UnitAttr)
    sections = var_region_def()
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, sections: Sequence[Region], *, nowait: bool):
        super().__init__(regions=[sections], properties={"nowait": UnitAttr() if nowait else None})


@irdl_op_definition
class TeamsOp(IRDLOperation):
    """The region once for each of `teams` teams, which have `limit` threads at most."""

    name = "ompx.teams"
    teams = opt_operand_def(i64)
    limit = opt_operand_def(i64)
    region = region_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, region: Region, teams: Sequence[SSAValue], limit: Sequence[SSAValue]):
        super().__init__(operands=[teams, limit], regions=[region])


CONSTRUCTS = ("parallel", "for", "sections", "taskgroup")


@irdl_op_definition
class CancelOp(IRDLOperation):
    """Whether the construct around is left early: by this thread, where `condition` holds, or
    because another one has said so; that alone where it `is_point`."""

    name = "ompx.cancel"
    construct = prop_def(StringAttr)
    is_point = opt_prop_def(UnitAttr)
    condition = opt_operand_def(i1)
    result = result_def(i1)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, construct: str, condition: Sequence[SSAValue], *, is_point: bool):
        super().__init__(
            operands=[condition],
            properties={
                "construct": StringAttr(construct),
                "is_point": UnitAttr() if is_point else None,
            },
            result_types=[i1],
        )

    def verify_(self) -> None:
        if self.construct.data not in CONSTRUCTS:
            raise VerifyException(f"expected one of {', '.join(CONSTRUCTS)}")


@irdl_op_definition
class LeaveOp(IRDLOperation):
    """The end of the construct, where it is cancelled: of all that it does, not of an iteration."""

    name = "ompx.leave"
    assembly_format = "attr-dict"
    traits = traits_def(IsTerminator())

    def __init__(self):
        super().__init__()


@irdl_op_definition
class DoacrossOp(IRDLOperation):
    """Around the nest of a shared loop: its iterations wait for one another by the numbers of
    `rounds` loops, the first of which is the shared one."""

    name = "ompx.doacross"
    rounds = var_operand_def(i64)
    region = region_def("single_block")
    traits = traits_def(omp.LoopWrapper(), RecursiveMemoryEffect())

    def __init__(self, rounds: Sequence[SSAValue], inner: Operation):
        super().__init__(operands=[rounds], regions=[Region(Block([inner]))])


class _OfIteration(IRDLOperation):
    numbers = var_operand_def(i64)
    assembly_format = "$numbers attr-dict"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, numbers: Sequence[SSAValue]):
        super().__init__(operands=[numbers])


@irdl_op_definition
class PostOp(_OfIteration):
    """The iteration of these numbers has come so far."""

    name = "ompx.post"


@irdl_op_definition
class AwaitOp(_OfIteration):
    """Go on when the iteration of these numbers has posted."""

    name = "ompx.await"


class _OnPlace(IRDLOperation):
    """`memref[indices]` is a place that other threads may see."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())

    def verify_(self) -> None:
        if memref_type(self.memref).get_num_dims() != len(self.indices):
            raise VerifyException("expected one index for each dimension")

    def _require(self, value: SSAValue) -> None:
        if value.type != element_type(self.memref):
            raise VerifyException(f"expected a value of type {element_type(self.memref)}")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What the place becomes."""

    name = "ompx.yield"
    value = operand_def()
    assembly_format = "$value attr-dict `:` type($value)"
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, value: SSAValue):
        super().__init__(operands=[value])


@irdl_op_definition
class AtomicUpdateOp(_OnPlace):
    """The place becomes what the region makes of what was there, at once as seen by all."""

    name = "ompx.atomic_update"
    region = region_def("single_block")
    before = result_def()
    after = result_def()
    assembly_format = (
        "$memref `[` $indices `]` $region attr-dict "
        "`:` type($memref) `->` type($before) `,` type($after)"
    )
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, memref: SSAValue, indices: Sequence[SSAValue], region: Region):
        type = element_type(memref)
        super().__init__(operands=[memref, indices], regions=[region], result_types=[type, type])


@irdl_op_definition
class AtomicReadOp(_OnPlace):
    name = "ompx.atomic_read"
    result = result_def()
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref) `->` type($result)"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[memref, indices], result_types=[element_type(memref)])


@irdl_op_definition
class AtomicWriteOp(_OnPlace):
    name = "ompx.atomic_write"
    value = operand_def()
    assembly_format = (
        "$value `,` $memref `[` $indices `]` attr-dict `:` type($value) `,` type($memref)"
    )
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, value: SSAValue, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[value, memref, indices])

    def verify_(self) -> None:
        super().verify_()
        self._require(self.value)


@irdl_op_definition
class CompareExchangeOp(_OnPlace):
    """Store `new` where `old` is, bit for bit; what was there, and whether it was that."""

    name = "ompx.compare_exchange"
    old = operand_def()
    new = operand_def()
    seen = result_def()
    done = result_def(i1)
    assembly_format = (
        "$old `,` $new `,` $memref `[` $indices `]` attr-dict "
        "`:` type($old) `,` type($new) `,` type($memref) `->` type($seen)"
    )
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, old: SSAValue, new: SSAValue, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(
            operands=[old, new, memref, indices], result_types=[element_type(memref), i1]
        )

    def verify_(self) -> None:
        super().verify_()
        self._require(self.old)
        self._require(self.new)


@irdl_op_definition
class FetchOp(_OnPlace):
    """An operation on integers that the machine does at once; what was there before."""

    name = "ompx.fetch"
    kind = prop_def(StringAttr)
    value = operand_def(IntegerType)
    before = result_def(IntegerType)
    assembly_format = (
        "$kind $value `,` $memref `[` $indices `]` attr-dict `:` type($value) `,` type($memref)"
        " `->` type($before)"
    )
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, kind: str, value: SSAValue, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(
            operands=[value, memref, indices],
            properties={"kind": StringAttr(kind)},
            result_types=[value.type],
        )

    def verify_(self) -> None:
        super().verify_()
        self._require(self.value)
        if self.kind.data not in FETCHES:
            raise VerifyException(f"expected one of {', '.join(FETCHES)}")


@irdl_op_definition
class FenceOp(IRDLOperation):
    """What this thread wrote before is seen by whom sees what it writes after."""

    name = "ompx.fence"
    assembly_format = "attr-dict"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self):
        super().__init__()


@irdl_op_definition
class SpawnOp(IRDLOperation):
    """Let some thread of the team call `callee` with these arguments; where `condition` does not
    hold, this one, now. `flags` are those of GNU's runtime: 2 final. It follows tasks
    made before that write to a place of `reads`, or touch one of `writes`."""

    name = "ompx.spawn"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    condition = opt_operand_def(i1)
    flags = operand_def(IntegerType(32))
    writes = var_operand_def(PTR)
    reads = var_operand_def(PTR)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        condition: SSAValue | None,
        flags: SSAValue,
        writes: Sequence[SSAValue] = (),
        reads: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[arguments, [] if condition is None else [condition], flags, writes, reads],
            properties={"callee": SymbolRefAttr(callee)},
        )


@irdl_op_definition
class LeagueOp(IRDLOperation):
    """Let each of `teams` teams (0: as many as the runtime likes) call `callee` with these
    arguments; they have `limit` threads at most (0: as many as they are given)."""

    name = "ompx.league"
    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    teams = operand_def(IntegerType(32))
    limit = operand_def(IntegerType(32))
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self, callee: str, arguments: Sequence[SSAValue], teams: SSAValue, limit: SSAValue
    ):
        super().__init__(
            operands=[arguments, teams, limit], properties={"callee": SymbolRefAttr(callee)}
        )


OmpX = Dialect(
    "ompx",
    [
        TeamsOp,
        CancelOp,
        LeaveOp,
        DoacrossOp,
        PostOp,
        AwaitOp,
        LeagueOp,
        CriticalOp,
        OrderedOp,
        LastOp,
        BodyOp,
        SectionsOp,
        AtomicUpdateOp,
        YieldOp,
        AtomicReadOp,
        AtomicWriteOp,
        CompareExchangeOp,
        FetchOp,
        FenceOp,
        SpawnOp,
    ],
)
