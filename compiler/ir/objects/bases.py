"""Which objects cannot overlap.

Every access goes through a base. Two different bases are disjoint for sure where C or the way
they came to be says so:

    local variables, allocations, globals     from each other, if they are different objects, also
                                              where control flow chose between some
    local variables and new allocations       from what came from outside: arguments
    an argument declared restrict             from the bases above and other arguments, and, if it
                                              is not given to anybody, from pointers that are read
                                              from memory: these are not based on it
    a local variable whose address is not     from everything
      given to anybody
    constants: literals, `static const`       from everything: nobody may write what lies there, so
                                              that whoever does writes elsewhere
"""

from __future__ import annotations

from enum import Enum, auto

from xdsl.dialects import func, memref
from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.objects.named_symbols import named_by
from polyopt.ir.objects.pointed_objects import is_allocation, may_point_to_one


class BaseKind(Enum):
    LOCAL = auto()
    ALLOCATED = auto()
    GLOBAL = auto()
    RESTRICT = auto()
    ARGUMENT = auto()
    UNKNOWN = auto()


def object_of(place: SSAValue) -> SSAValue:
    """The base of a view or an address, wherever it lies in the object."""
    while True:
        match place.owner:
            case cmem.ViewOp() | cmem.OffsetOp() as op:
                place = op.operands[0]
            case cmem.AddressOp() as op:
                place = op.memref
            case _:
                return place


def base_kind(base: SSAValue) -> BaseKind:
    owner = base.owner
    if isinstance(owner, Block):
        return _argument_kind(base, owner)
    match owner:
        case memref.AllocaOp():
            return BaseKind.LOCAL
        case memref.AllocOp():
            return BaseKind.ALLOCATED
        case func.CallOp() if is_allocation(owner):
            return BaseKind.ALLOCATED
        case cmem.AddressOfOp():
            return BaseKind.GLOBAL
        case _:
            return BaseKind.UNKNOWN


def is_there(base: SSAValue) -> bool:
    """Whether it is an object that exists for sure, so that it may be loaded wherever its address
    is known: a variable, but no weak one, which nobody may have defined."""
    match base.owner:
        case memref.AllocaOp():
            return True
        case cmem.AddressOfOp() as address:
            found = named_by(address)
            return found is None or "weak" not in cmem.linker_marks(found)
        case _:
            return False


def are_disjoint(a: SSAValue, b: SSAValue) -> bool:
    """No element that anybody writes is accessed both through base `a` and through base `b`."""
    if a is b:
        return False
    if _is_constant(a) != _is_constant(b):
        return True
    kinds = {base_kind(a), base_kind(b)}
    if BaseKind.UNKNOWN in kinds:
        if any(base_kind(base) is BaseKind.LOCAL and not escapes(base) for base in (a, b)):
            return True
        if any(_is_apart_from_loaded(*pair) for pair in ((a, b), (b, a))):
            return True
        return not may_point_to_one(a, b)
    if BaseKind.RESTRICT in kinds:
        return True
    if kinds == {BaseKind.GLOBAL}:
        return _symbol(a) != _symbol(b)
    if kinds <= {BaseKind.ARGUMENT, BaseKind.GLOBAL}:
        return False
    return True


def _is_apart_from_loaded(base: SSAValue, pointer: SSAValue) -> bool:
    """`im` and `im->pixels`, where `im` is an argument declared restrict: would it point to a copy
    of what it points to, the pointer read from there would be the same (C11, 6.7.3.1p3)."""
    is_loaded = isinstance(pointer.owner, memref.LoadOp)
    return is_loaded and base_kind(base) is BaseKind.RESTRICT and not escapes(base)


def escapes(base: SSAValue) -> bool:
    """The address of a local variable, or one that came as an argument, may have gone to memory, to
    a function, or into another variable."""
    pending = [base]
    while pending:
        value = pending.pop()
        for use in value.uses:
            match use.operation:
                case memref.LoadOp():
                    continue
                case memref.StoreOp() as store if store.value is not value:
                    continue
                case cmem.ViewOp() | cmem.AddressOp() | cmem.OffsetOp() as op:
                    pending.append(op.result)
                case cmem.DistinctObjectsOp() as op:
                    pending.append(op.res[use.index])
                case _:
                    return True
    return False


def _argument_kind(base: SSAValue, block: Block) -> BaseKind:
    function = block.parent_op()
    if not isinstance(function, func.FuncOp) or function.body.blocks.first is not block:
        return BaseKind.UNKNOWN
    assert isinstance(base, BlockArgument)
    if function.arg_attrs is not None:
        if "llvm.noalias" in function.arg_attrs.data[base.index].data:
            return BaseKind.RESTRICT
    return BaseKind.ARGUMENT


def _is_constant(base: SSAValue) -> bool:
    """An object in which nothing is written, ever (C11, 6.7.3p6)."""
    if not isinstance(base.owner, cmem.AddressOfOp):
        return False
    found = named_by(base.owner)
    return isinstance(found, cmem.GlobalOp) and found.constant is not None


def _symbol(base: SSAValue) -> str:
    assert isinstance(base.owner, cmem.AddressOfOp)
    return base.owner.symbol.string_value()
