"""One value numbering and one elimination of dead code, for every level.

    number     what has been computed is found again by what it is: the operation, its operands and
               its attributes, or for who writes code, the expression that it stands for
    share      of equal values only the first one is left
    drop       what nobody uses goes, users before what they use

Values are known in a block and in what it dominates: what was met since a `mark` is forgotten
when the walk comes back to it, or `nested()` is what is known there at first.
xDSL's `cse` does the same for regions of one block and leaves all others alone, which is every
function that comes from C; it knows neither pure calls nor that arithmetic of `math` is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

from xdsl.dialects import affine, memref
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import is_pure

T = TypeVar("T")


class Known(Generic[T]):
    """What has been computed, by what it is."""

    __slots__ = ("_met", "_table")

    def __init__(self, table: dict[Hashable, T] | None = None):
        self._table: dict[Hashable, T] = {} if table is None else table
        self._met: list[Hashable] = []

    def nested(self) -> Known[T]:
        """What is known at first where this is known, but not the other way round."""
        return Known(dict(self._table))

    def find(self, key: Hashable) -> T | None:
        return self._table.get(key)

    def remember(self, key: Hashable, value: T) -> T:
        self._table[key] = value
        return value

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is known, or else what is made."""
        found = self._table.get(key)
        return self.remember(key, make()) if found is None else found

    def first(self, key: Hashable, value: T) -> T:
        """What is known, or else `value` from now on, until who set a mark comes back to it."""
        found = self._table.get(key)
        if found is not None:
            return found
        self._met.append(key)
        return self.remember(key, value)

    def mark(self) -> int:
        """Where to come back to."""
        return len(self._met)

    def back_to(self, mark: int) -> None:
        """Forget what has been first since then: as much work as there was to meet it, whatever
        else is known."""
        for key in self._met[mark:]:
            del self._table[key]
        del self._met[mark:]

    def forget(self) -> None:
        self._table.clear()
        self._met.clear()


def key_of(op: Operation) -> Hashable:
    """Equal for operations without regions that compute equal values, where they are pure."""
    return (
        op.name,
        tuple(op.operands),
        tuple(op.properties.items()),
        tuple(op.attributes.items()),
        tuple(op.result_types),
    )


def is_value(op: Operation) -> bool:
    """It does nothing but compute its results from its operands."""
    return bool(op.results) and (is_pure(op) or isinstance(op, affine.ApplyOp | affine.MinOp))


def is_load(op: Operation) -> bool:
    return isinstance(op, memref.LoadOp | affine.LoadOp)


def replace_by(op: Operation, results: Sequence[SSAValue]) -> None:
    """`op` goes, its users take `results`, which have its names where they have none."""
    for old, new in zip(op.results, results, strict=True):
        new.name_hint = new.name_hint or old.name_hint
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()


def share_equal(flow: ControlFlow, known: Known[Operation] | None = None) -> None:
    """Of equal values of which one dominates the other the first is left, and of equal loads in a
    block with nothing but loads and values between them. No block or edge changes."""
    known = Known[Operation]() if known is None else known
    children = flow.dominators.children
    start = known.mark()
    pending = [(0, start)]
    while pending:
        number, mark = pending.pop()
        known.back_to(mark)
        _share_in(flow.cfg.blocks[number].ops, known)
        pending += [(child, known.mark()) for child in children[number]]
    known.back_to(start)


def _share_in(ops: Iterable[Operation], known: Known[Operation]) -> None:
    loaded = Known[Operation]()
    for op in ops:
        if is_load(op):
            first = loaded.first(key_of(op), op)
        elif is_value(op):
            first = known.first(key_of(op), op)
        else:
            loaded.forget()
            if op.regions:
                _share_in_regions(op, known)
            continue
        if first is not op:
            replace_by(op, first.results)


def _share_in_regions(op: Operation, known: Known[Operation]) -> None:
    outside = Known[Operation]() if op.has_trait(IsolatedFromAbove) else known
    for region in op.regions:
        if len(region.blocks) == 1:
            mark = outside.mark()
            _share_in(region.block.ops, outside)
            outside.back_to(mark)
        elif region.blocks:
            share_equal(ControlFlow(region), outside)


def drop_unused(ops: Iterable[Operation], may_go: Callable[[Operation], bool]) -> None:
    """Of `ops`, users before what they use, those go that `may_go` and whose results nobody uses.
    Nobody looks into regions."""
    for op in ops:
        if not any(result.first_use for result in op.results) and may_go(op):
            op.detach()
            op.erase()


def drop_unused_values(ops: Iterable[Operation]) -> None:
    """Of `ops`, users before what they use, and of what stands in their regions, the values and
    loads go that nobody uses."""
    for op in ops:
        for region in op.regions:
            for block in reversed(region.blocks):
                drop_unused_values(reversed(block.ops))
        if any(result.first_use for result in op.results):
            continue
        if is_value(op) or is_load(op):
            op.detach()
            op.erase()
