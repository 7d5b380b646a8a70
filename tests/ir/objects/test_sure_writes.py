"""What a statement writes whichever way its conditions go, from C."""

from __future__ import annotations

import pytest

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.ir.objects.sure_writes import with_sure_writes
from polyopt.ir.problem import problems_in
from polyopt.support.diagnostics import SourceMap

BOTH = "if (a[i] > a[i + 1]) x[i] = a[i - 1]; else x[i] = a[i + 7] * 2;"
WAYS = {
    BOTH: True,
    "if (a[i] > a[i + 1]) { if (a[i] > 3) x[i] = a[i - 1]; else x[i] = 2; } else x[i] = 5;": True,
    "if (a[i] > a[i + 1]) x[i] = a[i - 1];": False,
    "if (a[i] > a[i + 1]) x[i] = a[i - 1]; else x[i + 1] = a[i + 7] * 2;": False,
    "if (a[i] > a[i + 1]) { if (a[i] > 3) x[i] = a[i - 1]; } else x[i] = 5;": False,
    "if (a[i] > a[i + 1]) x[p[i]] = a[i - 1]; else x[p[i]] = a[i + 7] * 2;": False,
}


@pytest.mark.parametrize(("body", "is_sure"), WAYS.items())
def test_a_write_on_every_way_is_sure(body: str, is_sure: bool):
    text = (
        "void f(int n, double *restrict x, double *restrict a, int *restrict p)"
        f"{{ for (int i = 1; i < n; i++) {{ {body} }} }}"
    )
    settings = read_settings(["-O3", "--skip-pass=if-convert", "--poly=identity"])
    unit = parse(Source("k.c", text), settings, SourceMap())
    lower(unit, "poly")
    (problem,) = problems_in(unit.module)
    found = with_sure_writes(problem.op, problem.scop)
    writes = [
        access.is_must
        for statement in found.statements
        for access in statement.accesses
        if access.is_write and access.array == "x"
    ]
    assert writes
    assert all(writes) == is_sure
    assert (found is problem.scop) == (found == problem.scop)
