"""What stands against running a loop's iterations together: one pair of iterations as an example.

A loop carries a dependence where two instances inside it differ in its iterator, and in none of
the loops around it, and the one needs what the other does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.touches import Element, Touches
from polyopt.support.record import record

KINDS = ("flow", "reduction", "anti", "output", "order")
"""What is told first: values that are needed before memory that is used again, and that before
statements of which nothing is known but their order."""


@record
class Obstacle:
    """`element` is what both touch; None if that is not known."""

    kind: str
    arrow: Arrow
    element: Element | None


def obstacle(
    found: Iterable[Arrow], touched: Touches, inside: Mapping[str, int]
) -> Obstacle | None:
    """The nearest pair that the loop carries; `inside` are its statements, each with the position
    of the loop among its iterators."""
    carried = [one for one in found if _is_carried(one, inside)]
    if not carried:
        return None

    def rank(one: Arrow) -> tuple[int, int]:
        return min(KINDS.index(kind) for kind in one.kinds), _distance(one, inside)

    chosen = min(carried, key=rank)
    kind = min(chosen.kinds, key=KINDS.index)
    element = None if kind == "order" else _common_element(chosen, touched, kind)
    return Obstacle(kind, chosen, element)


def carries_only_sums(
    found: Iterable[Arrow], touched: Touches, inside: Mapping[str, int], sums: Mapping[str, str]
) -> bool:
    """Whether all that the loop carries is one statement adding to one element again and again;
    `sums` are the statements that add to something, each with its array."""
    return all(
        one.source[0] == one.target[0] and _adds_to_same(one, touched, sums)
        for one in found
        if _is_carried(one, inside)
    )


def _adds_to_same(one: Arrow, touched: Touches, sums: Mapping[str, str]) -> bool:
    array = sums.get(one.source[0])
    written = [
        {t.element for t in touched.get(end, ()) if t.is_write and t.element[0] == array}
        for end in (one.source, one.target)
    ]
    return bool(written[0] & written[1])


def _is_carried(one: Arrow, inside: Mapping[str, int]) -> bool:
    (source, first), (target, second) = one.source, one.target
    if source not in inside or target not in inside:
        return False
    here, there = inside[source], inside[target]
    return first[:here] == second[:there] and first[here] != second[there]


def _distance(one: Arrow, inside: Mapping[str, int]) -> int:
    (source, first), (target, second) = one.source, one.target
    return abs(second[inside[target]] - first[inside[source]])


def _common_element(one: Arrow, touched: Touches, kind: str) -> Element | None:
    writes_first = kind != "anti"
    writes_second = kind != "flow"
    first = [t.element for t in touched.get(one.source, ()) if t.is_write == writes_first]
    second = {t.element for t in touched.get(one.target, ()) if t.is_write == writes_second}
    return next((element for element in first if element in second), None)
