"""Loops of which an iteration needs others only to update what they update, too.

    for i { if (c[i]) { s += x[i]; k++; } }      s and k, whichever iterations come first

Another order of the iterations leaves the same numbers there, or for floating-point ones the sums
of the same terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.obstacles import carried_by, common_elements
from polyopt.poly.picture.reuse import REUSE, is_reuse
from polyopt.poly.picture.touches import Element, Touch, Touches


def only_updates(
    found: Iterable[Arrow],
    touched: Touches,
    inside: Mapping[str, int],
    updated: Mapping[str, Collection[str]],
    own: Collection[str] = (),
) -> tuple[str, ...]:
    """The arrays that all pairs which the loop carries are about, if these only update them; none
    if a pair is about anything else. `updated` are the arrays that statements do nothing but
    update; memory of `own` that is used again says nothing."""
    names = dict[str, None]()
    for one in carried_by(found, inside):
        if is_reuse(one, touched, own):
            continue
        elements = _elements(one, touched, own)
        if not elements or "order" in one.kinds:
            return ()
        for element in elements:
            for end in (one.source, one.target):
                if element[0] not in updated.get(end[0], ()) or not _only_updates(
                    touched[end], element
                ):
                    return ()
        names.update(dict.fromkeys(array for array, _ in elements))
    return tuple(names)


def _only_updates(touches: Sequence[Touch], element: Element) -> bool:
    """Whether the instance reads the element as often as it stores there, and so for that alone."""
    ways = Counter(one.is_write for one in touches if one.element == element)
    return ways[True] == ways[False]


def _elements(one: Arrow, touched: Touches, own: Collection[str]) -> list[Element]:
    """What values go through, or is no iteration's own."""
    return [
        element
        for kind in one.kinds
        for element in common_elements(one, touched, kind)
        if kind not in REUSE or element[0] not in own
    ]
