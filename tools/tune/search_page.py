"""The page about a search: a picture of all trials, what was ruled out and why, every trial in a
table; and below it what the best steps make of the program, as `polyopt-cc --report=` shows it."""

from __future__ import annotations

from dataclasses import replace

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.report.markup import Child, Markup, element
from polyopt.report.page import document, unit_section
from polyopt.support.remarks import how_many
from polyopt.tools.tune.story import Story
from polyopt.tools.tune.trials_picture import trials_picture


def search_page(
    story: Story, source: Source, settings: Settings, base: str, script: str, result: str
) -> str:
    """`result` says in a sentence what has come of it; the steps of `script` are shown."""
    shown = observe(source, replace(settings, poly=base, script=script or None))
    title = f"{source.name}: {how_many(len(story.tried), 'trial')}"
    return document(title, [_section(story, result), unit_section(shown, "u0")])


def _section(story: Story, result: str) -> Markup:
    return element(
        "article",
        element("p", result),
        element("div", element("h3", "Trials"), trials_picture(story.tried), class_="panel")
        if story.tried
        else None,
        element("p", LEGEND, class_="legend"),
        _table(story),
        _ruled_out(story),
        class_="search",
    )


LEGEND = (
    "A dot is a program that ran in turns with the baseline: filled where it was measured to the "
    "end, hollow where its first run was hopeless, red at the bottom where it did not run. The "
    "line is the best so far. Point at a dot, and it says its steps."
)


def _table(story: Story) -> Child:
    if not story.tried:
        return None
    rows = [
        element(
            "tr",
            *(
                element("td", text, class_=class_)
                for text, class_ in (
                    (str(number), "number"),
                    (one.result, "number"),
                    (f"{one.seconds:.0f} s", "number"),
                    (one.steps, "steps"),
                    (one.outcome.detail, ""),
                )
            ),
        )
        for number, one in enumerate(story.tried, 1)
    ]
    return element(
        "details",
        element("summary", f"All {how_many(len(rows), 'trial')}"),
        element("table", element("tbody", rows), class_="code"),
        class_="panel",
    )


def _ruled_out(story: Story) -> Child:
    reasons = story.reasons()
    if not reasons:
        return None
    count = sum(len(steps) for _, steps in reasons)
    return element(
        "details",
        element("summary", f"{how_many(count, 'script')} ruled out before anything was built"),
        [
            [
                element("p", element("b", f"{len(steps)}: "), f"{why}."),
                element("ul", [element("li", text) for text in steps], class_="lines code"),
            ]
            for why, steps in reasons
        ],
        class_="panel",
    )
