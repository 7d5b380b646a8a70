"""How many rows of a loop run together: a model of the loads and stores that they share."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.linear import Linear
from polyopt.ir.subscripts import stride_of, subscripts_of
from polyopt.passes.loops.vectors.row_loop import RowLoop, find_far_rows
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.target import Target

_ROWS = 4
_STREAMS = 6


def best_rows(near: RowLoop) -> RowLoop:
    """Those of a loop further out if they share a load or store more in each step."""
    far = max(find_far_rows(near), key=_shared, default=None)
    return far if far is not None and _shared(far) >= _shared(near) + 1 else near


def _shared(rows: RowLoop) -> float:
    """How many loads and stores of each row's step another row has made."""
    groups = [group for group in rows.groups if isinstance(group, VectorLoop)]
    single = sum(len(_vectors(rows, group, 1)) for group in groups)
    together = sum(len(_vectors(rows, group, _ROWS)) for group in groups)
    return single - together / _ROWS


def fixed_values(rows: RowLoop, count: int) -> int:
    """The values that are the same in all lanes of all vectors of `count` rows."""
    found: set[tuple[SSAValue, int]] = set()
    groups = [group for group in rows.groups if isinstance(group, VectorLoop)]
    for group in groups:
        for load in group.loads:
            if stride_of(load, group.loop) == 0:
                forms = subscripts_of(load) or ()
                differs = any(form.uses([rows.loop.iv]) for form in forms)
                found |= {(load.result, row) for row in range(count if differs else 1)}
    return len(found)


def choose_rows(rows: RowLoop, target: Target) -> int:
    """Several rows where they share at least half a load or store in each row's step, and where
    what they walk along at once is either in L1 or so little that the prefetchers follow."""
    if _shared(rows) < 0.5:
        return 1
    groups = [group for group in rows.groups if isinstance(group, VectorLoop)]
    return _ROWS if all(_is_near(rows, group, target) for group in groups) else 1


def _is_near(rows: RowLoop, group: VectorLoop, target: Target) -> bool:
    streams = len({(array, at) for _, array, at in _vectors(rows, group, _ROWS, by_row=True)})
    if streams <= _STREAMS:
        return True
    extent = greatest_extent(group)
    return extent is not None and 2 * streams * extent * group.element_bytes <= target.l1_bytes


def greatest_extent(group: VectorLoop) -> int | None:
    """A constant that the number of iterations does not exceed, if the bounds show one."""
    extents = [
        (upper - lower).constant
        for lower in group.loop.lowers or ()
        for upper in group.loop.uppers or ()
        if not (upper - lower).terms
    ]
    return min(extents, default=None)


_Vector = tuple[bool, SSAValue, tuple[Linear, ...]]


def _vectors(rows: RowLoop, group: VectorLoop, count: int, *, by_row: bool = False) -> set[_Vector]:
    """The different vectors that `count` rows load (False) or store (True) in one step; those of
    one array row taken together where `by_row`."""
    found: set[_Vector] = set()
    for op in (*group.loads, *group.stores):
        if stride_of(op, group.loop) == 0:
            continue
        forms = subscripts_of(op)
        assert forms is not None
        if by_row:
            forms = forms[:-1]
        for row in range(count):
            at = tuple(form + form.coefficient(rows.loop.iv) * row for form in forms)
            found.add((isinstance(op, affine.StoreOp), op.memref, at))
    return found
