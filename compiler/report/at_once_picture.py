"""The iterations of a static control part as a machine does them: vectors as bands, threads as
colours, and how many steps all of it takes, each thread doing one thing in a step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from polyopt.poly.picture.at_once import Group, at_once
from polyopt.report.at_once_plan import AtOncePlan, at_once_plan
from polyopt.report.contents import Contents, ScopView, Shown, Statement
from polyopt.report.domain_picture import Canvas
from polyopt.report.markup import Markup, element
from polyopt.report.words import instance_text, listed
from polyopt.support.record import record
from polyopt.support.remarks import how_many

KEY = "once"
"""The name of this picture's order in the data of the page."""


@record
class AtOnce:
    """`instances`: how many runs of statements there are altogether."""

    made: AtOncePlan
    groups: tuple[Group, ...]
    instances: int

    @property
    def steps(self) -> int:
        return max(one.step for one in self.groups) + 1

    @property
    def title(self) -> str:
        kinds = ["vectors"] if self.made.lanes else []
        return f"What runs at once: {' and '.join(kinds + ['threads'] * self.made.is_shared)}"

    def events_of_steps(self) -> list[list[int]]:
        """What runs in each step, by its places in the order."""
        found = defaultdict[int, list[int]](list)
        for one in self.groups:
            found[one.step] += one.events
        return [found[step] for step in range(self.steps)]

    def words(self) -> str:
        """What is drawn, and what is drawn smaller than it is."""
        told = [f"{how_many(self.instances, 'run')} take {how_many(self.steps, 'step')}."]
        if self.made.lanes:
            told.append("Runs on one band are one vector: one instruction does them all.")
        for lanes, drawn in self.made.lanes:
            if drawn != lanes:
                told.append(f"Vectors of {lanes} are drawn as vectors of {drawn}.")
        if self.made.is_shared:
            count = self.made.plan.threads
            told.append(f"Each colour is one of {count} threads; they share loops that are long.")
        told.append("The numbers say in which step. How LLVM unrolls loops is not drawn.")
        return " ".join(told)


def find_at_once(contents: Contents, view: ScopView) -> AtOnce | None:
    """None where nothing runs at once, as far as is drawn."""
    shown = view.shown
    made = None if shown is None else at_once_plan(contents, view, shown)
    if shown is None or made is None:
        return None
    groups = at_once(shown.after, made.plan)
    found = AtOnce(made, groups, len(shown.after.events))
    return found if found.steps < found.instances else None


def at_once_picture(shown: Shown, statements: Sequence[Statement], once: AtOnce) -> Markup:
    canvas = Canvas.of(shown, statements)
    known = {one.name: one for one in statements}
    what = f"{how_many(once.instances, 'iteration')} in {how_many(once.steps, 'step')}"
    return canvas.drawn(
        f"{once.title}: {what}",
        [_band(canvas, shown, one) for one in once.groups],
        [_points(canvas, shown, known, one, once) for one in once.groups],
        class_="once",
    )


def _band(canvas: Canvas, shown: Shown, group: Group) -> Markup:
    places = [canvas.centre(shown.after.events[k].instance) for k in group.events]
    (x, y), *rest = places
    way = f"M{x} {y} " + " ".join(f"L{u} {v}" for u, v in rest or [(x, y)])
    return element("path", d=way, class_=f"band c{group.thread}")


def _points(
    canvas: Canvas, shown: Shown, known: Mapping[str, Statement], group: Group, once: AtOnce
) -> list[Markup]:
    thread = f", thread {group.thread + 1}" if once.made.is_shared else ""
    drawn = list[Markup]()
    for k in group.events:
        event = shown.after.events[k]
        statement = known[event.statement]
        x, y = canvas.centre(event.instance)
        title = f"step {group.step + 1}{thread}: {instance_text(event.instance, statement)}"
        drawn.append(
            element(
                "g",
                element("title", title),
                element("circle", cx=x, cy=y, r=canvas.radius),
                element("text", str(group.step + 1), x=x, y=y + 3, text_anchor="middle"),
                class_="pt banded",
                data_t=group.step,
                data_line=statement.line,
            )
        )
    return drawn


def thread_key(once: AtOnce) -> Markup | None:
    """Which colour is which thread."""
    if not once.made.is_shared:
        return None
    chips = [
        element(
            "span",
            element("span", class_=f"chip thread c{k}"),
            listed([f"thread {k + 1}"]),
            class_="kind",
        )
        for k in range(once.made.plan.threads)
    ]
    return element("p", chips, class_="legend")
