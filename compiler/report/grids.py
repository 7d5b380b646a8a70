"""Where the points of sets with any number of dimensions are drawn: panels in rows and columns.

The last dimension runs to the right and the one before it down, as a matrix is written; the two
before these choose the panel: columns and rows of panels. A row of panels that is too long goes on
below. What is further outside has one value in every picture.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.report.markup import Markup, element
from polyopt.support.record import record

CELL = 24
GAP = 22
MARGIN = 30
"""Of a panel to the left of and above its cells, for the labels of the axes."""

Point = tuple[int, ...]


@record
class Grid:
    """`first` and `last` of each dimension; (`left`, `top`) is the corner of the whole, which is
    as wide as one panel, or as many as go into `across`."""

    first: Point
    last: Point
    left: int = 0
    top: int = 0
    across: int = 1 << 30

    @staticmethod
    def around(points: Sequence[Point], left: int = 0, top: int = 0, across: int = 1 << 30) -> Grid:
        columns = list(zip(*points, strict=True))
        return Grid(tuple(map(min, columns)), tuple(map(max, columns)), left, top, across)

    def _length(self, place: int) -> int:
        """How long the dimension is that is `place` from the last."""
        index = len(self.first) - 1 - place
        return self.last[index] - self.first[index] + 1 if index >= 0 else 1

    @property
    def panel_width(self) -> int:
        return MARGIN + self._length(0) * CELL

    @property
    def panel_height(self) -> int:
        return MARGIN + self._length(1) * CELL

    @property
    def _beside(self) -> int:
        """So many panels stand in a row; the rest of it goes on below."""
        room = max(1, (self.across + GAP) // (self.panel_width + GAP))
        return -(-self._length(2) // -(-self._length(2) // room))

    @property
    def width(self) -> int:
        return self._beside * (self.panel_width + GAP) - GAP

    @property
    def height(self) -> int:
        rows = self._length(3) * -(-self._length(2) // self._beside)
        return rows * (self.panel_height + GAP) - GAP

    def _panel(self, column: int, row: int) -> tuple[int, int]:
        """Its corner."""
        further, column = divmod(column, self._beside)
        row = row * -(-self._length(2) // self._beside) + further
        return (
            self.left + column * (self.panel_width + GAP),
            self.top + row * (self.panel_height + GAP),
        )

    def centre(self, point: Point) -> tuple[int, int]:
        """Of the point's cell."""
        x, y, column, row = (self._offset(point, place) for place in range(4))
        left, top = self._panel(column, row)
        return left + MARGIN + x * CELL + CELL // 2, top + MARGIN + y * CELL + CELL // 2

    def _offset(self, point: Point, place: int) -> int:
        index = len(point) - 1 - place
        return point[index] - self.first[index] if index >= 0 else 0

    def axes(self, names: Sequence[str]) -> list[Markup]:
        """The names of the dimensions, and the first and last values along each panel."""
        count = len(self.first)
        drawn = list[Markup]()
        for row in range(self._length(3)):
            for column in range(self._length(2)):
                x, y = self._panel(column, row)
                drawn += self._panel_axes(names, x, y)
                outer = {
                    names[count - place]: self.first[count - place] + offset
                    for place, offset in ((4, row), (3, column))
                    if count >= place
                }
                if outer:
                    told = ", ".join(f"{name} = {value}" for name, value in outer.items())
                    drawn.append(_label(x, y + 9, told, "slice"))
        return drawn

    def _panel_axes(self, names: Sequence[str], x: int, y: int) -> list[Markup]:
        drawn = list[Markup]()
        count, right, bottom = len(self.first), x + self.panel_width, y + self.panel_height
        if count >= 1:
            drawn.append(_label((x + MARGIN + right) // 2, y + MARGIN - 5, names[-1], "axis"))
            for value, k in _ends(self.first[-1], self.last[-1]):
                place = x + MARGIN + k * CELL + CELL // 2
                drawn.append(_label(place, y + MARGIN - 5, value, "tick"))
        if count >= 2:
            drawn.append(_label(x + 14, (y + MARGIN + bottom) // 2 + 4, names[-2], "axis"))
            for value, k in _ends(self.first[-2], self.last[-2]):
                place = y + MARGIN + k * CELL + CELL // 2 + 4
                drawn.append(_label(x + 14, place, value, "tick"))
        return drawn


def _ends(first: int, last: int) -> list[tuple[str, int]]:
    """The two values at the ends of an axis that has room for its name between them."""
    if last - first < 2:
        return []
    return [(str(first), 0), (str(last), last - first)]


def _label(x: int, y: int, text: str, class_: str) -> Markup:
    anchor = "start" if class_ == "slice" else "middle"
    return element("text", text, x=x, y=y, class_=class_, text_anchor=anchor)


LETTER = 7
"""How wide a letter of a title is, at most."""


def beside(
    groups: Sequence[Sequence[Point]], across: int, head: int, titles: Sequence[str]
) -> list[Grid]:
    """A grid for each group of points, one beside the other and then below, in so many pixels;
    `head` is the room for its title above each."""
    grids = list[Grid]()
    left = top = below = 0
    for points, title in zip(groups, titles, strict=True):
        grid = Grid.around(points, left, top + head, across)
        width = max(grid.width, LETTER * len(title))
        if left and left + width > across:
            left, top = 0, below
            grid = Grid.around(points, left, top + head, across)
        grids.append(grid)
        left += width + GAP
        below = max(below, top + head + grid.height + GAP)
    return grids


def size_of(grids: Sequence[Grid], titles: Sequence[str]) -> tuple[int, int]:
    """The width and height that hold all of them with their titles."""
    rights = [
        one.left + max(one.width, LETTER * len(title))
        for one, title in zip(grids, titles, strict=True)
    ]
    return (
        max(rights, default=0) + 8,
        max((one.top + one.height for one in grids), default=0) + 8,
    )
