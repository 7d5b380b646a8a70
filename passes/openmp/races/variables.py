"""Variables of a serial view in a form that loops can be understood with, and races still seen.

A scalar that threads share and write is looked at twice. For the sake of loops that it steers it
stays what it is, and becomes a value; its accesses are done once more, to an element of a shadow
that stays in memory. Where a thread changes it under a lock, what it is depends on who came before:
it is in memory for all, so that nobody knows its value. Pointers and sizes in global variables that
nothing in a construct changes are read in front of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, IntegerType, MemRefType, StringAttr, i32
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import element_type, memref_type
from polyopt.passes.openmp.races.code import Code
from polyopt.passes.openmp.races.constructs import ORDERED, Construct, MemoryOp, SerialView
from polyopt.passes.openmp.races.updates import RaceUpdate, update_of


def load_globals_once(view: SerialView, root: Construct) -> None:
    """Pointers and sizes in global variables that the construct does not change are read in
    front of it: what they lead to is then one object, the same for all threads."""
    if root.has_calls or root.begin is None:
        return
    loads: dict[tuple[StringAttr, Attribute], list[memref.LoadOp]] = {}
    stored: set[StringAttr] = set()
    for op, construct in view.under.items():
        assert isinstance(op, memref.LoadOp | memref.StoreOp)
        symbol = _global_variable(op.memref)
        if symbol is None or symbol.data in view.thread_local:
            continue
        if root not in construct.around():
            continue
        if isinstance(op, memref.StoreOp):
            stored.add(symbol)
        elif isinstance(type := element_type(op.memref), IntegerType | LLVMPointerType):
            loads.setdefault((symbol, cast(Attribute, type)), []).append(op)
    for (symbol, _), same in loads.items():
        if symbol in stored:
            continue
        code = Code(_block(root.begin), root.begin.location, before=root.begin)
        address = code.add(cmem.AddressOfOp(symbol.data))
        place = code.add(cmem.ViewOp(address, [], memref_type(same[0].memref)))
        load = code.add(memref.LoadOp.get(place.result, []))
        load.res.name_hint = symbol.data
        view.uniform.add(load.res)
        for one in same:
            one.res.replace_all_uses_with(load.res)
            del view.under[one]
            one.detach()
            one.erase()


def add_shadows(view: SerialView, zero: arith.ConstantOp) -> None:
    """Of the variables that some construct shares and writes in it."""
    for variable, home in list(view.homes.items()):
        if memref_type(variable).get_num_dims():
            continue
        uses = [use.operation for use in variable.uses]
        accesses = [
            op
            for op in uses
            if isinstance(op, memref.LoadOp | memref.StoreOp)
            and op.memref is variable
            and op in view.under
        ]
        sharing: set[Construct] = set()
        for op in accesses:
            if isinstance(op, memref.StoreOp):
                sharing |= _sharing(view.under[op], variable, home)
        if not sharing:
            continue
        is_in_turn = any(_is_in_turn(view.under[op], sharing) for op in accesses)
        _add_shadow(view, zero, variable, home, accesses, sharing)
        if is_in_turn:
            _keep_in_memory(view, zero, variable)


def _add_shadow(
    view: SerialView,
    zero: arith.ConstantOp,
    variable: SSAValue,
    home: Construct | None,
    accesses: Sequence[MemoryOp],
    sharing: set[Construct],
) -> None:
    code = Code(_block(zero), view.function.location, before=zero)
    shadow = code.slot(MemRefType(i32, [1]), variable.name_hint)
    view.shadows[shadow] = variable
    view.reads[variable] = sum(isinstance(use.operation, memref.LoadOp) for use in variable.uses)
    view.homes[shadow] = home
    for construct in {one for op in accesses for one in view.under[op].around()}:
        if variable in construct.own:
            construct.own.add(shadow)
    updates = {
        op: update_of(op, lambda load: load.memref is variable)
        for op in accesses
        if isinstance(op, memref.StoreOp)
    }
    again_of: dict[Operation, MemoryOp] = {}
    for op in accesses:
        construct = view.under.pop(op)
        if sharing.isdisjoint(construct.around()):
            continue
        at = Code(_block(op), op.location, before=op)
        if isinstance(op, memref.LoadOp):
            again: MemoryOp = at.add(memref.LoadOp.get(shadow, [zero.result]))
        else:
            number = at.add(arith.ConstantOp(IntegerAttr(0, i32))).result
            again = at.add(memref.StoreOp.get(number, shadow, [zero.result]))
        view.under[again] = construct
        view.originals[again] = op
        again_of[op] = again
    for op, update in updates.items():
        if update is not None and op in again_of and update.load in again_of:
            known = RaceUpdate(update.operator, again_of[update.load])
            view.updates[again_of[op]] = known


def _is_in_turn(construct: Construct, sharing: set[Construct]) -> bool:
    """Whether threads that share a variable come there in an order that only the run decides."""
    for one in construct.around():
        if one in sharing:
            return False
        if one.kind == "lock" and one.lock != ORDERED:
            return True
    return False


def _keep_in_memory(view: SerialView, zero: arith.ConstantOp, variable: SSAValue) -> None:
    """What the variable has is taken from an element that it is stored to as well."""
    code = Code(_block(zero), view.function.location, before=zero)
    element = memref_type(variable).element_type
    kept = code.slot(MemRefType(element, [1]), variable.name_hint)
    for op in [use.operation for use in variable.uses]:
        at = Code(_block(op), op.location, before=op)
        if isinstance(op, memref.StoreOp) and op.memref is variable:
            at.add(memref.StoreOp.get(op.value, kept, [zero.result]))
        elif isinstance(op, memref.LoadOp):
            op.res.replace_all_uses_with(at.add(memref.LoadOp.get(kept, [zero.result])).res)


def _sharing(construct: Construct, variable: SSAValue, home: Construct | None) -> set[Construct]:
    """The constructs around whose threads or lanes have this one variable together."""
    found: set[Construct] = set()
    for one in construct.around():
        if one is home or variable in one.own:
            break
        if one.kind in ("parallel", "simd"):
            found.add(one)
    return found


def _global_variable(value: SSAValue) -> StringAttr | None:
    """The symbol of the scalar variable that a view is of."""
    view = value.owner
    if not isinstance(view, cmem.ViewOp) or memref_type(value).get_num_dims():
        return None
    address = view.operands[0].owner
    return address.symbol.root_reference if isinstance(address, cmem.AddressOfOp) else None


def _block(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent
