"""Whether stencils may work on their fields directly.

A `stencil.load` is what is in a field at that time, and what a `stencil.apply` computes is there
when it is stored. Loops over the fields read when they run, and write at once. That is the same
where, of each field that is stored to,

    1. nothing writes between a load and the stencils that read what was loaded
    2. a stencil that writes to what it reads does so at the same point, or reads elsewhere
    3. nothing reads or writes between a stencil and its store

xDSL's lowering takes one load or store of a field and no more; its `stencil-bufferize`, which takes
others, asks for none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.stencil import (
    AccessOp,
    ApplyOp,
    CastOp,
    LoadOp,
    StencilBoundsAttr,
    StoreOp,
)
from xdsl.ir import Block, Operation, OpResult, SSAValue

Use = LoadOp | StoreOp


def uses_of_shared_fields(module: ModuleOp) -> list[Use]:
    """The loads and stores of fields that are stored to, where there are several."""
    uses: dict[SSAValue, list[Use]] = {}
    for op in module.walk():
        if isinstance(op, Use):
            uses.setdefault(op.field, []).append(op)
    return [
        op
        for ops in uses.values()
        if len(ops) > 1 and any(isinstance(one, StoreOp) for one in ops)
        for op in ops
    ]


def reads_in_order(module: ModuleOp) -> bool:
    """Whether the three laws hold; where that is not seen, they do not."""
    loads = [op for op in module.walk() if isinstance(op, LoadOp)]
    applies = [op for op in module.walk() if isinstance(op, ApplyOp)]
    return all(map(_is_read_in_time, loads)) and all(map(_is_stored_in_time, applies))


def _is_read_in_time(load: LoadOp) -> bool:
    for use in load.res.uses:
        reader = use.operation
        if not isinstance(reader, ApplyOp) or reader.parent is not load.parent:
            return False
        if any(_writes(op, load.field) for op in _between(load, reader)):
            return False
        argument = reader.region.block.args[use.index]
        for store in _stores(reader):
            if _root(store.field) is _root(load.field) and not _is_apart(argument, store.bounds):
                return False
    return True


def _is_stored_in_time(apply: ApplyOp) -> bool:
    for store in _stores(apply):
        if store.parent is not apply.parent:
            return False
        inner = _between(apply, store)
        if any(_reads(op, store.field) or _writes(op, store.field) for op in inner):
            return False
    return True


def _stores(apply: ApplyOp) -> list[StoreOp]:
    users = [use.operation for result in apply.res for use in result.uses]
    return [op for op in users if isinstance(op, StoreOp)]


def _writes(op: Operation, field: SSAValue) -> bool:
    """Whether it writes to the field, at once or where its result is stored later."""
    for inner in op.walk():
        written = [inner.field] if isinstance(inner, StoreOp) else []
        if isinstance(inner, ApplyOp):
            written = [*inner.dest, *(store.field for store in _stores(inner))]
        if any(_root(one) is _root(field) for one in written):
            return True
    return False


def _reads(op: Operation, field: SSAValue) -> bool:
    return any(
        isinstance(inner, LoadOp) and _root(inner.field) is _root(field) for inner in op.walk()
    ) or any(_root(one) is _root(field) for one in _loaded(op))


def _loaded(op: Operation) -> Iterator[SSAValue]:
    """The fields whose loaded values a stencil reads."""
    for value in op.operands if isinstance(op, ApplyOp) else ():
        if isinstance(value, OpResult) and isinstance(value.op, LoadOp):
            yield value.op.field


def _between(first: Operation, last: Operation) -> Sequence[Operation]:
    """What stands between two operations of one block."""
    block = first.parent
    assert isinstance(block, Block)
    ops = list(block.ops)
    return ops[ops.index(first) + 1 : ops.index(last)]


def _root(field: SSAValue) -> SSAValue:
    """The field that casts are of."""
    while isinstance(field, OpResult) and isinstance(field.op, CastOp):
        field = field.op.field
    return field


def _is_apart(argument: SSAValue, written: StencilBoundsAttr) -> bool:
    """Whether a stencil that writes in these bounds reads what it is given there only at the point
    that it writes."""
    extents = [ub - lb for lb, ub in zip(written.lb, written.ub, strict=True)]
    for use in argument.uses:
        access = use.operation
        if not isinstance(access, AccessOp) or len(access.offset) != len(extents):
            return False
        mapping, offsets = access.offset_mapping, list(access.offset)
        if mapping is not None and list(mapping) != list(range(len(extents))):
            return False
        is_outside = any(abs(o) >= e for o, e in zip(offsets, extents, strict=True))
        if any(offsets) and not is_outside:
            return False
    return True
