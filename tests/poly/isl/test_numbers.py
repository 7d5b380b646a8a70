"""Numbers of any size go to isl, and by one way."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyopt.passes
import polyopt.poly
from polyopt.poly.isl.numbers import val

ROOTS = [Path(room.__file__ or "").parent for room in (polyopt.poly, polyopt.passes)]


@pytest.mark.parametrize("number", [0, -3, (1 << 63) - 1, -(1 << 63), 1 << 63, -(1 << 63) - 1])
def test_a_number_comes_back_as_it_was(number: int):
    assert val(number).to_python() == number
    assert val(2 * number).sub(val(number)).eq(val(number))


def test_nobody_gives_isl_a_number_that_a_c_long_may_not_hold():
    files = [path for root in ROOTS for path in root.rglob("*.py") if path.name != "numbers.py"]
    assert len(files) > 100
    for path in files:
        text = path.read_text()
        assert "isl.Val(" not in text, path
        assert "int_from_si" not in text, path
