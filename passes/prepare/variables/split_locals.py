"""Local structs become variables for their members, and variables whose address is taken and goes
nowhere become variables like others.

What bounds a loop may be a member of a struct, or reached through a pointer to a local variable:
`for (i = r.low; i < r.high; i += r.step)`. As bytes in memory it is data; as a variable it is
promoted, and the loop may become a static control part.

    1. the accesses of a local object by constant places: (first byte, type); any other use, and
       the object is left alone
    2. bytes that are filled and written again before anything is read, as initialisers do
    3. copies of the whole, from or to elsewhere, are those of its places; bytes that are zero and
       nothing else is done with are filled with zeros where they are copied to
    4. places that overlap are cut into the smallest pieces: a struct of floats that travels in
       doubles, or the members of a union. Each piece becomes a `memref.alloca` of rank 0; what is
       accessed as a whole is put together of them, or taken apart into them, bit by bit
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import constant_integer
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.values.clean_values import clean_values
from polyopt.passes.prepare.values.parts_of_values import fold_parts, has_bits, joined, part
from polyopt.passes.prepare.variables.copied_values import COPIES, copy_values
from polyopt.passes.prepare.variables.promote_scalars import promote_scalars
from polyopt.passes.prepare.variables.zeros import zero_of
from polyopt.support.core_model import CORE
from polyopt.support.record import entity, record


@record
class SplitLocalsPass(ModulePass):
    """Local structs are taken apart into variables, which are promoted as others are.

    A local object of constant size goes if everything that is done with it is to load and store
    members at constant places. Of places that overlap each is integers, floating-point numbers or
    pointers of at most 64 bits. The address of a variable may be taken, as long as it is used for
    nothing else. In loops, where C copies the bytes of a number to ask for its bits, it is loaded
    and stored (`copied_values.py`); from then on, if it was no variable, accesses of different
    types may touch the same memory.

    Requires: pointers are values (promote-scalars). Ensures: other objects are as they were.

        %r = memref.alloca() : memref<8xi8>            %r_0 = memref.alloca() : memref<i32>
        %p = cmem.address %r[%0]                       %r_4 = memref.alloca() : memref<i32>
        %q = cmem.offset %p, %4 stride 1        ->     memref.store %n, %r_4[]
        %m = cmem.view %q[] : memref<i32>
        memref.store %n, %m[]
    """

    name = "split-locals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [one for one in op.ops if isinstance(one, func.FuncOp) and one.body.blocks]
        has_own_copies = any(one.sym_name.data in COPIES for one in functions)
        for function in functions_near_loops(op):
            copied, as_declared = (False, True) if has_own_copies else copy_values(function)
            if not as_declared:
                op.attributes.pop(cmem.STRICT_ALIASING, None)
            if _split_all(function) or copied:
                flow = ControlFlow(function.body)
                promote_scalars(flow)
                fold_parts(function)
                clean_values(flow)


@record
class _Bytes:
    """Bytes of an object, as an element of this type."""

    first: int
    type: Attribute

    @property
    def end(self) -> int:
        size = element_bytes(self.type)
        assert size is not None
        return self.first + size

    def is_in(self, first: int, end: int) -> bool:
        return first <= self.first and self.end <= end

    def overlaps(self, other: _Bytes) -> bool:
        return self.first < other.end and other.first < self.end


@entity
class _Object:
    """`accesses` of each place; `copied` are copies from or to it, with the byte at which they
    begin in it; `cleared` are calls that fill bytes, from the first up to the end,
    with zeros; `passing` are the operations that compute addresses in it."""

    alloca: memref.AllocaOp
    accesses: dict[Operation, _Bytes] = field(default_factory=dict[Operation, _Bytes])
    cleared: dict[func.CallOp, tuple[int, int]] = field(
        default_factory=dict[func.CallOp, tuple[int, int]]
    )
    copied: dict[cmem.CopyOp, int] = field(default_factory=dict[cmem.CopyOp, int])
    passing: list[Operation] = field(default_factory=list[Operation])


def _split_all(function: func.FuncOp) -> bool:
    entry = function.body.blocks.first
    assert entry is not None
    found = False
    for op in list(entry.ops):
        if isinstance(op, memref.AllocaOp) and not op.dynamic_sizes:
            found = split_local(op) or found
    return found


def split_local(alloca: memref.AllocaOp) -> bool:
    """Was the object taken apart?"""
    size = _bytes_of(alloca)
    if size is None or size > CORE.code.object_bytes:
        return False
    one = _Object(alloca)
    if not all(_follow(one, use.operation, alloca.memref, 0) for use in alloca.memref.uses):
        return False
    if not one.passing and not memref_type(alloca.memref).get_shape():
        return False
    if any(place.first < 0 or place.end > size for place in one.accesses.values()):
        return False
    filled = list(_filled_in_vain(one))
    for store in filled:
        del one.accesses[store]
    pieces = _pieces(set(one.accesses.values()))
    if pieces is None or not _can_clear(one, pieces) or not _can_copy(one, pieces):
        return False
    for store in filled:
        _erase(store)
    _replace(one, pieces)
    return True


def _pieces(places: set[_Bytes]) -> list[_Bytes] | None:
    """The bytes of the places cut so that each place is made of whole pieces: where only one place
    is, it is the piece. None where bits of what overlaps cannot be taken apart."""
    ordered = sorted(places, key=lambda place: (place.first, place.end))
    result: list[_Bytes] = []
    while ordered:
        group = [ordered.pop(0)]
        while ordered and ordered[0].first < max(place.end for place in group):
            group.append(ordered.pop(0))
        if len(group) == 1:
            result.extend(group)
            continue
        if not all(has_bits(place.type) for place in group):
            return None
        cuts = sorted({at for place in group for at in (place.first, place.end)})
        for first, end in pairwise(cuts):
            type = _type_of_piece(group, first, end)
            if type is None:
                return None
            result.append(_Bytes(first, type))
    return result


def _type_of_piece(group: Sequence[_Bytes], first: int, end: int) -> Attribute | None:
    """As what the bytes are accessed, pointers and floating-point numbers before integers; or else
    an integer of their size, None where there is none."""
    whole = [place.type for place in group if (place.first, place.end) == (first, end)]
    integer = IntegerType(8 * (end - first))
    whole.sort(key=lambda type: (isinstance(type, IntegerType), str(type)))
    return whole[0] if whole else integer if has_bits(integer) else None


def _bytes_of(alloca: memref.AllocaOp) -> int | None:
    type = memref_type(alloca.memref)
    element = element_bytes(type.element_type)
    shape = type.get_shape()
    return None if element is None else element * prod(shape)


def _follow(one: _Object, op: Operation, through: SSAValue, first: int) -> bool:
    """Collect what is done with an address that is `first` bytes into the object; False where it
    is anything but an access of a place that is known."""
    match op:
        case memref.LoadOp() | memref.StoreOp():
            at = _bytes_before(through, op.indices) if op.memref is through else None
            if at is None or (isinstance(op, memref.StoreOp) and op.value is through):
                return False
            one.accesses[op] = _Bytes(first + at, memref_type(through).element_type)
            return True
        case func.CallOp() if (size := _cleared_bytes(op, through)) is not None:
            one.cleared[op] = first, first + size
            return True
        case cmem.CopyOp() if op not in one.copied:  # not from the object to itself
            one.copied[op] = first
            return True
        case cmem.AddressOp():
            index, step, result = _bytes_before(through, op.indices), 1, op.result
        case cmem.OffsetOp() if op.base is through:
            index, step, result = constant_integer(op.index), op.stride.value.data, op.result
        case cmem.ViewOp() if not op.sizes:
            index, step, result = 0, 1, op.result
        case _:
            return False
    if index is None:
        return False
    one.passing.append(op)
    return all(_follow(one, use.operation, result, first + index * step) for use in result.uses)


def _bytes_before(place: SSAValue, indices: Sequence[SSAValue]) -> int | None:
    """How many bytes of an array lie in front of the element; None where that is no number."""
    type = memref_type(place)
    size = element_bytes(type.element_type)
    if size is None:
        return None
    row = 0
    for extent, index in zip(type.get_shape(), indices, strict=True):
        number = constant_integer(index)
        if number is None:
            return None
        row = row * extent + number
    return row * size


def _cleared_bytes(call: func.CallOp, address: SSAValue) -> int | None:
    """How many, where it is `memset(address, 0, number)` of whose result nothing is made."""
    if call.callee.string_value() != "memset" or len(call.arguments) != 3:
        return None
    where, value, size = call.arguments
    if where is not address or constant_integer(value) != 0 or any(r.first_use for r in call.res):
        return None
    return constant_integer(size)


def _can_copy(one: _Object, places: Sequence[_Bytes]) -> bool:
    """What a copy moves are whole places, and no others are wanted: what only goes into the object
    is read by its places, what only comes out of it was written by them. They are copied as they
    are accessed, so bytes that are accessed as parts of something else alone are not."""
    accessed = set(one.accesses.values())
    for copy, first in one.copied.items():
        end = first + copy.size.value.data
        for place in places:
            if place.first < end and first < place.end:
                if not place.is_in(first, end) or place not in accessed:
                    return False
    goes_in = [_is_into(one, copy) for copy in one.copied]
    return all(goes_in) or not any(goes_in)


def _is_into(one: _Object, copy: cmem.CopyOp) -> bool:
    """The copy's target is in the object, and not its source."""
    value = copy.target
    while isinstance(value.owner, cmem.OffsetOp):
        value = value.owner.base
    return isinstance(value.owner, cmem.AddressOp) and value.owner.memref is one.alloca.memref


