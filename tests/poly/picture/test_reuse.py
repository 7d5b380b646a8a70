"""Memory that is used again, apart from values: by hand, on small SCoPs."""

from __future__ import annotations

from dataclasses import replace

from polyopt.poly.analysis.parallelism import judge_tree
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.picture.arrows import arrows
from polyopt.poly.picture.obstacles import carried_by, obstacle
from polyopt.poly.picture.reuse import is_reuse, of_values, shared_names, without_reuse
from polyopt.poly.picture.sample import draw_sample
from polyopt.poly.picture.touches import touches
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.scop import Scop

ROW_SUMS = """[n]
for i : 0 <= i < n
  S: s[] = 0
  for j : 0 <= j < n
    T: s[] = s[] A[i, j]
  U: y[i] = s[]
"""


def kinds(scop: Scop, dependences: Dependences) -> list[str]:
    tree = read_tree(scop.schedule)
    return [one.parallelism.kind for one in judge_tree(scop, dependences, tree)]


def test_a_variable_for_each_iteration():
    scop = parse_scop(ROW_SUMS)
    found = compute_dependences(scop)
    assert kinds(scop, found)[0] == "serial"
    own = without_reuse(scop, found, ["s"])
    assert kinds(scop, own)[0] == "doall"
    assert "doall" not in kinds(scop, own)[1:]
    assert kinds(scop, of_values(found))[0] == "doall"


def test_of_other_arrays_everything_stays():
    scop = parse_scop(ROW_SUMS.replace("y[i]", "y[0]"))
    own = without_reuse(scop, compute_dependences(scop), ["s"])
    assert kinds(scop, own)[0] == "serial"
    assert kinds(scop, of_values(own))[0] == "doall"


def test_values_are_never_left_out():
    scop = parse_scop(ROW_SUMS.replace("S: s[] = 0", "S: z[i] = s[]"))
    own = without_reuse(scop, compute_dependences(scop), ["s"])
    assert kinds(scop, own)[0] == "serial"


def test_what_is_not_exact_stays_as_it_is():
    scop = parse_scop(ROW_SUMS)
    coarse = replace(compute_dependences(scop), precision="memory")
    assert without_reuse(scop, coarse, ["s"]) is coarse
    assert of_values(coarse) is coarse


def test_pairs_that_only_use_a_variable_again():
    scop = parse_scop(ROW_SUMS)
    sample = draw_sample(scop, 3)
    assert sample is not None
    found, touched = arrows(compute_dependences(scop), sample), touches(scop, sample)
    assert found is not None
    assert touched is not None
    outer = carried_by(found, {"S": 0, "T": 0, "U": 0})
    assert outer
    assert all(is_reuse(one, touched, ["s"]) for one in outer)
    assert not any(is_reuse(one, touched, []) for one in outer)
    assert shared_names(outer, touched) == ("s",)
    inner = carried_by(found, {"T": 1})
    assert not any(is_reuse(one, touched, ["s"]) for one in inner if "flow" in one.kinds)


def test_all_that_goes_from_iteration_to_iteration():
    """t does not: each iteration writes it before it reads it."""
    scop = parse_scop("""[n]
for i : 1 <= i < n
  S: t[] = a[i - 1] b[i]
  T: a[i] = t[] b[i - 1] c[0]
  U: b[i] = a[i]
  V: c[0] = t[]
""")
    sample = draw_sample(scop, 4)
    assert sample is not None
    found, touched = arrows(compute_dependences(scop), sample), touches(scop, sample)
    assert found is not None
    assert touched is not None
    one = obstacle(found, touched, {"S": 0, "T": 0, "U": 0, "V": 0})
    assert one is not None
    assert one.element is not None
    assert one.kind == "flow"
    assert {one.element[0], *one.others} == {"a", "b", "c"}
