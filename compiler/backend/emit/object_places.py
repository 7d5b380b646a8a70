"""How far apart arrays are put, so that loads do not wait for stores to other places.

A load that is sent off while older stores are under way is compared with them by the low bits of
the addresses, those inside of a page (Intel, Optimization Reference Manual, "4-KByte aliasing"; AMD
Zen 5 does it for loads that cross a line). Where a loop loads from one array at a distance a little
short of whole pages behind where it stores to another one, each load seems to want what has just
been stored, and waits:

    double x[1001], y[1001], z[1012];
    x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);      z + 80 bytes = x + 4 pages - 48 bytes

    double g[5][90][90], h[5][90][90];
    h[p][i][j] = … g[q][i - 1][j] …          of the planes one by one: 25 distances

Of objects that the linker fills with zeros the places in one file are known up to where the first
one is. Each larger one that meets others in a function is moved on by as many lines as it takes to
be at a harmless distance from those in front of it; what is put between is used by nobody.
"""

from __future__ import annotations

from dataclasses import field
from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    MemRefType,
    ModuleOp,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.utils.hints import isa

from polyopt.backend.emit.llvm_types import LINE_BYTES
from polyopt.dialects import cmem
from polyopt.ir.effects import constant_integer
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.support.memory_models import PlaceModel
from polyopt.support.record import entity

_Starts = dict[str, set[int]]


@entity
class _Users:
    """The functions in which an object's elements are stored, and loaded, and from how far on in
    it: arrays of planes are gone through at several places at once."""

    stored: _Starts = field(default_factory=dict[str, set[int]])
    loaded: _Starts = field(default_factory=dict[str, set[int]])


def gaps(module: ModuleOp, model: PlaceModel) -> dict[str, int]:
    """How many bytes are left free in front of which objects; multiples of a line. Only objects
    that the linker fills with zeros and whose definition is this one are moved."""
    users = _users(module, model)
    found: dict[str, int] = {}
    placed: list[tuple[int, _Users]] = []
    at = 0
    for op in module.ops:
        if not isinstance(op, cmem.GlobalOp) or not _is_filled_with_zeros(op):
            continue
        name, size = op.sym_name.data, op.size.value.data
        at = _rounded(at, LINE_BYTES if size >= LINE_BYTES else op.alignment.value.data)
        if size >= model.least and name in users:
            gap = _gap(model, at, users[name], placed[-model.others :])
            if gap:
                found[name] = gap
            at += gap
            placed.append((at, users[name]))
        at += size
    return found


def _is_filled_with_zeros(op: cmem.GlobalOp) -> bool:
    has_value = op.initial is not None or op.relocations is not None or op.constant is not None
    is_own = op.declaration is None and op.linkage.data in ("internal", "external")
    return (
        is_own
        and not has_value
        and not cmem.linker_marks(op)
        and (cmem.THREAD_LOCAL not in op.attributes)
    )


def _rounded(at: int, align: int) -> int:
    return -(-at // align) * align


def _gap(model: PlaceModel, at: int, users: _Users, others: list[tuple[int, _Users]]) -> int:
    """The least one of those with the least wait; 0 where there is little to gain."""
    waits = {
        gap: sum(_wait(model, at + gap, users, place, other) for place, other in others)
        for gap in range(0, model.page, LINE_BYTES)
    }
    best = min(waits, key=lambda gap: (waits[gap], gap))
    has_planes = any(map(_has_planes, (users, *(other for _, other in others))))
    gain = model.gain_of_planes if has_planes else model.gain
    return best if waits[0] - waits[best] >= gain else 0


def _has_planes(users: _Users) -> bool:
    return any(len(places) > 1 for one in (users.stored, users.loaded) for places in one.values())


def _wait(model: PlaceModel, at: int, users: _Users, place: int, others: _Users) -> float:
    """Of loads from one of two objects for stores to the other, in the same functions."""
    there = _wait_of(model, at - place, users.loaded, others.stored)
    return there + _wait_of(model, place - at, others.loaded, users.stored)


def _wait_of(model: PlaceModel, distance: int, loaded: _Starts, stored: _Starts) -> float:
    """Each load waits for the store that it waits longest for; of the loads of the function that
    waits longest, the mean."""
    waits = [
        sum(
            max(_behind(model, distance + load - store) for store in stored[function])
            for load in loads
        )
        / len(loads)
        for function, loads in loaded.items()
        if function in stored
    ]
    return max(waits, default=0.0)


def _behind(model: PlaceModel, distance: int) -> float:
    """What loads at this distance from stores wait, as a share of the longest wait."""
    within = distance % model.page
    if within < model.near:
        return model.near_wait
    return min(1.0, max(0.0, 1.0 - (model.page - within - model.worst) / model.reach))


def _users(module: ModuleOp, model: PlaceModel) -> dict[str, _Users]:
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    found: dict[str, _Users] = {}
    for name, function in functions.items():
        for op in function.walk():
            if isinstance(op, cmem.AddressOfOp):
                users = found.setdefault(op.symbol.string_value(), _Users())
                _follow(op.result, name, users, functions, model)
    return found


def _follow(
    value: SSAValue,
    function: str,
    users: _Users,
    functions: dict[str, FuncOp],
    model: PlaceModel,
) -> None:
    """Note what is done with a place, and with the places that are made of it."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, (cmem.ViewOp, cmem.OffsetOp)):
            _follow(op.result, function, users, functions, model)
        elif isinstance(op, cmem.DistinctObjectsOp):
            _follow(op.results[use.index], function, users, functions, model)
        elif isinstance(op, CallOp):
            _note_call(op, use, function, users, functions)
        elif _stores(op) or op.results:
            starts = users.stored if _stores(op) else users.loaded
            places = starts.setdefault(function, set())
            if len(places) < model.planes:
                places.add(_start(op, use) % model.page)


def _start(op: Operation, use: Use) -> int:
    """Where in its array an access goes through the elements that no number says: in the plane, or
    row, that the first subscripts say, as far as they are numbers."""
    array = op.operands[use.index]
    if not isinstance(array.type, MemRefType):
        return 0
    type_ = cmem.memref_type(array)
    shape, start = type_.get_shape(), 0
    size = element_bytes(type_.element_type) or 0
    if DYNAMIC_INDEX in shape[1:]:
        return 0
    for dimension, subscript in enumerate(op.operands[use.index + 1 :][: len(shape)]):
        number = constant_integer(subscript)
        if number is None:
            break
        start += number * prod(shape[dimension + 1 :]) * size
    return start


def _stores(op: Operation) -> bool:
    return not op.results or "store" in op.name or "scatter" in op.name


def _note_call(
    op: CallOp, use: Use, function: str, users: _Users, functions: dict[str, FuncOp]
) -> None:
    """Of a call of a function that is here, as its parameter is declared; others have no loops
    that are compiled with these objects."""
    callee = functions.get(op.callee.string_value())
    if callee is None or callee.is_declaration:
        return
    users.loaded.setdefault(function, set()).add(0)
    described = callee.attributes.get("cmem.parameters")
    known = described.data if isa(described, ArrayAttr[DictionaryAttr]) else ()
    if len(known) != len(op.arguments) or "const" not in known[use.index].data:
        users.stored.setdefault(function, set()).add(0)
