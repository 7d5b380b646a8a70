"""A static control part on the page: what became of it, its pictures, its loops."""

from __future__ import annotations

from polyopt.poly.picture.running_order import Order
from polyopt.report.at_once_picture import (
    KEY,
    AtOnce,
    at_once_picture,
    find_at_once,
    thread_key,
)
from polyopt.report.contents import Contents, ScopView, Shown
from polyopt.report.domain_picture import domain_picture
from polyopt.report.footprint_picture import (
    bars_picture,
    fetch_table,
    footprint_picture,
)
from polyopt.report.markup import Child, Markup, data_block, element
from polyopt.report.membership import counted_loops, loops_around
from polyopt.report.source_view import code_list
from polyopt.report.speed import speed_section
from polyopt.report.trace import trace
from polyopt.report.tree_picture import tree_picture
from polyopt.report.verdicts import LOOP_STAGE, THREADS
from polyopt.report.words import listed
from polyopt.support.remarks import how_many

BEFORE, AFTER = "In the order of the source", "As it runs now"
KEPT = "In the order of the source, as it runs now"


def scop_section(contents: Contents, view: ScopView, anchor: str) -> Markup:
    return element(
        "section",
        element("h2", _title(contents, view)),
        [element("p", one) for one in _outcome(contents, view)],
        speed_section(view, contents.machine),
        _pictures(contents, view, anchor),
        _trees(view),
        _code(view),
        class_="scop",
        id=anchor,
    )


def _title(contents: Contents, view: ScopView) -> str:
    where = ""
    if view.lines is not None:
        heads = [
            loop.start.line
            for one in view.statements
            for loop in counted_loops(loops_around(contents, one), one.iterators)
        ]
        first, last = min([view.lines[0], *heads]), view.lines[1]
        where = f", line {first}" if first == last else f", lines {first} to {last}"
    elif view.span is not None:
        where = f", {view.span}"
    return f"The loops of {view.function}{where}"


def _outcome(contents: Contents, view: ScopView) -> list[str]:
    """What was said of this part by the passes, in their order; of its statements, once."""
    spans = view.places
    told = [one for one in contents.remarks if one.span in spans]
    return [f"{one.message[:1].upper()}{one.message[1:]}." for one in dict.fromkeys(told)]


def _pictures(contents: Contents, view: ScopView, anchor: str) -> Child:
    shown = view.shown
    if shown is None:
        return element("p", f"There is no picture of it: {view.why_not}.", class_="legend")
    steps = len(shown.before.events)
    once = find_at_once(contents, view)
    controls = element(
        "div",
        element("button", "▶ play", type="button", class_="play"),
        element(
            "input",
            type="range",
            min=0,
            max=steps,
            value=0,
            aria_label="time, in iterations",
        ),
        element(
            "label",
            "arrows: ",
            element(
                "select",
                [
                    element("option", text, value=value, selected=value == "step" or None)
                    for value, text in (("step", "of this step"), ("all", "all"), ("none", "none"))
                ],
            ),
        ),
        element("output", "", aria_live="polite"),
        class_="controls",
    )
    return [
        element("h3", "Its iterations, one after another"),
        element("p", _explanation(shown), class_="legend"),
        None if once is not None else _afterwards(contents, view),
        controls,
        element(
            "div",
            [
                _order_panel(view, shown, order, key, title, anchor)
                for order, key, title in _orders(shown)
            ],
            None if once is None else _once_panel(view, shown, once),
            _reuse(shown),
            class_="columns pictures",
        ),
        data_block(trace(shown, once), class_="trace"),
    ]


def _orders(shown: Shown) -> list[tuple[Order, str, str]]:
    """Once where nothing was changed."""
    if shown.before.events == shown.after.events:
        return [(shown.before, "before", KEPT)]
    return [(shown.before, "before", BEFORE), (shown.after, "after", AFTER)]


