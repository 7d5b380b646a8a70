"""Transfers: what vector code takes from memory and leaves there, before it is said how.

A transfer names an element by affine subscripts, and how far apart the elements of two neighbouring
lanes are in each dimension. What it becomes is for `lower-transfers` to say: one load, a few and
shuffles of them, one that gathers. Lanes at places that the program computes have `pvec.gather`.

    %x = pvec.read %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>       the row from here on
    %y = pvec.read %A[%i, %v * 2] by [0, 2] : …                          every other element
    %z = pvec.read %A[%v, %j] by [1, 0] masked %m : …                    down a column, some of them
    %s = pvec.read %A[%i, %k] by [0, 0] : …                              the same in all lanes
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xdsl.dialects.builtin import (
    I1,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    UnitAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects import pvec_syntax as syntax
from polyopt.dialects.array_effects import ArrayEffects
from polyopt.dialects.canonical import Canonical
from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.pvec_syntax import Address
from polyopt.dialects.shaped_types import is_memref, is_vector


class Reads(ArrayEffects):
    def reads(self, op: Operation) -> Sequence[SSAValue]:
        assert isinstance(op, TransferOp)
        return [op.memref]


class Writes(ArrayEffects):
    def writes(self, op: Operation) -> Sequence[SSAValue]:
        assert isinstance(op, TransferOp)
        return [op.memref]


class TransferOp(IRDLOperation):
    """The first lane is the element at `map` of the indices."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)

    @property
    def rank(self) -> int:
        assert is_memref(self.memref.type)
        return self.memref.type.get_num_dims()

    def check_place(self, vectors: Sequence[SSAValue]) -> None:
        """Raise VerifyException where the map is not the array's, or a vector not of elements."""
        assert is_memref(self.memref.type)
        place, element = self.map.data, self.memref.type.element_type
        if place.num_dims + place.num_symbols != len(self.indices):
            raise VerifyException("expected an index for each dimension and symbol of the map")
        if len(place.results) != self.rank:
            raise VerifyException("expected a subscript for each dimension")
        for one in vectors:
            assert is_vector(one.type)
            if one.type.get_num_dims() != 1 or one.type.element_type != element:
                raise VerifyException("expected vectors of the array's elements")

    def print_place(self, printer: Printer) -> None:
        syntax.print_place(printer, self.memref, self.map.data, self.indices)


class SteppingOp(TransferOp):
    """A transfer of which lane l is at what lies `l * steps` further."""

    steps = prop_def(DenseArrayBase.constr(i64))

    @property
    def distances(self) -> tuple[int, ...]:
        """From lane to lane, in each dimension."""
        return self.steps.get_values()

    @property
    def is_unit(self) -> bool:
        """Do lanes lie side by side?"""
        return syntax.is_unit(self.distances)

    def check_steps(self, vectors: Sequence[SSAValue]) -> None:
        self.check_place(vectors)
        if len(self.steps) != self.rank:
            raise VerifyException("expected a step for each dimension")

    def print_place(self, printer: Printer) -> None:
        super().print_place(printer)
        if self.distances and not self.is_unit:
            syntax.print_numbers(printer, "by", self.distances)


class MaskedOp(SteppingOp):
    """A transfer of the lanes where the mask is set or there is none; the elements of others need
    not exist."""

    mask = opt_operand_def(VectorType[I1])

    def check_lanes(self, vector: SSAValue) -> None:
        self.check_steps([vector])
        if self.mask is not None and lanes_of(self.mask) != lanes_of(vector):
            raise VerifyException("expected as many lanes in the mask as in the values")


