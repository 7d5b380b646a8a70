"""Loops that are to run in vectors or threads: what they carry, now and after later steps."""

from __future__ import annotations

import re

import pytest
from oracles.nests import GEMM, JACOBI, SEIDEL

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import marks, read_tree
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.support.diagnostics import CompileError

PARALLEL_OUTSIDE = """
[n]
for i : 1 <= i < n
  for j : 1 <= j < n
    S: A[i, j] = A[i, j - 1]
"""


def marked(text: str, steps: str, *, reassociate: bool = False) -> list[str]:
    scop = parse_scop(text)
    dependences = compute_dependences(scop, reassociate=reassociate)
    return marks(read_tree(schedule_by_hand(scop, dependences, steps)))


def refused(text: str, steps: str) -> str:
    with pytest.raises(CompileError) as raised:
        marked(text, steps)
    return raised.value.diagnostic.message


def test_marks_do_not_change_the_order():
    scop = parse_scop(GEMM)
    schedule = schedule_by_hand(scop, None, "parallel S.i")
    assert schedule.get_map().is_equal(scop.schedule.get_map())
    assert marks(read_tree(schedule)) == ["threads"]


def test_sums_in_any_order_may_be_in_vectors():
    assert marked(GEMM, "vectorize T.l", reassociate=True) == ["vectors"]
    assert "T.l, which is to run in vectors, carries the reduction dependence from T to T" in (
        refused(GEMM, "vectorize T.l")
    )


def test_a_pipeline_may_be_in_threads_and_not_in_vectors():
    steps = "skew S.i S.t; skew S.j S.i; skew S.j S.t"
    assert "threads" in marked(SEIDEL, f"{steps}; parallel S.t")
    assert "to run in vectors, carries" in refused(SEIDEL, f"{steps}; vectorize S.j")


def test_memory_that_each_iteration_writes_anew_is_no_obstacle_to_threads():
    text = "[n]\nfor i : 0 <= i < n\n  S: t[] = A[i]\n  T: B[i] = t[]\n"
    assert marked(text, "parallel S.i") == ["threads"]
    assert "carries the anti dependence from T to S" in refused(text, "vectorize S.i")
    kept = "[n]\nfor i : 0 <= i < n\n  S: B[i] = t[]\n  T: t[] = A[i]\n"
    assert "carries the flow dependence from T to S" in refused(kept, "parallel S.i")


def test_only_innermost_loops_are_in_vectors():
    assert "there are loops inside it" in refused(GEMM, "vectorize S.i")
    assert "already" in refused(JACOBI, "vectorize S.i\nvectorize S.i")


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (PARALLEL_OUTSIDE, "vectorize S.j", "S.j, which is to run in vectors, carries the flow"),
        (
            "[n]\nfor i : 0 <= i < n\n  S: A[i] =\nfor i : 1 <= i < n\n  T: B[i] = A[i - 1]",
            "parallel S.i\nparallel T.i\nfuse S T",
            "S.i, which is to run in threads, carries the flow dependence from S to T",
        ),
        (
            PARALLEL_OUTSIDE,
            "interchange S.i S.j; vectorize S.i\ninterchange S.j S.i",
            "has loops inside it",
        ),
    ],
)
def test_a_promise_holds_after_each_line(text: str, steps: str, reason: str):
    message = refused(text, steps)
    assert message.startswith(f"'{steps.splitlines()[-1]}' is illegal:")
    assert reason in message


def test_a_promise_moves_with_its_loop():
    tree = marked(PARALLEL_OUTSIDE, "parallel S.i\ninterchange S.i S.j\ntile S.i 8")
    assert tree.count("threads") == 1
    shifted = marked(JACOBI, "vectorize S.i; shift S.i 1; reverse S.i")
    assert shifted == ["vectors"]


def test_an_example_is_a_pair_that_the_loop_carries():
    message = refused(PARALLEL_OUTSIDE, "parallel S.j")
    said = re.search(r" by S at i = (\d+), j = (\d+), and .* by S at i = (\d+), j = (\d+)", message)
    assert said is not None
    i, j, other, later = map(int, said.groups())
    assert (other, later) == (i, j + 1)
