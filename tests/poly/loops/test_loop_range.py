"""The values of a loop as conditions: the same ones, with fewer divisions."""

from random import Random

from polyopt.poly.loops.expressions import (
    add,
    evaluate,
    floor_div,
    holds,
    maximum,
    minimum,
    modulo,
    scale,
)
from polyopt.poly.loops.loop_range import range_conditions
from polyopt.poly.loops.loop_tree import Const, Expr, FloorDiv, Loop, Name


def random_term(random: Random, step: int) -> Expr:
    linear = add(
        scale(random.randint(-3, 3), Name("i")),
        scale(random.randint(-2, 2), Name("n")),
        Const(random.randint(-5, 5)),
    )
    kind = random.randrange(5)
    divisor = random.choice([step, 2, 3, 4]) if step > 1 else random.randint(2, 4)
    match kind:
        case 0:
            return add(scale(step, floor_div(linear, divisor)), Const(random.randint(-4, 4)))
        case 1:
            factor = random.choice((1, 1, 2, -1))
            return add(linear, scale(factor, modulo(scale(-1, linear), divisor)))
        case 2:
            return add(floor_div(linear, divisor), Name("i"))
        case 3:
            return add(scale(-1, floor_div(linear, divisor)), Const(random.randint(-4, 4)))
        case _:
            return linear


def test_exactly_the_values_of_the_loop():
    random = Random(3)
    for _ in range(150):
        step = random.choice([1, 1, 2, 3, 4])
        lowers = [random_term(random, step) for _ in range(random.randint(1, 3))]
        if random.randrange(2):  # aligned with the first one, or nearly
            more = scale(random.choice((0, step)), Name("n"))
            lowers.append(add(lowers[0], more, Const(random.randint(0, 2 * step))))
        uppers = [random_term(random, 1) for _ in range(random.randint(1, 2))]
        loop = Loop("c", maximum(*lowers), add(minimum(*uppers), Const(9)), step, ())
        conditions = range_conditions(loop)
        for i in (-3, 0, 2):
            values = {"i": i, "n": random.randint(-4, 4)}
            wanted = range(evaluate(loop.lower, values), evaluate(loop.upper, values), step)
            found = [
                c
                for c in range(-32, 32)
                if all(holds(one, {**values, "c": c}) for one in conditions)
            ]
            assert found == [c for c in wanted if -32 <= c < 32]


def test_aligned_bounds_have_no_divisions():
    """As the scanner writes them: the first multiple of 4 from each bound on."""
    lowers = [scale(4, FloorDiv(add(Name("n"), Const(k)), 4)) for k in (3, 9)]
    loop = Loop("c", maximum(*lowers), FloorDiv(Name("n"), 3), 4, ())
    *bounds, stride = range_conditions(loop)
    assert "floor" not in " ".join(str(one) for one in bounds).lower()
    assert "Mod" in str(stride)


def test_a_bound_that_is_a_quotient_is_multiplied_whatever_the_step():
    loop = Loop("c", add(FloorDiv(Name("n"), 3), Const(2)), Name("m"), 2, ())
    *bounds, stride = range_conditions(loop)
    assert "floor" not in " ".join(str(one) for one in bounds).lower()
    assert "floor" in str(stride).lower()


def test_a_remainder_by_the_step_is_left_to_the_stride():
    loop = Loop("c", add(Name("n"), modulo(Name("i"), 4)), Name("m"), 4, ())
    *bounds, _ = range_conditions(loop)
    assert "Mod" not in str(bounds)
