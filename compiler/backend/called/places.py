"""Places for results: what a C function writes through a pointer to one number.

low, high = polyopt.out(), polyopt.out()
kernels.range(n, a, low, high)
low.value, high.value
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Out:
    """One number in memory, of the type that the parameter has for which it is given first. What it
    was made with, or holds from the call before, is what the function finds there."""

    def __init__(self, value: Any = None):
        self._initial = value
        self._cell: NDArray[Any] | None = None

    @property
    def value(self) -> Any:
        """What is there now; what was put there, as long as no function had it."""
        return self._initial if self._cell is None else self._cell.item()

    @value.setter
    def value(self, value: Any) -> None:
        if self._cell is None:
            self._initial = value
        else:
            self._cell[...] = value

    def cell(self, dtype: str) -> NDArray[Any]:
        """The memory, as an array without dimensions. Raises ValueError where what was put there
        is no such number."""
        import numpy as np

        if self._cell is None:
            value = 0 if self._initial is None else self._initial
            try:
                cell = np.array(value, dtype)
            except (TypeError, ValueError, OverflowError) as error:
                raise ValueError(str(error)) from None
            if cell.shape != () or (dtype[0] not in "f" and cell.item() != value):
                raise ValueError(f"{value!r} is no {dtype}")
            self._cell = cell
        return self._cell

    def __repr__(self) -> str:
        return f"out({self.value!r})"


def out(value: Any = None) -> Out:
    """A place for a number that a function gives through a pointer, with a value to begin with."""
    return Out(value)
