"""What the operations of `contract` with a body have in common.

A body computes with elements: its block takes the iterators, then an element for each array, and a
`contract.yield` at its end says what becomes of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    IndexType,
    MemRefType,
    UnitAttr,
)
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.array_effects import ArrayEffects
from polyopt.dialects.computing import only_computes
from polyopt.dialects.contract_forms import check_map, check_set, elements_in
from polyopt.dialects.shaped_types import is_memref


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """What a body makes of its elements."""

    name = "contract.yield"
    traits = traits_def(IsTerminator(), Pure())


class AroundOp(IRDLOperation):
    """What is made of an element in front of its updates, or behind them."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    element = operand_def(T)
    body = region_def("single_block")

    def verify_(self) -> None:
        block = self.body.block
        if [argument.type for argument in block.args] != [self.element.type]:
            raise VerifyException("expected a body on the element")
        check_body(block, [self.made_type])

    @property
    def made_type(self) -> Attribute:
        """The type of what the body yields."""
        return self.element.type

    @property
    def value(self) -> SSAValue:
        """What the body yields."""
        return yielded(self.body.block)[0]


@irdl_op_definition
class BeginOp(AroundOp):
    """What the body yields takes the element's place in front of its first update."""

    name = "contract.begin"
    traits = traits_def(ArrayEffects())
    assembly_format = "$element `:` type($element) $body attr-dict"

    def __init__(self, element: SSAValue, body: Region):
        super().__init__(operands=[element], regions=[body])


class _FinishedArray(ArrayEffects):
    def writes(self, op: Operation) -> Sequence[SSAValue]:
        assert isinstance(op, FinishOp)
        return [op.array]


@irdl_op_definition
class FinishOp(AroundOp):
    """What the body yields, of the element behind its last update, goes to an array."""

    name = "contract.finish"
    traits = traits_def(_FinishedArray())
    array = operand_def(MemRefType)
    places = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)
    reads_back = opt_prop_def(UnitAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$element `:` type($element) `to` $array `at` $map `(` $places `)` `:` type($array)"
        " (`reads_back` $reads_back^)? $body attr-dict"
    )

    def __init__(
        self,
        element: SSAValue,
        array: SSAValue,
        map: AffineMapAttr,
        places: Sequence[SSAValue],
        body: Region,
        *,
        reads_back: bool = False,
    ):
        super().__init__(
            operands=[array, places, element],
            properties={"map": map, "reads_back": UnitAttr() if reads_back else None},
            regions=[body],
        )

    def verify_(self) -> None:
        super().verify_()
        check_map(self.map, len(self.places), 0, rank_of(self.array))

    @property
    def made_type(self) -> Attribute:
        """The array's, which may be narrower or wider than the element."""
        return elements_in([self.array])[0]


class BodyOp(IRDLOperation):
    """An operation with a domain, arrays and a body on elements: the block's arguments are the
    iterators, then an element for each of `arrays`."""

    domain = prop_def(AffineSetAttr)
    symbols = var_operand_def(IndexType())
    maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")

    @property
    def dims(self) -> int:
        return self.domain.data.num_dims

    @property
    def iterators(self) -> Sequence[SSAValue]:
        return self.body.block.args[: self.dims]

    @property
    def elements(self) -> Sequence[SSAValue]:
        return self.body.block.args[self.dims :]

    @property
    def yielded(self) -> Sequence[SSAValue]:
        return yielded(self.body.block)

    def check_arrays(self, arrays: Sequence[SSAValue], panels: Sequence[SSAValue] = ()) -> None:
        """Raise VerifyException where maps, domain and body do not fit arrays and panels."""
        values = len(self.symbols)
        check_set(self.domain, self.dims, values)
        if len(self.maps) != len(arrays):
            raise VerifyException("expected a map for each array")
        for array, one in zip(arrays, self.maps, strict=True):
            check_map(one, self.dims, values, rank_of(array))
        types = [argument.type for argument in self.body.block.args]
        expected = [IndexType()] * self.dims + elements_in([*arrays, *panels])
        if types != expected:
            raise VerifyException(f"expected a body on ({', '.join(map(str, expected))})")

    def check_computes(self, updated: int) -> None:
        """Raise VerifyException where the body does not give so many elements, its first ones,
        their next values, or does more than that and what goes around the updates."""
        elements = self.elements[:updated]
        around = [op for op in self.body.block.ops if isinstance(op, AroundOp)]
        check_body(self.body.block, [one.type for one in elements], around)
        if any(one.element not in elements for one in around):
            raise VerifyException("expected an element that is updated")
        begun = [one.element for one in around if isinstance(one, BeginOp)]
        if len(set(begun)) != len(begun):
            raise VerifyException("an element begins twice")
        users = {use.operation for one in self.iterators for use in one.uses}
        if not users <= set(around):
            raise VerifyException("only places may be said with iterators")


def rank_of(array: SSAValue) -> int:
    assert is_memref(array.type)
    return array.type.get_num_dims()


def yielded(block: Block) -> Sequence[SSAValue]:
    """What a body makes of its elements."""
    last = block.last_op
    return last.operands if isinstance(last, YieldOp) else ()


def check_body(block: Block, types: Sequence[Attribute], others: Iterable[Operation] = ()) -> None:
    """Raise VerifyException where a body does more than compute values of these types."""
    *inner, last = block.ops
    if not isinstance(last, YieldOp) or [value.type for value in last.operands] != list(types):
        raise VerifyException(f"expected a yield of ({', '.join(map(str, types))})")
    allowed = set(others)
    for op in inner:
        if op not in allowed and (op.regions or not only_computes(op)):
            raise VerifyException(f"expected operations that only compute, not {op.name}")
