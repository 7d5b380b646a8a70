"""The factors of register tiles: how many iterations of the two innermost loops run together.

J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix, SC 2014, §V.A. Names and numbers only,
for whoever reads options.
"""

from __future__ import annotations

from collections.abc import Sequence

FACTORS = (1, 2, 4, 6, 8)


def read_factors(numbers: Sequence[int]) -> tuple[int, int] | None:
    """Two factors, or none; raises ValueError with what was expected."""
    if not numbers:
        return None
    if len(numbers) != 2 or any(one not in FACTORS for one in numbers):
        raise ValueError(f"expected two factors, each one of {', '.join(map(str, FACTORS))}")
    return numbers[0], numbers[1]
