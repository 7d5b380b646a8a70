"""The elements of the arrays that a sample touches, each a cell that lights up when it is touched.

What happens when is in a block of data beside the picture (`trace.py`), for the page's script. A
cell is the darker the more often it is touched at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from polyopt.poly.picture.touches import LINE, Box, Element, Touches, boxes, fetched
from polyopt.report.contents import Shown
from polyopt.report.grids import CELL, beside, size_of
from polyopt.report.markup import Markup, element
from polyopt.report.words import element_text

ACROSS = 580
HEAD = 16
LARGEST = 900
"""The most cells of one array that are drawn."""
SHADES = 5
CAPACITIES = (2, 4, 8, 16, 32)
"""Lines in the caches of the comparison."""


def drawn_boxes(touched: Touches) -> list[Box]:
    """The arrays that are small enough to be seen."""
    found = list[Box]()
    for box in boxes(touched):
        size = 1
        for first, last in zip(box.first, box.last, strict=True):
            size *= last - first + 1
        if size <= LARGEST and len(box.first) <= 4:
            found.append(box)
    return found


def cells(touched: Touches) -> list[Element]:
    """The elements that have a cell, in the order of the cells."""
    names = {box.array for box in drawn_boxes(touched)}
    found = {touch.element for mine in touched.values() for touch in mine}
    return sorted(one for one in found if one[0] in names)


def footprint_picture(touched: Touches, title: str) -> Markup | None:
    shown = drawn_boxes(touched)
    if not shown:
        return None
    corners = [[box.first, box.last] for box in shown]
    names = [box.array for box in shown]
    grids = dict(zip(names, beside(corners, ACROSS, HEAD, names), strict=True))
    width, height = size_of(list(grids.values()), names)
    often = Counter(touch.element for mine in touched.values() for touch in mine)
    most = max(often.values())
    drawn = [
        element("text", box.array, x=grid.left, y=grid.top - 4, class_="head")
        for box, grid in zip(shown, grids.values(), strict=True)
    ]
    for grid in grids.values():
        count = len(grid.first)
        drawn += grid.axes([f"index {k + 1}" if k < count - 2 else "" for k in range(count)])
    for number, one in enumerate(cells(touched)):
        x, y = grids[one[0]].centre(one[1])
        shade = (often[one] * SHADES - 1) // most
        hint = f"{element_text(one)}: touched {often[one]} times"
        drawn.append(
            element(
                "g",
                element("title", hint),
                element(
                    "rect",
                    x=x - CELL // 2 + 1,
                    y=y - CELL // 2 + 1,
                    width=CELL - 2,
                    height=CELL - 2,
                ),
                class_=f"cell s{shade}",
                data_cell=number,
            )
        )
    return element(
        "svg",
        element("title", title),
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        class_="footprint",
    )


def fetch_table(shown: Shown) -> list[tuple[int, int, int]]:
    """(capacity, lines fetched in the order before, after), while there is anything to tell."""
    if shown.touched is None:
        return []
    before = [event.instance for event in shown.before.events]
    after = [event.instance for event in shown.after.events]
    found = [
        (size, fetched(before, shown.touched, size), fetched(after, shown.touched, size))
        for size in CAPACITIES
    ]
    return _until_all_fits(found)


def _until_all_fits(found: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Nothing changes any more where a cache holds everything."""
    least = found[-1]
    kept = list[tuple[int, int, int]]()
    for row in found:
        kept.append(row)
        if row[1:] == least[1:]:
            break
    return kept


def bars_picture(rows: Sequence[tuple[int, int, int | None]], title: str) -> Markup:
    """Two bars for each cache: lines fetched in the order before, and after (None: as before)."""
    most = max(max(before, after or 0) for _, before, after in rows)
    step = 26 if all(after is None for _, _, after in rows) else 44
    drawn = list[Markup]()
    for k, (capacity, before, after) in enumerate(rows):
        y = 8 + step * k
        middle = y + (11 if after is None else 20)
        drawn.append(element("text", f"{capacity} lines", x=0, y=middle, class_="head"))
        for row, (class_, value) in enumerate((("before", before), ("after", after))):
            if value is None:
                continue
            length = round(300 * value / most)
            place = y + 18 * row
            drawn.append(
                element("rect", x=80, y=place, width=length, height=14, class_=f"bar {class_}")
            )
            drawn.append(element("text", str(value), x=88 + length, y=place + 11, class_="value"))
    height = 8 + step * len(rows)
    return element(
        "svg",
        element("title", f"{title}; a line holds {LINE} elements"),
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 450 {height}",
        width=450,
        height=height,
        role="img",
        class_="bars",
    )
