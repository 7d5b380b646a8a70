"""Where points are drawn: no two in one place, neighbours side by side, nothing outside."""

from itertools import product

import pytest

from polyopt.report.grids import CELL, Grid, beside, size_of


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4, 5])
def test_points_have_places_of_their_own_inside(depth: int):
    ranges = [range(-1, 2)] * min(depth, 4)
    points = [(0,) * (depth - len(ranges)) + one for one in product(*ranges)]
    grid = Grid.around(points, 7, 11)
    places = [grid.centre(point) for point in points]
    assert len(set(places)) == len(points)
    for x, y in places:
        assert 7 + CELL // 2 <= x <= 7 + grid.width - CELL // 2
        assert 11 + CELL // 2 <= y <= 11 + grid.height - CELL // 2


def test_the_last_dimension_runs_to_the_right_and_the_one_before_down():
    grid = Grid.around([(0, 0), (2, 3)])
    x, y = grid.centre((1, 1))
    assert grid.centre((1, 2)) == (x + CELL, y)
    assert grid.centre((2, 1)) == (x, y + CELL)


def test_grids_beside_each_other_do_not_meet():
    square = [(0, 0), (4, 4)]
    titles = ["a title that is wider than its grid", *"abcdef"]
    grids = beside([square] * 7, 400, 16, titles)
    boxes = [
        (g.left, g.top, g.left + max(g.width, 7 * len(t)), g.top + g.height)
        for g, t in zip(grids, titles, strict=True)
    ]
    for k, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[:k]:
            apart = right <= other_left or other_right <= left
            assert apart or bottom <= other_top or other_bottom <= top
    assert len({top for _, top, _, _ in boxes}) > 1
    width, height = size_of(grids, titles)
    assert width >= max(right for _, _, right, _ in boxes)
    assert height >= max(bottom for _, _, _, bottom in boxes)


def test_panels_that_do_not_fit_beside_each_other_go_on_below():
    points = [(i, j, k) for i in range(5) for j in range(4) for k in range(4)]
    narrow = Grid.around(points, across=3 * (4 * CELL + 60))
    wide = Grid.around(points)
    assert narrow.width < wide.width
    assert narrow.height > wide.height
    places = [narrow.centre(point) for point in points]
    assert len(set(places)) == len(points)
    assert max(x for x, _ in places) < narrow.width
    assert max(y for _, y in places) < narrow.height
    below = narrow.centre((3, 0, 0))
    assert below[0] == narrow.centre((0, 0, 0))[0]
    assert below[1] > narrow.centre((0, 3, 3))[1]
