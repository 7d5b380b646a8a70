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

Invariants, checked by the verifiers:
  - names: `param_names` and `array_names` are distinct, one for each operand; a statement's name
    is unique in its SCoP; domains and relations speak of no other parameters.
  - a statement's domain lies in the space of its name with one dimension for each block argument.
  - an access relation goes from the statement's space to its array's (name and rank).
  - an access without a run-time index touches exactly one element per instance; one whose relation
    is not single-valued carries the index, and so does a `may` access that is always made.
  - the schedule's domain is the union of the statements' domains.
  - inside a statement, at any depth: memory is accessed by poly.read and poly.write only, so that
    each access has a relation; all else only computes. A call says that it does by the attribute
    `poly.pure`, and takes no pointer. Values from above the SCoP may be used, values of another
    statement may not.
  - `scf.if` may stand around accesses, where data decide whether they are made: these are `may`
    accesses, with an index or without.

isl text is canonicalised and checked when it is parsed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Self

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
from xdsl.ir import Data, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import (
    HasAncestor,
    HasParent,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.cmem import element_type
from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import LoopAttr, RoundingAttr

if TYPE_CHECKING:
    import islpy as isl


FOR_LITTLE = "poly.for_little"
"""The attribute of an `scf.if` whose first arm is for problems with little work: loops there are
not blocked."""

TIMED = "poly.timed"
"""Of a function: there are calls in it that measure (time-nests)."""

AS_WRITTEN = "poly.as_written"
"""The unit attribute of a module in the module that holds functions as they were written."""

WRITTEN_ANEW = "poly.written_anew"
"""The unit attribute of a function some of whose loops a pass has written in a way that is better
with and without a SCoP: it is not given back as it was written."""

BY_HAND = "poly.by_hand"
"""The unit attribute of a SCoP whose order somebody has chosen: no pass chooses another."""

PURE_CALL = "poly.pure"
"""The unit attribute of a call in a statement whose callee only computes: no pointer is passed,
and neither reads nor writes memory that others see."""


class IslText(Data[str]):
    """isl's text of one object, canonical: equal texts after parsing are equal attributes."""

    @classmethod
    def canonical(cls, text: str) -> str:
        raise NotImplementedError

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse and canonicalise; raises ValueError if isl refuses the text."""
        import islpy as isl

        from polyopt.poly.isl.messages import explain

        try:
            return cls(cls.canonical(text))
        except isl.Error as error:
            raise ValueError(explain(error)) from None

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            start = parser.pos
            text = parser.parse_str_literal(": expected isl text in quotes")
            try:
                return cls.from_text(text).data
            except ValueError as error:
                parser.raise_error(f"invalid isl text: {error}", start, parser.pos)

    @property
    def is_empty(self) -> bool:
        """Whether this is the empty union, which is in no space and in every space."""
        return self.data.endswith("{  }")

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data)


@lru_cache(maxsize=4096)
def _parsed_set(text: str) -> isl.Set:
    import islpy as isl

    return isl.Set(text)


@lru_cache(maxsize=4096)
def _parsed_map(text: str) -> isl.Map:
    import islpy as isl

    return isl.Map(text)


@irdl_attr_definition
class SetAttr(IslText):
    """A set of statement instances or of parameter values (an isl union set)."""

    name = "poly.set"

    @classmethod
    def canonical(cls, text: str) -> str:
        import islpy as isl

        return str(isl.UnionSet(text).coalesce())

    @classmethod
    def of(cls, value: isl.Set | isl.UnionSet) -> SetAttr:
        return cls(str(value))

    def union_set(self) -> isl.UnionSet:
        import islpy as isl

        return isl.UnionSet(self.data)

    def set(self) -> isl.Set:
        """The one set, of parameter values or in one space; not for an empty union."""
        return _parsed_set(self.data)


@lru_cache(maxsize=64)
def _parsed_schedule(text: str) -> isl.Schedule:
    import islpy as isl

    return isl.Schedule(text)


@irdl_attr_definition
class MapAttr(IslText):
    """A relation such as an access relation (an isl union map)."""

    name = "poly.map"

    @classmethod
    def canonical(cls, text: str) -> str:
        import islpy as isl

        return str(isl.UnionMap(text).coalesce())

    @classmethod
    def of(cls, value: isl.Map | isl.UnionMap) -> MapAttr:
        return cls(str(value))

    def union_map(self) -> isl.UnionMap:
        import islpy as isl

        return isl.UnionMap(self.data)

    def map(self) -> isl.Map:
        """The one relation, between two spaces; not for an empty union."""
        return _parsed_map(self.data)


@irdl_attr_definition
class ScheduleAttr(IslText):
    """A schedule tree."""

    name = "poly.schedule"

    @classmethod
    def canonical(cls, text: str) -> str:
        import islpy as isl

        from polyopt.poly.isl.schedule_yaml import MalformedTree, read_yaml

        try:
            return str(isl.Schedule(read_yaml(text)[0]))
        except MalformedTree as error:
            raise ValueError(str(error)) from None

    @classmethod
    def of(cls, value: isl.Schedule) -> ScheduleAttr:
        return cls(str(value))

    def schedule(self) -> isl.Schedule:
        return _parsed_schedule(self.data)


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
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
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

        verify_scop(self)  # pyright: ignore[reportArgumentType]


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
    does not know. `beside_threads`: it is asked of one thread; others have the loops in any case.

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
    traits = traits_def(HasParent(ScopOp), NoTerminator(), RecursiveMemoryEffect())
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
