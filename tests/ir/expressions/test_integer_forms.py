"""Forms of integer expressions, made as simple as they can be, against what they are of numbers."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import comb
from random import Random
from typing import NoReturn

import pytest
from oracles.expressions import Evaluation
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.ir.expressions.integer_conditions import both_of, either_of, negated
from polyopt.ir.expressions.integer_expr import (
    Atom,
    Compare,
    Condition,
    Expr,
    Truth,
    Unknown,
    Wrapped,
)
from polyopt.ir.expressions.integer_forms import (
    binomial,
    choice,
    compares,
    divided,
    extremum,
    floor,
    logarithm,
    power,
    quotient,
    replaced,
    wrapped,
)

UNKNOWN: list[Atom] = [Unknown(one, True) for one in Block(arg_types=[i64, i64, i64]).args]
RELATIONS = ("<", "<=", "==", "!=")
Numbers = Sequence[int]
Of = Callable[[Numbers], int]
Holds = Callable[[Numbers], bool]


def evaluation(at: Numbers) -> Evaluation:
    def value_of(value: SSAValue, is_signed: bool) -> int:
        assert isinstance(value, BlockArgument)
        return at[value.index]

    def counter_of(loop: object) -> NoReturn:
        raise AssertionError("there are no loops")

    return Evaluation(value_of, counter_of)


def towards_zero(number: int, divisor: int) -> int:
    return abs(number) // divisor * (-1 if number < 0 else 1)


def reduced(number: int, bits: int, is_signed: bool) -> int:
    number %= 1 << bits
    return number - (1 << bits) if is_signed and number >> (bits - 1) else number


def over(number: int, order: int) -> int:
    """Below zero by upper negation."""
    if number >= 0:
        return comb(number, order)
    return (-1) ** order * comb(order - number - 1, order)


def least_power(number: int, base: int) -> int:
    return next(k for k in range(99) if base**k >= number)


def _of_part(of: Of, times: int, bits: int, is_signed: bool, factor: int, at: Numbers) -> int:
    return reduced(times * of(at), bits, is_signed) * factor


def an_expression(random: Random, depth: int) -> tuple[Expr, Of]:
    kind = random.randrange(18) if depth else random.randrange(2)
    if kind == 0:
        number = random.randint(-9, 9)
        return Expr.constant(number), lambda at: number
    if kind == 1:
        place = random.randrange(3)
        return Expr.of(UNKNOWN[place]), lambda at: at[place]
    one, of_one = an_expression(random, depth - 1)
    other, of_other = an_expression(random, depth - 1)
    number = random.choice((2, 3, 4, 8))
    is_so = bool(random.randrange(2))
    bits = random.choice((3, 4, 8))
    order = random.randrange(4)
    match kind:
        case 2:
            return one + other, lambda at: of_one(at) + of_other(at)
        case 3:
            return one - other * number, lambda at: of_one(at) - number * of_other(at)
        case 4:
            return one * number, lambda at: number * of_one(at)
        case 5:
            return floor(one, number), lambda at: of_one(at) // number
        case 6:
            return quotient(one, number), lambda at: towards_zero(of_one(at), number)
        case 7:
            choose = max if is_so else min
            return extremum(is_so, [one, other]), lambda at: choose(of_one(at), of_other(at))
        case 8:
            test, holds = a_condition(random, depth - 1)
            return choice(test, one, other), lambda at: (of_one if holds(at) else of_other)(at)
        case 9:
            return wrapped(one, bits, is_so), lambda at: reduced(of_one(at), bits, is_so)
        case 10:
            return binomial(one, order), lambda at: over(of_one(at), order)
        case 11:
            least = wrapped(other, 2, False)
            built = divided(one, number, least + order, is_so)
            divide = towards_zero if is_so else int.__floordiv__
            return built, lambda at: divide(of_one(at), number ** (of_other(at) % 4 + order))
        case 12:
            return one * other, lambda at: of_one(at) * of_other(at)
        case 13:
            part = wrapped(one * 8, bits, is_so) * order
            of_part = partial(_of_part, of_one, 8, bits, is_so, order)
            if random.randrange(2):
                return floor(part, number), lambda at: of_part(at) // number
            return quotient(part, number), lambda at: towards_zero(of_part(at), number)
        case 14:
            test, holds = a_condition(random, 0)
            built = floor(choice(test, one * 8, other * number), 8)
            return built, lambda at: (of_one(at) * 8 if holds(at) else of_other(at) * number) // 8
        case 15:
            relation = random.choice(("<", "<="))
            test = Compare(relation, one - other)
            if is_so:
                return choice(test, one, other), lambda at: min(of_one(at), of_other(at))
            return choice(test, other, one), lambda at: max(of_one(at), of_other(at))
        case 16:
            times = wrapped(other, 2, False)
            inner = divided(one, number, times, is_so)
            if random.randrange(2):
                built, last = floor(inner, number), int.__floordiv__
            else:
                built, last = quotient(inner, number), towards_zero
            divide = towards_zero if is_so else int.__floordiv__
            return built, lambda at: last(divide(of_one(at), number ** (of_other(at) % 4)), number)
        case _:
            if is_so:
                return logarithm(one, number), lambda at: least_power(of_one(at), number)
            small = wrapped(one, 2, False) + order
            return power(-number, small), lambda at: (-number) ** (of_one(at) % 4 + order)


def a_condition(random: Random, depth: int) -> tuple[Condition, Holds]:
    kind = random.randrange(5) if depth else random.randrange(2)
    if kind == 0:
        is_so = bool(random.randrange(2))
        return Truth(is_so), lambda at: is_so
    if kind == 1:
        term, of_term = an_expression(random, depth)
        relation = random.choice(RELATIONS)
        return Compare(relation, term), lambda at: compares(relation, of_term(at))
    one, of_one = a_condition(random, depth - 1)
    other, of_other = a_condition(random, depth - 1)
    match kind:
        case 2:
            return negated(one), lambda at: not of_one(at)
        case 3:
            return both_of([one, other]), lambda at: of_one(at) and of_other(at)
        case _:
            return either_of([one, other]), lambda at: of_one(at) or of_other(at)


@pytest.mark.parametrize("seed", range(4))
def test_forms_are_what_they_were_made_of(seed: int):
    """Also with an unknown replaced, at every depth."""
    random = Random(seed)
    for _ in range(150):
        built, of_built = an_expression(random, 3)
        test, of_test = a_condition(random, 3)
        new, of_new = an_expression(random, 1)
        put = replaced(built, lambda atom, new=new: new if atom == UNKNOWN[0] else None)
        for _ in range(8):
            at = [random.choice((random.randint(-9, 9), random.randint(-300, 300))) for _ in "xyz"]
            values = evaluation(at)
            assert values.of(built) == of_built(at)
            assert values.holds(test) == of_test(at)
            assert values.of(put) == of_built([of_new(at), *at[1:]])


@pytest.mark.parametrize("is_signed", [False, True])
def test_quotients_of_what_wraps(is_signed: bool):
    """Whatever is multiplied inside and outside; bytes of a type say where its elements are."""
    x = Expr.of(UNKNOWN[0])
    for inside, bits, factor, divisor in product((2, 6, 8), (4, 8), (1, 2, 3), (2, 3, 4, 8)):
        part = wrapped(x * inside, bits, is_signed) * factor
        down, to_zero = floor(part, divisor), quotient(part, divisor)
        for number in (-37, -4, -1, 0, 3, 5, 18, 100):
            of_part = reduced(inside * number, bits, is_signed) * factor
            values = evaluation([number])
            assert values.of(down) == of_part // divisor
            assert values.of(to_zero) == towards_zero(of_part, divisor)
    assert floor(wrapped(x * 8, 64, is_signed), 8) == wrapped(x, 61, is_signed)


def test_what_a_type_holds():
    x = Expr.of(UNKNOWN[0])
    assert Wrapped(x, 8, True).range == (-128, 127)
    assert Wrapped(x, 8, False).range == (0, 255)


def test_relations_compare_with_zero():
    """As Python does: the other tests ask these."""
    for number in (-1, 0, 1):
        told = [compares(relation, number) for relation in RELATIONS]
        assert told == [number < 0, number <= 0, number == 0, number != 0]
