"""A `contract.nest` read into plain data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_body import AroundOp, BeginOp, BodyOp, FinishOp, YieldOp
from polyopt.dialects.contract_groups import Extension
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.linear_sets import forms_of_map, forms_of_set
from polyopt.passes.loops.contract.panel_values import Body, Iterators, PanelValues, spread
from polyopt.passes.loops.contract.shared_panels import team_around, whole_domain
from polyopt.support.record import record


@record
class Element:
    """An element of an array at a point: `argument` stands for it in the body."""

    argument: SSAValue
    array: SSAValue
    subscripts: tuple[Linear, ...]

    @property
    def type(self) -> Attribute:
        return self.argument.type


@record
class Structured:
    """A nest with its iterators by their roles; `iterators` in their order."""

    op: NestOp
    iterators: tuple[SSAValue, ...]
    rows: SSAValue
    columns: SSAValue
    depth: SSAValue
    batch: tuple[SSAValue, ...]
    domain: Constraints
    updated: tuple[Element, ...]
    taken: tuple[Element, ...]

    @staticmethod
    def of(op: NestOp) -> Structured:
        iterators = tuple(op.iterators)
        (rows,), (columns,), (depth,) = (
            [iterators[dim] for dim in op.dims_as(role)] for role in ("rows", "columns", "depth")
        )
        batch = tuple(iterators[dim] for dim in op.dims_as("batch"))
        domain = Constraints(forms_of_set(op.domain, iterators, op.symbols))
        count = len(op.updated)
        elements = elements_of(op, [*op.updated, *op.taken])
        return Structured(
            op, iterators, rows, columns, depth, batch, domain, elements[:count], elements[count:]
        )

    @cached_property
    def panels(self) -> PanelValues | None:
        """What is packed; None where nothing is there to be packed by rows, or by columns."""
        leaves: dict[SSAValue, Iterators] = {}
        for one in (*self.updated, *self.taken):
            leaves[one.argument] = Iterators(
                iv for iv in self.iterators if any(f.coefficient(iv) for f in one.subscripts)
            )
        scalars = {one.argument for one in self.taken if not one.subscripts}
        body = Body(
            self.operations,
            [one.argument for one in self.updated],
            self.op.yielded,
            spread(self.operations, leaves),
            lambda v: v in scalars or isinstance(v.owner, arith.ConstantOp),
        )
        found = body.panels(self.rows, self.columns, self.batch)
        if found is None or self.op.blocking is None or self.op.blocking.data.group == 1:
            return found
        return PanelValues(_narrow(found.rows), _narrow(found.columns))

    @property
    def is_shared(self) -> bool:
        """Whether the threads of a team pack its columns together."""
        return self.op.shared is not None

    @cached_property
    def whole(self) -> Constraints:
        """The domain; of a nest that a team shares, that of all its members together."""
        if not self.is_shared:
            return self.domain
        around = team_around(self.op)
        assert around is not None
        found = whole_domain(self.domain, self.rows, self.iterators, around)
        assert found is not None
        return found

    @property
    def operations(self) -> list[Operation]:
        """Those that compute the next values."""
        return computing(self.op)

    @property
    def begins(self) -> list[BeginOp]:
        return [op for op in self.op.body.block.ops if isinstance(op, BeginOp)]

    @property
    def finishes(self) -> list[FinishOp]:
        return [op for op in self.op.body.block.ops if isinstance(op, FinishOp)]

    def extents(self, iterator: SSAValue) -> list[Linear]:
        return self.domain.extents(iterator, self.iterators)

    def known_extent(self, iterator: SSAValue) -> int | None:
        """What it is at most, as far as that is a number."""
        return min(
            (form.constant for form in self.extents(iterator) if not form.terms), default=None
        )


def _narrow(values: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
    """What lies in panels of groups: the factors of the product, not yet extended."""
    return tuple(v.owner.input if isinstance(v.owner, Extension) else v for v in values)


def elements_of(op: BodyOp, arrays: Sequence[SSAValue]) -> tuple[Element, ...]:
    """The elements that the body's first arguments behind the iterators stand for."""
    iterators = op.iterators
    return tuple(
        Element(argument, array, forms_of_map(one, iterators, op.symbols))
        for argument, array, one in zip(op.elements, arrays, op.maps)
    )


def computing(op: BodyOp) -> list[Operation]:
    """What a body computes with, without what is around the updates."""
    return [one for one in op.body.block.ops if not isinstance(one, AroundOp | YieldOp)]
