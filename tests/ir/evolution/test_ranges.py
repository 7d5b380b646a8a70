"""What one comparison says of another, against all numbers that it leaves."""

from itertools import product

from xdsl.dialects.builtin import i64
from xdsl.ir import Block

from polyopt.ir.evolution.ranges import _implies  # pyright: ignore[reportPrivateUsage]
from polyopt.ir.expressions.integer_expr import Compare, Expr, Unknown
from polyopt.ir.expressions.integer_forms import compares

X = Expr.of(Unknown(Block(arg_types=[i64]).args[0], True))
RELATIONS = ("<", "<=", "==", "!=")


def test_what_is_implied_is_implied_by_all_numbers():
    """And what all of them say is known, but of two things that differ where they are turned
    around, which facts are not looked up by."""
    for known, wanted, sign in product(RELATIONS, RELATIONS, (1, -1)):
        for here, there in product(range(-3, 4), repeat=2):
            left = [x for x in range(-20, 21) if compares(known, x + here)]
            is_so = all(compares(wanted, sign * x + there) for x in left)
            told = _implies(Compare(known, X + here), Compare(wanted, X * sign + there))
            if (known, sign) == ("!=", -1):
                assert not told
            else:
                assert told == is_so, (known, here, wanted, sign, there)


def test_other_terms_say_nothing():
    assert not _implies(Compare("<", X), Compare("<", X * 2))
