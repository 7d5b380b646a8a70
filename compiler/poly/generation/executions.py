"""What a loop tree runs and when, as isl's maps, one for each instance in it.

    loops  ->  { S[arguments] -> [position_0, iterator_0, position_1, iterator_1, ...] }

Each instance in the loop tree gives one map: its arguments and the conditions, bounds and steps
above it as constraints over the iterators, and its time as the positions among siblings and the
iterators above it. The loops need not come from isl: what is described is what will run.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import product

import islpy as isl

from polyopt.poly.isl.names import apart, parameters_of
from polyopt.poly.isl.numbers import val
from polyopt.poly.loops.loop_range import range_conditions
from polyopt.poly.loops.loop_tree import (
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

SELECTIONS = 8
"""The most selections on one way to an instance: each doubles the cases to look at."""


@record
class Execution:
    """One instance of the loop tree on one way through the selections above it and in it."""

    path: Path
    instance: Instance
    choice: Choice

    @property
    def statement(self) -> str:
        return self.instance.statement

    def iterations(self, scop: Scop) -> isl.Map:
        """{ S[i] -> [iterator_0, iterator_1, ...] }: which loop iterations run which instances."""
        parameters = parameters_of(scop.context.get_space())
        return _read(f"{_header(parameters)}{{ {self._text(self.path.iterators, parameters)} }}")

    def times(self, scop: Scop, length: int) -> isl.Map:
        """{ S[i] -> [position_0, iterator_0, ...] }, padded with zeros to that length."""
        found, iterators = self.iterations(scop), frozenset(self.path.iterators)
        padding = ["0"] * (length - len(self.path.time))
        for place, part in enumerate((*self.path.time, *padding)):
            if part not in iterators:
                found = found.insert_dims(isl.dim_type.out, place, 1)
                found = found.fix_val(isl.dim_type.out, place, val(int(part)))
        return found

    def _text(self, image: Sequence[str], parameters: Collection[str]) -> str:
        constraints = list[str]()
        for condition in self.path.conditions:
            constraints.append(_condition_text(condition, self.choice))
        for selection, arm in self.choice.items():
            condition = selection.condition if arm else negation(selection.condition)
            constraints.append(_condition_text(condition, self.choice))
        places = apart("x", len(self.instance.arguments), {*parameters, *self.path.iterators})
        constraints += [
            f"{place} = {_text(argument, self.choice)}"
            for place, argument in zip(places, self.instance.arguments, strict=True)
        ]
        body = " and ".join(constraints) or "true"
        return f"{self.statement}[{', '.join(places)}] -> [{', '.join(image)}] : {body}"


def executions(nodes: Sequence[Node]) -> list[Execution]:
    """In the order of the text. Raises TooManyCases."""
    return [
        Execution(path, instance, case)
        for path, instance in _paths(nodes, Path((), (), ()))
        for case in _cases(path, instance)
    ]


def execution_times(scop: Scop, nodes: Sequence[Node]) -> isl.UnionMap:
    """{ S[i] -> [position_0, iterator_0, ...] }, padded with zeros to one length."""
    found = executions(nodes)
    length = max((len(one.path.time) for one in found), default=0)
    times = isl.UnionMap.empty(scop.context.get_space())
    for one in found:
        times = times.union(isl.UnionMap.from_map(one.times(scop, length)))
    return times


@lru_cache(maxsize=1024)
def _read(text: str) -> isl.Map:
    """Whether the loops run the right instances, whether in the right order, and what a statement
    is under in them ask for the same executions, one after the other."""
    return isl.Map(text)


def _header(parameters: Sequence[str]) -> str:
    return f"[{', '.join(parameters)}] -> "


@record
class Path:
    """What stands above a node. `time` is the position among siblings, then by turns an iterator,
    or the arm of a branch, and the position inside."""

    iterators: tuple[str, ...]
    conditions: tuple[Condition, ...]
    time: tuple[str, ...]


def _paths(nodes: Sequence[Node], above: Path) -> list[tuple[Path, Instance]]:
    found = list[tuple[Path, Instance]]()
    for position, node in enumerate(nodes):
        here = Path(above.iterators, above.conditions, (*above.time, str(position)))
        match node:
            case Instance():
                found.append((here, node))
            case Branch(condition, then, orelse):
                met = (*here.conditions, condition)
                found += _paths(then, Path(here.iterators, met, (*here.time, "0")))
                unmet = (*here.conditions, negation(condition))
                found += _paths(orelse, Path(here.iterators, unmet, (*here.time, "1")))
            case Loop():
                inside = Path(
                    (*here.iterators, node.iterator),
                    (*here.conditions, *range_conditions(node)),
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


class TooManyCases(Exception):
    """There are more selections on one way to an instance than `SELECTIONS`."""


Choice = dict[Select, bool]
"""Which arm each selection takes."""


def _cases(path: Path, instance: Instance) -> list[Choice]:
    """All ways through the selections that the path and the arguments contain; raises
    TooManyCases."""
    selections: dict[Select, None] = {}
    for condition in path.conditions:
        _collect(condition, selections)
    for argument in instance.arguments:
        _collect(argument, selections)
    if len(selections) > SELECTIONS:
        raise TooManyCases
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
