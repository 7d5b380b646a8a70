"""The order of loops that memory likes, and which nests it likes together."""

from dataclasses import replace

import pytest

from polyopt.poly.cost.distinct_lines import Reference
from polyopt.poly.cost.memory_cost import Body, Level, least_cost, levels_of, loop_order, share_data
from polyopt.support.target import Target

TARGET = Target()
LEVELS = levels_of(TARGET)


def test_levels_hold_what_the_machine_has():
    cache, pages = LEVELS
    assert cache.lines * cache.line_bytes == TARGET.l1_bytes
    assert (pages.lines, pages.line_bytes) == (TARGET.tlb_entries, TARGET.page_bytes)
    assert cache.cycles < pages.cycles


def access(array: str, *rows: tuple[int, ...]) -> Reference:
    return Reference(array, rows, is_write=False, element_bytes=8)


def product(left: str, right: str, result: str) -> tuple[Reference, ...]:
    """result[i][j] += left[i][k] * right[k][j] over i, j, k."""
    i, j, k = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    return access(result, i, j), access(left, i, k), access(right, k, j)


@pytest.mark.parametrize(
    ("references", "order"),
    [
        (product("A", "B", "C"), [0, 2, 1]),
        ((access("A", (0, 1), (1, 0)), access("x", (1, 0)), access("y", (0, 1))), [1, 0]),
        ((access("A", (1, 0), (0, 1)), access("x", (1, 0)), access("y", (0, 1))), [0, 1]),
        ((access("A", (0, 1)),), [1, 0]),
        ((access("s"),), [0, 1]),
    ],
    ids=["matrix product", "transposed", "by rows", "used again", "no reason to change"],
)
def test_loop_order(references: tuple[Reference, ...], order: list[int]):
    """From outside in: rows are walked along, what is used again stays."""
    assert loop_order(references, len(order), LEVELS) == order


def in_order(references: tuple[Reference, ...], order: list[int]) -> tuple[Reference, ...]:
    return tuple(
        replace(one, rows=tuple(tuple(row[k] for k in order) for row in one.rows))
        for one in references
    )


def body(left: str, right: str, result: str, shared: int = 1) -> Body:
    return Body(in_order(product(left, right, result), [0, 2, 1]), 3, shared)


def pays(one: Body, other: Body) -> bool:
    apart = least_cost([one], LEVELS) + least_cost([other], LEVELS)
    return least_cost([one, other], LEVELS) < apart


def test_what_one_product_leaves_for_another_is_loaded_once():
    first, second = body("A", "B", "T"), body("T", "C", "D")
    assert share_data([first], [second])
    assert pays(first, second)


def test_products_of_other_arrays_share_nothing_and_gain_nothing():
    first, second = body("A", "B", "E"), body("C", "D", "F")
    assert not share_data([first], [second])
    assert not pays(first, second)


def test_what_moves_otherwise_in_the_shared_loop_is_not_shared():
    """F[i][j] of one product is F[k][j] of the other."""
    assert not share_data([body("C", "D", "F")], [body("E", "F", "G")])


def test_scalars_are_no_reason_to_fuse():
    one = Body((access("s"), access("A", (1,))), 1, 1)
    other = Body((access("s"), access("B", (1,))), 1, 1)
    assert not share_data([one], [other])


def test_a_cache_that_two_nests_overflow_keeps_them_apart():
    """Together the tiles of both have to fit: a little data shared is not worth much smaller
    tiles of all the rest."""
    one = Body((access("x", (1, 0)), access("A", (0, 1))), 2, 2)
    rest = tuple(access(f"B{k}", (0, 1)) for k in range(12))
    other = Body((access("x", (1, 0)), *rest), 2, 2)

    def gain(lines: int) -> float:
        levels = [Level(lines, 64, 14)]
        apart = least_cost([one], levels) + least_cost([other], levels)
        return apart - least_cost([one, other], levels)

    assert gain(100_000) > 0
    assert gain(14) < 0


def test_larger_caches_cost_no_more():
    costs = [least_cost([body("A", "B", "C")], [Level(lines, 64, 14)]) for lines in (64, 512, 4096)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]
