"""Processors as the classes of a lattice, against its definition."""

from itertools import product

import islpy as isl
import pytest

from polyopt.poly.linear.lattice import Lattice, Matrix, determinant, transpose
from polyopt.poly.placement.grid import OWN, Grid, lattice_axes, place

LATTICES: tuple[Matrix, ...] = (
    ((1,),),
    ((3,),),
    ((1, 1), (0, 4)),
    ((1, 2), (0, 5)),
    ((2, 1), (-1, 2)),
    ((2, 0), (0, 2)),
    ((1, 0), (0, 1)),
    ((1, 1, 1), (0, 2, 0), (0, 0, 2)),
)


@pytest.mark.parametrize("block", [1, 2])
@pytest.mark.parametrize("generators", LATTICES)
def test_blocks_are_together_if_they_are_a_vector_of_the_lattice_apart(
    generators: Matrix, block: int
):
    grid = Grid(lattice_axes(generators, block))
    points = list(product(range(-block, 3 * block), repeat=len(generators)))
    homes = {point: home_of(point, grid) for point in points}
    lattice = Lattice.of(transpose(generators))
    for one, other in product(points, points):
        apart = tuple(x // block - y // block for x, y in zip(one, other, strict=True))
        assert (homes[one] == homes[other]) == (apart in lattice)
    counts = 1
    for axis in grid.axes:
        assert axis.count is not None
        counts *= axis.count
    assert counts == abs(determinant(generators))


def home_of(point: tuple[int, ...], grid: Grid) -> tuple[int, ...]:
    """The only processor that has the point."""
    numbers = [str(x) for x in point]
    tests = [grid.constraint(OWN, None, axis, numbers) for axis in range(len(grid.axes))]
    names = ", ".join(place(OWN, axis) for axis in range(len(grid.axes)))
    found = list[tuple[int, ...]]()

    def take(one: isl.Point) -> None:
        found.append(
            tuple(
                one.get_coordinate_val(isl.dim_type.set, k).to_python()
                for k in range(len(grid.axes))
            )
        )

    isl.Set(f"{{ [{names}] : {' and '.join(tests)} }}").foreach_point(take)
    assert len(found) == 1
    return found[0]


def test_generators_that_span_no_space():
    with pytest.raises(ValueError, match="depend on each other"):
        lattice_axes(((1, 2), (2, 4)), 1)
