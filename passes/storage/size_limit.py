"""A SCoP in two versions, of which sizes choose when it runs."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from math import prod

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.poly import ScopOp
from polyopt.passes.storage.moved_accesses import emit_extent
from polyopt.poly.changes.extents import Extent, constant_extent, greatest_extents
from polyopt.poly.isl.numbers import val
from polyopt.support.record import record


@record(eq=False)
class Request:
    """A new array of elements of `element_bytes` with these extents, or anything else that is a
    product of extents."""

    element_bytes: int
    extents: tuple[Extent, ...]

    def known_bytes(self) -> int | None:
        """None where parameters decide."""
        known = [constant_extent(one) for one in self.extents]
        if any(one is None for one in known):
            return None
        return prod(one or 0 for one in known) * self.element_bytes

    def most_bytes(self, parameters: isl.Set) -> int | None:
        """What it never takes more than."""
        most = greatest_extents(self.extents, parameters)
        return None if most is None else prod(most) * self.element_bytes

    def affine_bytes(self) -> isl.PwAff | None:
        """Where no more than one extent varies."""
        known = [constant_extent(one) for one in self.extents]
        varying = [one for one, size in zip(self.extents, known, strict=True) if size is None]
        if len(varying) > 1 or not self.extents or isinstance(self.extents[0], isl.PwAff):
            return None
        fixed = [size for size in known if size is not None]
        form = (varying or [_number(self.extents[0], 1)])[0]
        if isinstance(form, isl.PwAff):
            return None
        rows = isl.PwAff.from_aff(form).max(isl.PwAff.from_aff(_number(form, 0)))
        return rows.scale_val(val(prod(fixed) * self.element_bytes))


def _number(like: isl.Aff, number: int) -> isl.Aff:
    return like.sub(like).add_constant_val(val(number))


def always_fit(
    requests: Seq[Request], limit: int, parameters: isl.Set | None = None
) -> bool | None:
    """Whether the arrays take no more than `limit` bytes together, for such parameters; None where
    these decide."""
    sizes = [request.known_bytes() for request in requests]
    if sum(size for size in sizes if size is not None) > limit:
        return False
    if None not in sizes:
        return True
    most = [None if parameters is None else one.most_bytes(parameters) for one in requests]
    return True if None not in most and sum(size or 0 for size in most) <= limit else None


def beyond(requests: Seq[Request], limit: int) -> isl.Set | None:
    """The parameters for which the arrays take more than `limit` bytes together; None where that is
    not affine in them."""
    sizes = [request.affine_bytes() for request in requests]
    total: isl.PwAff | None = None
    for size in sizes:
        if size is None:
            return None
        total = size if total is None else total.add(size)
    if total is None:
        return None
    space = total.get_domain_space()
    least = isl.PwAff.from_aff(isl.Aff.val_on_domain_space(space, val(limit + 1)))
    return total.ge_set(least).params()


def insert_version(
    op: ScopOp, requests: Seq[Request], limit: int, also: SSAValue | None = None
) -> scf.IfOp:
    """`op` runs where its arrays take no more than `limit` bytes together, and where the test
    `also` in front of it holds; a copy of it, as it is now, elsewhere."""
    test = within_limit(op, requests, limit)
    if also is not None:
        test = _Code(op, limit).insert(arith.AndIOp(test, also))
    return insert_choice(op, test)


def within_limit(op: ScopOp, requests: Seq[Request], limit: int) -> SSAValue:
    """Whether the arrays take no more than `limit` bytes together, computed in front of `op`."""
    code = _Code(op, limit)
    total = code.constant(0)
    for request in requests:
        size = code.constant(request.element_bytes)
        for extent in request.extents:
            size = code.capped(arith.MuliOp, size, emit_extent(op, extent))
        total = code.capped(arith.AddiOp, total, size)
    return code.insert(arith.CmpiOp(total, code.constant(limit), "ule"))


def insert_choice(op: ScopOp, condition: SSAValue) -> scf.IfOp:
    """`op` runs where the condition, in front of it, holds, a copy of it, as it is now,
    elsewhere."""
    taken, other = Block(), Block()
    choice = scf.IfOp(condition, [], Region(taken), Region(other))
    choice.location = op.location
    Rewriter.insert_op(choice, InsertPoint.before(op))
    other.add_op(op.clone())
    op.detach()
    taken.add_op(op)
    for version in (taken, other):
        end = scf.YieldOp()
        end.location = op.location
        version.add_op(end)
    return choice


@record
class _Code:
    """Emits in front of `op`. All numbers stay at or below `limit` + 1, so that none wraps."""

    op: ScopOp
    limit: int

    def insert(self, new: Operation) -> SSAValue:
        new.location = self.op.location
        Rewriter.insert_op(new, InsertPoint.before(self.op))
        return new.results[0]

    def constant(self, value: int) -> SSAValue:
        return self.insert(arith.ConstantOp(IntegerAttr(value, IndexType())))

    def capped(
        self, operation: type[arith.MuliOp | arith.AddiOp], one: SSAValue, other: SSAValue
    ) -> SSAValue:
        most = self.constant(self.limit + 1)
        bounded = self.insert(arith.MinUIOp(other, most))
        return self.insert(arith.MinUIOp(self.insert(operation(one, bounded)), most))
