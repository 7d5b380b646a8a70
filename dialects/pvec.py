"""pvec: what vector code needs and xDSL's `vector` and `arith` cannot say.

Comparisons, selections and conversions lane by lane (xDSL's `arith` has them for scalars only),
masks of a range of lanes; accesses whose lanes are strided and the like (`pvec_accesses.py`); sums
of neighbouring lanes (`pvec_group_sums.py`); and transfers (`pvec_transfers.py`,
`pvec_group_transfers.py`), which say what is accessed but not how.
Vectors have one dimension.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
)
from xdsl.dialects.builtin import (
    I1,
    AnyFloat,
    AnyFloatConstr,
    IndexType,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from polyopt.dialects.canonical import Canonical
from polyopt.dialects.pvec_accesses import (
    GatherOp,
    LookUpOp,
    MisalignmentOp,
    PrefetchOp,
    StreamFenceOp,
    StridedLoadOp,
    StridedStoreOp,
)
from polyopt.dialects.pvec_group_sums import GROUP_SUMS
from polyopt.dialects.pvec_group_transfers import TRANSFERS
from polyopt.dialects.pvec_lanes import lanes_of, mask_type


@irdl_op_definition
class RangeMaskOp(IRDLOperation):
    """The lanes `lower <= l < upper`; both may lie outside of the vector.

    %m = pvec.range_mask %lower to %upper : vector<8xi1>
    """

    name = "pvec.range_mask"
    lower = operand_def(IndexType())
    upper = operand_def(IndexType())
    mask = result_def(VectorType[I1])
    traits = traits_def(Pure(), Canonical("pvec_canonical", "KnownRange"))
    assembly_format = "$lower `to` $upper attr-dict `:` type($mask)"

    def __init__(self, lower: SSAValue | Operation, upper: SSAValue | Operation, lanes: int):
        super().__init__(operands=[lower, upper], result_types=[mask_type(lanes)])


@irdl_op_definition
class SelectOp(IRDLOperation):
    """In each lane `then` where the mask is set, `orelse` elsewhere."""

    name = "pvec.select"
    T: ClassVar = VarConstraint("T", AnyAttr())
    mask = operand_def(VectorType[I1])
    then = operand_def(T)
    orelse = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure(), Canonical("pvec_canonical", "KnownSelection"))
    assembly_format = "$mask `,` $then `,` $orelse attr-dict `:` type($mask) `,` type($then)"

    def __init__(
        self,
        mask: SSAValue | Operation,
        then: SSAValue | Operation,
        orelse: SSAValue | Operation,
    ):
        then = SSAValue.get(then)
        super().__init__(operands=[mask, then, orelse], result_types=[then.type])

    def verify_(self) -> None:
        if lanes_of(self.mask) != lanes_of(self.then):
            raise VerifyException("expected as many lanes in the mask as in the values")


class _CompareOp(IRDLOperation):
    """`predicate` is arith's name of the comparison."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    predicate = prop_def(StringAttr)
    lhs = operand_def(T)
    rhs = operand_def(T)
    mask = result_def(VectorType[I1])
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($mask)"
    PREDICATES: ClassVar[tuple[str, ...]]

    def __init__(self, predicate: str, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        lhs = SSAValue.get(lhs)
        super().__init__(
            operands=[lhs, rhs],
            properties={"predicate": StringAttr(predicate)},
            result_types=[mask_type(lanes_of(lhs))],
        )

    def verify_(self) -> None:
        if self.predicate.data not in self.PREDICATES:
            raise VerifyException(f"unknown predicate '{self.predicate.data}'")
        if lanes_of(self.lhs) != lanes_of(self.mask):
            raise VerifyException("expected as many lanes in the mask as in the values")


@irdl_op_definition
class CmpiOp(_CompareOp):
    """Compares integers lane by lane."""

    name = "pvec.cmpi"
    PREDICATES: ClassVar = tuple(CMPI_COMPARISON_OPERATIONS)


@irdl_op_definition
class CmpfOp(_CompareOp):
    """Compares floats lane by lane."""

    name = "pvec.cmpf"
    PREDICATES: ClassVar = tuple(CMPF_COMPARISON_OPERATIONS)


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """Converts numbers lane by lane as arith's operation of that name does.

    %f = pvec.convert "sitofp", %k : vector<4xi32> -> vector<4xf64>
    """

    name = "pvec.convert"
    kind = prop_def(StringAttr)
    source = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind `,` $source attr-dict `:` type($source) `->` type($result)"
    KINDS: ClassVar = ("extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi", "fptoui")

    def __init__(self, kind: str, source: SSAValue | Operation, element: Attribute):
        source = SSAValue.get(source)
        super().__init__(
            operands=[source],
            properties={"kind": StringAttr(kind)},
            result_types=[VectorType(element, [lanes_of(source)])],
        )

    def verify_(self) -> None:
        if self.kind.data not in self.KINDS:
            raise VerifyException(f"unknown conversion '{self.kind.data}'")
        if lanes_of(self.source) != lanes_of(self.result):
            raise VerifyException("expected as many lanes in the result as in the source")


@irdl_op_definition
class QuotientOp(IRDLOperation):
    """Integers divided lane by lane, as `arith.divsi` does, or `arith.divui` where `unsigned`,
    through floating-point numbers that hold all of them, and are rounded once: of f32 numbers below
    2^23, of f64 below 2^52. Nothing traps; what is divided by zero is no number.

    %q = pvec.quotient %a, %b through f64 : vector<8xi32>
    """

    name = "pvec.quotient"
    T: ClassVar = VarConstraint("T", AnyAttr())
    lhs = operand_def(T)
    rhs = operand_def(T)
    through = prop_def(AnyFloatConstr)
    unsigned = opt_prop_def(UnitAttr)
    result = result_def(T)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$lhs `,` $rhs (`unsigned` $unsigned^)? `through` $through attr-dict `:` type($result)"
    )

    def __init__(self, lhs: SSAValue, rhs: SSAValue, through: AnyFloat, *, unsigned: bool):
        super().__init__(
            operands=[lhs, rhs],
            properties={"through": through, "unsigned": UnitAttr() if unsigned else None},
            result_types=[lhs.type],
        )

    def verify_(self) -> None:
        if not isa(self.result.type, VectorType[IntegerType]):
            raise VerifyException("expected vectors of integers")


PVec = Dialect(
    "pvec",
    [
        RangeMaskOp,
        SelectOp,
        CmpiOp,
        CmpfOp,
        ConvertOp,
        QuotientOp,
        StridedLoadOp,
        StridedStoreOp,
        GatherOp,
        LookUpOp,
        PrefetchOp,
        MisalignmentOp,
        StreamFenceOp,
        *GROUP_SUMS,
        *TRANSFERS,
    ],
    [],
)
