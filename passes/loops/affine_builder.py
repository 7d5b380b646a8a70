"""Writes affine loops and vector code from linear forms.

The builder appends to one block; `loop` and `branch` open an inner block for the time of a
`with`. What it creates carries one location: that of the loop nest which is being replaced, or of
what it is in the place of (`in_place_of`); copies keep theirs.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TypeVar, cast

from xdsl.dialects import affine, arith, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnknownLoc,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from polyopt.dialects import cmem, pvec
from polyopt.dialects.cmem import PTR
from polyopt.dialects.loop_facts import NO_FACTS, LoopFacts, set_facts
from polyopt.ir.affine.conditions import set_of
from polyopt.ir.affine.linear import Form, Linear, Quotient, linear_forms, linear_of, map_of
from polyopt.support.record import entity

INDEX = IndexType()

ROLLED = LoopFacts(marks=("no_unroll",))
"""Of a loop that little time is spent in: copies of its body would only cost compile time."""

OpT = TypeVar("OpT", bound=Operation)


@entity
class OpenLoop:
    """A loop under construction; `carried` are the values of this iteration, `results` are there
    when the loop is closed."""

    iv: BlockArgument
    carried: tuple[SSAValue, ...]
    yielded: tuple[SSAValue, ...] = ()
    results: tuple[SSAValue, ...] = ()

    @property
    def index(self) -> Linear:
        return Linear.of(self.iv)


@entity
class OpenBranch:
    """`affine.if` under construction: what each side yields."""

    yielded: tuple[SSAValue, ...] = ()


@entity
class AffineBuilder:
    block: Block
    like: Operation
    """Where the location comes from."""

    def insert(self, op: OpT) -> OpT:
        if isinstance(op.location, UnknownLoc):
            op.location = self.like.location
        self.block.add_op(op)
        return op

    @contextmanager
    def in_place_of(self, op: Operation) -> Generator[None]:
        """What is created in the body has the location of `op`."""
        before, self.like = self.like, op
        try:
            yield
        finally:
            self.like = before

    def value(self, form: Form) -> SSAValue:
        """The form as an index value."""
        if isinstance(form, Linear) and len(form.terms) == 1 and not form.constant:
            value, coefficient = form.terms[0]
            if coefficient == 1:
                return value
        if isinstance(form, Linear) and not form.terms:
            return self.insert(arith.ConstantOp(IntegerAttr(form.constant, INDEX))).result
        affine_map, operands = map_of([form])
        return self.insert(affine.ApplyOp(operands, affine_map)).result

    def named(self, form: Form, name: str) -> Linear:
        """The form as a value of its own, for use in other forms."""
        value = self.value(form)
        if isinstance(value.owner, Operation) and value.owner.parent is self.block:
            value.name_hint = value.name_hint or name
        return linear_of(value) if isinstance(form, Linear) else Linear.of(value)

    def minimum(self, forms: Sequence[Form]) -> Linear:
        forms = _distinct(forms)
        if len(forms) == 1 and isinstance(forms[0], Linear):
            return forms[0]
        affine_map, operands = map_of(forms)
        return Linear.of(self.insert(affine.MinOp(operands, affine_map)).result)

    def maximum(self, forms: Sequence[Linear]) -> Linear:
        return -self.minimum([-form for form in forms])

    def range_of(self, loop: affine.ForOp) -> tuple[Linear, Linear]:
        """Where it begins and where it ends, as values, whatever the form of its bounds."""
        ends: list[Linear] = []
        for bound, operands, sign in (
            (loop.lowerBoundMap.data, loop.lowerBoundOperands, -1),
            (loop.upperBoundMap.data, loop.upperBoundOperands, 1),
        ):
            forms = linear_forms(bound, operands)
            if forms is not None:
                ends.append(self.minimum([form * sign for form in forms]) * sign)
                continue
            results = tuple(result * sign for result in bound.results)
            least = AffineMapAttr(AffineMap(bound.num_dims, bound.num_symbols, results))
            ends.append(Linear.of(self.insert(affine.MinOp(operands, least)).result) * sign)
        low, high = ends
        return low, high

    @contextmanager
    def loop(
        self,
        lowers: Sequence[Form],
        uppers: Sequence[Form],
        *,
        step: int = 1,
        carried: Sequence[SSAValue] = (),
        name: str | None = None,
        facts: LoopFacts = NO_FACTS,
    ) -> Generator[OpenLoop]:
        """`for iv = max(lowers) to min(uppers) step step`."""
        types = [value.type for value in carried]
        body = Block(arg_types=[INDEX, *types])
        iv, *arguments = body.args
        assert isinstance(iv, BlockArgument)
        iv.name_hint = name
        opened = OpenLoop(iv, tuple(arguments))
        outside, self.block = self.block, body
        yield opened
        self.insert(affine.YieldOp.get(*opened.yielded))
        self.block = outside
        lower_map, lower_operands = map_of(list(dict.fromkeys(lowers)))
        upper_map, upper_operands = map_of(_distinct(uppers))
        loop = self.insert(
            affine.ForOp.from_region(
                lower_operands,
                upper_operands,
                list(carried),
                types,
                lower_map,
                upper_map,
                Region(body),
                step,
            )
        )
        set_facts(loop, facts)
        opened.results = tuple(loop.results)

    def branch(self, conditions: Sequence[Linear], types: Sequence[Attribute] = ()) -> Branch:
        """`if all(condition >= 0 for condition in conditions)`."""
        return Branch(self, tuple(conditions), tuple(types))

    def load(self, array: SSAValue, subscripts: Sequence[Linear]) -> SSAValue:
        affine_map, operands = map_of(subscripts)
        return self.insert(affine.LoadOp(array, operands, affine_map)).result

    def store(
        self, value: SSAValue, array: SSAValue, subscripts: Sequence[Linear]
    ) -> affine.StoreOp:
        affine_map, operands = map_of(subscripts)
        return self.insert(affine.StoreOp(value, array, operands, affine_map))

    def numbers(self, first: Linear, step: int, lanes: int, type_: IntegerType) -> SSAValue:
        """The integers `first + l * step`, one in each lane, or what the type holds of them."""
        here = self.insert(arith.IndexCastOp(self.value(first), type_)).result
        spread = self.broadcast(here, lanes)
        if not step:
            return spread
        half = 1 << (type_.width.data - 1)
        offsets = [(step * lane + half) % (2 * half) - half for lane in range(lanes)]
        constant = DenseIntOrFPElementsAttr.from_list(VectorType(type_, [lanes]), offsets)
        offset = self.insert(arith.ConstantOp(constant)).result
        return self.insert(arith.AddiOp(spread, offset)).result

    def lanes_between(self, begin: Form, end: Form, lanes: int) -> SSAValue:
        """The mask of the lanes `begin <= l < end`."""
        if begin == Linear():
            type_ = pvec.mask_type(lanes)
            return self.insert(vector.CreateMaskOp([self.value(end)], type_)).mask_vector
        mask = pvec.RangeMaskOp(self.value(begin), self.value(end), lanes)
        return self.insert(mask).mask

    def broadcast(self, value: SSAValue, lanes: int) -> SSAValue:
        return self.insert(vector.BroadcastOp(value, VectorType(value.type, [lanes]))).vector

    def mask(self, lanes: Sequence[bool]) -> SSAValue:
        """The same in every run."""
        type_ = VectorType(i1, [len(lanes)])
        value = DenseIntOrFPElementsAttr.from_list(type_, [int(lane) for lane in lanes])
        return self.insert(arith.ConstantOp(value)).result

    def zero(self, type_: Attribute) -> SSAValue:
        """Zero of an element or a vector type; of pointers the null pointer."""
        if lanes := _lanes_of_pointers(type_):
            return self.broadcast(self.zero(PTR), lanes)
        if type_ == PTR:
            return self.insert(cmem.IntToPtrOp(self.zero(i64))).result
        constant = arith.ConstantOp.create(properties={"value": _zero(type_)}, result_types=[type_])
        return self.insert(constant).results[0]


@entity
class Branch:
    """Both sides of an `affine.if`, filled one after the other; `results` when closed."""

    builder: AffineBuilder
    conditions: tuple[Linear, ...]
    types: tuple[Attribute, ...]
    results: tuple[SSAValue, ...] = ()
    _then: Region = field(default_factory=Region)
    _orelse: Region = field(default_factory=Region)

    @contextmanager
    def then(self) -> Generator[OpenBranch]:
        with self._side(self._then) as side:
            yield side

    @contextmanager
    def orelse(self) -> Generator[OpenBranch]:
        with self._side(self._orelse) as side:
            yield side

    @contextmanager
    def _side(self, region: Region) -> Generator[OpenBranch]:
        block = Block()
        outside, self.builder.block = self.builder.block, block
        side = OpenBranch()
        yield side
        self.builder.insert(affine.YieldOp.get(*side.yielded))
        self.builder.block = outside
        region.add_block(block)

    def close(self) -> tuple[SSAValue, ...]:
        condition, operands = set_of(self.conditions)
        op = self.builder.insert(
            affine.IfOp.create(
                operands=operands,
                properties={"condition": condition},
                result_types=self.types,
                regions=[self._then, self._orelse],
            )
        )
        self.results = tuple(op.results)
        return self.results


def _distinct(forms: Sequence[Form]) -> list[Form]:
    """Each form once, and of the constants the least."""
    constants = [f.constant for f in forms if isinstance(f, Linear) and not f.terms]
    rest = [f for f in dict.fromkeys(forms) if isinstance(f, Quotient) or f.terms]
    return [*rest, Linear((), min(constants))] if constants else rest


def _lanes_of_pointers(type_: Attribute) -> int:
    """0 where it is no vector of pointers."""
    if not isinstance(type_, VectorType):
        return 0
    vector_type = cast(VectorType[Attribute], type_)
    return vector_type.get_shape()[0] if vector_type.element_type == PTR else 0


def _zero(type_: Attribute) -> Attribute:
    if isinstance(type_, VectorType):
        # Of either kind of element; the stated one only tells the type checker a kind.
        vector_type = cast(VectorType[IntegerType], type_)
        return DenseIntOrFPElementsAttr.from_list(vector_type, [0])
    if isinstance(type_, IntegerType):
        return IntegerAttr(0, cast(IntegerType, type_))
    return FloatAttr(0.0, cast(AnyFloat, type_))
