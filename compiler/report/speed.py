"""What a static control part took when the program ran, beside what the machine can do: in words,
and as a picture of the roof under which its speed lies.

    S. Williams, A. Waterman, D. Patterson, Roofline: an insightful visual performance model for
    multicore architectures, CACM 52(4), 2009. Bytes are those that must come and go, each element
    once each time the part runs: what a cache too small for them adds is not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from polyopt.report.contents import Machine, Measured, ScopView
from polyopt.report.markup import Child, Markup, element
from polyopt.support.remarks import how_many

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 470, 272, 56, 20, 34, 22
DECADES_OF_INTENSITY = (-2.0, 3.0)
DECADES_OF_SPEED = 3.0
"""So many below what the machine does at most."""

SHORT = 2e-6
"""Seconds: what is shorter than that is not to be measured by reading the clock around it."""


MOST_NAMED = 5
"""Static control parts; one more is named, too, where it would be the only other."""


def speed_words(one: Measured, machine: Machine | None) -> list[str]:
    """Sentences; the first says how long."""
    times = "once" if one.entries == 1 else f"{one.entries:,} times"
    where = " in the first thread" if one.of_main else ""
    told = [f"Measured: {seconds_text(one.seconds)} altogether, it ran {times}{where}."]
    if one.seconds < SHORT * one.entries:
        return [*told, "That is too short each time to say more."]
    if one.expected is not None and one.expected > 0 and one.counted > 0:
        ratio = one.counted / one.expected
        how = "as" if 0.8 < ratio < 1.25 else f"{ratio:.1f} times what" if ratio > 1 else ""
        if how == "as":
            told.append(f"The model expected {seconds_text(one.expected)}: that is about right.")
        elif how:
            told.append(f"That is {how} the model expected: {seconds_text(one.expected)}.")
        else:
            expected = seconds_text(one.expected)
            told.append(f"The model expected {1 / ratio:.1f} times as much: {expected}.")
    if machine is not None and one.counted > 0 and one.flops:
        told.append(_against_roof(one, machine))
    elif machine is not None and one.counted > 0 and one.bytes:
        share = one.bytes / one.counted / machine.bandwidth
        told.append(
            f"At least {one.bytes / one.counted / 1e9:.2f} GB/s go in and out, {share:.0%} of what "
            "memory gives."
        )
    return told


def _against_roof(one: Measured, machine: Machine) -> str:
    speed = one.flops / one.counted
    limit = roof(one, machine)
    is_memory = limit < machine.flops
    bound = "memory" if is_memory else "arithmetic"
    return (
        f"{speed / 1e9:.2f} Gflop/s: {speed / limit:.0%} of what {bound} allows where each element "
        f"comes from memory once ({limit / 1e9:.1f} Gflop/s)."
    )


def roof(one: Measured, machine: Machine) -> float:
    """The most flops in a second for so many flops with each byte."""
    if not one.bytes:
        return machine.flops
    return min(machine.flops, one.flops / one.bytes * machine.bandwidth)


def seconds_text(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def speed_section(view: ScopView, machine: Machine | None) -> Child:
    """Nothing where it was not measured."""
    one = view.measured
    if one is None:
        return None
    words = [element("p", text) for text in speed_words(one, machine)]
    picture = None
    if machine is not None and one.flops and one.bytes and one.counted > 0:
        picture = roof_picture(one, machine)
    both = element("div", element("div", words), picture, class_="speed")
    return element("div", element("h3", "How fast it ran"), both, class_="panel")


def roof_picture(one: Measured, machine: Machine) -> Markup:
    """Flops for each byte to the right, flops in a second upwards, both by powers of ten."""
    low, high = DECADES_OF_INTENSITY
    top = log10(machine.flops) + 0.2
    bottom = top - DECADES_OF_SPEED

    def x(intensity: float) -> float:
        share = (log10(intensity) - low) / (high - low)
        return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, max(0.0, share))

    def y(speed: float) -> float:
        share = (log10(speed) - bottom) / (top - bottom)
        return (HEIGHT - BOTTOM) - (HEIGHT - BOTTOM - TOP) * min(1.0, max(0.0, share))

    ridge = machine.flops / machine.bandwidth
    left = max(10**low, 10**bottom / machine.bandwidth)
    points = [(left, left * machine.bandwidth), (ridge, machine.flops), (10**high, machine.flops)]
    line = " ".join(f"{x(i):.1f},{y(speed):.1f}" for i, speed in points)
    intensity, speed = one.flops / one.bytes, one.flops / one.counted
    ticks = [
        element("text", _power(d), x=round(x(10.0**d), 1), y=HEIGHT - BOTTOM + 14, class_="tick")
        for d in range(int(low), int(high) + 1)
    ]
    marks = [
        element("text", f"{10.0 ** (d - 9):g}", x=LEFT - 6, y=round(y(10.0**d), 1), class_="scale")
        for d in range(int(bottom) + 1, int(top) + 1)
    ]
    slope = _between(points[0], points[1])
    where = f"{speed / 1e9:.2f} Gflop/s at {intensity:.2g} flops for each byte"
    return element(
        "svg",
        element("title", f"Speed under the roof of the machine: {where}"),
        element("polyline", points=line, class_="roof"),
        element(
            "line",
            x1=round(x(intensity), 1),
            x2=round(x(intensity), 1),
            y1=round(y(roof(one, machine)), 1),
            y2=round(y(speed), 1),
            class_="gap",
        ),
        element(
            "circle",
            element("title", where),
            cx=round(x(intensity), 1),
            cy=round(y(speed), 1),
            r=5,
            class_="speed",
        ),
        _label(
            f"memory: {machine.bandwidth / 1e9:.3g} GB/s", x(slope[0]) + 10, y(slope[1]) + 6, "far"
        ),
        _label(
            f"arithmetic: {machine.flops / 1e9:.3g} Gflop/s",
            WIDTH - RIGHT,
            y(machine.flops) - 6,
            "end",
        ),
        _label(f"{speed / 1e9:.3g}", x(intensity) + 9, y(speed) + 4, "start"),
        ticks,
        marks,
        element("text", "flops for each byte", x=WIDTH - 10, y=HEIGHT - 4, class_="axis"),
        element("text", "Gflop/s", x=4, y=12, class_="axis start"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        class_="roofline",
    )


def _between(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The point in the middle of a line, where both axes go by powers."""
    return (one[0] * other[0]) ** 0.5, (one[1] * other[1]) ** 0.5


def _label(text: str, x: float, y: float, anchor: str) -> Markup:
    return element("text", text, x=round(x, 1), y=round(y, 1), class_=f"limit {anchor}")


def _power(decade: int) -> str:
    return f"{10.0**decade:g}"


def program_words(views: Sequence[ScopView]) -> str | None:
    """Where the measured time went, the longest first."""
    ran = sorted((view for view in views if view.measured), key=lambda view: -_seconds(view))
    if not ran:
        return None
    named = ran[: MOST_NAMED if len(ran) > MOST_NAMED + 1 else len(ran)]
    parts = [f"{view.function} {seconds_text(_seconds(view))}" for view in named]
    more = f", and {how_many(len(ran) - len(named), 'other')}" if len(ran) > len(named) else ""
    return f"The program ran, and its loops were measured: {', '.join(parts)}{more}."


def _seconds(view: ScopView) -> float:
    return 0.0 if view.measured is None else view.measured.seconds
