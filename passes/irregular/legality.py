"""Whether the iterations of a nest that is no static control part may run in another order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Block, SSAValue

from polyopt.ir.expressions.integer_expr import Expr, Unknown
from polyopt.ir.objects.bases import BaseKind, are_disjoint, base_kind
from polyopt.ir.objects.iteration_variables import first_reader
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.loop_references import NotProved
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.scop.array_names import array_name

if TYPE_CHECKING:
    from polyopt.poly.linear.dependence_vectors import DependenceVector, Interval


def check_variables(body: Block, variables: Collection[SSAValue]) -> None:
    """Each run of the body writes them before it reads them: what is left in the end is what the
    iteration left that was the last one. Raises NotProved."""
    for variable in variables:
        if first_reader(body, variable) is not None:
            name = variable.name_hint or "a variable"
            raise NotProved(f"what an iteration leaves in {name} is read later")


def checked_vectors(
    view: LoopView,
    nest: NaturalNest,
    references: Sequence[Reference],
    runs_against: Callable[[DependenceVector], bool],
) -> Iterator[DependenceVector]:
    """Where accesses may meet; no vector runs against the new order. Raises NotProved."""
    from polyopt.ir.references.loop_directions import directions

    stores = {one.base: one for one in references if one.is_write}
    for base, store in stores.items():
        if not view.is_fixed(Expr.of(Unknown(base))) and base_kind(base) is not BaseKind.GLOBAL:
            raise NotProved("through which pointer it writes is not known before", store.op)
        for other in references:
            if other.base is not base and not are_disjoint(base, other.base):
                raise NotProved(f"{_name(base)} and {_name(other.base)} may overlap", other.op)
        for vector in directions(nest, [one for one in references if one.base is base]):
            if runs_against(vector):
                raise NotProved(f"iterations may meet in {_name(base)}", store.op)
            yield vector


def may_rise(one: Interval) -> bool:
    return one.high is None or one.high > 0


def may_fall(one: Interval) -> bool:
    return one.low is None or one.low < 0


def _name(base: SSAValue) -> str:
    return array_name(base) or "an array"