def _can_clear(one: _Object, places: Sequence[_Bytes]) -> bool:
    """What a call clears are whole places, of types that have a zero."""
    for first, end in one.cleared.values():
        for place in places:
            inside = first <= place.first and place.end <= end
            beside = place.end <= first or end <= place.first
            if not beside and not (inside and zero_of(place.type)):
                return False
    return True


def _only_cleared(
    one: _Object, places: Sequence[_Bytes], first: int, end: int
) -> Iterator[tuple[int, int]]:
    """Of the bytes from `first` up to `end` those that a call clears and that are in no place: the
    first of each run, and the one behind it. They are zero, or nobody knows what they are."""
    cleared = {byte for start, stop in one.cleared.values() for byte in range(start, stop)}
    taken = {byte for place in places for byte in range(place.first, place.end)}
    left = (cleared - taken) & set(range(first, end))
    starts = sorted(byte for byte in left if byte - 1 not in left)
    stops = sorted(byte + 1 for byte in left if byte + 1 not in left)
    return zip(starts, stops, strict=True)


def _filled_in_vain(one: _Object) -> Iterator[memref.StoreOp]:
    """Stores of single bytes that a store of a whole place in the same block covers before
    anything is read."""
    for op, place in one.accesses.items():
        if isinstance(op, memref.StoreOp) and place.type == i8 and _is_covered(one, op, place):
            yield op


