"""The same loop nest under other names, counted from zero, or not the same at all."""

import islpy as isl
import pytest

from polyopt.poly.exchange.correspondence import (
    Names,
    corresponding_arrays,
    corresponding_names,
    same_order,
)
from polyopt.poly.exchange.counters import Uncountable, counters
from polyopt.poly.exchange.description import Description
from polyopt.poly.exchange.own_scop import describe
from polyopt.poly.notation import parse_scop


def described(text: str) -> Description:
    scop = parse_scop(text)
    return describe(scop, {array.name: "double" for array in scop.arrays})


OURS = described("""
[n, m]
for i : 1 <= i < n
  for j down : i <= j < m
    S: A[i, j] = A[i, j - 1] x[]
  T: B[i] = A[i, m - 1]
""")
THEIRS = described("""
[p_0, p_1]
for i : 0 <= i < p_1 - 1
  for c : 0 <= c < p_0 - 1 - i
    Stmt1: M0[i + 1, p_0 - 1 - c] = M0[i + 1, p_0 - 2 - c] M1[]
  Stmt2: M2[i + 1] = M0[i + 1, p_0 - 1]
""")


def names_of(ours: Description, theirs: Description) -> Names:
    names = corresponding_names(ours, theirs)
    assert isinstance(names, Names), names
    return names


def test_names_and_instances() -> None:
    names = names_of(OURS, THEIRS)
    assert names.parameters == {"p_0": "m", "p_1": "n"}
    assert names.statements == {"Stmt1": "S", "Stmt2": "T"}
    domain = OURS.statements[0].domain
    expected = isl.Map("[n, m] -> { Stmt1[i, c] -> S[i + 1, m - 1 - c] }")
    assert names.instances["Stmt1"].is_equal(expected.intersect_range(domain))


def test_what_is_renamed_is_the_same() -> None:
    names = names_of(OURS, THEIRS)
    for mine, theirs in zip(OURS.statements, THEIRS.statements, strict=True):
        renamed = names.of_statement(theirs)
        assert renamed.domain.is_equal(mine.domain)
        back = names.inverse().of_statement(renamed)
        assert back.name == theirs.name
        assert back.domain.is_equal(theirs.domain)
        assert back.schedule.is_equal(theirs.schedule.intersect_domain(theirs.domain))


def test_arrays_by_their_use() -> None:
    pairs = corresponding_arrays(OURS, THEIRS, names_of(OURS, THEIRS))
    assert pairs.names == {"M0": "A", "M1": "x", "M2": "B"}
    assert pairs.is_complete


def test_a_scalar_that_is_only_read_may_be_a_register() -> None:
    without = described("[n]\nfor i : 0 <= i < n\n  S: A[i] =")
    with_scalar = described("[n]\nfor i : 0 <= i < n\n  S: A[i] = x[]")
    pairs = corresponding_arrays(without, with_scalar, names_of(without, with_scalar))
    assert (pairs.is_complete, pairs.registers) == (True, ("x",))


def test_accesses_that_differ() -> None:
    first = described("[n]\nfor i : 0 <= i < n\n  S: A[i] = B[i]")
    second = described("[n]\nfor i : 0 <= i < n\n  S: A[i] = B[i + 1]")
    pairs = corresponding_arrays(first, second, names_of(first, second))
    assert (pairs.ours_alone, pairs.theirs_alone) == (("B",), ("B",))


DIFFERENT = {
    "[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  T: B[i] =": "2 statements, not 1",
    "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < i\n    S: A[i] =": "S has 2 dimensions, S has 1",
    "[n]\nfor i : 0 <= i <= n\n  S: A[i] =": "the domains are not the same sets",
    "[n]\nfor i : 0 <= i < 2n\n  S: A[i] =": "the domains are not the same sets",
}


@pytest.mark.parametrize("text", DIFFERENT)
def test_other_loops(text: str) -> None:
    ours = described("[n]\nfor i : 0 <= i < n\n  S: A[i] =")
    reason = corresponding_names(ours, described(text))
    assert isinstance(reason, str)
    assert DIFFERENT[text] in reason


def test_orders() -> None:
    assert same_order(OURS, THEIRS, names_of(OURS, THEIRS))
    fused = described("[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  T: B[i] = A[i]")
    apart = described("[n]\nfor i : 0 <= i < n\n  S: A[i] =\nfor i : 0 <= i < n\n  T: B[i] = A[i]")
    assert not same_order(fused, apart, names_of(fused, apart))


@pytest.mark.parametrize(
    ("domain", "dates", "message"),
    [
        ("S[i] : i < n", "S[i] -> [i]", "a loop around S has no first iteration"),
        ("S[i] : 0 <= i < n", "S[i] -> [j] : i <= j < i + 2", "some instance of S has two dates"),
    ],
)
def test_loops_that_cannot_be_counted(domain: str, dates: str, message: str) -> None:
    with pytest.raises(Uncountable, match=message):
        counters(isl.Set(f"[n] -> {{ {domain} }}"), isl.Map(f"[n] -> {{ {dates} }}"))


@pytest.mark.parametrize(
    ("domain", "dates", "expected"),
    [
        ("S[i] : 3 <= i < n", "S[i] -> [0, i]", "S[i] -> S[i - 3]"),
        ("S[i] : 3 <= i < n", "S[i] -> [-i]", "S[i] -> S[n - 1 - i]"),
        ("S[i] : 0 <= i < n and i mod 2 = 1", "S[i] -> [i]", "S[i] -> S[floor(i/2)]"),
        ("S[i, j] : 0 <= i < n and i < j < n", "S[i, j] -> [i, j]", "S[i, j] -> S[i, j - i - 1]"),
        ("S[i, j] : 0 <= i < n and 2i <= j < n", "S[i, j] -> [i, -j]", "S[i,j] -> S[i, n - 1 - j]"),
        ("S[]", "S[] -> [1]", "S[] -> S[]"),
    ],
)
def test_counters(domain: str, dates: str, expected: str) -> None:
    instances = isl.Set(f"[n] -> {{ {domain} }}")
    found = counters(instances, isl.Map(f"[n] -> {{ {dates} }}"))
    wanted = isl.Map(f"[n] -> {{ {expected} }}").intersect_domain(instances)
    assert found.is_equal(wanted)
    assert found.is_injective()
