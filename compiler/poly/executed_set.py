"""Do generated loops run each instance of the SCoP once? Recomputed from the loops themselves.

    loops  ->  { S[arguments] -> [position_0, iterator_0, position_1, iterator_1, ...] }

Each instance in the loop tree gives one map: its arguments and the conditions, bounds and steps
above it as constraints over the iterators, and its time as the positions among siblings and the
iterators above it. Then, for the parameters' values that are known to occur:

    the domain of the union is the SCoP's domain           nothing left out, nothing added
    the union is single-valued                             nothing twice
    every dependence goes from an earlier to a later time  the order that was asked for

The loops need not come from isl: what is checked is what will run.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import islpy as isl

from polyopt.poly.budget import BudgetExceeded, budget
from polyopt.poly.dependences import Dependences
from polyopt.poly.legality import backward
from polyopt.poly.loop_tree import (
    All,
    Any,
    Branch,
    Compare,
    Condition,
    Const,
    Expr,
    FloorDiv,
    Instance,
    Loop,
    Max,
    Min,
    Mod,
    Name,
    Node,
    Product,
    Select,
    Sum,
)
from polyopt.poly.scop import Scop
from polyopt.support.record import record

OPERATIONS = 2_000_000
SELECTIONS = 8
"""The most selections on one way to an instance: each doubles the cases to look at."""


@record
class ExecutionFault:
    """`kind`: "missing", "extra", "twice", "order", or "unknown" where that costs too much;
    `example` is an instance, or for "order" a pair of them."""

    kind: str
    example: str = ""

    def __str__(self) -> str:
        what = {
            "missing": "an instance does not run",
            "extra": "an instance runs that is none of the SCoP's",
            "twice": "an instance runs twice",
            "order": "a dependence is not kept",
            "unknown": "the executed instances could not be computed at a bearable cost",
        }
        return f"{what[self.kind]}: {self.example}" if self.example else what[self.kind]


def check_executed(
    scop: Scop,
    nodes: Sequence[Node],
    dependences: Dependences | None = None,
    *,
    operations: int = OPERATIONS,
) -> ExecutionFault | None:
    """The first fault of the loops `nodes` as an execution of `scop`; the order is checked
    where `dependences` are given. None if there is no fault."""
    try:
        with budget("executed set", operations):
            return _check(scop, nodes, dependences)
    except (BudgetExceeded, _TooManyCases):
        return ExecutionFault("unknown")


def _check(
    scop: Scop, nodes: Sequence[Node], dependences: Dependences | None
) -> ExecutionFault | None:
    times = execution_times(scop, nodes).intersect_params(scop.known)
    wanted, run = scop.domain.intersect_params(scop.known), times.domain()
    for kind, instances in (("missing", wanted.subtract(run)), ("extra", run.subtract(wanted))):
        if not instances.is_empty():
            return ExecutionFault(kind, str(instances.sample_point()))
    if not times.is_single_valued():
        twice = times.subtract(times.lexmin()).domain()
        return ExecutionFault("twice", str(twice.sample_point()))
    return None if dependences is None else _check_order(times, dependences)


def _check_order(times: isl.UnionMap, dependences: Dependences) -> ExecutionFault | None:
    pending = dependences.validity
    time = isl.MultiUnionPwAff.from_union_map(times)
    for k in range(len(time)):
        if pending.is_empty():
            return None
        here = isl.MultiUnionPwAff.from_union_pw_aff(time.get_at(k))
        late = backward(pending, here)
        if not late.is_empty():
            return ExecutionFault("order", str(late.sample()))
        pending = pending.eq_at_multi_union_pw_aff(here)
    return None if pending.is_empty() else ExecutionFault("order", str(pending.sample()))


def execution_times(scop: Scop, nodes: Sequence[Node]) -> isl.UnionMap:
    """{ S[i] -> [position_0, iterator_0, ...] }, padded with zeros to one length."""
    paths = _paths(nodes, _Path((), (), ()))
    length = max((len(path.time) for path, _ in paths), default=0)
    parameters = [
        scop.context.get_dim_name(isl.dim_type.param, k)
        for k in range(scop.context.dim(isl.dim_type.param))
    ]
    texts = [
        _map_text(path, instance, length, case)
        for path, instance in paths
        for case in _cases(path, instance)
    ]
    prefix = f"[{', '.join(name for name in parameters if name)}] -> "
    return isl.UnionMap(prefix + "{ " + "; ".join(texts) + " }")


@record
class _Path:
    """What stands above a node."""

    iterators: tuple[str, ...]
    conditions: tuple[Condition | _Range, ...]
    time: tuple[str, ...]


@record
class _Range:
    """`iterator` is in [lower, upper), a multiple of `step` away from `lower`."""

    loop: Loop


def _paths(nodes: Sequence[Node], above: _Path) -> list[tuple[_Path, Instance]]:
    found = list[tuple[_Path, Instance]]()
    for position, node in enumerate(nodes):
        here = _Path(above.iterators, above.conditions, (*above.time, str(position)))
        match node:
            case Instance():
                found.append((here, node))
            case Branch(condition, then, orelse):
                met = (*here.conditions, condition)
                found += _paths(then, _Path(here.iterators, met, (*here.time, "0")))
                unmet = (*here.conditions, negation(condition))
                found += _paths(orelse, _Path(here.iterators, unmet, (*here.time, "1")))
            case Loop():
                inside = _Path(
                    (*here.iterators, node.iterator),
                    (*here.conditions, _Range(node)),
                    (*here.time, node.iterator),
                )
                found += _paths(node.body, inside)
    return found


def negation(condition: Condition) -> Condition:
    """Holds exactly where `condition` does not."""
    match condition:
        case Compare(term, is_equality):
            opposite = Compare(Sum((Product(-1, term), Const(-1))))
            return Any((opposite, Compare(Sum((term, Const(-1)))))) if is_equality else opposite
        case All(conditions):
            return Any(tuple(negation(one) for one in conditions))
        case Any(conditions):
            return All(tuple(negation(one) for one in conditions))


class _TooManyCases(Exception):
    """There are more selections on one way to an instance than `SELECTIONS`."""


Choice = dict[Select, bool]
"""Which arm each selection takes."""


def _cases(path: _Path, instance: Instance) -> list[Choice]:
    """All ways through the selections that the path and the arguments contain; raises
    _TooManyCases."""
    selections: dict[Select, None] = {}
    for condition in path.conditions:
        if isinstance(condition, _Range):
            _collect(condition.loop.lower, selections)
            _collect(condition.loop.upper, selections)
        else:
            _collect(condition, selections)
    for argument in instance.arguments:
        _collect(argument, selections)
    if len(selections) > SELECTIONS:
        raise _TooManyCases
    return [
        dict(zip(selections, arms, strict=True))
        for arms in product((True, False), repeat=len(selections))
    ]


def _collect(part: Expr | Condition, selections: dict[Select, None]) -> None:
    match part:
        case Const() | Name():
            pass
        case Product(_, term) | FloorDiv(term, _) | Mod(term, _) | Compare(term, _):
            _collect(term, selections)
        case Sum(parts) | Min(parts) | Max(parts) | All(parts) | Any(parts):
            for one in parts:
                _collect(one, selections)
        case Select(condition, then, orelse):
            selections[part] = None
            for one in (condition, then, orelse):
                _collect(one, selections)


def _map_text(path: _Path, instance: Instance, length: int, choice: Choice) -> str:
    constraints = list[str]()
    for condition in path.conditions:
        if isinstance(condition, _Range):
            constraints.append(_range_text(condition.loop, choice))
        else:
            constraints.append(_condition_text(condition, choice))
    for selection, arm in choice.items():
        condition = selection.condition if arm else negation(selection.condition)
        constraints.append(_condition_text(condition, choice))
    places = [f"x{k}" for k in range(len(instance.arguments))]
    constraints += [
        f"{place} = {_text(argument, choice)}"
        for place, argument in zip(places, instance.arguments, strict=True)
    ]
    time = ", ".join([*path.time, *(["0"] * (length - len(path.time)))])
    body = " and ".join(constraints) or "true"
    return f"{instance.statement}[{', '.join(places)}] -> [{time}] : {body}"


def _range_text(loop: Loop, choice: Choice) -> str:
    """A bound is one constraint for each term of its minimum or maximum, so that isl makes no
    pieces of it."""
    name = loop.iterator
    lowers = loop.lower.terms if isinstance(loop.lower, Max) else (loop.lower,)
    uppers = loop.upper.terms if isinstance(loop.upper, Min) else (loop.upper,)
    texts = [f"{name} >= {_text(lower, choice)}" for lower in lowers]
    texts += [f"{name} < {_text(upper, choice)}" for upper in uppers]
    if loop.step != 1:
        texts.append(f"({name} - ({_text(loop.lower, choice)})) mod {loop.step} = 0")
    return " and ".join(texts)


def _condition_text(condition: Condition, choice: Choice) -> str:
    match condition:
        case Compare(term, is_equality):
            return f"({_text(term, choice)} {'=' if is_equality else '>='} 0)"
        case All(conditions):
            return _joined(" and ", conditions, choice) or "true"
        case Any(conditions):
            return _joined(" or ", conditions, choice) or "false"


def _joined(word: str, conditions: Sequence[Condition], choice: Choice) -> str:
    texts = [_condition_text(condition, choice) for condition in conditions]
    return f"({word.join(texts)})" if texts else ""


def _text(expression: Expr, choice: Choice) -> str:
    """isl's text of an expression."""
    match expression:
        case Const(value):
            return f"({value})"
        case Name(name):
            return name
        case Sum(terms):
            return "(" + " + ".join(_text(term, choice) for term in terms) + ")"
        case Product(factor, term):
            return f"({factor} * {_text(term, choice)})"
        case FloorDiv(term, divisor):
            return f"floor({_text(term, choice)} / {divisor})"
        case Mod(term, divisor):
            return f"({_text(term, choice)} mod {divisor})"
        case Min(terms):
            return f"min({', '.join(_text(term, choice) for term in terms)})"
        case Max(terms):
            return f"max({', '.join(_text(term, choice) for term in terms)})"
        case Select(_, then, orelse):
            return _text(then if choice[expression] else orelse, choice)
