"""Exchanges as code: pack and send to each partner, then receive from each and unpack.

    requests = mpi.allocate                            for each array, its tag:
    for each partner: count what it will get           total
    buffer = memref.alloc(total)
    for each partner: pack; mpi.isend                  non-blocking
    for each partner: count what it has sent; mpi.recv; unpack
    mpi.waitall                                        the buffer is free again

The loops that count, pack and unpack run over one set (`poly/placement/element_loops`); who gets
nothing gets no message. They are loops of `scf`: nothing in them is for the loop stage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import islpy as isl
from xdsl.dialects import arith, memref, mpi, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, i32, i64
from xdsl.ir import Block, Region, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import element_type
from polyopt.passes.codegen.loop_builder import Site, build_loops, emit
from polyopt.passes.distribute.processors import Processors
from polyopt.passes.distribute.runtime import PREFIX, call
from polyopt.passes.lower.affine_to_scf import lower_affine
from polyopt.passes.parallel.code import INDEX, Code
from polyopt.poly.loops.loop_tree import Instance, Node
from polyopt.poly.placement.element_loops import element_loops
from polyopt.poly.placement.grid import ITS, exchanged
from polyopt.support.record import record

Visit = Callable[[Site, list[SSAValue]], None]
"""Makes the code for one element, given its subscripts."""


@record(eq=False)
class Process:
    """Where code is written, and who runs it: `rank` is one of `size` processes."""

    site: Site
    code: Code
    rank: SSAValue
    size: SSAValue
    processors: Processors

    def inside(self, block: Block) -> Process:
        return replace(self, site=self.site.inside(block), code=Code(block, self.code.like))

    def named(self, values: Mapping[str, SSAValue]) -> Process:
        return replace(self, site=replace(self.site, names={**self.site.names, **values}))


@record(eq=False)
class Message:
    """What own sends to its of one array: the loops over what goes out, and over what comes in."""

    array: SSAValue
    tag: int
    outgoing: tuple[Node, ...]
    incoming: tuple[Node, ...]


def message_of(array: SSAValue, tag: int, elements: isl.Set, known: isl.Set) -> Message:
    """Raises Unplaceable."""
    both = known.intersect(exchanged(known))
    return Message(
        array, tag, element_loops(elements, both), element_loops(exchanged(elements), both)
    )


def write_exchange(message: Message, at: Process) -> None:
    code, array = at.code, message.array
    element = element_type(array)
    buffer_type = MemRefType(element, [DYNAMIC_INDEX])
    counter = code.insert(memref.AllocaOp.get(IndexType(), shape=[]))
    dtype = code.insert(mpi.GetDtypeOp(element))
    tag = code.insert(arith.ConstantOp.from_int_and_width(message.tag, i32))
    count = code.insert(arith.IndexCastOp(at.size, i32))
    requests = code.insert(mpi.AllocateTypeOp(mpi.RequestType, count))

    _set(code, counter, code.index(0))

    def tally(partner: Process, _: SSAValue) -> None:
        _over(message.outgoing, partner, lambda site, _: _advance(site, counter))

    _for_each_partner(at, tally)
    total = code.insert(memref.LoadOp.get(counter, []))
    buffer = code.insert(memref.AllocOp([total], [], buffer_type))
    _set(code, counter, code.index(0))

    def send(partner: Process, rank: SSAValue) -> None:
        inner = partner.code
        start = inner.insert(memref.LoadOp.get(counter, []))

        def pack(site: Site, subscripts: list[SSAValue]) -> None:
            value = site.add(memref.LoadOp.get(array, subscripts))
            place = site.add(memref.LoadOp.get(counter, []))
            site.block.add_op(memref.StoreOp.get(value, buffer, [place]))
            _advance(site, counter)

        _over(message.outgoing, partner, pack)
        length = _length(inner, start, counter)
        some = _if_any(inner, length)
        address = some.insert(cmem.AddressOp(buffer, [start]))
        number, whom = _count(some, length), some.insert(_as_i32(rank))
        request = some.insert(mpi.VectorGetOp(requests, whom))
        some.block.add_op(mpi.IsendOp(address, number, dtype, whom, tag, request))
        some.block.add_op(scf.YieldOp())

    def clear(partner: Process, rank: SSAValue) -> None:
        position = partner.code.insert(_as_i32(rank))
        request = partner.code.insert(mpi.VectorGetOp(requests, position))
        partner.code.block.add_op(mpi.NullRequestOp(request))

    def receive(partner: Process, rank: SSAValue) -> None:
        inner = partner.code
        _set(inner, counter, inner.index(0))
        _over(message.incoming, partner, lambda site, _: _advance(site, counter))
        length = inner.insert(memref.LoadOp.get(counter, []))
        some = _if_any(inner, length)
        taken = some.insert(memref.AllocOp([length], [], buffer_type))
        address = some.insert(cmem.AddressOp(taken, [some.index(0)]))
        number, whom = _count(some, length), some.insert(_as_i32(rank))
        some.block.add_op(mpi.RecvOp(address, number, dtype, whom, tag))
        _set(some, counter, some.index(0))

        def unpack(site: Site, subscripts: list[SSAValue]) -> None:
            place = site.add(memref.LoadOp.get(counter, []))
            value = site.add(memref.LoadOp.get(taken, [place]))
            site.block.add_op(memref.StoreOp.get(value, array, subscripts))
            _advance(site, counter)

        _over(
            message.incoming,
            replace(partner, code=some, site=replace(partner.site, block=some.block)),
            unpack,
        )
        some.block.add_op(memref.DeallocOp.get(taken))
        some.block.add_op(scf.YieldOp())

    _for_each(at, clear)
    _for_each_partner(at, send)
    _for_each_partner(at, receive)
    code.block.add_op(mpi.WaitallOp(requests, count))
    code.block.add_op(memref.DeallocOp.get(buffer))


def _over(nodes: tuple[Node, ...], at: Process, visit: Visit) -> None:
    def instance(node: Instance, site: Site) -> None:
        visit(site, [emit(one, site) for one in node.arguments])

    build_loops(nodes, at.site, instance)


def _for_each(at: Process, body: Callable[[Process, SSAValue], None]) -> None:
    """`for rank = 0 to size`, all processes in turn."""
    block = Block(arg_types=[INDEX])
    block.args[0].name_hint = "partner"
    body(at.inside(block), block.args[0])
    block.add_op(scf.YieldOp())
    region, code = Region(block), at.code
    lower_affine(region)
    code.block.add_op(scf.ForOp(code.index(0), at.size, code.index(1), [], region))


def _for_each_partner(at: Process, body: Callable[[Process, SSAValue], None]) -> None:
    """All processes but this one, whose parts have names."""

    def unless_own(inner: Process, rank: SSAValue) -> None:
        other = inner.code.insert(arith.CmpiOp(rank, at.rank, "ne"))
        block = Block()
        inside = inner.inside(block)
        body(inside.named(at.processors.part(inside.code, rank, ITS)), rank)
        block.add_op(scf.YieldOp())
        inner.code.block.add_op(scf.IfOp(other, [], Region(block)))

    _for_each(at, unless_own)


def _if_any(code: Code, length: SSAValue) -> Code:
    """What runs where the length is not zero; it is to be ended."""
    test = code.insert(arith.CmpiOp(length, code.index(0), "sgt"))
    block = Block()
    code.block.add_op(scf.IfOp(test, [], Region(block)))
    return Code(block, code.like)


def _set(code: Code, counter: SSAValue, value: SSAValue) -> None:
    code.block.add_op(memref.StoreOp.get(value, counter, []))


def _length(code: Code, start: SSAValue, counter: SSAValue) -> SSAValue:
    return code.insert(arith.SubiOp(code.insert(memref.LoadOp.get(counter, [])), start))


def _advance(site: Site, counter: SSAValue) -> None:
    now = site.add(memref.LoadOp.get(counter, []))
    one = site.add(arith.ConstantOp.from_int_and_width(1, INDEX))
    site.block.add_op(memref.StoreOp.get(site.add(arith.AddiOp(now, one)), counter, []))


def _count(code: Code, length: SSAValue) -> SSAValue:
    """The length of a message as MPI takes it; the program ends where it is too great for that."""
    return code.insert(call(f"{PREFIX}count", [code.insert(arith.IndexCastOp(length, i64))]))


def _as_i32(value: SSAValue) -> arith.IndexCastOp:
    return arith.IndexCastOp(value, i32)
