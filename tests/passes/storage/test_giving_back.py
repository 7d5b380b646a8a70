"""poly-relocate: of many statements that cost too much, the code they were made from is left."""

import pytest

from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import PaysOp, ScopOp
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units import unit as stages
from polyopt.driver.units.module_texts import make_context
from polyopt.driver.units.source import Source
from polyopt.passes.storage.relocate import MOST_STATEMENTS, PolyRelocatePass
from polyopt.support.diagnostics import SourceMap
from polyopt.support.remarks import collect_remarks

ROW = "s = 0; for (int i = 0; i < n; i++) s += a[{0}][i]; b[{0}] = s;"


def scops_left(rows: int, operations: int) -> tuple[int, int, list[str]]:
    """SCoPs and choices, and what was told, of rows in a loop that asks whether it goes on."""
    body = " ".join(ROW.format(row) for row in range(rows))
    text = f"""
    int goes_on(void);
    void f(int n, double (*restrict a)[100], double *restrict b)
    {{
        double s;
        while (goes_on()) {{ {body} }}
    }}
    """
    unit = stages.parse(Source("rows.c", text), read_settings(("-O3",)), SourceMap())
    stages.lower(unit, "poly")
    with collect_remarks() as remarks:
        PolyRelocatePass(operations=operations).apply(make_context(), unit.module)
    unit.module.verify()
    scops, choices = (operations_in(unit.module, kind) for kind in (ScopOp, PaysOp))
    return len(scops), len(choices), [one.id for one in remarks.items]


@pytest.mark.parametrize(
    ("rows", "operations", "left"),
    [(11, 100, 0), (11, 2_000_000, 1), (9, 100, 1)],
    ids=["too dear", "asked", "few"],
)
def test_what_costs_too_much_goes(rows: int, operations: int, left: int) -> None:
    assert 3 * 9 < MOST_STATEMENTS < 3 * 11
    scops, choices, told = scops_left(rows, operations)
    assert (scops, choices) == (left, left)
    assert ("given-back" in told) == (left == 0)
