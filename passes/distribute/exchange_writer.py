"""Exchanges as code: ask for what comes in, pack and send what goes out, wait, and unpack.

    requests = mpi.allocate                            two for each array and partner
    for each array, its tag:
      for each partner: count what it will send        total
      buffer = memref.alloc(total)
      for each partner: mpi.irecv
      for each partner: count what it will get; pack; mpi.isend
    … what is computed meanwhile …
    mpi.waitall                                        outgoing buffers are free again
    for each array, each partner: unpack

The loops that count, pack and unpack run over one set (`poly/placement/element_loops`); who gets
nothing gets no message. They are loops of `scf`: nothing in them is for the loop stage. Behind the
last step whole rows go from array to array, and are not packed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import islpy as isl
from xdsl.dialects import arith, memref, mpi, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, i32, i64
from xdsl.ir import Block, Region, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import element_type
from polyopt.passes.codegen.loop_builder import Site, build_loops, emit, truth
from polyopt.passes.distribute.processors import Processors
from polyopt.passes.distribute.runtime import PREFIX, call
from polyopt.passes.lower.affine_to_scf import lower_affine
from polyopt.passes.parallel.code import INDEX, Code
from polyopt.poly.loops.loop_tree import Instance, Node
from polyopt.poly.loops.subscripts import condition_of
from polyopt.poly.placement.element_loops import Stretch, element_loops, stretch_of
from polyopt.poly.placement.grid import ITS, exchanged
from polyopt.support.record import record

Visit = Callable[[Site, list[SSAValue]], None]
"""Makes the code for one element, given its subscripts."""


Step = Callable[["Process"], None]


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
    """What own sends to its of one array: the loops over what goes out, and over what comes in;
    of both, where they lie side by side, if they may be sent from there."""

    array: SSAValue
    tag: int
    outgoing: tuple[Node, ...]
    incoming: tuple[Node, ...]
    sent: Stretch | None = None
    received: Stretch | None = None


def message_of(
    array: SSAValue,
    tag: int,
    elements: isl.Set,
    known: isl.Set,
    extents: Sequence[str | None] = (),
) -> Message:
    """Given extents, the array is not touched while messages travel. Raises Unplaceable."""
    both = known.intersect(exchanged(known))
    sets = elements, exchanged(elements)
    outgoing, incoming = (element_loops(one, both) for one in sets)
    sent, received = (stretch_of(one, extents, both) for one in sets)
    return Message(array, tag, outgoing, incoming, sent, received)


def write_exchange(messages: Sequence[Message], at: Process, meanwhile: Callable[[], None]) -> None:
    """`meanwhile` writes what this process does while messages travel."""
    code = at.code
    slots = code.index(code.multiply(at.size, 2 * len(messages)))
    count = code.insert(arith.IndexCastOp(slots, i32))
    requests = code.insert(mpi.AllocateTypeOp(mpi.RequestType, count))

    def clear(slot: Process, position: SSAValue) -> None:
        request = slot.code.insert(mpi.VectorGetOp(requests, slot.code.insert(_as_i32(position))))
        slot.code.block.add_op(mpi.NullRequestOp(request))

    _for_each(at, slots, clear)
    flights = list[_Flight]()
    for number, message in enumerate(messages):
        flight = _Flight(
            message,
            code.insert(memref.AllocaOp.get(IndexType(), shape=[])),
            _Packing.of(message, message.received, at),
            _Packing.of(message, message.sent, at),
        )
        first, second = (_Slots(requests, at.size, 2 * number + k) for k in (0, 1))
        received, sent = flight.ask(at, first), flight.send(at, second)
        flights.append(replace(flight, received=received, sent=sent))
    meanwhile()
    code.block.add_op(mpi.WaitallOp(requests, count))
    for flight in flights:
        flight.unpack(at)


@record(eq=False)
class _Slots:
    """The requests of one kind, one for each partner."""

    requests: SSAValue
    size: SSAValue
    number: int

    def of(self, code: Code, rank: SSAValue) -> SSAValue:
        position = code.index(code.add(code.multiply(self.size, self.number), rank))
        return code.insert(mpi.VectorGetOp(self.requests, code.insert(_as_i32(position))))


@record(eq=False)
class _Packing:
    """A buffer, all partners' parts one behind another, or none: where `in_place` holds, parts
    stay in the array, each at its stretch."""

    message: Message
    stretch: Stretch | None
    in_place: SSAValue | None

    @classmethod
    def of(cls, message: Message, stretch: Stretch | None, at: Process) -> _Packing:
        if stretch is None or not at.site.names.keys() >= stretch.asks:
            return cls(message, None, None)
        return cls(message, stretch, truth(condition_of(stretch.where), at.site))

    def buffer(self, code: Code, total: SSAValue) -> SSAValue:
        """For as many elements as have to be packed."""
        if self.in_place is not None:
            total = code.insert(arith.SelectOp(self.in_place, code.index(0), total))
        kind = MemRefType(element_type(self.message.array), [DYNAMIC_INDEX])
        return code.insert(memref.AllocOp([total], [], kind))

    def address(self, partner: Process, buffer: SSAValue, start: SSAValue) -> SSAValue:
        """Where the partner's part begins."""
        code = partner.code
        packed = code.insert(cmem.AddressOp(buffer, [start]))
        if self.stretch is None or self.in_place is None:
            return packed
        first = [emit(one, partner.site) for one in self.stretch.first]
        own = code.insert(cmem.AddressOp(self.message.array, first))
        return code.insert(arith.SelectOp(self.in_place, own, packed))

    def choose(self, at: Process, packed: Step, unpacked: Step) -> None:
        """The one or the other, whichever is the case."""
        if self.in_place is None:
            packed(at)
            return
        taken, other = Block(), Block()
        for block, step in ((taken, unpacked), (other, packed)):
            step(at.inside(block))
            block.add_op(scf.YieldOp())
        at.code.block.add_op(scf.IfOp(self.in_place, [], Region(taken), Region(other)))


