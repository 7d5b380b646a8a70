"""How many vectors of a row accumulate side by side, and what they have accumulated together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.ir import SSAValue

from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.divider import keeps_divider_busy
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.passes.loops.interleave.partial_values import PartialValue, partial_values
from polyopt.support.core_model import CORE
from polyopt.support.record import entity


@entity
class RowChains:
    """A chain is what each value that the row carries is so far in one of the vectors of a step."""

    builder: AffineBuilder
    source: MaskedLoop

    @cached_property
    def _partial(self) -> list[PartialValue] | None:
        return partial_values(self.source)

    def begun(self) -> list[list[SSAValue]]:
        """For each vector of a step what it has accumulated so far. No more vectors than a row
        may have go in one."""
        chains = [list(self.source.loop.op.inits)]
        if self._partial is None:
            return chains
        extent, count = (
            self.source.greatest_extent,
            1 if self.source.is_thin else self.source.interleave,
        )
        if extent is not None:
            count = min(max(count, self._at_once(extent)), extent // self.source.lanes)
        for _ in range(count - 1):
            chains.append([one.neutral(self.builder) for one in self._partial])
        return chains

    def together(self, chains: Sequence[list[SSAValue]]) -> list[SSAValue]:
        """The first chain, which goes on where a row has fewer vectors left than a step, last."""
        *others, total = [*chains[1:], chains[0]]
        while len(others) > 1:
            pairs = zip(others[::2], others[1::2], strict=False)
            others = [*(self._combined(*pair) for pair in pairs), *others[len(others) & ~1 :]]
        return self._combined(total, *others) if others else total

    def _combined(self, one: list[SSAValue], other: list[SSAValue]) -> list[SSAValue]:
        assert self._partial is not None
        parts = zip(self._partial, one, other, strict=True)
        return [part.combined(self.builder, left, right) for part, left, right in parts]

    @property
    def is_plain(self) -> bool:
        """Are the steps short, and carry nothing, and the row of a length that is not known? LLVM
        takes several of them in one where it is asked to: on its own it leaves those alone whose
        count it takes several operations to say, as of rows that begin where a line does."""
        source = self.source
        is_short = len(source.operations) <= CORE.rows.short_step and not source.yielded
        return is_short and source.greatest_extent is None and not self.is_divided

    @cached_property
    def is_divided(self) -> bool:
        """Do steps that carry nothing, and do more than a little, wait for the divider? Several at
        once wait as long, and are as much more code."""
        operations = self.source.operations
        is_little = len(operations) <= CORE.rows.little_divided or bool(self.source.yielded)
        return not is_little and keeps_divider_busy(operations)

    def _at_once(self, extent: int) -> int:
        """Of short steps of long rows, none of which waits for another, several go in one. Where
        rows may be short, that would be one loop more for each."""
        model, source = CORE.rows, self.source
        is_short = len(source.operations) <= model.short_step and not source.yielded
        is_long = extent >= model.long_row * model.short_steps * source.lanes
        return model.short_steps if is_short and is_long and not self.is_divided else 1