def _order_panel(
    view: ScopView, shown: Shown, order: Order, key: str, title: str, anchor: str
) -> Markup:
    footprint = None
    if shown.touched is not None:
        drawn = footprint_picture(shown.touched, f"{title}: what is read and written")
        if drawn is not None:
            footprint = [element("h3", "What is read and written"), drawn]
    picture = domain_picture(shown, view.statements, order, title, f"{anchor}-{key}")
    return element("div", element("h3", title), picture, footprint, class_="panel", data_order=key)


def _once_panel(view: ScopView, shown: Shown, once: AtOnce) -> Markup:
    return element(
        "div",
        element("h3", once.title),
        at_once_picture(shown, view.statements, once),
        thread_key(once),
        element("p", once.words(), class_="legend"),
        class_="panel",
        data_order=KEY,
    )


def _explanation(shown: Shown) -> str:
    told = ["Each circle is one run of a statement; its number says when it runs."]
    if shown.parameters:
        sizes = [f"{name} = {value}" for name, value in shown.parameters]
        told.append(f"So that there is something to see, {listed(sizes)}.")
    if shown.cropped:
        told.append(f"Only the first iterations of {listed(list(shown.cropped))} are shown.")
    for size, small in shown.after.shrunk:
        told.append(f"Tiles of {size} are drawn as tiles of {small}.")
    if any(event.tile for event in shown.after.events):
        told.append("Circles on one colour are one tile: they run together.")
    if shown.arrows is None:
        told.append("There are too many dependences to draw.")
    elif shown.arrows:
        told.append(
            "An arrow leads from a run to one that needs it done: solid where a value is needed, "
            "dashed where memory is used again."
        )
    else:
        told.append("No run needs another: any order would do.")
    told.append("A cell is yellow while it is read, red while it is written, blue shortly after.")
    return " ".join(told)


def _afterwards(contents: Contents, view: ScopView) -> Child:
    """What is made of the loops when their order is settled, which is in no picture."""
    spans = view.places
    told = [
        one.message
        for one in contents.remarks
        if one.kind == "applied" and one.id in (*LOOP_STAGE, THREADS) and one.span in spans
    ]
    if not told:
        return None
    made = "; ".join(dict.fromkeys(told))
    return element("p", f"What becomes of these loops afterwards: {made}.", class_="legend")


def _reuse(shown: Shown) -> Child:
    table = fetch_table(shown)
    if not table:
        return None
    is_kept = len(_orders(shown)) == 1
    rows = [(capacity, before, None if is_kept else after) for capacity, before, after in table]
    which = "." if is_kept else ": above in the order of the source, below as it runs now."
    return element(
        "div",
        element("h3", "How often memory is asked"),
        element(
            "p",
            "Lines fetched into a small cache of so many lines, which forgets what was not used "
            f"for longest{which}",
            class_="legend",
        ),
        bars_picture(rows, "Lines fetched" if is_kept else "Lines fetched, before and after"),
        class_="panel",
    )


def _trees(view: ScopView) -> Markup:
    is_kept = view.rows_before == view.rows_after
    both = ((view.rows_before, BEFORE), (view.rows_after, AFTER))
    panels = [
        element("div", element("h3", title), tree_picture(rows, view.statements, title))
        for rows, title in (((view.rows_before, KEPT),) if is_kept else both)
        if rows
    ]
    return element(
        "div",
        element("h3", "The order as a tree"),
        element(
            "p",
            "What stands below a loop is done in each of its iterations. Green: the iterations may "
            "run in any order, or at once. Yellow: they may, with some care. Red: they stay "
            "in their order.",
            class_="legend",
        ),
        element("div", panels, class_="columns"),
        class_="panel",
    )


def _code(view: ScopView) -> Child:
    if not view.loops:
        return None
    return element(
        "details",
        element("summary", f"The loops that run it ({how_many(len(view.loops), 'line')})"),
        code_list(view.loops, "generated loops"),
        class_="panel",
        open=True,
    )
