"""Numbers that calls pass by name.

    static const int width = 8;
    int taps = 5;
    filter(x, y, n, width, taps);          ->        filter(x, y, n, 8, 5);

Known are objects that nobody writes (`read_only_objects.py`), and local variables that are set to
one number only: where nothing has been set there is nothing to be read.
"""

from __future__ import annotations

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import as_signed, bit_width, constant_integer, folded_integer
from polyopt.passes.prepare.values.read_only_objects import Tables, element_read, read_only_objects


def give_numbers(module: ModuleOp) -> None:
    """Let calls of functions that are here pass numbers where they are known."""
    here = {
        one.sym_name.data for one in module.ops if isinstance(one, func.FuncOp) and one.body.blocks
    }
    calls = [
        op
        for op in module.walk()
        if isinstance(op, func.CallOp) and op.callee.string_value() in here
    ]
    named = [(call, place) for call in calls for place in _places(call)]
    if not named:
        return
    tables = read_only_objects(module)
    for call, place in named:
        number = _number(call.operands[place], tables)
        if number is not None:
            _pass(call, place, number)


def _places(call: func.CallOp) -> list[int]:
    """Of the integers that it does not pass as they stand there."""
    return [
        place
        for place, value in enumerate(call.operands)
        if isa(value.type, IntegerType) and not isinstance(value.owner, arith.ConstantOp)
    ]


def _number(value: SSAValue, tables: Tables) -> int | None:
    op = value.owner
    if isinstance(op, memref.LoadOp):
        element = element_read(op, tables) or _only_value(op)
        if not isinstance(element, IntegerAttr):
            return None
        return as_signed(element.value.data, bit_width(value))
    if isinstance(op, arith.TruncIOp):
        wide = _number(op.input, tables)
        return wide if wide is not None and as_signed(wide, bit_width(value)) == wide else None
    known = constant_integer(value)
    return folded_integer(op, lambda one: _number(one, tables)) if known is None else known


def _only_value(load: memref.LoadOp) -> Attribute | None:
    """What a local variable is set to, by each store, and nobody else."""
    if not isinstance(load.memref.owner, memref.AllocaOp) or load.indices:
        return None
    found = set[Attribute | None]()
    for use in load.memref.uses:
        match use.operation:
            case memref.LoadOp():
                pass
            case memref.StoreOp() as store if store.memref is load.memref:
                value = store.value.owner
                found.add(value.value if isinstance(value, arith.ConstantOp) else None)
            case _:
                return None
    return found.pop() if len(found) == 1 else None


def _pass(call: func.CallOp, place: int, number: int) -> None:
    old = call.operands[place]
    type_ = old.type
    assert isa(type_, IntegerType)
    if as_signed(number, bit_width(old)) != number:
        return
    constant = arith.ConstantOp(IntegerAttr(number, type_))
    constant.location = call.location
    constant.result.name_hint = old.name_hint
    assert call.parent is not None
    call.parent.insert_op_before(constant, call)
    call.operands[place] = constant.result
