"""The objects that a pointer may stand on, where control flow chose between several.

    int *now = front[0], *next = front[1];        now, next:  {front}
    while (…) {                                   so that what is stored through `next`
        … t = now; now = next; next = t;          changes no other array
    }

An object is named by its global, or by the operation that made it: then it is each object that this
operation makes; if asked for, also by the parameter that leads to it. A pointer in a local variable
whose address nobody takes is any that is stored there.
"""

from __future__ import annotations

from dataclasses import field

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.branches import incoming
from polyopt.ir.effects import constant_integer
from polyopt.support.record import entity

Object = str | SSAValue

ALLOCATORS = frozenset(("malloc", "calloc", "aligned_alloc", "realloc", "valloc", "memalign"))
_MOST_VALUES = 64


def may_point_to_one(a: SSAValue, b: SSAValue) -> bool:
    """False only if there is no object that both pointers may stand on. No parameter leads to what
    the function makes."""
    objects = pointed_objects(a, parameters=True).objects
    others = pointed_objects(b, parameters=True).objects if objects else {}
    return not others or any(_may_be_one(one, other) for one in objects for other in others)


def _may_be_one(one: Object, other: Object) -> bool:
    if one == other:
        return True
    own = isinstance(one, OpResult), isinstance(other, OpResult)
    led_to = isinstance(one, BlockArgument) or isinstance(other, BlockArgument)
    return led_to and not any(own)


@entity
class Pointed:
    """`objects`: those that an access may touch, in the order in which they were found; none where
    that cannot be told. `choices`: the places where one of several pointers was chosen."""

    objects: dict[Object, None] = field(default_factory=dict[Object, None])
    choices: int = 0


def pointed_objects(pointer: SSAValue, *, parameters: bool = False) -> Pointed:
    """What an access through a pointer or memref may touch. Through the null pointer nothing is
    accessed. With `parameters`, what a parameter of the function leads to is named by that."""
    found = Pointed()
    seen: set[SSAValue] = {pointer}
    pending = [pointer]
    while pending:
        value = pending.pop()
        made = value if parameters and is_parameter(value) else made_object(value)
        if made is not None:
            found.objects[made] = None
            continue
        if _is_null(value):
            continue
        sources = _sources(value)
        if sources is None or len(seen) > _MOST_VALUES:
            return Pointed()
        found.choices += len(sources) > 1
        for source in sources:
            if source not in seen:
                seen.add(source)
                pending.append(source)
    return found


def made_object(value: SSAValue) -> Object | None:
    """The object at whose start this pointer or memref stands, as the operation says that gives
    it."""
    if not isinstance(value, OpResult):
        return None
    match value.op:
        case memref.AllocOp() | memref.AllocaOp():
            return value
        case cmem.AddressOfOp() as op:
            return op.symbol.string_value()
        case memref.GetGlobalOp() as op:
            return op.name_.string_value()
        case func.CallOp() as op if is_allocation(op):
            return value
        case _:
            return None


def is_parameter(value: SSAValue) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    around = value.block.parent_op()
    return isinstance(around, func.FuncOp) and around.body.blocks.first is value.block


def is_allocation(call: func.CallOp) -> bool:
    """It calls the C library's function, not one of that name which the program has itself."""
    if call.callee.string_value() not in ALLOCATORS:
        return False
    around = call.parent_op()
    while around is not None and not isinstance(around, ModuleOp):
        around = around.parent_op()
    if around is None:
        return False
    called = _function(around, call.callee.root_reference.data)
    return called is None or not called.body.blocks


def _function(module: ModuleOp, name: str) -> func.FuncOp | None:
    """The module's function of that name. Where it was met last is looked first: a long program
    calls few allocators from many places."""
    met: dict[str, func.FuncOp] = vars(module).setdefault(_MET, {})
    found = met.get(name)
    if found is None or found.parent_op() is not module or found.sym_name.data != name:
        functions = (op for op in module.ops if isinstance(op, func.FuncOp))
        found = next((op for op in functions if op.sym_name.data == name), None)
        if found is not None:
            met[name] = found
    return found


_MET = "_functions_met"
"""Where a module keeps them: it goes with them."""


def source_of(owner: Operation, result: OpResult) -> SSAValue | None:
    """The pointer or memref that this one is a place of."""
    match owner:
        case cmem.ViewOp():
            return owner.source
        case cmem.OffsetOp():
            return owner.base
        case cmem.AddressOp():
            return owner.memref
        case cmem.DistinctObjectsOp():
            return owner.memrefs[result.index]
        case memref.CastOp() | memref.SubviewOp() | memref.ReinterpretCastOp() | memref.ViewOp():
            return owner.source
        case _:
            return None


def _sources(value: SSAValue) -> list[SSAValue] | None:
    """What `value` may be."""
    if isinstance(value, BlockArgument):
        return _passed_to(value)
    assert isinstance(value, OpResult)
    match value.op:
        case arith.SelectOp() as op:
            return [op.lhs, op.rhs]
        case scf.IfOp() as op:
            return [_yielded(region.block.last_op, value.index) for region in op.regions]
        case scf.ForOp() as op:
            return [op.iter_args[value.index], _yielded(op.body.block.last_op, value.index)]
        case memref.LoadOp() as op:
            return _stored_in(op.memref)
        case op:
            source = source_of(op, value)
            return None if source is None else [source]


def _passed_to(argument: BlockArgument) -> list[SSAValue] | None:
    block = argument.block
    around = block.parent_op()
    if isinstance(around, scf.ForOp) and argument.index > 0:
        place = argument.index - 1
        return [around.iter_args[place], _yielded(block.last_op, place)]
    if not isinstance(around, func.FuncOp) or is_parameter(argument):
        return None
    return [edge.values[argument.index] for edge in incoming(block)]


def _stored_in(variable: SSAValue) -> list[SSAValue] | None:
    """What a local variable of one pointer ever holds."""
    if not isinstance(variable.owner, memref.AllocaOp) or cmem.memref_type(variable).get_shape():
        return None
    stored: list[SSAValue] = []
    for use in variable.uses:
        match use.operation:
            case memref.LoadOp():
                continue
            case memref.StoreOp() as store if store.value is not variable:
                stored.append(store.value)
            case _:
                return None
    return stored


def _yielded(last: Operation | None, place: int) -> SSAValue:
    assert last is not None
    return last.operands[place]


def _is_null(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, cmem.IntToPtrOp) and constant_integer(owner.source) == 0