@record(eq=False)
class _Flight:
    """A message under way, how it is packed, and the buffers that it is in; `counter` is the place
    of the next element."""

    message: Message
    counter: SSAValue
    incoming: _Packing
    outgoing: _Packing
    received: SSAValue | None = None
    sent: SSAValue | None = None

    def ask(self, at: Process, slots: _Slots) -> SSAValue:
        """Ask for what partners will send; the buffer that it will be in."""
        code, message, counter = at.code, self.message, self.counter
        lengths = code.insert(
            memref.AllocOp([at.size], [], MemRefType(IndexType(), [DYNAMIC_INDEX]))
        )
        _set(code, counter, code.index(0))

        def tally(partner: Process, rank: SSAValue) -> None:
            inner = partner.code
            start = inner.insert(memref.LoadOp.get(counter, []))
            _count_over(message.incoming, partner, counter)
            inner.block.add_op(memref.StoreOp.get(_length(inner, start, counter), lengths, [rank]))

        for_each_partner(at, tally)
        buffer = self.incoming.buffer(code, self._total(code))

        def receive(partner: Process, rank: SSAValue) -> None:
            inner = partner.code
            start = inner.insert(memref.LoadOp.get(counter, []))
            length = inner.insert(memref.LoadOp.get(lengths, [rank]))
            place = self.incoming.address(partner, buffer, start)
            self._post(mpi.IrecvOp, inner, place, length, rank, slots)
            _set(inner, counter, inner.insert(arith.AddiOp(start, length)))

        for_each_partner(at, receive)
        code.block.add_op(memref.DeallocOp.get(lengths))
        return buffer

    def send(self, at: Process, slots: _Slots) -> SSAValue:
        """Pack and send; the buffer has to stay until it is gone."""
        code, message, counter = at.code, self.message, self.counter
        _set(code, counter, code.index(0))
        for_each_partner(at, lambda one, _: _count_over(message.outgoing, one, counter))
        buffer = self.outgoing.buffer(code, self._total(code))

        def pack(site: Site, subscripts: list[SSAValue]) -> None:
            value = site.add(memref.LoadOp.get(message.array, subscripts))
            place = site.add(memref.LoadOp.get(counter, []))
            site.block.add_op(memref.StoreOp.get(value, buffer, [place]))
            _advance(site, counter)

        def send(partner: Process, rank: SSAValue) -> None:
            inner = partner.code
            start = inner.insert(memref.LoadOp.get(counter, []))
            self.outgoing.choose(
                partner,
                lambda one: over_elements(message.outgoing, one, pack),
                lambda one: _count_over(message.outgoing, one, counter),
            )
            place, length = (
                self.outgoing.address(partner, buffer, start),
                _length(inner, start, counter),
            )
            self._post(mpi.IsendOp, inner, place, length, rank, slots)

        for_each_partner(at, send)
        return buffer

    def unpack(self, at: Process) -> None:
        """What has come goes where it belongs."""
        code, message, counter = at.code, self.message, self.counter
        received, sent = self.received, self.sent
        assert received is not None
        assert sent is not None
        _set(code, counter, code.index(0))

        def put(site: Site, subscripts: list[SSAValue]) -> None:
            place = site.add(memref.LoadOp.get(counter, []))
            value = site.add(memref.LoadOp.get(received, [place]))
            site.block.add_op(memref.StoreOp.get(value, message.array, subscripts))
            _advance(site, counter)

        def put_all(process: Process) -> None:
            for_each_partner(process, lambda one, _: over_elements(message.incoming, one, put))

        self.incoming.choose(at, put_all, lambda _: None)
        code.block.add_op(memref.DeallocOp.get(received))
        code.block.add_op(memref.DeallocOp.get(sent))

    def _total(self, code: Code) -> SSAValue:
        """As many elements as were counted; the counter is back at the first."""
        total = code.insert(memref.LoadOp.get(self.counter, []))
        _set(code, self.counter, code.index(0))
        return total

    def _post(
        self,
        kind: type[mpi.IrecvOp] | type[mpi.IsendOp],
        code: Code,
        address: SSAValue,
        length: SSAValue,
        partner: SSAValue,
        slots: _Slots,
    ) -> None:
        """Send the part to a partner, or ask it for what belongs there, where there is anything."""
        some = _if_any(code, length)
        dtype = some.insert(mpi.GetDtypeOp(element_type(self.message.array)))
        tag = some.insert(arith.ConstantOp.from_int_and_width(self.message.tag, i32))
        number, whom = _count(some, length), some.insert(_as_i32(partner))
        slot = slots.of(some, partner)
        some.block.add_op(kind(address, number, dtype, whom, tag, slot))
        some.block.add_op(scf.YieldOp())


