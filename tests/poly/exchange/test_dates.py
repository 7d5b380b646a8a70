"""Schedules as dates: the way there and back keeps the order, instance by instance."""

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.nests import NESTS
from oracles.polyhedral import execution_order

from polyopt.poly.exchange.dates import NoDates, dates_of, tree_of
from polyopt.poly.isl.budget import budget
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Sequence, bands, build_schedule
from polyopt.poly.scop import Scop

SIZES = {"n": 3, "m": 4, "k": 3}
TWO = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  T: B[i] = A[i]")


def there_and_back(scop: Scop) -> isl.Schedule:
    domains = {one.name: one.domain for one in scop.statements}
    dates = dates_of(scop.schedule, domains)
    assert len({relation.dim(isl.dim_type.out) for relation in dates.values()}) == 1
    return build_schedule(scop.domain, tree_of(domains, dates))


@pytest.mark.parametrize("name", NESTS)
def test_same_execution_order(name: str) -> None:
    scop = parse_scop(NESTS[name])
    expected = execution_order(scop.schedule, SIZES)
    assert execution_order(there_and_back(scop), SIZES) == expected


@pytest.mark.parametrize("name", ["gemm", "adi", "deriche", "nussinov"])
def test_kernels_keep_the_shape_of_their_trees(name: str) -> None:
    scop = parse_scop(KERNELS[name])
    found = there_and_back(scop).get_map().intersect_domain(scop.domain)
    assert found.is_equal(scop.schedule.get_map().intersect_domain(scop.domain))


def of_two(first: str, second: str) -> dict[str, isl.Map]:
    return {"S": isl.Map(f"[n] -> {{ {first} }}"), "T": isl.Map(f"[n] -> {{ {second} }}")}


DOMAINS = {one.name: one.domain for one in TWO.statements}


def test_a_constant_dimension_is_a_sequence_and_any_other_a_band() -> None:
    tree = tree_of(DOMAINS, of_two("S[i] -> [0, i]", "T[i] -> [1, -i]"))
    assert isinstance(tree, Sequence)
    assert len(tree.children) == 2
    assert [len(band.members) for band in bands(tree)] == [1, 1]


def test_a_constant_that_is_the_same_for_all_is_nothing() -> None:
    tree = tree_of(DOMAINS, of_two("S[i] -> [7, i, 0]", "T[i] -> [7, i, 1]"))
    assert isinstance(tree, Band)
    assert isinstance(tree.child, Sequence)


def test_shorter_dates_are_padded_with_zeros() -> None:
    tree = tree_of(DOMAINS, of_two("S[i] -> [i]", "T[i] -> [i, 1]"))
    schedule = build_schedule(TWO.domain, tree)
    order = [name for name, _ in execution_order(schedule, {"n": 2})]
    assert order == ["S", "T", "S", "T"]


def test_pieces_with_constants_split_a_statement() -> None:
    dates = of_two("S[i] -> [0, i] : i < 2; S[i] -> [2, i] : i >= 2", "T[i] -> [1, i]")
    schedule = build_schedule(TWO.domain, tree_of(DOMAINS, dates))
    order = execution_order(schedule, {"n": 3})
    assert order == [
        ("S", (0,)),
        ("S", (1,)),
        ("T", (0,)),
        ("T", (1,)),
        ("T", (2,)),
        ("S", (2,)),
    ]


def test_pieces_that_are_one_cost_no_more_than_one() -> None:
    """As files have them: each piece of the relation with each piece of the context."""
    sizes = " or ".join(f"{k} <= n <= {k + 5}" for k in range(0, 120, 3))
    domain = isl.Set(f"[n] -> {{ S[i, j] : 0 <= i < n and 0 <= j <= i and ({sizes}) }}")
    dates = isl.Map(f"[n] -> {{ S[i, j] -> [0, j, 0, i, 0] : {sizes} }}")
    with budget("reading", 100_000):
        tree = tree_of({"S": domain}, {"S": dates})
    assert isinstance(tree, Band)
    order = build_schedule(isl.UnionSet.from_set(domain), tree).get_map()
    wanted = isl.UnionMap("{ S[i, j] -> [j, i] }").intersect_domain(domain.to_union_set())
    assert order.intersect_domain(domain.to_union_set()).is_equal(wanted)


def test_a_statement_that_never_runs_has_no_place() -> None:
    domains = {**DOMAINS, "T": isl.Set("[n] -> { T[i] : false }")}
    assert isinstance(tree_of(domains, of_two("S[i] -> [i]", "T[i] -> [i]")), Band)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("S[i] -> [j] : i <= j <= i + 1", "some instance of S has two dates"),
        ("S[i] -> [i] : i > 0", r"no date for \[n = 1\] -> { S\[0\] }"),
    ],
)
def test_what_is_no_schedule(first: str, message: str) -> None:
    with pytest.raises(NoDates, match=message):
        tree_of(DOMAINS, of_two(first, "T[i] -> [i]"))


def test_a_statement_without_dates() -> None:
    with pytest.raises(NoDates, match="no dates for S"):
        tree_of(DOMAINS, {"T": isl.Map("{ T[i] -> [i] }")})
