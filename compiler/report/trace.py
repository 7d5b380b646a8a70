"""What happens when in the pictures of a static control part, for the page's script."""

from __future__ import annotations

from polyopt.report.at_once_picture import KEY, AtOnce
from polyopt.report.contents import Shown
from polyopt.report.footprint_picture import cells


def trace(shown: Shown, once: AtOnce | None = None) -> dict[str, object]:
    """Of each order the instances by number, of what runs at once several for each step; and what
    each instance touches: cells, with -1 - cell for a write."""
    instances = {one: k for k, one in enumerate(shown.instances())}
    numbers = {one: k for k, one in enumerate(cells(shown.touched or {}))}
    touched = [
        [
            -1 - numbers[touch.element] if touch.is_write else numbers[touch.element]
            for touch in (shown.touched or {}).get(instance, ())
            if touch.element in numbers
        ]
        for instance in instances
    ]
    after = [instances[event.instance] for event in shown.after.events]
    found: dict[str, object] = {
        "before": [instances[event.instance] for event in shown.before.events],
        "after": after,
        "touched": touched,
    }
    if once is not None:
        found[KEY] = [[after[k] for k in events] for events in once.events_of_steps()]
    return found