@irdl_op_definition
class ReadOp(MaskedOp):
    """Other lanes hold anything. `within`: the lanes are taken from vectors of all that lies around
    them. So far from each lane's element, in the last dimension, lie those that are read beside it,
    in order and 0 among them: the elements from the first to the last of them exist. Else each
    element is read alone, where they do not lie side by side, forward or backward.

    %x = pvec.read %A[%i, %v * 3 + 1] by [0, 3] within [-1, 0] masked %m
           : memref<?x?xf64>, vector<4xf64>
    """

    name = "pvec.read"
    window = opt_prop_def(DenseArrayBase.constr(i64), prop_name="within")
    result = result_def(VectorType)
    traits = traits_def(Reads(), Canonical("pvec_canonical", "UnmaskedRead"))
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        memref: SSAValue,
        place: Address,
        steps: Sequence[int],
        type_: Attribute,
        mask: SSAValue | None = None,
        within: Sequence[int] = (),
    ):
        map, indices = place
        super().__init__(
            operands=[mask, memref, indices],
            properties={
                "map": map,
                "steps": DenseArrayBase.from_list(i64, steps),
                "within": DenseArrayBase.from_list(i64, within) if within else None,
            },
            result_types=[type_],
        )

    @property
    def within(self) -> tuple[int, ...]:
        return () if self.window is None else self.window.get_values()

    def verify_(self) -> None:
        self.check_lanes(self.result)
        if self.window is None:
            return
        if not self.distances or not self.distances[-1] or any(self.distances[:-1]):
            raise VerifyException("expected lanes strided in the last dimension alone")
        window = self.within
        is_in_order = all(a < b for a, b in pairwise(window))
        if not is_in_order or 0 not in window or window[-1] - window[0] >= abs(self.distances[-1]):
            raise VerifyException("expected places in order within one step, and 0 among them")

    @classmethod
    def parse(cls, parser: Parser) -> ReadOp:
        array, place = syntax.parse_place(parser)
        steps = syntax.parse_numbers(parser, "by") or syntax.unit(place)
        within = syntax.parse_numbers(parser, "within") or ()
        mask = syntax.parse_mask(parser)
        attributes = parser.parse_optional_attr_dict()
        memref, vector = syntax.parse_types(parser, array)
        mask = syntax.resolve_mask(parser, mask, vector)
        op = cls(memref, place, steps, vector, mask, within)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        self.print_place(printer)
        if self.window is not None:
            syntax.print_numbers(printer, "within", self.within)
        syntax.print_mask(printer, self.mask)
        syntax.print_rest(printer, self, self.memref, self.result.type)


@irdl_op_definition
class WriteOp(MaskedOp):
    """Of lanes with the same element the last one is kept. `nontemporal`: nobody will soon read
    what is written; a whole vector is aligned.

    pvec.write %x, %A[%i, %v] by [0, 2] masked %m : memref<?x?xf64>, vector<4xf64>
    """

    name = "pvec.write"
    value = operand_def(VectorType)
    nontemporal = opt_prop_def(UnitAttr)
    traits = traits_def(Writes(), Canonical("pvec_canonical", "UnmaskedWrite"))
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        value: SSAValue,
        memref: SSAValue,
        place: Address,
        steps: Sequence[int],
        mask: SSAValue | None = None,
        *,
        nontemporal: bool = False,
    ):
        map, indices = place
        super().__init__(
            operands=[value, mask, memref, indices],
            properties={
                "map": map,
                "steps": DenseArrayBase.from_list(i64, steps),
                "nontemporal": UnitAttr() if nontemporal else None,
            },
        )

    def verify_(self) -> None:
        self.check_lanes(self.value)
        if self.nontemporal is not None and not self.is_unit:
            raise VerifyException("expected elements side by side where the store is non-temporal")

    @classmethod
    def parse(cls, parser: Parser) -> WriteOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        array, place = syntax.parse_place(parser)
        steps = syntax.parse_numbers(parser, "by") or syntax.unit(place)
        mask = syntax.parse_mask(parser)
        nontemporal = parser.parse_optional_keyword("nontemporal") is not None
        attributes = parser.parse_optional_attr_dict()
        memref, vector = syntax.parse_types(parser, array)
        mask = syntax.resolve_mask(parser, mask, vector)
        stored = parser.resolve_operand(value, vector)
        op = cls(stored, memref, place, steps, mask, nontemporal=nontemporal)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(",")
        self.print_place(printer)
        syntax.print_mask(printer, self.mask)
        if self.nontemporal is not None:
            printer.print_string(" nontemporal")
        syntax.print_rest(printer, self, self.memref, self.value.type)
