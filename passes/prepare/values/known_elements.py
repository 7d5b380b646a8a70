"""Loads of elements that the program says itself: those of tables that nobody writes, at constant
places."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.values.clean_values import clean_values
from polyopt.passes.prepare.values.read_only_objects import Tables, element_read, read_only_objects
from polyopt.support.record import record


@record
class FoldKnownElementsPass(ModulePass):
    """The weights of a filter, when its window is straight code, are numbers.

    Requires: nothing. Ensures: no load of an object that stays as the program says
    (`read_only_objects.py`), at a constant place within it, is left.

        cmem.global "internal" constant @w size 12 align 4 bytes [1, 0, 0, 0, 2, 0, …]
        %p = cmem.address_of @w
        %v = cmem.view %p[] : memref<3xi32>            ->    %x = arith.constant 2 : i32
        %x = memref.load %v[%c1] : memref<3xi32>
    """

    name = "fold-known-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        tables = read_only_objects(op)
        if not tables:
            return
        for function in functions_near_loops(op):
            loads = [one for one in function.walk() if isinstance(one, memref.LoadOp)]
            if [one for one in loads if _fold(one, tables)]:
                clean_values(ControlFlow(function.body))


def _fold(load: memref.LoadOp, tables: Tables) -> bool:
    value, block = element_read(load, tables), load.parent
    if value is None or block is None:
        return False
    constant = arith.ConstantOp.create(properties={"value": value}, result_types=[load.res.type])
    constant.location = load.location
    block.insert_op_before(constant, load)
    constant.results[0].name_hint = load.res.name_hint
    load.res.replace_all_uses_with(constant.results[0])
    load.detach()
    load.erase()
    return True
