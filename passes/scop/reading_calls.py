"""Whether a call that changes nothing may read an array.

    for (i …) y[i] = look_up(table, n, x[i]);      the table, and what look_up's body names

What it is given leads to objects, its body names others (`poly.reads`, from mark-pure-calls); where
nobody knows what it reads, that is all whose address it may have got: not what is this function's
own, or behind one of its `restrict` pointers, as long as that goes to nobody.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.poly import READING_CALL
from polyopt.ir.effects import pointers_passed
from polyopt.ir.objects.bases import BaseKind, are_disjoint, base_kind, escapes, object_of
from polyopt.ir.objects.pointed_objects import pointed_objects

_NO_GLOBAL = (BaseKind.LOCAL, BaseKind.ALLOCATED, BaseKind.RESTRICT)


def may_read(call: func.CallOp, base: SSAValue) -> bool:
    if any(not are_disjoint(object_of(one), base) for one in pointers_passed(call)):
        return True
    globals_read = call.attributes[READING_CALL]
    if not isa(globals_read, ArrayAttr[StringAttr]):
        return base_kind(base) not in _NO_GLOBAL or escapes(base)
    if not globals_read.data or base_kind(base) in _NO_GLOBAL:
        return False
    objects = pointed_objects(base).objects
    return not objects or any(one.data in objects for one in globals_read)
