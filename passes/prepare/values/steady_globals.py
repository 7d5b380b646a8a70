"""Sizes and factors in global variables that a function does not change: each is loaded once, at
the entry, so that the loops of the function count to one and the same value."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import cf, func, memref, scf
from xdsl.ir import Operation, SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import is_pure_here
from polyopt.ir.objects.alias import may_overlap
from polyopt.ir.objects.bases import BaseKind, base_kind, is_there, object_of

_HARMLESS = (
    memref.LoadOp,
    memref.AllocaOp,
    cf.BranchOp,
    cf.ConditionalBranchOp,
    cf.SwitchOp,
    func.ReturnOp,
    scf.YieldOp,
    scf.IfOp,
)


def load_steady_globals_once(flow: ControlFlow) -> None:
    """Where several loads are of one global variable that no store of the function may change, and
    nothing in it may do anything else. A global variable can be loaded anywhere, but for a weak
    one: there may be none."""
    loads: dict[SSAValue, list[memref.LoadOp]] = {}
    stored: list[SSAValue] = []
    for op in _operations(flow):
        if isinstance(op, memref.LoadOp) and _is_global_variable(op, flow):
            loads.setdefault(op.memref, []).append(op)
        elif isinstance(op, memref.StoreOp):
            stored.append(op.memref)
        elif not (isinstance(op, _HARMLESS) or is_pure_here(op)):
            return
    for place, alike in loads.items():
        if len(alike) > 1 and not any(may_overlap(place, other) for other in stored):
            _load_once(place, alike)


def _operations(flow: ControlFlow) -> Iterator[Operation]:
    for block in flow.cfg.blocks:
        for op in block.ops:
            yield from op.walk()


def _is_global_variable(load: memref.LoadOp, flow: ControlFlow) -> bool:
    """One whose place is known in the entry."""
    owner, base = load.memref.owner, object_of(load.memref)
    is_in_entry = isinstance(owner, Operation) and owner.parent is flow.cfg.blocks[0]
    is_global = base_kind(base) is BaseKind.GLOBAL and is_there(base)
    return is_in_entry and not load.indices and is_global


def _load_once(place: SSAValue, alike: list[memref.LoadOp]) -> None:
    first = alike[0].clone()
    owner = place.owner
    assert isinstance(owner, Operation)
    assert owner.parent is not None
    owner.parent.insert_op_after(first, owner)
    first.res.name_hint = alike[0].res.name_hint
    for load in alike:
        load.res.replace_all_uses_with(first.res)
        load.detach()
        load.erase()
