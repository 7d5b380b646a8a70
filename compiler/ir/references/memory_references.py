"""Loads and stores as references to objects: a base, and where in it the access goes.

The base is the pointer or memref that the address is computed from: an argument, a local
variable, a global, what malloc gave, or a pointer that was loaded.
"""

from __future__ import annotations

from functools import cached_property

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.evolution.entered_loops import where_entered
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Expr, Unknown
from polyopt.ir.expressions.integer_forms import exact_quotient
from polyopt.ir.expressions.shapes import element_bytes, extents, linear_offset
from polyopt.support.record import record


@record
class Reference:
    """`base + offset` (bytes) is the first element of an array of this `shape`, whose element at
    `indices` is accessed."""

    op: memref.LoadOp | memref.StoreOp
    base: SSAValue
    offset: Expr
    shape: tuple[Expr | None, ...]
    indices: tuple[Expr, ...]

    @property
    def is_write(self) -> bool:
        return isinstance(self.op, memref.StoreOp)

    @property
    def type(self) -> MemRefType[Attribute]:
        return memref_type(self.op.memref)

    @property
    def element_bytes(self) -> int:
        size = element_bytes(self.type.element_type)
        assert size is not None
        return size

    @cached_property
    def place(self) -> Expr | None:
        """Where the element starts, in bytes from the base."""
        inner = linear_offset(self.shape, self.indices)
        return None if inner is None else self.offset + inner * self.element_bytes

    @cached_property
    def flat(self) -> Expr | None:
        """The place of the element, in elements from the base."""
        return None if self.place is None else exact_quotient(self.place, self.element_bytes)


def reference(op: memref.LoadOp | memref.StoreOp, evolution: Evolution) -> Reference | None:
    """None where the address is no base plus an offset or the array is not row-major."""
    block = enclosing_block(op)
    if element_bytes(memref_type(op.memref).element_type) is None:
        return None
    shape = extents(op.memref, evolution, block)
    parts = split_address(evolution.address(op.memref, block))
    if shape is None or parts is None:
        return None
    indices = tuple(
        where_entered(evolution.signed(index, block), block, evolution) for index in op.indices
    )
    offset = where_entered(parts[1], block, evolution)
    return Reference(op, parts[0], offset, tuple(shape), indices)


def split_address(address: Expr) -> tuple[SSAValue, Expr] | None:
    """(base, bytes from it), where the address is that of one base plus a number."""
    bases = [atom for atom in address.all_atoms() if _is_base(atom)]
    if len(bases) != 1:
        return None
    base = bases[0]
    assert isinstance(base, Unknown)
    offset = address - Expr.of(base)
    if any(_is_base(atom) for atom in offset.all_atoms()):
        return None
    return base.value, offset


def _is_base(atom: object) -> bool:
    return isinstance(atom, Unknown) and isinstance(atom.value.type, LLVMPointerType | MemRefType)
