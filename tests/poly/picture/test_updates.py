"""Loops that carry nothing but updates, on pairs written down by hand."""

from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.touches import Touch, Touches
from polyopt.poly.picture.updates import only_updates

FLOW = [Arrow(("S", (k,)), ("S", (k + 1,)), ("flow", "anti", "output")) for k in range(3)]


def touching(*arrays: str, statement: str = "S") -> Touches:
    both = [Touch((name, ()), is_write) for name in arrays for is_write in (False, True)]
    return {(statement, (k,)): tuple(both) for k in range(4)}


def test_an_accumulator_is_only_updated():
    inside = {"S": 0}
    assert only_updates(FLOW, touching("s"), inside, {"S": ("s",)}) == ("s",)
    assert only_updates(FLOW, touching("s"), inside, {}) == ()
    assert only_updates(FLOW, touching("s"), inside, {"S": ("t",)}) == ()


def test_all_that_a_pair_is_about_counts():
    """`s += x[i]; t = f(t)` in one statement."""
    touched = touching("s", "t")
    assert only_updates(FLOW, touched, {"S": 0}, {"S": ("s", "t")}) == ("s", "t")
    assert only_updates(FLOW, touched, {"S": 0}, {"S": ("s",)}) == ()


def test_different_elements_are_no_accumulator():
    """`s[i] = s[i - 1] + x[i]`: what is written is read by the next iteration."""
    touched: Touches = {
        ("S", (k,)): (Touch(("s", (k - 1,)), False), Touch(("s", (k,)), True)) for k in range(4)
    }
    flow = [Arrow(("S", (k,)), ("S", (k + 1,)), ("flow",)) for k in range(3)]
    assert only_updates(flow, touched, {"S": 0}, {"S": ()}) == ()


def test_an_accumulator_that_is_read_besides():
    """`w[i] += w[i - k]`: of iterations of k others than w[i], which those of i need; and an
    instance that reads its accumulator twice."""
    along_k = [Arrow(("S", (3, k)), ("S", (3, k + 1)), ("flow",)) for k in range(2)]
    touched: Touches = {
        ("S", (i, k)): (
            *(Touch(("w", (i - k,)), False), Touch(("w", (i,)), False), Touch(("w", (i,)), True)),
        )
        for i in range(4)
        for k in range(1, 4)
    }
    touched[("S", (3, 0))] = touched[("S", (3, 1))]
    updated = {"S": ("w",)}
    assert only_updates(along_k, touched, {"S": 1}, updated) == ("w",)
    along_i = [Arrow(("S", (1, 1)), ("S", (2, 1)), ("flow",))]
    assert only_updates(along_i, touched, {"S": 0}, updated) == ()
    twice = (*touched[("S", (3, 1))], Touch(("w", (3,)), False))
    assert only_updates(along_k, {**touched, ("S", (3, 1)): twice}, {"S": 1}, updated) == ()


def test_two_statements_that_update_one_array():
    touched = {**touching("s"), **touching("s", statement="T")}
    pairs = [*FLOW, Arrow(("S", (0,)), ("T", (1,)), ("flow",))]
    inside = {"S": 0, "T": 0}
    assert only_updates(pairs, touched, inside, {"S": ("s",), "T": ("s",)}) == ("s",)
    assert only_updates(pairs, touched, inside, {"S": ("s",)}) == ()


def test_memory_of_an_iteration_says_nothing():
    """A variable that each iteration writes first, beside a sum; values of it would say much."""
    touched = touching("s", "own")
    reuse = [Arrow(("S", (k,)), ("S", (k + 1,)), ("anti", "output")) for k in range(3)]
    updated = {"S": ("s",)}
    assert only_updates(reuse, touching("own"), {"S": 0}, updated, ("own",)) == ()
    assert only_updates(reuse, touched, {"S": 0}, updated, ("own",)) == ("s",)
    assert only_updates(FLOW, touched, {"S": 0}, updated, ("own",)) == ()


def test_an_unknown_order_is_none():
    unknown = [Arrow(("S", (0,)), ("S", (1,)), ("order",))]
    assert only_updates(unknown, touching("s"), {"S": 0}, {"S": ("s",)}) == ()


def test_what_other_loops_carry_does_not_count():
    inner = [Arrow(("S", (0, k)), ("S", (0, k + 1)), ("flow",)) for k in range(3)]
    touched: Touches = {
        ("S", (0, k)): (Touch(("a", ()), False), Touch(("a", ()), True)) for k in range(4)
    }
    assert only_updates(inner, touched, {"S": 0}, {"S": ("a",)}) == ()
    assert only_updates(inner, touched, {"S": 1}, {"S": ("a",)}) == ("a",)
