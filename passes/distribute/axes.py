"""What `poly-place` is told of processes, as axes of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from polyopt.poly.placement.grid import Axis, lattice_axes, lattice_of
from polyopt.support.diagnostics import CompileError

MOST_PROCESSES = 1 << 20


def axes_of(grid: str, map: str, size: int, generators: Sequence[int] = ()) -> tuple[Axis, ...]:
    """The axes that the options mean. Raises CompileError."""
    words = grid.split("x")
    if not all(word == "*" or (word.isdecimal() and int(word) > 0) for word in words):
        raise CompileError(f"'{grid}' is no grid of processes", hint="4, 2x2, or * for all")
    if prod(int(word) for word in words if word != "*") > MOST_PROCESSES:
        raise CompileError(f"grid {grid}: more than {MOST_PROCESSES} processes")
    if words.count("*") > 1:
        raise CompileError(
            f"grid {grid}: how many processes are left is said of one dimension only"
        )
    if map in ("cyclic", "block-cyclic") and "*" in words:
        raise CompileError(
            f"grid {grid}: parts in turns are for a number of processes that is known",
            hint="a number instead of *, or parts in blocks",
        )
    if size < 1 or (size > 1 and map not in ("block-cyclic", "lattice")):
        raise CompileError(f"a size of {size} means nothing to parts that are {map}")
    if map == "lattice":
        return _lattice_axes(grid, size, generators)
    if generators:
        raise CompileError(f"generators mean nothing to parts that are {map}")
    block = 0 if map == "block" else size
    return tuple(Axis(None if word == "*" else int(word), block) for word in words)


def _lattice_axes(grid: str, size: int, generators: Sequence[int]) -> tuple[Axis, ...]:
    try:
        rows, _ = lattice_of(generators, grid, MOST_PROCESSES)
    except ValueError as error:
        raise CompileError(str(error)) from None
    return lattice_axes(rows, size)
