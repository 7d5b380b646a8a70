"""Contractions in affine loops: found, and proved to run in blocks.

A contraction (`poly/analysis/contraction_roles.py` says what that is) is a perfect nest around
statements `X[f(i, j)] = g(X[f(i, j)], P(i, k), Q(k, j))` for any pure expression g. The panels P, Q
are the largest values of the body that do not vary with both i and j (`panel_values.py`); those of
the columns do not vary with the batch.

Blocked, the nest runs as

    for k-block: for j-block: pack Q; for batch: for i-block: pack P;
        for j-tile: for i-tile: X tile into registers; for k: update; X tile back

The law that makes it legal, checked on the exact dependences of the nest (`is_legal`):
 1. an accumulator depends on itself only along k: then each element still sees its updates in
    their original order, whatever the order of (i, j) tiles, with no floating-point licence.
 2. a panel is read when it is packed, at the start of its block. An element written later may
    have been read only in the same or in an earlier block: a WAR distance is >= 0 in each
    blocked loop. A panel never reads what the nest has written (no RAW).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import affine, arith
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polyopt.ir.affine.affine_dependence import Dependence, NestDependences, dependences_below
from polyopt.ir.affine.affine_nest import (
    Access,
    AffineLoop,
    AffineNest,
    access_of,
    is_defined_inside,
)
from polyopt.ir.affine.linear import Linear
from polyopt.ir.elementwise import has_lanes
from polyopt.passes.loops.contract.panel_values import Body, Iterators, spread
from polyopt.poly.analysis.contraction_roles import contraction_roles
from polyopt.support.record import record


@record
class Accumulator:
    """An element of X for each (i, j): read by `load`, written by `store`."""

    load: affine.LoadOp
    store: affine.StoreOp
    subscripts: tuple[Linear, ...]

    @property
    def array(self) -> SSAValue:
        return self.store.memref

    @property
    def element(self) -> Attribute:
        return self.store.value.type


@record
class Contraction:
    """A nest with its roles."""

    nest: AffineNest
    rows: AffineLoop
    columns: AffineLoop
    depth: AffineLoop
    batch: tuple[AffineLoop, ...]
    accumulators: tuple[Accumulator, ...]

    @property
    def iterators(self) -> tuple[SSAValue, SSAValue, SSAValue]:
        """(i, j, k)"""
        return self.rows.iv, self.columns.iv, self.depth.iv

    @property
    def root(self) -> affine.ForOp:
        return self.nest.loops[0].op


def find_contraction(nest: AffineNest) -> Contraction | None:
    """The contraction in the most loops of `nest`, its outer loops left alone; None if there is
    none or its blocked form is not legal."""
    for outer in range(len(nest.loops) - 2):
        inner = AffineNest(nest.loops[outer:])
        candidates = list(_candidates(inner))
        if not candidates:
            continue
        dependences = dependences_below(inner.loops[0].op)
        for contraction in candidates:
            if is_legal(contraction, dependences):
                return contraction
    return None


def is_legal(contraction: Contraction, dependences: NestDependences) -> bool:
    """The two laws at the head of this file."""
    return dependences.is_complete and all(
        _allows(contraction, dependence) for dependence in dependences.dependences
    )


def _allows(contraction: Contraction, dependence: Dependence) -> bool:
    ends = {dependence.source.op, dependence.sink.op}
    for accumulator in contraction.accumulators:
        if ends <= {accumulator.load, accumulator.store}:
            fixed = (contraction.rows, contraction.columns, *contraction.batch)
            return not any(_may_be(dependence, loop, "!= 0") for loop in fixed)
    if dependence.kind != "WAR":
        return False
    blocked = (contraction.depth, contraction.columns, contraction.rows, *contraction.batch)
    return not any(_may_be(dependence, loop, "< 0") for loop in blocked)


def _may_be(dependence: Dependence, loop: AffineLoop, relation: str) -> bool:
    """May the distance along `loop` stand in this relation to zero?"""
    level = dependence.level(loop)
    assert level is not None
    if relation == "!= 0":
        return dependence.has_distance(f"d{level} < 0 or d{level} > 0")
    return dependence.has_distance(f"d{level} {relation}")


def _candidates(nest: AffineNest) -> Iterable[Contraction]:
    """Every assignment of roles that fits, the likeliest first: rows as deep as may be."""
    accumulators = _accumulators(nest)
    if not accumulators or any(loop.step != 1 for loop in nest.loops):
        return
    body = _body(nest, accumulators)
    if body is None:
        return
    own = {a.load.result for a in accumulators}
    loops: dict[SSAValue, AffineLoop] = {loop.iv: loop for loop in nest.loops}
    taken = [op.result for op in nest.operations if isinstance(op, affine.LoadOp)]
    for roles in contraction_roles(
        nest.iterators,
        {value for a in accumulators for form in a.subscripts for value in form.values},
        [body.varies[value] for value in taken if value not in own and value.first_use],
        lambda iv: all(_is_unit_stride(iv, a.subscripts) for a in accumulators),
        len(accumulators),
    ):
        if body.panels(roles.rows, roles.columns, roles.batch) is not None:
            rows, columns, depth = loops[roles.rows], loops[roles.columns], loops[roles.depth]
            batch = tuple(loops[iv] for iv in roles.batch)
            yield Contraction(nest, rows, columns, depth, batch, accumulators)


def _is_unit_stride(iterator: SSAValue, subscripts: Sequence[Linear]) -> bool:
    *others, last = [form.coefficient(iterator) for form in subscripts]
    return last == 1 and not any(others)


def _accumulators(nest: AffineNest) -> tuple[Accumulator, ...]:
    """The stores of the body with the load of the same element above them; none at all if a
    store does not fit."""
    operations = nest.operations
    found: list[Accumulator] = []
    for op in operations:
        if not isinstance(op, affine.StoreOp):
            continue
        access = access_of(op)
        if access is None or not access.subscripts:
            return ()
        subscripts = _known_subscripts(access)
        if subscripts is None or any(a.array is op.memref for a in found):
            return ()
        load = next((o for o in operations if _reads_same(o, access)), None)
        if not isinstance(load, affine.LoadOp) or not load.is_before_in_block(op):
            return ()
        found.append(Accumulator(load, op, subscripts))
    return tuple(found)


def _reads_same(op: Operation, store: Access) -> bool:
    access = access_of(op)
    return (
        access is not None
        and not access.is_write
        and access.array is store.array
        and access.subscripts == store.subscripts
    )


def _known_subscripts(access: Access) -> tuple[Linear, ...] | None:
    if access.subscripts is None:
        return None
    known = [form for form in access.subscripts if form is not None]
    return tuple(known) if len(known) == len(access.subscripts) else None


def _body(nest: AffineNest, accumulators: Sequence[Accumulator]) -> Body | None:
    """What the body computes; None as for `iterators_of_values`."""
    varies = iterators_of_values(nest)
    if varies is None:
        return None
    return Body(
        [op for op in nest.operations if not isinstance(op, affine.LoadOp | affine.StoreOp)],
        [a.load.result for a in accumulators],
        [a.store.value for a in accumulators],
        varies,
        _is_scalar,
    )


def _is_scalar(value: SSAValue) -> bool:
    """A constant or a scalar in memory, which may be read at any time."""
    if not isinstance(value, OpResult):
        return False
    if isinstance(value.op, affine.LoadOp):
        return not value.op.map.data.results
    return isinstance(value.op, arith.ConstantOp)


def iterators_of_values(nest: AffineNest) -> dict[SSAValue, Iterators] | None:
    """For each value of the body, the iterators that it varies with; None if the body holds an
    operation that has no lane by lane vector form."""
    leaves: dict[SSAValue, Iterators] = {}
    computing: list[Operation] = []
    ivs = [loop.iv for loop in nest.loops]
    for op in nest.operations:
        if isinstance(op, affine.LoadOp):
            access = access_of(op)
            subscripts = None if access is None else _known_subscripts(access)
            if subscripts is None:
                return None
            root = nest.loops[0].op
            inner = {v for f in subscripts for v in f.values if is_defined_inside(v, root)}
            if not inner <= set(ivs):
                return None
            leaves[op.result] = Iterators(
                iv for iv in ivs if any(form.coefficient(iv) for form in subscripts)
            )
        elif not isinstance(op, affine.StoreOp):
            if not has_lanes(op):
                return None
            computing.append(op)
    return spread(computing, leaves)
