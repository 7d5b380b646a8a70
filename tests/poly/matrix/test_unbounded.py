"""Nests without a first or a last iteration, and expressions as text."""

import islpy as isl
import pytest

from polyopt.ir.expressions.expression_text import text
from polyopt.ir.expressions.integer_expr import ONE, ZERO
from polyopt.poly.changes.contractions import is_contraction
from polyopt.poly.matrix.bounds import transformed_loops
from polyopt.poly.notation import parse_scop


@pytest.mark.parametrize("condition", ["j >= 0", "j <= 0", "i + j >= 0", "i - j >= 3"])
def test_a_loop_without_an_end(condition: str):
    nest = isl.BasicSet(f"{{ S[i, j] : 0 <= i < 9 and {condition} }}")
    with pytest.raises(ValueError, match="not bounded"):
        transformed_loops(nest, ((1, 0), (0, 1)), ("u", "v"))


@pytest.mark.parametrize(("mark", "wanted"), [("", True), ("?", False)])
def test_what_may_be_read_is_no_accumulator(mark: str, wanted: bool):
    scop = parse_scop(f"""[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    for k : 0 <= k < n
      S: C[i, j] = {mark}C[i, j] A[i, k] B[k, j]""")
    assert is_contraction(scop.statements[0], range(3)) == wanted


def test_numbers_as_text():
    assert text(ZERO) == "0"
    assert text(ONE) == "1"
