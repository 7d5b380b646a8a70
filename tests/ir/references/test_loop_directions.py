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
