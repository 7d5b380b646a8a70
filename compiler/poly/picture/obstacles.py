"""What stands against running a loop's iterations together: one pair of iterations as an example.

A loop carries a dependence where two instances inside it differ in its iterator, and in none of
the loops around it, and the one needs what the other does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.touches import Element, Touches
from polyopt.support.record import record

KINDS = ("flow", "reduction", "anti", "output", "order")
"""What is told first: values that are needed before memory that is used again, and that before
statements of which nothing is known but their order."""


@record
class Obstacle:
    """`element` is what both touch; None if that is not known. `is_sure`: that the first touches
    it whatever the data are; `is_used`: that the second does. `is_somewhere`: data say which
    element of the array the first touches, not only whether it does. `others`: the other arrays
    that pairs of this kind are about."""

    kind: str
    arrow: Arrow
    element: Element | None
    is_sure: bool = True
    is_used: bool = True
    is_somewhere: bool = False
    others: tuple[str, ...] = ()


def obstacle(
    found: Iterable[Arrow], touched: Touches, inside: Mapping[str, int]
) -> Obstacle | None:
    """The nearest pair that the loop carries, of those that are known to touch one element if there
    are any, and whatever the data are; `inside` are its statements, each with the position of the
    loop among its iterators."""
    found = list(found)
    carried = carried_by(found, inside)
    if not carried:
        return None

    def rank(one: Arrow) -> tuple[int, bool, bool, int]:
        kind = _first_kind(one)
        common = [] if kind == "order" else common_elements(one, touched, kind)
        may = not any(all(_are_sure(one, touched, kind, element)) for element in common)
        return KINDS.index(kind), not common, may, _distance(one, inside)

    chosen = min(carried, key=rank)
    kind = _first_kind(chosen)
    element = None if kind == "order" else _common_element(chosen, found, touched, kind)
    others = [] if element is None else _others(carried, found, touched, inside, kind)
    is_sure, is_used = _are_sure(chosen, touched, kind, element)
    return Obstacle(
        kind,
        chosen,
        element,
        is_sure=is_sure,
        is_used=is_used,
        is_somewhere=not is_sure and _is_somewhere(chosen, touched, kind, element),
        others=tuple(name for name in others if element is None or name != element[0]),
    )


def carried_by(found: Iterable[Arrow], inside: Mapping[str, int]) -> list[Arrow]:
    """The pairs that a loop carries, of statements with its position among their iterators."""
    return [one for one in found if _is_carried(one, inside)]


def _first_kind(one: Arrow) -> str:
    return min(one.kinds, key=KINDS.index)


def _is_carried(one: Arrow, inside: Mapping[str, int]) -> bool:
    (source, first), (target, second) = one.source, one.target
    if source not in inside or target not in inside:
        return False
    here, there = inside[source], inside[target]
    return first[:here] == second[:there] and first[here] != second[there]


def _distance(one: Arrow, inside: Mapping[str, int]) -> int:
    (source, first), (target, second) = one.source, one.target
    return abs(second[inside[target]] - first[inside[source]])


def _common_element(
    one: Arrow, found: Iterable[Arrow], touched: Touches, kind: str
) -> Element | None:
    """What both touch. Of several elements it may be one that others have written in between: the
    one is meant that fewest other pairs of this kind, at the same end, could be about."""
    common = common_elements(one, touched, kind)
    if len(common) < 2:
        return common[0] if common else None
    at_source = kind == "anti"
    end = one.source if at_source else one.target
    others = [
        other
        for other in found
        if other != one
        and kind in other.kinds
        and end == (other.source if at_source else other.target)
    ]
    rivals = [element for other in others for element in common_elements(other, touched, kind)]
    return min(common, key=rivals.count)


def _others(
    carried: Iterable[Arrow],
    found: Sequence[Arrow],
    touched: Touches,
    inside: Mapping[str, int],
    kind: str,
) -> list[str]:
    """The arrays that pairs of this kind which the loop carries are about: what both touch, but for
    what a nearer pair with the same end has touched since."""
    names = dict[str, None]()
    for one in (one for one in carried if kind in one.kinds):
        end = one.source if kind == "anti" else one.target
        nearer = {
            element
            for other in found
            if kind in other.kinds and end == (other.source if kind == "anti" else other.target)
            if not _is_as_far(other, one, inside)
            for element in common_elements(other, touched, kind)
        }
        for element in common_elements(one, touched, kind):
            if element not in nearer:
                names[element[0]] = None
    return list(names)


def _is_as_far(other: Arrow, one: Arrow, inside: Mapping[str, int]) -> bool:
    """Whether the other pair is no nearer along the loop; what leaves the loop is."""
    if other.source[0] not in inside or other.target[0] not in inside:
        return True
    if not _is_carried(other, inside):
        (source, first), (target, second) = other.source, other.target
        here, there = inside[source], inside[target]
        return first[: here + 1] != second[: there + 1]
    return _distance(other, inside) >= _distance(one, inside)


def common_elements(one: Arrow, touched: Touches, kind: str) -> list[Element]:
    """What both touch, in the way that is of this kind."""
    writes_first = kind != "anti"
    writes_second = kind != "flow"
    first = [t.element for t in touched.get(one.source, ()) if t.is_write == writes_first]
    second = {t.element for t in touched.get(one.target, ()) if t.is_write == writes_second}
    return [element for element in dict.fromkeys(first) if element in second]


def _are_sure(
    one: Arrow, touched: Touches, kind: str, element: Element | None
) -> tuple[bool, bool]:
    """Whether the first of the two certainly touches the element, and the second."""
    first, second = (
        any(
            t.is_must for t in touched.get(end, ()) if t.element == element and t.is_write == writes
        )
        for end, writes in ((one.source, kind != "anti"), (one.target, kind != "flow"))
    )
    return first, second


def _is_somewhere(one: Arrow, touched: Touches, kind: str, element: Element | None) -> bool:
    """Whether the first of the two may touch other elements of the array just as well."""
    places = {
        t.element
        for t in touched.get(one.source, ())
        if element is not None and t.element[0] == element[0]
        if t.is_write == (kind != "anti") and not t.is_must
    }
    return len(places) > 1
