"""Which arrays statements of C only update, found by hand."""

import pytest

from polyopt.dialects.poly import ScopOp, StmtOp
from polyopt.dialects.poly_updates import updated_arrays
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.support.diagnostics import SourceMap

ADDF, ADDI, MULF, ORI = "arith.addf", "arith.addi", "arith.mulf", "arith.ori"

CASES: dict[str, tuple[str, dict[str, str]]] = {
    # the body of a loop over i that has s, t, k, f, x and c, and what is only updated there
    "a sum": ("s += x[i];", {"s": ADDF}),
    "a difference": ("s -= x[i];", {"s": ADDF}),
    "the other way round": ("s = x[i] - s;", {}),
    "a product": ("s *= x[i];", {"s": MULF}),
    "two terms": ("s += x[i] + 1; s -= x[i + 1];", {"s": ADDF}),
    "under a condition": ("if (c[i] > 0) s += x[i];", {"s": ADDF}),
    "two of them": ("if (c[i] > 0) { s += x[i]; k++; }", {"s": ADDF, "k": ADDI}),
    "two conditions": ("if (c[i] > 0 && x[i] < 5) { s += x[i]; k += 2; }", {"s": ADDF, "k": ADDI}),
    "set in one arm": ("if (c[i] > 0) s += x[i]; else s = 0;", {}),
    "asked of itself": ("if (s > 0) s += x[i];", {}),
    "read by another statement": ("s += x[i]; t = s;", {"s": ADDF}),  # which is its own business
    "each for the other": ("s += t; t += s;", {"s": ADDF, "t": ADDF}),  # the pairs tell
    "doubled": ("s = s + s;", {}),
    "two operators": ("if (c[i] > 0) s += x[i]; else s *= 2;", {}),
    "two operators in a row": ("s = (s + x[i]) * 2;", {}),
    "bits": ("if (c[i] > 0) f |= c[i];", {"f": ORI}),
    "an element and another": ("y[0] += y[i + 1];", {"y": ADDF}),
    "counts by data": ("y[c[i]] += 1;", {}),
}


@pytest.mark.parametrize("case", CASES)
def test_only_updated(case: str):
    body, expected = CASES[case]
    text = f"""void f(int n, const double *restrict x, const int *restrict c, double *restrict y,
        double *restrict out) {{
  double s = 1, t = 2; int k = 0, f = 0;
  for (int i = 0; i < n; i++) {{ {body} }}
  out[0] = s; out[1] = t; out[2] = k; out[3] = f;
}}"""
    unit = parse(Source("f.c", text), read_settings(["-O2"]), SourceMap())
    lower(unit, "poly")
    (scop, *_) = (op for op in unit.module.walk() if isinstance(op, ScopOp))
    named = {array: name.data for array, name in zip(scop.arrays, scop.array_names, strict=True)}
    found = [updated_arrays(op, named) for op in scop.statements() if _is_in_the_loop(op)]
    written = {name: operator for one in found for name, operator in one.items()}
    assert written == expected


def _is_in_the_loop(op: StmtOp) -> bool:
    return bool(op.body.block.args)
