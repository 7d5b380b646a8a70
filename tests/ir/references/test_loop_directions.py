"""The directions in which accesses of loops may meet cover all pairs of iterations that do."""

from __future__ import annotations

from itertools import product

import pytest
from oracles.prepared import function_named, prepare, source_module

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.references.loop_directions import directions
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.loop_references import references_of
from polyopt.ir.references.loop_view import LoopView
from polyopt.poly.linear.dependence_vectors import DependenceVector, vector_text

N, M, LENGTH = 5, 6, (2, 0, 3, 1, 2)
AT = (2, 0, 3, 2, 1, 0)
Place = tuple[int, ...]

NEST = """
void f(int n, int m, const int *restrict len, const int *restrict at, double *restrict y,
       double X[restrict 40][40])
{{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < len[i]; k++)
                {} = {} * 0.5;
}}
"""

HERE = {"(0, 0)"}
ROWS = {"(0, +)", "(0, 0)", "(0, -)"}
COLUMNS = {"(+, 0)", "(0, 0)", "(-, 0)"}

PAIRS = (
    ("X[i][j]", "X[i][j]", HERE),
    ("X[i][j]", "X[k][j]", ROWS),
    ("X[i + 1][j]", "X[i][j + 1]", None),
    ("X[i + 2][j + 1]", "X[i][j]", None),
    ("X[2 * i][j]", "X[2 * i + 1][j]", None),
    ("X[2 * i + 1][j]", "X[i][j + 3]", None),
    ("X[9 - i][j]", "X[i][j]", None),
    ("X[at[k]][j]", "X[i][j]", ROWS),
    ("X[i][at[k]]", "X[i][j]", COLUMNS),
    ("X[i][3]", "X[i][j]", None),
    ("X[i + j][j]", "X[i][j + 1]", None),
    ("y[i * m + j]", "y[i * m + j]", HERE),
    ("y[at[k] * m + j]", "y[i * m + j]", ROWS),
    ("y[i * m + j + 1]", "y[i * m + j]", None),
    ("y[i + j]", "y[i]", None),
)


@pytest.mark.parametrize(("target", "source", "exactly"), PAIRS)
def test_vectors_cover_what_meets(target: str, source: str, exactly: set[str] | None):
    found = _directions(NEST.format(target, source))
    for one, other in product(_touched(target), _touched(source)):
        (here, place), (there, same) = one, other
        for first, second in ((here, there), (there, here)):
            difference = tuple(b - a for a, b in zip(first, second, strict=True))
            if place == same:
                assert _is_covered(difference, found), f"{difference}: {[*map(vector_text, found)]}"
    assert exactly is None or {vector_text(one) for one in found} == exactly


def _directions(text: str) -> list[DependenceVector]:
    flow = ControlFlow(function_named(prepare(source_module(text))).body)
    (outer,) = flow.loops.top_level
    view = LoopView(outer, flow)
    nest = NaturalNest((outer, outer.children[0]), flow, view.ranges, view.is_fixed)
    touched = list(references_of(view))
    written = next(one.base for one in touched if one.is_write)
    return list(directions(nest, [one for one in touched if one.base is written]))


def _touched(access: str) -> list[tuple[Place, Place]]:
    """(iterations of j and i, element)"""
    indices = access.replace("at[k]", "at(k)")[2:-1].split("][")
    found = list[tuple[Place, Place]]()
    for j, i in product(range(M), range(N)):
        for k in range(LENGTH[i]):
            names = {"i": i, "j": j, "k": k, "m": M, "at": AT.__getitem__}
            found.append(((j, i), tuple(eval(index, names) for index in indices)))
    return found


def _is_covered(difference: Place, vectors: list[DependenceVector]) -> bool:
    """By a vector or by its other end."""
    return any(
        all(
            (one.low is None or one.low <= sign * d) and (one.high is None or sign * d <= one.high)
            for one, d in zip(vector, difference, strict=True)
        )
        for vector in vectors
        for sign in (1, -1)
    )


GROWING = """
void f(int n, const int *restrict a, double *restrict x, int *restrict shown)
{{
    int k = 0, b = 50, d = 40;
    for (int i = 0; i < n; i++) {{
        {} = {} + 1;
        k += a[i] > 0 ? 2 : 3;
        b -= a[i] > 1;
        d -= a[i] > 0 ? 2 : 3;
    }}
}}
"""


@pytest.mark.parametrize(
    ("target", "source", "apart"),
    [
        ("x[k]", "x[k]", "(0)"),
        ("x[k]", "x[k + 1]", None),
        ("x[k]", "x[k + 4]", "(2)"),
        ("x[k]", "x[k + 6]", "(2..3)"),
        ("x[2 * k]", "x[2 * k + 3]", None),
        ("x[2 * k + 8]", "x[2 * k]", "(-2)"),
        ("x[b]", "x[b]", "(+)"),
        ("x[k + i]", "x[k + i + 4]", "(+)"),
        ("x[d]", "x[d + 4]", "(-2)"),
        ("x[2 * d + 7]", "x[k]", "(+)"),
    ],
)
def test_envelopes_tell_how_far_apart_what_grows_meets(target: str, source: str, apart: str | None):
    """For all decisions that data can make in four iterations; from what is read to the write."""
    found = _growing_directions(GROWING.format(target, source))
    crossing = {vector_text(one) for one in found}
    assert (apart in crossing) if apart else crossing <= {"(0)"}
    for decided in product((0, 1, 2), repeat=4):
        k, b, d, reads, writes = 0, 50, 40, list[int](), list[int]()
        for i, chosen in enumerate(decided):
            names = {"k": k, "b": b, "d": d, "i": i}
            reads.append(eval(source[2:-1], names))
            writes.append(eval(target[2:-1], names))
            step = 2 if chosen else 3
            k, b, d = k + step, b - (chosen > 1), d - step
        places = reads, writes
        for (t, one), (u, other) in product(enumerate(places[0]), enumerate(places[1])):
            assert one != other or _is_covered((u - t,), found), (decided, t, u)


def _growing_directions(text: str) -> list[DependenceVector]:
    flow = ControlFlow(function_named(prepare(source_module(text))).body)
    (loop,) = flow.loops.top_level
    view = LoopView(loop, flow)
    nest = NaturalNest((loop,), flow, view.ranges, view.is_fixed)
    touched = list(references_of(view))
    written = next(one.base for one in touched if one.is_write)
    return list(directions(nest, [one for one in touched if one.base is written]))
