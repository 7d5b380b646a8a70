"""The instances of a SCoP as points, numbered and joined in the order in which they run.

Tiles are coloured squares behind their points, dependences arrows between points. Each point has
its number in the order (`data-t`), so that a slider can run through time; without a script all of
it is there at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot

from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.running_order import Event, Order
from polyopt.poly.picture.sample import Instance
from polyopt.report.contents import Shown, Statement
from polyopt.report.grids import CELL, Grid, Point, beside, size_of
from polyopt.report.markup import Child, Markup, element
from polyopt.report.words import instance_text
from polyopt.support.record import record
from polyopt.support.remarks import how_many

ACROSS = 580
HEAD = 16
RADIUS = 9
COLOURS = 6
"""Of tiles that lie beside each other; the page's style has as many."""


@record
class Canvas:
    """The places of instances that all pictures of a SCoP share, with what says which they are."""

    grids: Mapping[str, Grid]
    labels: tuple[Markup, ...]
    width: int
    height: int
    radius: int = RADIUS

    @staticmethod
    def of(shown: Shown, statements: Sequence[Statement]) -> Canvas:
        events = shown.before.events
        present = [one for one in statements if any(e.statement == one.name for e in events)]
        groups: list[Sequence[Point]] = [
            [event.point for event in events if event.statement == one.name] for one in present
        ]
        titles = [f"{one.name}, {one.place}" for one in present]
        placed = beside(groups, ACROSS, HEAD, titles)
        heads = [
            element("text", title, x=grid.left, y=grid.top - 4, class_="head")
            for grid, title in zip(placed, titles, strict=True)
        ]
        axes = [
            label
            for one, grid in zip(present, placed, strict=True)
            for label in grid.axes(_names(one, grid))
        ]
        grids = dict(zip([one.name for one in present], placed, strict=True))
        return Canvas(grids, (*heads, *axes), *size_of(placed, titles))

    def centre(self, instance: Instance) -> tuple[int, int]:
        return _centre(instance, self.grids)

    def drawn(self, title: str, *parts: Child, class_: str = "domain") -> Markup:
        """A picture with these parts in it."""
        return element(
            "svg",
            element("title", title),
            list(self.labels),
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width} {self.height}",
            width=self.width,
            height=self.height,
            role="img",
            class_=class_,
        )


def domain_picture(
    shown: Shown, statements: Sequence[Statement], order: Order, title: str, name: str
) -> Markup:
    """One picture: the order that is given, in the places that all orders of the SCoP share. `name`
    is its own among the pictures of a page."""
    canvas = Canvas.of(shown, statements)
    grids = canvas.grids
    return canvas.drawn(
        f"{title}: {how_many(len(order.events), 'iteration')} in their order",
        _arrow_head(name),
        _tiles(order, grids),
        _ways(order, grids),
        element(
            "g",
            _arrows(shown.arrows or (), order, grids),
            class_="arrows",
            marker_end=f"url(#tip-{name})",
        ),
        _points(order, grids, {one.name: one for one in statements}),
    )


def _names(statement: Statement, grid: Grid) -> list[str]:
    names = list(statement.iterators)
    return names + ["?"] * (len(grid.first) - len(names))


def _centre(instance: Instance, grids: Mapping[str, Grid]) -> tuple[int, int]:
    name, point = instance
    return grids[name].centre(point)


def _tiles(order: Order, grids: Mapping[str, Grid]) -> list[Markup]:
    """Squares behind the points of each tile, in one of a few colours."""
    numbers = {tile: k for k, tile in enumerate(dict.fromkeys(e.tile for e in order.events))}
    drawn = list[Markup]()
    for event in order.events:
        if not event.tile:
            continue
        x, y = _centre(event.instance, grids)
        class_ = f"tile c{numbers[event.tile] % COLOURS}"
        place = {"x": x - CELL // 2, "y": y - CELL // 2}
        drawn.append(element("rect", **place, width=CELL, height=CELL, class_=class_))
    return drawn


def _ways(order: Order, grids: Mapping[str, Grid]) -> list[Markup]:
    """For each statement the way through its points, with their numbers in the order (`data-ts`);
    behind it an empty line, which the page's script draws as far as time has come."""
    drawn = list[Markup]()
    for name in grids:
        mine = [(k, e) for k, e in enumerate(order.events) if e.statement == name]
        places = (_centre(event.instance, grids) for _, event in mine)
        way = " ".join(f"{x},{y}" for x, y in places)
        times = " ".join(str(k) for k, _ in mine)
        drawn.append(element("polyline", points=way, class_="way", data_ts=times))
        drawn.append(element("polyline", class_="gone"))
    return drawn


def _points(
    order: Order, grids: Mapping[str, Grid], statements: Mapping[str, Statement]
) -> list[Markup]:
    return [
        _point(k, event, _centre(event.instance, grids), statements[event.statement])
        for k, event in enumerate(order.events)
    ]


def _point(number: int, event: Event, place: tuple[int, int], statement: Statement) -> Markup:
    x, y = place
    return element(
        "g",
        element("title", f"{number + 1}. {instance_text(event.instance, statement)}"),
        element("circle", cx=x, cy=y, r=RADIUS),
        element("text", str(number + 1), x=x, y=y + 3, text_anchor="middle"),
        class_="pt",
        data_t=number,
        data_line=statement.line,
    )


def _arrow_head(name: str) -> Markup:
    tip = element("path", d="M0 0 L6 3 L0 6 z")
    marker = element(
        "marker",
        tip,
        id=f"tip-{name}",
        viewBox="0 0 6 6",
        refX=6,
        refY=3,
        markerWidth=6,
        markerHeight=6,
        orient="auto-start-reverse",
    )
    return element("defs", marker)


def _arrows(found: Sequence[Arrow], order: Order, grids: Mapping[str, Grid]) -> list[Markup]:
    """Bent a little, so that an arrow over several points does not hide behind them."""
    positions = order.positions()
    drawn = list[Markup]()
    for one in found:
        if one.source not in positions or one.target not in positions:
            continue
        (x, y), (u, v) = _centre(one.source, grids), _centre(one.target, grids)
        length = hypot(u - x, v - y)
        if not length:
            continue
        dx, dy = (u - x) / length, (v - y) / length
        start = x + dx * RADIUS, y + dy * RADIUS
        end = u - dx * RADIUS, v - dy * RADIUS
        bend = min(length / 6, 30) if length > 1.5 * CELL else 0
        middle = (x + u) / 2 - dy * bend, (y + v) / 2 + dx * bend
        numbers = [f"{value:.0f}" for pair in (start, middle, end) for value in pair]
        drawn.append(
            element(
                "path",
                d="M{} {} Q{} {} {} {}".format(*numbers),
                class_=f"arrow {one.kinds[0]}",
                data_from=positions[one.source],
                data_to=positions[one.target],
            )
        )
    return drawn
