"""Expressions and conditions, simplified as they are built, against what they stand for."""

from collections.abc import Callable
from random import Random

import pytest

from polyopt.poly.loops.expressions import (
    FALSE,
    TRUE,
    add,
    all_of,
    any_of,
    chooses,
    compare,
    evaluate,
    floor_div,
    holds,
    maximum,
    minimum,
    modulo,
    names_in,
    scale,
    substitute,
    substitute_condition,
    subtract,
)
from polyopt.poly.loops.loop_text import condition_text
from polyopt.poly.loops.loop_tree import Condition, Const, Expr, Name, Select, Sum

Values = dict[str, int]
NAMES = ("i", "j", "n")
END = 1 << 63


def an_expression(random: Random, depth: int) -> tuple[Expr, Callable[[Values], int]]:
    """Built by the builders, and what it is of the values of the names."""
    kind = random.randrange(10) if depth else random.randrange(2)
    if kind == 0:
        number = random.randint(-5, 5)
        return Const(number), lambda at: number
    if kind == 1:
        name = random.choice(NAMES)
        return Name(name), lambda at: at[name]
    one, of_one = an_expression(random, depth - 1)
    other, of_other = an_expression(random, depth - 1)
    factor = random.choice((-3, -2, -1, 1, 2, 4))
    match kind:
        case 2:
            return scale(factor, one), lambda at: factor * of_one(at)
        case 3:
            return subtract(one, other), lambda at: of_one(at) - of_other(at)
        case 4:
            return floor_div(one, factor), lambda at: of_one(at) // factor
        case 5:
            return modulo(one, factor), lambda at: of_one(at) % abs(factor)
        case 6:
            return minimum(one, other), lambda at: min(of_one(at), of_other(at))
        case 7:
            return maximum(one, other), lambda at: max(of_one(at), of_other(at))
        case 8:
            test, of_test = a_condition(random, depth - 1)
            return Select(test, one, other), lambda at: (of_one if of_test(at) else of_other)(at)
        case _:
            return add(one, other), lambda at: of_one(at) + of_other(at)


def a_condition(random: Random, depth: int) -> tuple[Condition, Callable[[Values], bool]]:
    kind = random.randrange(4) if depth else random.randrange(2)
    if kind < 2:
        term, of_term = an_expression(random, depth)
        if kind:
            return compare(term), lambda at: of_term(at) >= 0
        return compare(term, is_equality=True), lambda at: of_term(at) == 0
    one, of_one = a_condition(random, depth - 1)
    other, of_other = a_condition(random, depth - 1)
    if kind == 2:
        return all_of(one, other), lambda at: of_one(at) and of_other(at)
    return any_of(one, other), lambda at: of_one(at) or of_other(at)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_built_keeps_its_value(seed: int):
    """Also where names are replaced, and no name matters that is not in it."""
    random = Random(seed)
    for _ in range(150):
        built, wanted = an_expression(random, 3)
        test, of_test = a_condition(random, 3)
        new, of_new = an_expression(random, 1)
        replaced, tested = (
            substitute(built, {"i": new}),
            substitute_condition(test, {"i": new}),
        )
        for _ in range(12):
            at = {name: random.randint(-7, 7) for name in NAMES}
            put = {**at, "i": of_new(at)}
            assert evaluate(built, {name: at[name] for name in names_in(built)}) == wanted(at)
            assert holds(test, {name: at[name] for name in names_in(test)}) == of_test(at)
            assert evaluate(replaced, at) == wanted(put)
            assert holds(tested, at) == of_test(put)
        assert chooses(built) == any(kind in repr(built) for kind in ("Select", "Min(", "Max("))


def test_sums_have_one_constant_and_none_that_is_zero():
    i, j = Name("i"), Name("j")
    assert add(i, Const(2), j, Const(-2)) == add(i, j) == Sum((i, j))
    assert subtract(add(i, Const(2)), add(Const(2), i)) == Const(0)
    assert add(i, minimum(j, Const(1)), Const(1)) == minimum(add(j, i, Const(1)), add(i, Const(2)))


def test_what_always_and_never_holds_is_a_number_in_print():
    assert [condition_text(one) for one in (TRUE, FALSE)] == ["1", "0"]


@pytest.mark.parametrize("is_equality", [False, True])
@pytest.mark.parametrize("middle", [-END, 0, END])
def test_comparisons_far_from_zero_are_those_of_every_index(middle: int, is_equality: bool):
    for constant in range(middle - 2, middle + 3):
        condition = compare(add(Name("i"), Const(constant)), is_equality=is_equality)
        for i in (-END, -END + 1, -1, 0, 1, END - 2, END - 1):
            wanted = i + constant == 0 if is_equality else i + constant >= 0
            assert holds(condition, {"i": i}) == wanted