def _is_covered(one: _Object, write: Operation, place: _Bytes) -> bool:
    """What is written there is written again, as a whole, before anything is read."""
    after = write.next_op
    while after is not None:
        other = one.accesses.get(after)
        if isinstance(after, cmem.CopyOp) and after in one.copied:
            return False
        if other is not None and other.overlaps(place):
            covers = other.first <= place.first and place.end <= other.end
            return isinstance(after, memref.StoreOp) and covers
        if after.regions:
            return False
        after = after.next_op
    return False


def _replace(one: _Object, places: Sequence[_Bytes]) -> None:
    block = one.alloca.parent
    assert block is not None
    variables: dict[_Bytes, SSAValue] = {}
    for place in places:
        variable = memref.AllocaOp.get(place.type, shape=())
        variable.location = one.alloca.location
        name = one.alloca.memref.name_hint
        if name is not None and len(places) > 1:
            name = f"{name}_at{place.first}"
        variable.memref.name_hint = name
        block.insert_op_before(variable, one.alloca)
        variables[place] = variable.memref
    written = _written(one, places)
    for op, place in one.accesses.items():
        if place in variables:
            before = () if isinstance(op, memref.LoadOp) else op.operands[:1]
            op.operands = (*before, variables[place])
            continue
        pieces = [piece for piece in places if piece.is_in(place.first, place.end)]
        if isinstance(op, memref.StoreOp):
            _store_parts(op, place, [(piece, variables[piece]) for piece in pieces])
        elif isinstance(op, memref.LoadOp):
            known = [piece for piece in pieces if piece in written] or pieces[:1]
            _load_parts(op, place, [(piece, variables[piece]) for piece in known])
    for copy, first in one.copied.items():
        end = first + copy.size.value.data
        for place in places:
            if place.is_in(first, end):
                _copy(one, copy, place, place.first - first, variables[place])
        if not _is_into(one, copy):
            for start, stop in _only_cleared(one, places, first, end):
                _clear_copied(next(iter(one.cleared)), copy, start - first, stop - start)
    for call, (first, end) in one.cleared.items():
        for place in places:
            is_inside = first <= place.first and place.end <= end
            if is_inside and not _is_covered(one, call, place):
                _clear(call, variables[place], place)
        _erase(call)
    for copy in one.copied:
        _erase(copy)
    for op in reversed(one.passing):
        _erase(op)
    _erase(one.alloca)


