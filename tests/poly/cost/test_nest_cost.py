"""The cost of nests: by hand where it can be counted, else by what must be the greater."""

from polyopt.poly.cost.distinct_lines import Reference
from polyopt.poly.cost.nest_cost import Part, Run, Straight, Touched, core_cycles, estimate
from polyopt.support.core_model import CoreCosts
from polyopt.support.target import Target

TARGET, CORE = Target(), CoreCosts()


def touch(array: str, *rows: tuple[int, ...], is_write: bool = False) -> Touched:
    return Touched(Reference(array, rows, is_write, 8), ())


def memory(*parts: Part) -> float:
    return estimate(parts, TARGET, CORE).memory


def matrix(array: str, *, rows_inside: bool = False, n: int = 4000) -> Run:
    """All of a matrix of doubles, along its rows or down its columns."""
    rows = ((0, 1), (1, 0)) if rows_inside else ((1, 0), (0, 1))
    return Run(n, (Run(n, (Straight(1.0, (touch(array, *rows),)),)),))


def test_a_loop_is_its_start_and_its_iterations():
    assert core_cycles(Run(10, (Straight(3.0), Straight(1.0)), start=5.0), CORE) == 45.0


def test_an_iteration_waits_for_the_one_before():
    assert core_cycles(Run(10, (Straight(1.0),), wait=4.0), CORE) == 40.0


def test_loops_in_loops():
    nest = Run(3, (Run(10, (Straight(1.0),), start=2.0),), start=1.0)
    assert core_cycles(nest, CORE) == 37.0


def test_short_loops_that_start_anew_wait_beside_each_other():
    """Ten rows of four that take 2 cycles each and wait for 8: as long as they are busy, since six
    rows are in flight; where they wait for the row before, or alone, as long as they wait."""
    core = CoreCosts(in_flight=48.0)
    row = Run(4.0, (Straight(2.0),), wait=8.0, alone=True)
    assert core_cycles(Run(10, (row,)), core) == 80.0
    assert core_cycles(Run(10, (Run(4.0, (Straight(2.0),), wait=8.0),)), core) == 320.0
    assert core_cycles(row, core) == 32.0


def test_long_loops_wait_for_themselves():
    core = CoreCosts(in_flight=48.0)
    row = Run(400.0, (Straight(2.0),), wait=8.0, alone=True)
    assert core_cycles(Run(10, (row,)), core) == 32000.0


def test_what_the_first_level_holds_costs_no_memory():
    assert memory(Run(1000, (Straight(1.0, (touch("x", (1,)),)),))) == 0.0


def test_columns_cost_more_than_rows():
    assert memory(matrix("A", rows_inside=True)) > memory(matrix("A"))


def test_each_pass_over_much_memory_is_paid_for():
    once, twice = memory(matrix("A")), memory(matrix("A"), matrix("A"))
    assert twice == 2 * once


def test_a_write_costs_more_than_a_read():
    inner = Run(4000, (Straight(1.0, (touch("A", (1, 0), (0, 1), is_write=True),)),))
    assert memory(Run(4000, (inner,))) > memory(matrix("A"))


def test_a_tile_that_fits_is_loaded_once():
    """A row of 4000 used for each of 1000 rows, whole or 500 at a time."""
    whole = Run(1000, (Run(8000, (Straight(1.0, (touch("x", (0, 1)),)),)),))
    tiled = Run(16, (Run(1000, (Run(500, (Straight(1.0, (touch("x", (500, 0, 1)),)),)),)),))
    assert 50 * memory(tiled) < memory(whole)


def test_an_unrolled_loop_brings_in_what_the_loop_does():
    """Rows of 200 in memory, by a loop along each or written out: as long a stretch either way."""
    loop = Run(8000, (Run(200, (Straight(1.0, (touch("A", (1, 0), (0, 1)),)),)),))
    reference = Reference("A", ((1, 0), (0, 1)), is_write=False, element_bytes=8)
    out = Run(8000, (Straight(200.0, (Touched(reference, (200.0,), unrolled=1),)),))
    assert memory(out) == memory(loop) > 0


def test_rows_behind_each_other_are_one_run():
    """Rows of 6 of 8 elements in memory: the next one begins where the one before has ended, but
    not where the array is told to have rows of 4096."""
    reference = Reference("A", ((1, 0), (0, 1)), is_write=False, element_bytes=8)

    def rows(strides: tuple[int, ...] | None) -> float:
        touched = Touched(reference, (), strides=strides)
        return memory(Run(800000, (Run(6, (Straight(1.0, (touched,)),)),)))

    assert rows((8 * 8, 8)) < rows((4096 * 8, 8)) == rows(None)
