"""Values taken from elsewhere: whoever takes them there later finds the same ones."""

import islpy as isl
import pytest
from oracles.polyhedral import Point, Sizes, accesses_of, execution_order, pairs_of

from polyopt.poly.changes.forwarding import find_forwarding
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Scop

SIZES: Sizes = {"n": 5}

PRODUCT = """
[n]
for i : 0 <= i < n
  for k : 0 <= k < n
    S0: a[] = A[i, k]
    for j : 0 <= j < n
      S1: C[i, j] += a[] B[k, j]
"""
SHIFTED = PRODUCT.replace("A[i, k]", "A[i + 1, n - k]")
TWO_ELEMENTS = PRODUCT.replace("A[i, k]", "A[i, k] B[i, k]")
WRITTEN_BEFORE = """
[n]
for i : 0 <= i < n
  for k : 0 <= k <= i
    S0: A[i, k] = D[k]
  for k : 0 <= k <= i
    S1: a[] = A[i, k]
    for j : 0 <= j < n
      S2: C[i, j] += a[] B[k, j]
"""
WRITTEN_LATER = """
[n]
for i : 0 <= i < n
  for k : 0 <= k < n
    S0: a[] = A[i, k]
    for j : 0 <= j < n
      S1: C[i, j] += a[] B[k, j]
    S2: A[i, k] = C[i, k]
"""
IN_PLACE = PRODUCT.replace("C[i, j]", "A[i, j]")
ABOVE_THE_ROW = """
[n]
for i : 0 <= i < n
  for k : 0 <= k < i
    S0: a[] = A[i, k]
    for j : k < j < n
      S1: A[i, j] += a[] A[k, j]
"""
FROM_THE_DIAGONAL = ABOVE_THE_ROW.replace("k < j", "k <= j")
SET_TWICE = """
[n]
for i : 0 <= i < n
  S0: a[] = A[i, 0]
  for j : 0 <= j < n
    S1: C[i, j] += a[] B[i, j]
  S2: a[] = A[i, 1]
  for j : 0 <= j < n
    S3: C[i, j] += a[] B[i, j]
"""
FROM_BEFORE = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S1: C[i, j] += a[] B[i, j]
  S0: a[] = A[i, 0]
"""
AS_DEEP = """
[n]
for i : 0 <= i < n
  S0: a[] = A[i, i]
  S1: C[i, i] = a[]
"""
LEGAL = {
    "a product": PRODUCT,
    "shifted": SHIFTED,
    "two elements": TWO_ELEMENTS,
    "written before": WRITTEN_BEFORE,
    "written later": WRITTEN_LATER,
    "right of what is read": ABOVE_THE_ROW,
}
REFUSED = {
    "in place": IN_PLACE,
    "from the diagonal": FROM_THE_DIAGONAL,
    "set twice": SET_TWICE,
    "from before": FROM_BEFORE,
    "as deep": AS_DEEP,
}


def scop_of(text: str) -> Scop:
    return parse_scop(text, local=("a",))


@pytest.mark.parametrize("name", LEGAL)
def test_the_elements_hold_the_same_values_later(name: str):
    """Each read of the temporary, at its time, beside the elements that are read instead: their
    last writes are those that the instance saw which has set the temporary."""
    scop = scop_of(LEGAL[name])
    found = find_forwarding(scop, scop.array("a"))
    assert found is not None
    instead: dict[tuple[Point, int], set[Point]] = {}
    for (reader, position), relations in found.reads.items():
        domain = scop.statement(reader).domain
        for relation in relations.values():
            pairs = pairs_of(isl.UnionMap.from_map(relation.intersect_domain(domain)), SIZES)
            for instance, element in pairs:
                instead.setdefault((instance, position), set()).add(element)
    accesses = accesses_of(scop, SIZES)
    last: dict[Point, Point] = {}
    taken: dict[Point, Point | None] = {}
    compared = 0
    for instance in execution_order(scop.schedule, SIZES):
        own = accesses[instance]
        for access, _ in own:
            if (instance[0], access.position) in found.reads:
                elements = instead[instance, access.position]
                assert {one: last.get(one) for one in elements} == taken
                compared += 1
        if instance[0] == found.source.name:
            taken = {place: last.get(place) for one, place in own if not one.is_write}
        last |= {place: instance for one, place in own if one.is_write}
    assert compared > 10


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_be_another_value_by_then(name: str):
    scop = scop_of(REFUSED[name])
    assert find_forwarding(scop, scop.array("a")) is None


def test_reads_are_of_all_sizes():
    """What is known of the sizes is no part of where each instance reads."""
    scop = scop_of(
        "[n, x] : 0 <= x < n\nS0: a[] = A[x]\nfor j : 0 <= j < 9\n  S1: C[j] += a[] B[j]"
    )
    found = find_forwarding(scop, scop.array("a"))
    assert found is not None
    ((place, relations),) = found.reads.items()
    assert scop.statement(place[0]).domain.is_subset(relations[0].domain())


def test_a_temporary_that_lives_on_stays():
    scop = parse_scop(PRODUCT)
    assert find_forwarding(scop, scop.array("a")) is None
