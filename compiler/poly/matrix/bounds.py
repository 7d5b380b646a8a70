"""The loops of a nest transformed by a matrix: its times are a lattice, walked with steps.

The iterations x of the nest run at the times y = T x. With the Hermite form T U = H,

    x = U z      z integer: the auxiliary nest, without gaps
    y = H z      H lower triangular: y_k = H_k1 z_1 + ... + H_kk z_k

so the loop over y_k starts where z_k does, each scaled by H_kk and moved by what the outer z
give, and steps by H_kk; z_k is (y_k - moved) / H_kk, exactly. The bounds of z_k come from the
bounds of the nest, linear in x, by eliminating the inner unknowns (Fourier, Motzkin): where that
is not exact on integers an outer loop may run an empty inner one, but every iteration runs, once.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.numbers import val
from polyopt.poly.linear.lattice import Matrix, hermite_form
from polyopt.poly.loops.expressions import (
    add,
    all_of,
    compare,
    floor_div,
    maximum,
    minimum,
    scale,
    subtract,
)
from polyopt.poly.loops.loop_tree import Branch, Const, Expr, Instance, Loop, Name, Node

_Param, _Set = isl.dim_type.param, isl.dim_type.set


def transformed_loops(iterations: isl.BasicSet, matrix: Matrix, names: tuple[str, ...]) -> Node:
    """The loops, named `names`, that run `iterations` in the order of `matrix` times them.

    `iterations` is { S[x] : linear inequalities }, bounded in each x; `matrix` is non-singular.
    Raises ValueError for anything else.
    """
    depth = len(matrix)
    if iterations.dim(isl.dim_type.div) or iterations.dim(_Set) != depth:
        raise ValueError("the bounds of the nest are not linear in as many loops")
    form, unimodular = hermite_form(matrix)
    if any(not form[k][k] for k in range(depth)):
        raise ValueError("the matrix is singular")
    auxiliary = iterations.preimage_multi_aff(_linear_map(iterations.get_space(), unimodular))
    unknowns, loops = list[Expr](), list[Loop]()
    for k, name in enumerate(names):
        moved = _dot(form[k][:k], unknowns)
        low, high = _bounds(auxiliary, k, unknowns)
        step = form[k][k]
        first, last = add(scale(step, low), moved), add(scale(step, high), moved)
        loops.append(Loop(name, first, add(last, Const(1)), step, ()))
        unknowns.append(floor_div(subtract(Name(name), moved), step))
    statement = iterations.get_tuple_name() or ""
    node: Node = Instance(statement, tuple(_dot(row, unknowns) for row in unimodular))
    for loop in reversed(loops):
        node = Loop(loop.iterator, loop.lower, loop.upper, loop.step, (node,))
    return _guarded(auxiliary, node)


def _bounds(nest: isl.BasicSet, k: int, unknowns: list[Expr]) -> tuple[Expr, Expr]:
    """The least and the greatest value of unknown `k`, the outer ones being `unknowns`."""
    lows, highs = list[Expr](), list[Expr]()
    for constraint in _eliminated(nest, k + 1).get_constraints():
        factor = _integer(constraint.get_coefficient_val(_Set, k))
        if factor == 0:
            continue
        rest = _rest(constraint, k, unknowns)
        size = abs(factor)
        if factor > 0 or constraint.is_equality():
            # size * z >= -rest
            least = scale(-1, rest) if factor > 0 else rest
            lows.append(floor_div(add(least, Const(size - 1)), size))
        if factor < 0 or constraint.is_equality():
            most = rest if factor < 0 else scale(-1, rest)
            highs.append(floor_div(most, size))
    if not lows or not highs:
        raise ValueError("the nest is not bounded")
    return maximum(*lows), minimum(*highs)


def _eliminated(nest: isl.BasicSet, first: int) -> isl.BasicSet:
    """`nest` without the unknowns from `first` on, and without what is implied. What does not
    speak of them is in it whatever else isl concludes."""
    count = nest.dim(_Set) - first
    shadow = nest.project_out(_Set, first, count).remove_divs()
    own = nest.drop_constraints_involving_dims(_Set, first, count)
    shadow = shadow.intersect(own.project_out(_Set, first, count))
    return shadow.detect_equalities().remove_redundancies()


def _rest(constraint: isl.Constraint, k: int, unknowns: list[Expr]) -> Expr:
    """The constraint's left side without unknown `k`."""
    terms: list[Expr] = [Const(_integer(constraint.get_constant_val()))]
    terms += [
        scale(_integer(constraint.get_coefficient_val(_Set, j)), unknowns[j]) for j in range(k)
    ]
    for j in range(constraint.dim(_Param)):
        name = constraint.get_dim_name(_Param, j) or ""
        terms.append(scale(_integer(constraint.get_coefficient_val(_Param, j)), Name(name)))
    return add(*terms)


def _guarded(nest: isl.BasicSet, node: Node) -> Node:
    """The loops where the parameters allow them; what the outermost bounds imply needs no test."""
    conditions = [
        compare(_rest(one, 0, []), is_equality=one.is_equality())
        for one in _eliminated(nest, 1).get_constraints()
        if not one.involves_dims(_Set, 0, 1)
    ]
    return Branch(all_of(*conditions), (node,)) if conditions else node


def _linear_map(space: isl.Space, matrix: Matrix) -> isl.MultiAff:
    """{ S[z] -> S[matrix z] }."""
    local = isl.LocalSpace.from_space(space)
    variables = [isl.Aff.var_on_domain(local, _Set, k) for k in range(len(matrix))]
    result = isl.MultiAff.identity(space.map_from_set())
    for k, row in enumerate(matrix):
        value = isl.Aff.zero_on_domain(local)
        for factor, variable in zip(row, variables, strict=True):
            value = value.add(variable.scale_val(val(factor)))
        result = result.set_aff(k, value)
    return result


def _dot(row: tuple[int, ...], values: list[Expr]) -> Expr:
    return add(Const(0), *(scale(factor, one) for factor, one in zip(row, values, strict=True)))


def _integer(value: isl.Val) -> int:
    return value.to_python()
