"""A search as it is told: what is measured, what is best, what is ruled out and why, what is left;
and the page about it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO

import pytest
from rich.console import Console

from polyopt.driver.options.flags import read_settings
from polyopt.driver.programs.program import Program
from polyopt.driver.units.source import Source
from polyopt.report.markup import VOID
from polyopt.tools.tune.display import REASONS, Display
from polyopt.tools.tune.in_process import tune
from polyopt.tools.tune.search import Budget, Measure, Points, Tally
from polyopt.tools.tune.search_page import search_page
from polyopt.tools.tune.space import Point, Space
from polyopt.tools.tune.story import Story, reason_text
from polyopt.tools.tune.trials import Outcome

SWEEPS = Source(
    "sweeps.c",
    """void sweeps(int n, double a[restrict n], double b[restrict n]) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1]; /* <b> & */
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
}""",
)


@pytest.fixture(scope="module")
def space() -> Space:
    """After its first neighbours were asked for."""
    found = Space(SWEEPS, read_settings(["-O2"]), ["identity"])
    (start,) = found.starts()
    assert list(found.neighbours(start))
    return found


def story_of(space: Space, budget: Budget, *scores: float | None) -> Story:
    """Trials a second apart; None: it did not run."""
    now = iter(range(1000))
    story = Story(budget, lambda: space.ruled_out, lambda: float(next(now)))
    tally = Tally(space.starts()[0])
    for score in scores:
        if score is not None:
            tally.score = min(tally.score, score)
        outcome = Outcome("crash" if score is None else "ok", score, score)
        story.add(tally, "identity", "scop sweeps\nunroll S0.i 4\n", outcome)
    return story


def test_what_is_illegal_has_its_reason(space: Space):
    """`a[i]` is read by the iteration after the one that would write it."""
    why = space.ruled_out["scop sweeps\nfuse S0.i S1.i\n"]
    assert why.startswith("anti dependence from S0 to S1 (sweeps.c:3:9 and sweeps.c:5:9)")
    assert why.endswith(" is not kept"), "the pair of iterations is left out"
    assert "scop sweeps\nfuse S0.i S1.i; shift S1.i 1\n" not in space.ruled_out, "this is legal"


def test_the_state_is_one_line(space: Space):
    count = len(space.ruled_out)
    assert story_of(space, Budget(trials=5)).state == (
        f"0 measured, best 1.00x, {count} ruled out, 5 programs left"
    )
    state = story_of(space, Budget(trials=5), 0.5, 0.8).state
    assert state == f"2 measured, best 2.00x, {count} ruled out, 3 programs left"
    assert story_of(space, Budget(seconds=100.0), 0.5).left == "1:38 left"
    assert story_of(space, Budget(seconds=0.5), 0.5).left == "0:00 left"


def test_lines_are_those_of_before(space: Space):
    story = story_of(space, Budget(), 0.5, None)
    first, second = story.tried
    assert story.line(second) == "[2] best 2.00x, this crash: --poly=identity: " + (
        "scop sweeps; unroll S0.i 4"
    )
    assert (first.seconds, second.seconds, second.result) == (1.0, 2.0, "crash")


def test_reasons_are_told_once_with_examples():
    reasons = {"a\n": "x", "b\nc\n": "y", "d\n": "y", "e\n": "y"}
    story = Story(Budget(), lambda: reasons)
    assert story.reasons() == [("y", ["b; c", "d", "e"]), ("x", ["a"])]
    assert reason_text(*story.reasons()[0]) == "3 ruled out: y (b; c | d | and 1 more)"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_only_a_terminal_shows_what_moves(space: Space, *, is_terminal: bool):
    out = StringIO()
    console = Console(file=out, force_terminal=is_terminal, width=200, highlight=False)
    story = story_of(space, Budget(trials=9), 0.5)
    story.trying = "--poly=identity: scop sweeps; unroll S0.i 8"
    display = Display(console, story)
    with display.moving():
        display.tell(story.tried[0])
    display.tell_ruled_out()
    text = out.getvalue()
    assert ("8 programs left" in text) == ("unroll S0.i 8" in text) == is_terminal
    assert "[1] best 2.00x" in text
    assert "ruled out: anti dependence from S0 to S1" in text


def test_many_reasons_are_counted():
    out = StringIO()
    reasons = {f"step {k}\n": f"reason {k}" for k in range(REASONS + 3)}
    Display(Console(file=out, width=200), Story(Budget(), lambda: reasons)).tell_ruled_out()
    assert out.getvalue().count("ruled out") == REASONS
    assert "and for 3 other reasons" in out.getvalue()


class Balanced(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.open = list[str]()
        self.circles = list[dict[str, str | None]]()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "circle" and "trial" in (dict(attrs).get("class") or "").split():
            self.circles.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag


def test_the_page_shows_every_trial(space: Space):
    story = story_of(space, Budget(trials=9), 2.0, 0.5, 1.0, None, 0.25)
    settings = read_settings(["-O2", "-march=x86-64-v3"])
    script = "scop sweeps\nunroll S0.i 4\n"
    text = search_page(story, SWEEPS, settings, "identity", script, "It is <fast>.")
    page = Balanced(text)
    assert page.open == []
    assert "It is &lt;fast&gt;." in text
    kinds = [(one["class"] or "").split()[-1] for one in page.circles]
    assert kinds == ["ok", "winner", "ok", "failed", "winner"]
    heights = [float(one["cy"] or "") for one in page.circles]
    slow, double, same, failed, best = heights
    assert failed >= slow > same > double > best, "the faster, the higher"
    assert slow - same == pytest.approx(same - double, abs=0.2), "by powers of two"
    assert abs((double - best) - (same - double)) < 0.2
    assert "is not kept." in text
    assert re.search(r"b>i: </b>[^<]*unrolled by 4", text), "below it is what the steps have made"


def test_a_search_without_trials_has_a_page(space: Space):
    settings = read_settings(["-O2", "-march=x86-64-v3"])
    text = search_page(story_of(space, Budget()), SWEEPS, settings, "identity", "", "Nothing.")
    assert Balanced(text).open == []


def test_a_strategy_of_ones_own():
    """The last of the first three neighbours, whatever it takes."""

    def third(points: Points, measure: Measure, budget: Budget, report: object) -> Tally:
        (start, *_) = points.starts()
        near = points.neighbours(start)
        chosen: Point = [next(near) for _ in range(3)][-1]
        outcome = measure(chosen.base, points.script(chosen), 1.0)
        assert outcome.score is not None
        return Tally(chosen, outcome.score, 1)

    def run(program: Program) -> float:
        settings = program._settings  # pyright: ignore[reportPrivateUsage]
        return 0.5 if settings.script else 1.0

    found = tune(SWEEPS, read_settings(["-O2"]), run, Budget(), strategy=third)
    assert found.gain == 2.0
    assert found.script
