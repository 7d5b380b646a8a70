"""On which sets isl's operations take long: those whose columns large factors tie."""

import islpy as isl
import pytest

from polyopt.poly.isl.lists import basic_maps, basic_sets
from polyopt.poly.isl.weight import MOST, weight

TIED = (
    "0 <= t <= 7 and 0 <= u <= 7 and m <= 1000 and "
    "-16t - 2u - 5e <= 128f < -16t + m - 2u - 5e and "
    "-136t - 17u - 45e <= 1088f <= 4 - 136t - 17u - 45e"
)


def test_tiles_of_tiles_are_as_light_as_anything():
    tiles = (
        "exists a, b, c : 32a <= i < 32a + 32 and 32b <= j < 32b + 32 and 8c <= i - 32a < 8c + 8"
        " and x = 32a and y = 32b and z = 8c"
    )
    assert weight(basic_maps(isl.Map(f"{{ S[i, j] -> [x, y, z] : {tiles} }}"))) == 1
    assert weight(basic_sets(isl.Set("[n] -> { A[i] : 0 <= 102i < 101n }"))) == 1


@pytest.mark.parametrize(("factor", "expected"), [(1, 1), (8, 1), (45, 45), (1000, MOST)])
def test_large_factors_of_two_columns_weigh(factor: int, expected: int):
    own = isl.Set(f"[t] -> {{ A[e] : exists f : 7t <= {factor}e - 2003f <= 7t + 2 }}")
    assert weight(basic_sets(own)) == expected


def test_the_heaviest_piece_counts():
    tied = isl.Set(f"[t, u, m] -> {{ A[i] : i = 3 or (i < 3 and exists e, f : {TIED}) }}")
    assert weight(basic_sets(tied)) == 45
    assert weight(()) == 1
