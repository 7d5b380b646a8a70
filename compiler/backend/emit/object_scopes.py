"""Alias scopes for pointers that control flow chose.

LLVM sees that `@a` and `@b` do not overlap, and mostly not that a pointer which goes round a loop
as `@front` or `@front + 40` stays in `@front`. Where a function has such a pointer, every access to
an object that is known says which: it is in the scopes of the objects that it may touch, and
touches none of the others. LLVM asks where it optimises only.
"""

from __future__ import annotations

from functools import cached_property

from xdsl.dialects import func
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.dialects.memref import AllocaOp
from xdsl.ir import Block, Operation, SSAValue

from polyopt.backend.emit.metadata import AliasScope, Metadata
from polyopt.dialects.cmem import element_type, memref_type
from polyopt.dialects.shaped_types import is_memref
from polyopt.ir.objects.pointed_objects import Object, pointed_objects
from polyopt.support.record import entity

_MOST_OBJECTS = 40
"""Each access names all objects that it does not touch."""


@entity
class ObjectScopes:
    """The scopes of one function's objects, in a domain of their own."""

    metadata: Metadata
    function: func.FuncOp

    def of(self, memref: SSAValue) -> tuple[AliasScope, ...]:
        """What an access through this memref is known to touch, and not to."""
        if not self._names:
            return ()
        objects = pointed_objects(memref).objects
        touched = tuple(name for known, name in self._names.items() if known in objects)
        others = tuple(name for known, name in self._names.items() if known not in objects)
        return (AliasScope(touched, others),) if touched else ()

    @cached_property
    def _names(self) -> dict[Object, str]:
        objects = self._objects()
        if not 1 < len(objects) <= _MOST_OBJECTS:
            return {}
        domain = self.metadata.distinct('!"objects"')
        return {known: self.metadata.distinct(domain) for known in objects}

    def _objects(self) -> dict[Object, None]:
        """The objects that memory is accessed in, in order; none where LLVM can tell by itself:
        also of a pointer that only goes on in one array."""
        if not any(map(_holds_pointer, self.function.walk())):
            return {}
        accessed = {
            value: None
            for op in self.function.walk()
            for value in op.operands
            if is_memref(value.type) and not _is_variable(value)
        }
        found: dict[Object, None] = {}
        choices = 0
        for memref in accessed:
            pointed = pointed_objects(memref)
            found |= pointed.objects
            choices = max(choices, pointed.choices)
        return found if choices > 1 else {}


def _is_variable(memref: SSAValue) -> bool:
    """LLVM keeps it in a register."""
    return isinstance(memref.owner, AllocaOp) and memref_type(memref).get_num_dims() == 0


def _holds_pointer(op: Operation) -> bool:
    """Whether the operation is a variable of a pointer, or has blocks that are passed one."""
    if isinstance(op, AllocaOp):
        return isinstance(element_type(op.memref), LLVMPointerType)
    return any(_is_passed_pointer(block) for region in op.regions for block in region.blocks)


def _is_passed_pointer(block: Block) -> bool:
    is_entry = isinstance(block.parent_op(), func.FuncOp) and block.prev_block is None
    return not is_entry and any(isinstance(arg.type, LLVMPointerType) for arg in block.args)
