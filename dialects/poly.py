"""poly: a static control part as an operation.

    poly.scop "kernel" params(%n) ["n"] arrays(%A, %s : memref<?x?xf64>, memref<f64>) ["A", "s"]
      context <"[n] -> { : n > 0 }">
      schedule <"{ domain: … }"> {
      poly.stmt "S0" domain <"[n] -> { S0[i, j] : 0 <= i, j < n }"> {
      ^bb0(%i : index, %j : index):
        %x = poly.read %A <"[n] -> { S0[i, j] -> A[i, j] }"> : memref<?x?xf64>
        …
        poly.write %y, %A <"[n] -> { S0[i, j] -> A[j, i] }"> : memref<?x?xf64>
      }
    }

Invariants, checked by the verifiers, those of names, sets and relations in `poly_verify`:
  - names: `param_names` and `array_names` are distinct, one for each operand; a statement's name
    is unique in its SCoP; domains and relations speak of no other parameters.
  - a statement's domain lies in the space of its name with one dimension for each block argument.
  - an access relation goes from the statement's space to its array's (name and rank).
  - an access without a run-time index touches exactly one element per instance; one whose relation
    is not single-valued carries the index, and so does a `may` access that is always made.
  - the schedule's domain is the union of the statements' domains.
  - inside a statement, at any depth: memory is accessed by poly.read and poly.write only, so that
    each access has a relation; all else only computes. A call says that it does by the attribute
    `poly.pure`, and takes no pointer, or that it also reads memory which nothing in the SCoP
    writes, by `poly.reads`. Values from above the SCoP may be used, values of another
    statement may not.
  - `scf.if` may stand around accesses, where data decide whether they are made: these are `may`
    accesses, with an index or without.

isl text is canonicalised and checked when it is parsed (`poly_sets`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    StringAttr,
    UnitAttr,
    f64,
    i1,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasAncestor,
    HasParent,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.canonical import Canonical
from polyopt.dialects.cmem import element_type, memref_type
from polyopt.dialects.computing import only_computes
from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import LoopAttr, RoundingAttr
from polyopt.dialects.poly_sets import MapAttr, ScheduleAttr, SetAttr
from polyopt.dialects.scop_facts import AccessFacts, ScopFacts, StatementFacts

FOR_LITTLE = "poly.for_little"
"""The attribute of an `scf.if` whose first arm is for problems with little work: loops there are
not blocked; and of a branch whose second way is for little work: loops there stay in one thread."""

TIMED = "poly.timed"
"""Of a function: there are calls in it that measure (time-nests)."""

AS_WRITTEN = "poly.as_written"
"""The unit attribute of a module in the module that holds functions as they were written."""

COPY_OF = "poly.copy_of"
"""The attribute of a function that is a copy, for numbers that calls pass, of one that other files
may call: the name of that."""

FAR_FROM_LOOPS = "poly.far_from_loops"
"""The unit attribute of a function that has no loops and nothing to do with those that have some
(keep-as-written)."""

WRITTEN_ANEW = "poly.written_anew"
"""The unit attribute of a function some of whose loops a pass has written in a way that is better
with and without a SCoP: it is not given back as it was written."""

BY_HAND = "poly.by_hand"
"""The unit attribute of a SCoP whose order somebody has chosen: no pass chooses another."""

BATCH = "poly.batch"
"""The unit attribute of a SCoP of many small problems side by side, which runs in the order of the
source: no pass chooses another."""

PURE_CALL = "poly.pure"
"""The unit attribute of a call in a statement whose callee only computes: no pointer is passed,
and neither reads nor writes memory that others see."""

READING_CALL = "poly.reads"
"""The attribute of a call whose callee computes, and reads memory, but changes none: an array of
the globals that it may read, besides what the pointers that it is given lead to; the unit attribute
where it may read anything. In a statement nothing that it may read is written by the SCoP."""


@irdl_op_definition
class ScopOp(IRDLOperation):
    """A static control part: the statements, the arrays they touch, and the order they run in.

    `context` is known to hold for the parameters, `assumed` has been checked at run time before
    control gets here. `arrays` do not overlap (proved or checked by whoever made the SCoP).
    `local` names arrays whose contents are dead after the SCoP.
    """

    name = "poly.scop"
    scop_name = prop_def(StringAttr)
    params = var_operand_def(IndexType())
    arrays = var_operand_def(MemRefType)
    param_names = prop_def(ArrayAttr[StringAttr])
    array_names = prop_def(ArrayAttr[StringAttr])
    local = opt_prop_def(ArrayAttr[StringAttr])
    context = prop_def(SetAttr)
    assumed = opt_prop_def(SetAttr)
    schedule = prop_def(ScheduleAttr)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(
        NoTerminator(),
        RecursiveMemoryEffect(),
        Canonical("poly_canonical", "ScopOfNothing UnusedArrays"),
    )
    assembly_format = (
        "$scop_name `params` `(` $params `)` $param_names "
        "`arrays` `(` ($arrays^ `:` type($arrays))? `)` $array_names (`local` $local^)? "
        "`context` $context (`assumed` $assumed^)? `schedule` $schedule attr-dict-with-keyword "
        "$body"
    )

    def __init__(
        self,
        name: str,
        params: Sequence[SSAValue],
        param_names: Sequence[str],
        arrays: Sequence[SSAValue],
        array_names: Sequence[str],
        context: SetAttr,
        schedule: ScheduleAttr,
        body: Region,
        *,
        assumed: SetAttr | None = None,
        local: Sequence[str] = (),
    ):
        super().__init__(
            operands=[params, arrays],
            properties={
                "scop_name": StringAttr(name),
                "param_names": _names(param_names),
                "array_names": _names(array_names),
                "local": _names(local) if local else None,
                "context": context,
                "assumed": assumed,
                "schedule": schedule,
            },
            regions=[body],
        )

    def statements(self) -> list[StmtOp]:
        return [op for op in self.body.block.ops if isinstance(op, StmtOp)]

    def array_name(self, array: SSAValue) -> str:
        for value, name in zip(self.arrays, self.array_names, strict=True):
            if value is array:
                return name.data
        raise KeyError(array)

    def verify_(self) -> None:
        from polyopt.dialects.poly_verify import verify_scop

        if self.body.block.args:
            raise VerifyException("the body of a SCoP has no arguments")
        for op in self.body.block.ops:
            if not isinstance(op, StmtOp):
                raise VerifyException(f"expected only poly.stmt in a SCoP, got {op.name}")
        if len(set(self.arrays)) != len(self.arrays):
            raise VerifyException("expected each array once")
        verify_scop(self._facts())

    def _facts(self) -> ScopFacts:
        names = tuple(name.data for name in self.array_names)
        array_of = dict(zip(self.arrays, names, strict=False))
        return ScopFacts(
            parameters=tuple(name.data for name in self.param_names),
            parameter_count=len(self.params),
            arrays=names,
            array_count=len(self.arrays),
            local=tuple(name.data for name in self.local or ()),
            context=self.context.data,
            assumed=None if self.assumed is None else self.assumed.data,
            schedule=self.schedule.data,
            statements=tuple(one.facts(array_of) for one in self.statements()),
        )


def _names(names: Sequence[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(name) for name in names])


@irdl_op_definition
class PaysOp(IRDLOperation):
    """Whether a static control part is to run, rather than the code that it was made from: what is
    said when its loops are there, by a model that compares the two.

    `expected` are the values of the parameters that the model takes; `source` are the cycles that
    the code it was made from is expected to take, in the core and for memory, once that is known.

    %p = poly.pays "kernel" params(%n) {expected = array<i64: 9>, source = array<f64: 80.0, 0.0>}

    Of one that runs over and over, `span` is how far the innermost loop goes, of the parameters,
    `shorter` are parameters for which it is short, one set after the other, shortest first, and
    `shorter_source` two numbers like `source` for each. `shares` says, where anything is known of
    it, how often each of them comes up, and what is expected last.

    `apart`: the check in front asks whether arrays are apart, which the code that it was made from
    does not know. `unwrapped`: it asks whether integers stay in their type's range; of places
    `a[3 * k + b]` with unsigned `k` and `b` LLVM does not see how far they are apart in the code
    that it was made from. `beside_threads`: it is asked of one thread; others have the loops in
    any case.

    {span = affine_map<(d0) -> (d0)>, shorter = array<i64: 2, 4>,
     shorter_source = array<f64: 9.0, 0.0, 12.0, 0.0>, shares = array<f64: 0.5, 0.25, 0.125>}
    """

    name = "poly.pays"
    scop_name = prop_def(StringAttr)
    params = var_operand_def(IndexType())
    expected = opt_prop_def(DenseArrayBase.constr(i64))
    source = opt_prop_def(DenseArrayBase.constr(f64))
    span = opt_prop_def(AffineMapAttr)
    shorter = opt_prop_def(DenseArrayBase.constr(i64))
    shorter_source = opt_prop_def(DenseArrayBase.constr(f64))
    shares = opt_prop_def(DenseArrayBase.constr(f64))
    apart = opt_prop_def(UnitAttr)
    unwrapped = opt_prop_def(UnitAttr)
    beside_threads = opt_prop_def(UnitAttr)
    result = result_def(i1)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$scop_name `params` `(` $params `)` attr-dict"

    def __init__(self, name: str, params: Sequence[SSAValue]):
        super().__init__(
            operands=[params],
            properties={"scop_name": StringAttr(name)},
            result_types=[i1],
        )

    def verify_(self) -> None:
        if self.expected is not None and len(self.expected) != len(self.params):
            raise VerifyException("expected a value for each parameter")
        if self.source is not None and len(self.source) != 2:
            raise VerifyException("expected the cycles of the core and those of memory")
        self._verify_shorter()

    def _verify_shorter(self) -> None:
        if self.span is None or self.shorter is None or self.shorter_source is None:
            if any(one is not None for one in (self.span, self.shorter, self.shorter_source)):
                raise VerifyException("expected a span, shorter ones, and their cycles together")
            return
        map_ = self.span.data
        if (map_.num_dims, map_.num_symbols, len(map_.results)) != (len(self.params), 0, 1):
            raise VerifyException("expected the span to be one result of the parameters")
        rungs = len(self.shorter_source) // 2
        if len(self.shorter_source) != 2 * rungs or len(self.shorter) != rungs * len(self.params):
            raise VerifyException("expected two numbers of cycles for each set of parameters")
        if self.shares is not None and len(self.shares) != rungs + 1:
            raise VerifyException("expected a share of each set of parameters, and of the expected")


@irdl_op_definition
class StmtOp(IRDLOperation):
    """The instances of one statement: `domain` says which run, the block arguments are the
    iteration vector. `iterators` are the names of the C loops around it, outermost first."""

    name = "poly.stmt"
    stmt_name = prop_def(StringAttr)
    domain = prop_def(SetAttr)
    iterators = opt_prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")
    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(
        HasParent(ScopOp),
        NoTerminator(),
        RecursiveMemoryEffect(),
        Canonical("poly_canonical", "StatementOfNoInstances"),
    )
    assembly_format = (
        "$stmt_name `domain` $domain (`iterators` $iterators^)? attr-dict-with-keyword $body"
    )

    def __init__(
        self, name: str, domain: SetAttr, body: Region, *, iterators: Sequence[str] | None = None
    ):
        super().__init__(
            properties={
                "stmt_name": StringAttr(name),
                "domain": domain,
                "iterators": None if iterators is None else _names(iterators),
            },
            regions=[body],
        )

    def accesses(self) -> list[ReadOp | WriteOp]:
        """The accesses in program order, also those that data decide on."""
        return operations_in(self, ReadOp, WriteOp)

    def facts(self, array_of: Mapping[SSAValue, str]) -> StatementFacts:
        return StatementFacts(
            name=self.stmt_name.data,
            domain=self.domain.data,
            dimensions=len(self.body.block.args),
            iterators=None if self.iterators is None else len(self.iterators),
            accesses=tuple(self._facts_of(access, array_of) for access in self.accesses()),
        )

    def _facts_of(self, access: ReadOp | WriteOp, array_of: Mapping[SSAValue, str]) -> AccessFacts:
        return AccessFacts(
            kind=access.name,
            array=array_of.get(access.array),
            rank=memref_type(access.array).get_num_dims(),
            relation=access.relation.data,
            indices=len(access.index),
            is_may=access.may is not None,
            is_conditional=access.parent_op() is not self,
        )

    def verify_(self) -> None:
        what = f"statement {self.stmt_name.data!r}"
        if any(argument.type != IndexType() for argument in self.body.block.args):
            raise VerifyException(f"{what}: an iteration vector is of type index")
        for op in self.body.walk():
            self._verify_inside(what, op)

    def _verify_inside(self, what: str, op: Operation) -> None:
        if isinstance(op, ReadOp | WriteOp):
            if op.parent_op() is not self and not isinstance(op.parent_op(), scf.IfOp):
                raise VerifyException(f"{what}: {op.name}: only scf.if may stand around an access")
        elif not (isinstance(op, scf.IfOp | scf.YieldOp) or _only_computes(op)):
            raise VerifyException(
                f"{what}: {op.name} may have side effects; memory is read by poly.read and written "
                "by poly.write only"
            )
        for operand in op.operands:
            other = _statement_of(operand)
            if other is not None and other is not self:
                raise VerifyException(f"{what} uses a value of statement {other.stmt_name.data!r}")


def _only_computes(op: Operation) -> bool:
    """The results depend on nothing but the operands, and nothing else is done. What a pointer
    leads to is no operand."""
    if READING_CALL in op.attributes:
        return isinstance(op, func.CallOp)
    if PURE_CALL not in op.attributes:
        return only_computes(op)
    return isinstance(op, func.CallOp) and not any(
        isinstance(operand.type, LLVMPointerType | MemRefType) for operand in op.operands
    )


def _statement_of(value: SSAValue) -> StmtOp | None:
    owner = value.owner
    op = owner.parent_op() if isinstance(owner, Block) else owner
    while op is not None and not isinstance(op, StmtOp):
        op = op.parent_op()
    return op


@irdl_op_definition
class ReadOp(IRDLOperation):
    """Read an element of `array`: the one that `relation` gives, or that at `index`, one of
    those that `relation` gives."""

    name = "poly.read"
    T: ClassVar = VarConstraint("T", AnyAttr())
    array = operand_def(MemRefType.constr(T))
    index = var_operand_def(IndexType())
    relation = prop_def(MapAttr)
    may = opt_prop_def(UnitAttr)
    result = result_def(T)
    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(HasAncestor(StmtOp), MemoryReadEffect())
    assembly_format = (
        "$array $relation (`may` $may^)? (`at` ` ` `[` $index^ `]`)? attr-dict `:` type($array)"
    )

    def __init__(
        self,
        array: SSAValue,
        relation: MapAttr,
        *,
        may: bool = False,
        index: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[array, index],
            properties={"relation": relation, "may": UnitAttr() if may else None},
            result_types=[element_type(array)],
        )


@irdl_op_definition
class WriteOp(IRDLOperation):
    """Write an element of `array`, chosen as by `poly.read`."""

    name = "poly.write"
    T: ClassVar = VarConstraint("T", AnyAttr())
    value = operand_def(T)
    array = operand_def(MemRefType.constr(T))
    index = var_operand_def(IndexType())
    relation = prop_def(MapAttr)
    may = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(HasAncestor(StmtOp), MemoryWriteEffect())
    assembly_format = (
        "$value `,` $array $relation (`may` $may^)? (`at` ` ` `[` $index^ `]`)? attr-dict "
        "`:` type($array)"
    )

    def __init__(
        self,
        value: SSAValue | Operation,
        array: SSAValue,
        relation: MapAttr,
        *,
        may: bool = False,
        index: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[value, array, index],
            properties={"relation": relation, "may": UnitAttr() if may else None},
        )


Poly = Dialect(
    "poly",
    [ScopOp, PaysOp, StmtOp, ReadOp, WriteOp],
    [SetAttr, MapAttr, ScheduleAttr, LoopAttr, RoundingAttr],
)
