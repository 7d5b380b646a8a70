"""Writes a `contract.nest` as the loops that it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from xdsl.ir import SSAValue

from polyopt.dialects.contract_body import AroundOp
from polyopt.dialects.loop_facts import NO_FACTS, LoopFacts
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.structured import Element, Structured

Places = dict[SSAValue, Linear]


def write_loops(nest: Structured, builder: AffineBuilder) -> None:
    """What is in front of the updates, the updates, what is behind them, each in loops."""
    for begin in nest.begins:
        element = next(one for one in nest.updated if one.argument is begin.element)
        _write_around(nest, begin, element.array, element.subscripts, builder)
    facts = [one.data for one in nest.op.loops] if nest.op.loops is not None else []
    with ExitStack() as loops:
        places = _open(nest.domain, nest.iterators, facts, builder, loops)
        values: dict[SSAValue, SSAValue] = {}
        elements = {one.argument: one for one in (*nest.updated, *nest.taken)}
        for op in nest.operations:
            for operand in op.operands:
                _load(operand, elements, places, values, builder)
            builder.insert(op.clone(values))
        for element, value in zip(nest.updated, nest.op.yielded, strict=True):
            _load(value, elements, places, values, builder)
            _store(values.get(value, value), element.array, element.subscripts, places, builder)
    for finish in nest.finishes:
        forms = linear_forms(finish.map.data, finish.places)
        assert forms is not None
        _write_around(nest, finish, finish.array, forms, builder)


def _open(
    domain: Constraints,
    iterators: Sequence[SSAValue],
    facts: Sequence[LoopFacts],
    builder: AffineBuilder,
    loops: ExitStack,
) -> Places:
    """Loops over the points, in this order; what the iterators are in them."""
    places: Places = {}
    for number, iv in enumerate(iterators):
        inner = iterators[number + 1 :]
        forms = [form for form in domain.forms if form.uses([iv]) and not form.uses(inner)]
        bounds = Constraints(tuple(forms)).substitute(places).bounds(iv)
        loop = builder.loop(
            bounds.lowers,
            bounds.uppers,
            name=iv.name_hint,
            facts=facts[number] if facts else NO_FACTS,
        )
        places[iv] = loops.enter_context(loop).index
    return places


def _load(
    value: SSAValue,
    elements: Mapping[SSAValue, Element],
    places: Places,
    values: dict[SSAValue, SSAValue],
    builder: AffineBuilder,
) -> None:
    """What an element of the body is here, if it is one and is not there yet."""
    if value in elements and value not in values:
        one = elements[value]
        at = [form.substitute(places) for form in one.subscripts]
        values[value] = builder.load(one.array, at)
        values[value].name_hint = value.name_hint


def _store(
    value: SSAValue,
    array: SSAValue,
    subscripts: Sequence[Linear],
    places: Places,
    builder: AffineBuilder,
) -> None:
    builder.store(value, array, [form.substitute(places) for form in subscripts])


def _write_around(
    nest: Structured,
    around: AroundOp,
    array: SSAValue,
    subscripts: Sequence[Linear],
    builder: AffineBuilder,
) -> None:
    """A nest over the elements, whose domain has no form that depth has a part in."""
    element = next(one for one in nest.updated if one.argument is around.element)
    iterators = [iv for iv in nest.iterators if iv is not nest.depth]
    forms = [form for form in nest.domain.forms if not form.uses([nest.depth])]
    with ExitStack() as loops:
        places = _open(Constraints(tuple(forms)), iterators, [], builder, loops)
        argument = around.body.block.args[0]
        values: dict[SSAValue, SSAValue] = {}
        if argument.first_use is not None:
            at = [form.substitute(places) for form in element.subscripts]
            values[argument] = builder.load(element.array, at)
        for op in list(around.body.block.ops)[:-1]:
            builder.insert(op.clone(values))
        result = values.get(around.value, around.value)
        _store(result, array, subscripts, places, builder)
