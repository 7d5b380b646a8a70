"""Transfers of several vectors at once: in turns, and squares that are transposed.

pvec.write_in_turns (%x, %y), %A[%v * 2] : …      x0 y0 x1 y1 …, side by side
%0, %1, … = pvec.read_square %A[%i, %j] by [1, 0] : …      columns of rows that are read whole
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xdsl.dialects.builtin import (
    DenseArrayBase,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects import pvec_syntax as syntax
from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.pvec_syntax import Address
from polyopt.dialects.pvec_transfers import ReadOp, Reads, SteppingOp, TransferOp, WriteOp, Writes


@irdl_op_definition
class WriteInTurnsOp(SteppingOp):
    """The first lanes of all vectors side by side, then the second ones, and so on. `at`: with
    gaps, vector n so many elements further in the last dimension; what lies in between is left as
    it is.

    pvec.write_in_turns (%x, %y), %A[%i, %v * 2] : memref<?x?xf64>, vector<4xf64>
    pvec.write_in_turns (%x, %y), %A[%i, %v * 4] by [0, 4] at [0, 3] : …
    """

    name = "pvec.write_in_turns"
    values = var_operand_def(VectorType)
    offsets = prop_def(DenseArrayBase.constr(i64), prop_name="at")
    traits = traits_def(Writes())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        values: Sequence[SSAValue],
        memref: SSAValue,
        place: Address,
        steps: Sequence[int] | None = None,
        at: Sequence[int] | None = None,
    ):
        map, indices = place
        dense = [len(values) * one for one in syntax.unit(place)]
        super().__init__(
            operands=[values, memref, indices],
            properties={
                "map": map,
                "steps": DenseArrayBase.from_list(i64, dense if steps is None else steps),
                "at": DenseArrayBase.from_list(i64, range(len(values)) if at is None else at),
            },
        )

    @property
    def at(self) -> tuple[int, ...]:
        return self.offsets.get_values()

    @property
    def is_dense(self) -> bool:
        """Is nothing left out?"""
        return self.distances[-1] == len(self.values)

    def verify_(self) -> None:
        if len({one.type for one in self.values}) != 1:
            raise VerifyException("expected vectors of one type")
        self.check_steps(self.values)
        if not self.rank or self.distances[-1] < 1 or any(self.distances[:-1]):
            raise VerifyException("expected lanes strided in the last dimension alone")
        at = self.at
        is_in_order = all(a < b for a, b in pairwise(at))
        if len(at) != len(self.values) or not is_in_order or at[0]:
            raise VerifyException("expected a place for each vector, in order, the first 0")
        if at[-1] >= self.distances[-1]:
            raise VerifyException("expected places within one step")

    @classmethod
    def parse(cls, parser: Parser) -> WriteInTurnsOp:
        values = syntax.parse_values(parser)
        array, place = syntax.parse_place(parser)
        steps = syntax.parse_numbers(parser, "by")
        at = syntax.parse_numbers(parser, "at")
        attributes = parser.parse_optional_attr_dict()
        memref, vector = syntax.parse_types(parser, array)
        stored = [parser.resolve_operand(one, vector) for one in values]
        op = cls(stored, memref, place, steps, at)
        op.attributes.update(attributes)
        return op

    def print_place(self, printer: Printer) -> None:
        if self.is_dense:
            TransferOp.print_place(self, printer)
        else:
            super().print_place(printer)

    def print(self, printer: Printer) -> None:
        syntax.print_values(printer, self.values)
        self.print_place(printer)
        if not self.is_dense:
            syntax.print_numbers(printer, "at", self.at)
        syntax.print_rest(printer, self, self.memref, self.values[0].type)


class SquareOp(SteppingOp):
    """As many vectors as they have lanes: of vector t, lane l is the element that lies `l * steps`
    and then t elements of the last dimension further."""

    @property
    def side(self) -> int:
        return len(self.results) or len(self.operands) - len(self.indices) - 1

    def check_square(self, vectors: Sequence[SSAValue]) -> None:
        if len({one.type for one in vectors}) != 1 or len(vectors) != lanes_of(vectors[0]):
            raise VerifyException("expected as many vectors of one type as they have lanes")
        self.check_steps(vectors)


@irdl_op_definition
class ReadSquareOp(SquareOp):
    """Rows that are read whole, and transposed.

    %0, %1, %2, %3 = pvec.read_square %A[%i, %j] by [1, 0] : memref<?x?xf64>, vector<4xf64>
    """

    name = "pvec.read_square"
    vectors = var_result_def(VectorType)
    traits = traits_def(Reads())

    def __init__(
        self, memref: SSAValue, place: Address, steps: Sequence[int], type_: VectorType[Attribute]
    ):
        map, indices = place
        super().__init__(
            operands=[memref, indices],
            properties={"map": map, "steps": DenseArrayBase.from_list(i64, steps)},
            result_types=[[type_] * type_.get_shape()[0]],
        )

    def verify_(self) -> None:
        self.check_square(self.vectors)

    @classmethod
    def parse(cls, parser: Parser) -> ReadSquareOp:
        array, place = syntax.parse_place(parser)
        steps = syntax.parse_numbers(parser, "by") or syntax.unit(place)
        attributes = parser.parse_optional_attr_dict()
        memref, vector = syntax.parse_types(parser, array)
        op = cls(memref, place, steps, vector)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        self.print_place(printer)
        syntax.print_rest(printer, self, self.memref, self.vectors[0].type)


@irdl_op_definition
class WriteSquareOp(SquareOp):
    """Transposed, and written as whole rows, the first lanes' first.

    pvec.write_square (%0, %1, %2, %3), %A[%i, %j] by [1, 0] : memref<?x?xf64>, vector<4xf64>
    """

    name = "pvec.write_square"
    values = var_operand_def(VectorType)
    traits = traits_def(Writes())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self, values: Sequence[SSAValue], memref: SSAValue, place: Address, steps: Sequence[int]
    ):
        map, indices = place
        super().__init__(
            operands=[values, memref, indices],
            properties={"map": map, "steps": DenseArrayBase.from_list(i64, steps)},
        )

    def verify_(self) -> None:
        if not self.values:
            raise VerifyException("expected as many vectors of one type as they have lanes")
        self.check_square(self.values)

    @classmethod
    def parse(cls, parser: Parser) -> WriteSquareOp:
        values = syntax.parse_values(parser)
        array, place = syntax.parse_place(parser)
        steps = syntax.parse_numbers(parser, "by") or syntax.unit(place)
        attributes = parser.parse_optional_attr_dict()
        memref, vector = syntax.parse_types(parser, array)
        op = cls([parser.resolve_operand(one, vector) for one in values], memref, place, steps)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        syntax.print_values(printer, self.values)
        self.print_place(printer)
        syntax.print_rest(printer, self, self.memref, self.values[0].type)


TRANSFERS = (ReadOp, WriteOp, WriteInTurnsOp, ReadSquareOp, WriteSquareOp)
