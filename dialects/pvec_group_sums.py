"""Sums over groups of neighbouring lanes: narrow factors in, wider accumulators with fewer lanes.

In the lane of its group each accumulator gets what the lanes of the group give. Which lane of the
accumulators a product goes to hardly ever matters, only what all of them give together; and so much
is done by one operation of the machine.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I8, I32, IntegerType, StringAttr, VectorType, i8, i16, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.pvec_lanes import lanes_of, vector_type

SIGNED, UNSIGNED = "extsi", "extui"
HALF, BYTE = 16, 8
"""The bits of a factor."""


@irdl_op_definition
class GroupDotOp(IRDLOperation):
    """Adds to each lane the products of its group, as arith's operation of that name extends their
    factors, modulo 2^32: two factors of 16 bits with signs, or four of 8 bits.

        sum[l] = acc[l] + lhs[g l] * rhs[g l] + … + lhs[g l + g - 1] * rhs[g l + g - 1]

    %s = pvec.group_dot "extui" %a, "extsi" %b to %acc : vector<64xi8> -> vector<16xi32>
    """

    name = "pvec.group_dot"
    T: ClassVar = VarConstraint("T", base(VectorType[IntegerType]))
    R: ClassVar = VarConstraint("R", base(VectorType[I32]))
    lhs_kind = prop_def(StringAttr)
    rhs_kind = prop_def(StringAttr)
    lhs = operand_def(T)
    rhs = operand_def(T)
    acc = operand_def(R)
    sum = result_def(R)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$lhs_kind $lhs `,` $rhs_kind $rhs `to` $acc attr-dict `:` type($lhs) `->` type($sum)"
    )

    def __init__(self, lhs: tuple[str, SSAValue], rhs: tuple[str, SSAValue], acc: SSAValue):
        kinds = {"lhs_kind": StringAttr(lhs[0]), "rhs_kind": StringAttr(rhs[0])}
        super().__init__(operands=[lhs[1], rhs[1], acc], properties=kinds, result_types=[acc.type])

    @property
    def group(self) -> int:
        """How many lanes of the factors are one of the accumulators."""
        return lanes_of(self.lhs) // lanes_of(self.acc)

    def verify_(self) -> None:
        kinds = (self.lhs_kind.data, self.rhs_kind.data)
        if any(one not in (SIGNED, UNSIGNED) for one in kinds):
            raise VerifyException(f"expected '{SIGNED}' or '{UNSIGNED}'")
        element, whole = vector_type(self.lhs).element_type, lanes_of(self.lhs)
        if (element, whole) not in ((i16, 2 * lanes_of(self.acc)), (i8, 4 * lanes_of(self.acc))):
            raise VerifyException("expected two factors of 16 bits or four of 8 in each lane")
        if element == i16 and kinds != (SIGNED, SIGNED):
            raise VerifyException("expected factors of 16 bits to have signs")


@irdl_op_definition
class GroupDistanceOp(IRDLOperation):
    """Adds how far apart bytes without signs are, modulo the lanes of the accumulators: of eight
    neighbours to one lane of 64 bits, or to the first of two of 32, to the second nothing.

        sum[l] = acc[l] + |lhs[8 l] - rhs[8 l]| + … + |lhs[8 l + 7] - rhs[8 l + 7]|

    %s = pvec.group_distance %a, %b to %acc : vector<64xi8> -> vector<16xi32>
    """

    name = "pvec.group_distance"
    T: ClassVar = VarConstraint("T", base(VectorType[I8]))
    R: ClassVar = VarConstraint("R", base(VectorType[IntegerType]))
    lhs = operand_def(T)
    rhs = operand_def(T)
    acc = operand_def(R)
    sum = result_def(R)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs `to` $acc attr-dict `:` type($lhs) `->` type($sum)"

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        acc: SSAValue,
    ):
        super().__init__(operands=[lhs, rhs, acc], result_types=[acc.type])

    def verify_(self) -> None:
        element, lanes = vector_type(self.acc).element_type, lanes_of(self.lhs)
        if (element, lanes) not in ((i32, 4 * lanes_of(self.acc)), (i64, 8 * lanes_of(self.acc))):
            raise VerifyException("expected four bytes for each lane of 32 bits, or eight for 64")
        if lanes % 16:
            raise VerifyException("expected whole registers")


GROUP_SUMS = (GroupDotOp, GroupDistanceOp)
