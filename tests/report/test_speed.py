"""What was measured in words and under the roof of the machine, by numbers chosen for it."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from polyopt.report.contents import Machine, Measured, ScopView
from polyopt.report.speed import program_words, roof, roof_picture, seconds_text, speed_words

MACHINE = Machine(flops=32e9, bandwidth=8e9, cycles=2e9)


def measured(*, flops: int = 0, bytes: int = 0, expected: float | None = None) -> Measured:
    return Measured(2, 0.5, 0.5, 10, flops, bytes, expected)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.5, "2.5 s"), (0.0123, "12.3 ms"), (4.2e-5, "42 µs"), (7e-9, "7 ns"), (0.0, "0 ns")],
)
def test_seconds(seconds: float, text: str):
    assert seconds_text(seconds) == text


def test_the_roof_is_the_lower_one():
    """At a flop for each byte memory gives 8 Gflop/s of 32; at a hundred arithmetic is all."""
    assert roof(measured(flops=10, bytes=10), MACHINE) == 8e9
    assert roof(measured(flops=1000, bytes=10), MACHINE) == 32e9
    assert roof(measured(flops=10), MACHINE) == 32e9


def test_memory_is_named_where_it_is_the_limit():
    told = speed_words(measured(flops=10**9, bytes=10**9), MACHINE)
    assert told[0] == "Measured: 500 ms altogether, it ran 2 times."
    assert "2.00 Gflop/s: 25% of what memory allows" in told[1]
    told = speed_words(measured(flops=4 * 10**9, bytes=10**6), MACHINE)
    assert "8.00 Gflop/s: 25% of what arithmetic allows" in told[1]


def test_what_computes_nothing_is_told_in_bytes():
    told = speed_words(measured(bytes=2 * 10**9), MACHINE)
    assert "At least 4.00 GB/s go in and out, 50% of what memory gives." in told


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (0.5, "about right"),
        (0.1, "That is 5.0 times what the model expected: 100 ms."),
        (2.0, "The model expected 4.0 times as much: 2 s."),
    ],
)
def test_what_was_expected(expected: float, words: str):
    assert words in " ".join(speed_words(measured(expected=expected), MACHINE))


def test_what_is_too_short_is_not_judged():
    told = speed_words(Measured(1_000_000, 0.5, 0.5, 10, 10**9, 8, 0.1), MACHINE)
    assert told[1:] == ["That is too short each time to say more."]


def test_the_point_is_under_the_roof():
    """On the screen up is less: the point is below the roof, at the same place along it."""
    drawn = ElementTree.fromstring(str(roof_picture(measured(flops=10**9, bytes=10**9), MACHINE)))
    circle, gap = drawn.find("circle"), drawn.find("line")
    assert circle is not None
    assert gap is not None
    assert float(gap.attrib["y1"]) < float(gap.attrib["y2"]) == float(circle.attrib["cy"])
    assert gap.attrib["x1"] == gap.attrib["x2"] == circle.attrib["cx"]


def test_where_the_time_went():
    def view(function: str, seconds: float | None) -> ScopView:
        one = None if seconds is None else Measured(1, seconds, 0.0, 0, 0, 0)
        return ScopView(function, function, None, (), (), (), (), None, measured=one)

    views = [view("short", 0.001), view("never", None), view("long", 2.0)]
    told = program_words(views)
    assert told == "The program ran, and its loops were measured: long 2 s, short 1 ms."
    assert program_words([view("never", None)]) is None