def _written(one: _Object, pieces: Sequence[_Bytes]) -> set[_Bytes]:
    """The pieces that something is stored in: others are padding, nobody knows what is there."""
    spans = [(p.first, p.end) for op, p in one.accesses.items() if isinstance(op, memref.StoreOp)]
    spans += one.cleared.values()
    spans += [(at, at + copy.size.value.data) for copy, at in one.copied.items()]
    return {piece for piece in pieces if any(piece.is_in(*span) for span in spans)}


def _store_parts(
    store: memref.StoreOp, place: _Bytes, pieces: Sequence[tuple[_Bytes, SSAValue]]
) -> None:
    for piece, variable in pieces:
        ops = part(store.value, 8 * (piece.first - place.first), piece.type)
        value = ops[-1].results[0] if ops else store.value
        _insert_before(store, (*ops, memref.StoreOp.get(value, variable, ())))
    _erase(store)


def _load_parts(
    load: memref.LoadOp, place: _Bytes, pieces: Sequence[tuple[_Bytes, SSAValue]]
) -> None:
    loads = [memref.LoadOp.get(variable, ()) for _, variable in pieces]
    firsts = [8 * (piece.first - place.first) for piece, _ in pieces]
    ops = joined([(at, one.res) for at, one in zip(firsts, loads, strict=True)], place.type)
    _insert_before(load, (*loads, *ops))
    value = (*loads, *ops)[-1].results[0]
    value.name_hint = load.res.name_hint
    load.res.replace_all_uses_with(value)
    _erase(load)


def _insert_before(at: Operation, ops: Sequence[Operation]) -> None:
    block = at.parent
    assert block is not None
    for op in ops:
        op.location = at.location
        block.insert_op_before(op, at)


def _clear(call: func.CallOp, variable: SSAValue, place: _Bytes) -> None:
    zero = zero_of(place.type)
    block = call.parent
    assert block is not None
    store = memref.StoreOp.get(zero[-1].results[0], variable, ())
    for op in (*zero, store):
        op.location = call.location
        block.insert_op_before(op, call)


def _copy(one: _Object, copy: cmem.CopyOp, place: _Bytes, at: int, variable: SSAValue) -> None:
    """One place of the bytes that a copy moves, `at` behind its start."""
    goes_in = _is_into(one, copy)
    other = copy.source if goes_in else copy.target
    index = arith.ConstantOp(IntegerAttr(at, IndexType()))
    address = cmem.OffsetOp(other, index, 1)
    view = cmem.ViewOp(address, [], MemRefType(place.type, ()))
    source, target = (view.result, variable) if goes_in else (variable, view.result)
    load = memref.LoadOp.get(source, ())
    store = memref.StoreOp.get(load.res, target, ())
    block = copy.parent
    assert block is not None
    for op in (index, address, view, load, store):
        op.location = copy.location
        block.insert_op_before(op, copy)


def _clear_copied(call: func.CallOp, copy: cmem.CopyOp, at: int, size: int) -> None:
    """As `call` does, so many bytes of what a copy writes, `at` behind its start."""
    index = arith.ConstantOp(IntegerAttr(at, IndexType()))
    address = cmem.OffsetOp(copy.target, index, 1)
    value = arith.ConstantOp(IntegerAttr(0, i32))
    count = arith.ConstantOp(IntegerAttr(size, i64))
    clearing = func.CallOp(call.callee, [address, value, count], [one.type for one in call.res])
    block = copy.parent
    assert block is not None
    for op in (index, address, value, count, clearing):
        op.location = copy.location
        block.insert_op_before(op, copy)


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()
