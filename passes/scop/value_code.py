"""Compute values of the original code anew at another place."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from xdsl.dialects.builtin import IndexType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width, is_pure_here
from polyopt.ir.expressions.integer_expr import Wrapped
from polyopt.passes.scop.candidate import Candidate, pointer_parts
from polyopt.passes.scop.expression_code import ExpressionCode


class ValueCode:
    """Emits at the end of `block` what values have when control is in block `at` of the original
    code. `outside` gives the value to use for one that does not change in the region."""

    def __init__(
        self,
        block: Block,
        candidate: Candidate,
        at: Block,
        outside: Callable[[SSAValue], SSAValue],
        iterator_of: Callable[[NaturalLoop], SSAValue] | None = None,
    ):
        self.done: dict[SSAValue, SSAValue] = {}
        self._block = block
        self._candidate = candidate
        self._at = at
        self._outside = outside
        place = at.last_op
        assert place is not None
        self.expressions = ExpressionCode(block, place.location, self.value, iterator_of)

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Emit in a nested block: what is computed there is not known outside."""
        around, known = self._block, dict(self.done)
        self._block = block
        with self.expressions.inside(block):
            yield
        self._block, self.done = around, known

    def value(self, value: SSAValue) -> SSAValue:
        """What stands here for a value of the original code, computed with all that it needs."""
        pending = [self._seen(value)]
        while pending:
            current = pending[-1]
            if current not in self.done:
                missing = self._missing(current)
                if missing:
                    pending.extend(reversed(missing))
                    continue
                self._add(current)
            pending.pop()
        return self.done[self._seen(value)]

    def compute(self, op: Operation) -> None:
        """Clone a pure operation with everything that it needs."""
        self.value(op.results[0])

    def _seen(self, value: SSAValue) -> SSAValue:
        return self._candidate.seen_from(value, self._at)

    def _missing(self, value: SSAValue) -> list[SSAValue]:
        """The operands that have to be computed first."""
        if isinstance(value, BlockArgument) or self._candidate.space.is_constant(value):
            return []
        assert isinstance(value.owner, Operation)
        operands = [self._seen(operand) for operand in value.owner.operands]
        return [operand for operand in operands if operand not in self.done]

    def _add(self, value: SSAValue) -> None:
        """The value, all of whose operands are there."""
        if self._candidate.space.is_constant(value):
            self.done[value] = self._outside(value)
            return
        if isinstance(value, BlockArgument):
            self.done[value] = self._argument(value)
            return
        op = value.owner
        assert isinstance(op, Operation)
        assert is_pure_here(op), f"{op.name} stands in no relation"
        clone = op.clone({operand: self.done[self._seen(operand)] for operand in op.operands})
        self.append(clone, op)
        self.done.update(zip(op.results, clone.results, strict=True))

    def append(self, new: Operation, old: Operation) -> None:
        """Add an operation that stands for an old one."""
        new.location = old.location
        self._block.add_op(new)

    def _argument(self, value: BlockArgument) -> SSAValue:
        if isinstance(value.type, LLVMPointerType):
            return self._pointer(value)
        return self._integer(value)

    def _pointer(self, value: BlockArgument) -> SSAValue:
        """A pointer that moves in affine steps through one object."""
        parts = pointer_parts(self._candidate, value, self._at)
        assert parts is not None, "what is not affine goes through memory"
        base, offset = parts
        index = self.expressions.index(self._candidate.space.positional(offset))
        result = self.expressions.add(cmem.OffsetOp(self._outside(base), index, 1))
        result.name_hint = value.name_hint
        return result

    def _integer(self, value: BlockArgument) -> SSAValue:
        """An integer that is affine. Cutting an index down to its type reduces it modulo the
        type's range, so that a sum that wraps can be taken without."""
        expr = self._candidate.evolution.signed(value, self._at)
        assert self._candidate.space.defect(expr) is None, "what is not affine goes through memory"
        atom = expr.as_atom
        if (
            isinstance(atom, Wrapped)
            and value.type != IndexType()
            and atom.bits == bit_width(value)
        ):
            expr = atom.term
        result = self.expressions.typed(self._candidate.space.positional(expr), value.type)
        if result.name_hint is None:
            result.name_hint = value.name_hint
        return result
