"""Sums that go on from one row to the next: as values, in memory, and what is none."""

from __future__ import annotations

import pytest
from oracles.prepared import function_named, prepare, prepare_all, source_module
from xdsl.dialects.arith import FastMathFlagsAttr

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.fast_math import FASTMATH
from polyopt.ir.idioms.sums_on import sums_on

BODIES = {
    "goes on": ("for (int j = 0; j < n; j++) s += a[i][j];", True),
    "taken off": ("for (int j = 0; j < n; j++) s = s - a[i][j] + 1;", True),
    "begins anew": ("s = 0; for (int j = 0; j < n; j++) s += a[i][j]; y[i] = s;", False),
    "multiplied": ("for (int j = 0; j < n; j++) s *= a[i][j];", False),
    "only read": ("for (int j = 0; j < n; j++) y[j] = s + a[i][j]; s = y[0];", False),
}


@pytest.mark.parametrize("in_memory", [False, True])
@pytest.mark.parametrize("name", BODIES)
def test_sums_of_rows(name: str, in_memory: bool):
    body, goes_on = BODIES[name]
    assert found(body, in_memory) == goes_on


@pytest.mark.parametrize("in_memory", [False, True])
def test_only_in_any_order(in_memory: bool):
    body, _ = BODIES["goes on"]
    assert not found(body, in_memory, flags="none")


def test_two_of_which_one_begins_anew():
    rows = "t = 0; for (int j = 0; j < n; j++) { s += a[i][j]; t += a[j][i]; } y[i] = t;"
    assert found(rows, in_memory=True)
    assert found(rows, in_memory=False)


def found(rows: str, in_memory: bool, flags: str = "fast") -> bool:
    text = f"""double f(int n, const double a[n][n], double *y) {{
        double s = 0, t = 0;
        for (int i = 0; i < n; i++) {{ {rows} }}
        return s + t; }}"""
    module = source_module(text)
    module.attributes[FASTMATH] = FastMathFlagsAttr("none" if flags == "none" else "fast")
    made = prepare(module) if in_memory else prepare_all(module)
    loops = ControlFlow(function_named(made).body).loops.all_loops()
    (inner,) = [loop for loop in loops if loop.parent is not None]
    return sums_on(inner)