def over_elements(nodes: tuple[Node, ...], at: Process, visit: Visit) -> None:
    def instance(node: Instance, site: Site) -> None:
        visit(site, [emit(one, site) for one in node.arguments])

    build_loops(nodes, at.site, instance)


def _count_over(nodes: tuple[Node, ...], at: Process, counter: SSAValue) -> None:
    over_elements(nodes, at, lambda site, _: _advance(site, counter))


def _for_each(at: Process, end: SSAValue, body: Callable[[Process, SSAValue], None]) -> None:
    """`for partner = 0 to end`."""
    block = Block(arg_types=[INDEX])
    block.args[0].name_hint = "partner"
    body(at.inside(block), block.args[0])
    block.add_op(scf.YieldOp())
    region, code = Region(block), at.code
    lower_affine(region)
    code.block.add_op(scf.ForOp(code.index(0), end, code.index(1), [], region))


def for_each_partner(at: Process, body: Callable[[Process, SSAValue], None]) -> None:
    """All processes but this one, whose parts have names."""

    def unless_own(inner: Process, rank: SSAValue) -> None:
        other = inner.code.insert(arith.CmpiOp(rank, at.rank, "ne"))
        block = Block()
        inside = inner.inside(block)
        body(inside.named(at.processors.part(inside.code, rank, ITS)), rank)
        block.add_op(scf.YieldOp())
        inner.code.block.add_op(scf.IfOp(other, [], Region(block)))

    _for_each(at, at.size, unless_own)


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
