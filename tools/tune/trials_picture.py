"""Every trial of a search as a dot: how many times as fast as the baseline, in the order in which
they were measured, and a line for the best so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, floor, log2

from polyopt.report.markup import Markup, element
from polyopt.tools.tune.story import Tried

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 300, 56, 16, 28, 34
TICKS = 10
"""At most so many numbers below."""


def trials_picture(tried: Sequence[Tried]) -> Markup:
    """Upwards by powers of two; what did not run lies at the bottom."""
    speeds = [1.0, *(1 / one.outcome.score for one in tried if one.outcome.score)]
    low, high = floor(log2(min(speeds))), max(1, ceil(log2(max(speeds)) + 0.01))
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def x(number: float) -> float:
        return round(LEFT + (right - LEFT) * number / max(1, len(tried)), 1)

    def y(speed: float) -> float:
        return round(bottom - (bottom - TOP) * (log2(speed) - low) / (high - low), 1)

    scale = [
        [
            element("line", x1=LEFT, x2=right, y1=y(2.0**k), y2=y(2.0**k), class_="grid"),
            element("text", f"{2.0**k:g}", x=LEFT - 8, y=y(2.0**k), class_="scale"),
        ]
        for k in range(low, high + 1)
    ]
    step = max(1, ceil(len(tried) / TICKS))
    ticks = [
        element("text", str(number), x=x(number), y=bottom + 16, class_="tick")
        for number in range(step, len(tried) + 1, step)
    ]
    places = [(0, 1.0), *((k, 1 / one.best) for k, one in enumerate(tried, 1))]
    corners = [(x(0), y(1.0))]
    for (_, before), (k, best) in pairwise(places):
        corners += [(x(k), y(before)), (x(k), y(best))]
    return element(
        "svg",
        element("title", "Times as fast as the baseline, trial by trial"),
        scale,
        element("line", x1=LEFT, x2=right, y1=y(1.0), y2=y(1.0), class_="baseline"),
        element("polyline", points=" ".join(f"{a},{b}" for a, b in corners), class_="best"),
        [_dot(one, k, x(k), bottom, y) for k, one in enumerate(tried, 1)],
        ticks,
        element("text", "times as fast as the baseline", x=LEFT, y=14, class_="axis start"),
        element("text", "trial", x=right, y=HEIGHT - 4, class_="axis"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        class_="trials",
    )


def _dot(one: Tried, number: int, x: float, bottom: float, y: Callable[[float], float]) -> Markup:
    score = one.outcome.score
    place = bottom if score is None else y(1 / score)
    is_best = score is not None and one.outcome.status == "ok" and score == one.best
    kind = "failed" if score is None else "winner" if is_best else one.outcome.status
    title = element("title", f"{number}. {one.result}: {one.steps}")
    return element("circle", title, cx=x, cy=place, r=5 if is_best else 3.5, class_=f"trial {kind}")
