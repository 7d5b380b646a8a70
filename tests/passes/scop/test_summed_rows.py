"""Rows that are as long as a sum of parameters says: division of polynomials, shapes, programs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from oracles.prepared import function_named, prepare, source_module
from xdsl.dialects.builtin import i32
from xdsl.ir import Block

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.expressions.integer_expr import Expr, Monomial, Unknown
from polyopt.ir.references.rows_of_sums import divide
from polyopt.passes.scop.detection import find_scops
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("summed_rows.c")


@pytest.mark.parametrize(
    ("place", "length", "row", "column"),
    [
        ("(y + m) * (m * 2 + 1) + x + m", "m * 2 + 1", "y + m", "x + m"),
        ("y * (m + n * 2) + x", "m + n * 2", "y", "x"),
        ("(y + n) * (m + n * 2) + x + n", "m + n * 2", "y + n", "x + n"),
        ("y * (m * 3 + n * 6) + x * 3 + 1", "m * 3 + n * 6", "y", "x * 3 + 1"),
        ("y * m * (n + 1) + x", "m * n + m", "y", "x"),
        ("x + 1", "m + n", "x - x", "x + 1"),
    ],
)
def test_a_place_divided_by_the_length_of_rows(place: str, length: str, row: str, column: str):
    wanted = parsed(place, length, row, column)
    assert divide(*wanted[:2]) == (*wanted[2:],)


@pytest.mark.parametrize(
    "length", ["m", "m * 2", "m + n", "m * n + m + 1", "m * m + m * n", "m - n"]
)
@pytest.mark.parametrize(
    "place",
    ["m * m * n + y * m - 3", "y * m * n + x * n * n + n", "(m + n) * (m + n) * x - m", "x"],
)
def test_division_loses_nothing(place: str, length: str):
    whole, by = parsed(place, length)
    quotient, rest = divide(whole, by)
    assert quotient * by + rest == whole


def parsed(*texts: str) -> list[Expr]:
    """Polynomials in four unknowns."""
    unknowns = (Expr.of(Unknown(value)) for value in Block(arg_types=[i32] * 4).args)
    names = dict(zip("mnxy", unknowns, strict=True))
    return [eval(text, {}, names) for text in texts]


def shapes(text: str) -> list[list[Expr | None]]:
    """Of the arrays of the first SCoP, in the order of their first access, with as many names as
    there are parameters."""
    module = source_module(text)
    prepare(module)
    plan = find_scops(ControlFlow(function_named(module, "f").body)).plans[0]
    return [list(array.layout.shape) for array in plan.candidate.arrays]


def told(expr: Expr | None) -> dict[str, int] | None:
    def name(monomial: Monomial) -> str:
        hints = [a.value.name_hint or "?" for a in monomial if isinstance(a, Unknown)]
        return "*".join(sorted(hints)) or "1"

    return None if expr is None else {name(m): n for m, n in expr.terms.items()}


ROWS = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"{ROWS} a[y*(2*w + 1) + x] = 1;", [None, {"w": 2, "1": 1}]),
        (f"{ROWS} a[(y + b)*(w + 2*b) + x + b] = 1;", [None, {"w": 1, "b": 2}]),
        (f"{ROWS} a[3*(y*(w + b) + x) + 2] = 1;", [None, {"w": 3, "b": 3}]),
        # The rows of each other line are told by the line between them.
        (f"{ROWS} a[2*y*(w + b) + x] = a[(2*y + 1)*(w + b) + x];", [None, {"w": 1, "b": 1}]),
        (f"{ROWS} a[(y*(h + b) + x)*(w + b)] = 1;", [None, {"h": 1, "b": 1}, {"w": 1, "b": 1}]),
        # Two lengths: no row is so many of the other.
        (f"{ROWS} a[y*(w + b) + x] = a[y*(w + 2*b) + x];", None),
    ],
)
def test_the_rows_that_sums_tell(body: str, wanted: list[dict[str, int] | None] | None):
    head = "void f(int w, int h, int b, float *a)"
    found = [told(extent) for extent in shapes(f"{head} {{ {body} }}")[0]]
    assert found == wanted if wanted is not None else len(found) == 1


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("judge", [["--skip-pass=keep-what-pays"], []])
def test_loops_leave_what_they_leave_one_by_one(judge: list[str], tmp_path: Path):
    wanted, made = tmp_path / "wanted", tmp_path / "made"
    gcc = ["gcc", "-O0", "-ffp-contract=off", "-w", SOURCE, "-o", wanted]
    subprocess.run(gcc, check=True)
    options = ["-O3", "-ffp-contract=off", "-w", *judge]
    assert main([*options, str(SOURCE), "-o", str(made)]) == 0
    said = [subprocess.run([one], capture_output=True, check=True).stdout for one in (wanted, made)]
    assert said[0] == said[1]
