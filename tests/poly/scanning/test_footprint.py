"""What accesses touch together, element by element: each once, exact or in a box, of a tile."""

import islpy as isl
import pytest
from oracles.polyhedral import coordinates, run_loops

from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.isl.lists import maps
from polyopt.poly.notation import parse_scop
from polyopt.poly.scanning.footprint import Footprint, footprint, instances_with
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.poly.transform.places import as_loop, single_loops
from polyopt.support.effort import effort

SHAPES = {
    "triangle": "[n] -> { S[i, j] -> A[a, b] : 1 <= j <= i < n and -1 <= a - i <= 1 and b = j }",
    "star": "[n] -> { S[i, j] -> A[a, b] : 1 <= j <= i < n and -1 <= a - i <= 1 and "
    "-1 <= b - j <= 1 and (a = i or b = j) }",
    "holes": "[n] -> { S[i, j] -> A[2i + 3j] : 0 <= i < n and 0 <= j <= 3 }",
    "two strides": "[n] -> { S[i, j] -> A[2i + 3j, i + j] : 0 <= i, j < n }",
}


def visited(found: Footprint, n: int) -> list[tuple[int, ...]]:
    return [element for _, element in run_loops(found.loops(), {"n": n})]


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("n", [1, 4, 9])
def test_each_element_once(name: str, n: int) -> None:
    relation = isl.Map(SHAPES[name])
    found = footprint([relation])
    assert found.exact
    assert sorted(visited(found, n)) == sorted(coordinates(relation.range(), {"n": n}))


@pytest.mark.parametrize("name", SHAPES)
def test_a_box_where_the_image_is_too_dear(name: str) -> None:
    """From the least to the greatest of each coordinate, each element once."""
    relation = isl.Map(SHAPES[name])
    found = footprint([relation], operations=1)
    touched = coordinates(relation.range(), {"n": 6})
    elements = visited(found, 6)
    assert len(elements) == len(set(elements))
    assert set(touched) <= set(elements)
    for k, values in enumerate(zip(*touched, strict=True)):
        assert {element[k] for element in elements} == set(range(min(values), max(values) + 1))


def test_a_box_is_given_up_the_sooner_the_longer_operations_take() -> None:
    """In which tiles of a lattice of tiles elements are touched: an operation of isl's takes 17
    microseconds here, and the two million that others have half a minute."""
    tied = (
        "0 <= t, u <= 7 and m <= 1000 and -16t - 2u - 5e <= 128f < m - 16t - 2u - 5e and "
        "-136t - 17u - 45e <= 1088f <= 4 - 136t - 17u - 45e"
    )
    relation = isl.Map(f"[t, u, m] -> {{ S[] -> A[e] : exists f : {tied} }}")
    with effort() as account, pytest.raises(BudgetExceeded):
        footprint([relation], operations=1)
    assert account.spent < 100_000


def test_several_accesses_of_one_array() -> None:
    texts = ["A[i]", "A[i + 3]", "A[2i]"]
    relations = [isl.Map(f"[n] -> {{ S[i] -> {text} : 0 <= i < n }}") for text in texts]
    expected = {element for one in relations for element in coordinates(one.range(), {"n": 7})}
    assert sorted(visited(footprint(relations), 7)) == sorted(expected)


@pytest.mark.parametrize(
    "step", ["tile S.i S.j 4 3", "hexagons S.i S.j 2 1", "hyperplanes S.i S.j 1 2 5"]
)
def test_the_footprints_of_tiles(step: str) -> None:
    """The number of a tile is parameters: for each number the elements are those of its
    instances, told by brute force."""
    scop = parse_scop("""
[n]
for i : 1 <= i < n - 1
  for j : 1 <= j <= i
    S: B[i, j] = A[i - 1, j] + A[i + 1, j] + A[i, j - 1] + A[i, j + 1]
""")
    tree = read_tree(schedule_by_hand(scop, None, step))
    functions = list[isl.UnionPwAff]()
    tree = single_loops(tree)
    while (loop := as_loop(tree)) is not None and "tile" in loop.marks:
        functions.append(loop.function)
        tree = loop.body
    names = [f"t{k}" for k in range(len(functions))]
    (reads,) = maps(
        scop.accesses(writes=False).intersect_domain(instances_with(scop.domain, functions, names))
    )
    found = footprint([reads])
    tiles: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for i in range(1, 8):
        for j in range(1, i + 1):
            here = isl.Set(f"[n] -> {{ S[{i}, {j}] : n = 9 }}").sample_point()
            number = tuple(_value(function, here) for function in functions)
            star = {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)}
            tiles.setdefault(number, set()).update(star)
    assert len(tiles) > 2
    for number, elements in tiles.items():
        sizes = {"n": 9, **dict(zip(names, number, strict=True))}
        run = [element for _, element in run_loops(found.loops(), sizes)]
        assert sorted(run) == sorted(elements)


def _value(function: isl.UnionPwAff, point: isl.Point) -> int:
    (part,) = maps(isl.UnionMap.from_union_pw_aff(function))
    image = isl.Set.from_point(point).apply(part)
    return image.sample_point().get_coordinate_val(isl.dim_type.set, 0).to_python()
