"""The calls around a SCoP that make its execution one that is compared with the source's order.

    %go = func.call @__polyopt_check_begin(%site, %frame)
    scf.if %go { func.call @f.0.source(%frame, …)  func.call @__polyopt_check_turn(%frame) }
    poly.scop …
  examine:
    %again = func.call @__polyopt_check_compare(%frame)
    scf.if %again {
      func.call @f.0.source(%frame, …)
      func.call @__polyopt_check_conclude(%frame)
    }

The frame holds what is known at run time only: word 0 is the run-time library's (and 0 where the
SCoP did not run), then come the numbers of each thing that is compared. The site says the rest, as
text. `compiler/driver/runtimes/check_runtime.c` is who reads both.

They are put there when all SCoPs of the module are made: until then nobody is to see that the
addresses of variables are given away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import prod

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from polyopt.dialects import cmem
from polyopt.dialects.cmem import PTR, memref_type
from polyopt.dialects.locations import nearest_span
from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import dynamic_sizes, element_bytes, read_scop
from polyopt.ir.fast_math import FASTMATH
from polyopt.ir.objects.alias import underlying_object
from polyopt.passes.check.source_function import Kept, SourceFunction
from polyopt.passes.codegen.loop_builder import Site, emit
from polyopt.poly.analysis.written import written_box
from polyopt.poly.scop import Scop
from polyopt.support.record import entity, record
from polyopt.support.remarks import remark

BOX, NOTED, VALUE = 0, 1, 2
"""How a thing is compared: a box of an array that is kept before; elements that the source's order
notes when it writes them; a value that is used behind the SCoP."""

WORD_BYTES = 8
PREFIX = "__polyopt_check_"
FUNCTIONS = {
    "begin": FunctionType.from_lists([PTR, PTR], [i32]),
    "turn": FunctionType.from_lists([PTR], []),
    "compare": FunctionType.from_lists([PTR], [i32]),
    "conclude": FunctionType.from_lists([PTR], []),
    "note": FunctionType.from_lists([PTR, i64, PTR], []),
}
INDEX = IndexType()


@record(eq=False)
class CheckedScop:
    """`symbol` begins the names of what belongs to the SCoP. `stores` are those of the source
    function by the array that they write; arrays that are not among them hold values of the SCoP
    alone."""

    scop: ScopOp
    symbol: str
    source: SourceFunction
    stores: dict[str, list[memref.StoreOp]]


def put_calls(module: ModuleOp, checked: Sequence[CheckedScop]) -> None:
    """Make each of these SCoPs one that is compared."""
    if not checked:
        return
    for name, type in FUNCTIONS.items():
        module.body.block.add_op(func.FuncOp(PREFIX + name, type, Region(), "private"))
    for one in checked:
        _Calls(module, one).put()


@entity
class _Calls:
    """`lines` and `words` are what site and frame will hold; word 0 is the run-time library's."""

    module: ModuleOp
    checked: CheckedScop
    block: Block = field(default_factory=Block)
    lines: list[str] = field(default_factory=list[str])
    words: list[SSAValue] = field(default_factory=list[SSAValue])

    def put(self) -> None:
        op, source = self.checked.scop, self.checked.source
        if not self.fits_in_words():
            reason = "not compared: it leaves values wider than 64 bits"
            remark("missed", "check-wide", reason, nearest_span(op))
            Rewriter.erase_op(source.holder)
            return
        scop = read_scop(op)
        for name, stores in self.checked.stores.items():
            self.array(scop, name, stores)
        for kept in source.kept:
            self.kept(kept)
        frame, pointer = _frame(op, 1 + len(self.words))
        for number, word in enumerate(self.words, 1):
            place = self.add(arith.ConstantOp(IntegerAttr(number, INDEX)))
            self.block.add_op(memref.StoreOp.get(word, frame, [place]))
        site = self.add(cmem.AddressOfOp(self.site(scop.name)))
        go = self.call("begin", [site, pointer])
        self.conditionally(go, pointer, "turn")
        self.place_before(op)
        again = self.call("compare", [pointer])
        self.conditionally(again, pointer, "conclude")
        self.place_before(source.behind)
        Rewriter.erase_op(source.holder)
        self.module.body.block.add_op(source.function)

    def fits_in_words(self) -> bool:
        """Whether the run-time library, which compares words of 64 bits, can hold each thing that
        is compared. A `long double` and an integer of 128 bits it cannot: such a SCoP just runs."""
        arrays = [_operand(self.checked.scop, name) for name in self.checked.stores]
        types = [memref_type(array).element_type for array in arrays]
        types += [kept.type for kept in self.checked.source.kept]
        return all(element_bytes(one) <= WORD_BYTES for one in types)

    def place_before(self, op: Operation) -> None:
        for new in self.block.walk():
            new.location = op.location
        Rewriter.inline_block(self.block, InsertPoint.before(op))
        self.block = Block()

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def call(self, name: str, arguments: Sequence[SSAValue]) -> SSAValue:
        return self.add(func.CallOp(PREFIX + name, arguments, [i32]))

    def conditionally(self, number: SSAValue, frame: SSAValue, then: str) -> None:
        """Where the number is not 0: the source's order, then what follows it. The block behind
        the SCoP is also reached from the original code: addresses are taken anew."""
        source = self.checked.source
        zero = self.add(arith.ConstantOp(IntegerAttr(0, i32)))
        condition = self.add(arith.CmpiOp(number, zero, "ne"))
        variables = [*(kept.source for kept in source.kept), *source.variables]
        addresses = [self.address(variable) for variable in variables]
        arguments = [frame, *addresses, *source.holder.operands]
        arm = Block()
        arm.add_op(func.CallOp(source.function.sym_name.data, arguments, []))
        arm.add_op(func.CallOp(PREFIX + then, [frame], []))
        arm.add_op(scf.YieldOp())
        self.block.add_op(scf.IfOp(condition, [], [arm]))

    # What is compared

    def array(self, scop: Scop, name: str, stores: Sequence[memref.StoreOp]) -> None:
        """An array whose contents are dead afterwards is put back, but compared by nobody."""
        value = _operand(self.checked.scop, name)
        array = scop.array(name)
        box = written_box(scop, array, is_object=_is_object(value, self.module))
        if box is None:
            for store in stores:
                self.note(store)
        kind = NOTED if box is None else BOX
        self.line(kind, memref_type(value), name, stores, is_compared=not array.is_local)
        zero = [self.index(0)] * len(array.extents)
        self.word(self.add(cmem.PtrToIntOp(self.add(cmem.AddressOp(value, zero)))))
        site = self.site_of_parameters()
        if box is not None:
            self.word(emit(box.is_any, site))
        for stride in self.strides(value):
            self.word(stride)
        if box is not None:
            for corner in (box.lower, box.upper, box.first, box.last):
                for one in corner:
                    self.word(emit(one, site))

    def note(self, store: memref.StoreOp) -> None:
        """Let the source's order tell which element it is about to write."""
        entry = self.checked.source.function.body.blocks.first
        assert entry is not None
        number = arith.ConstantOp(IntegerAttr(len(self.lines), i64))
        address = cmem.AddressOp(store.memref, store.indices)
        call = func.CallOp(f"{PREFIX}note", [entry.args[0], number.result, address.result], [])
        block = store.parent
        assert block is not None
        for op in (number, address, call):
            op.location = store.location
            block.insert_op_before(op, store)

    def kept(self, kept: Kept) -> None:
        self.line(VALUE, MemRefType(kept.type, ()), kept.name, [], is_compared=True)
        for place in (kept.source, kept.optimised):
            self.word(self.add(cmem.PtrToIntOp(self.address(place))))

    def line(
        self,
        kind: int,
        type: MemRefType[Attribute],
        name: str,
        stores: Sequence[memref.StoreOp],
        *,
        is_compared: bool,
    ) -> None:
        """One line of the site: the last store is whose place is told."""
        spans = [span for span in map(nearest_span, stores) if span is not None]
        place = spans[-1] if spans else nearest_span(self.checked.scop)
        others = sorted({span.line for span in spans if place and span.line != place.line})
        element = type.element_type
        words = (
            kind,
            int(is_compared),
            _letter(element),
            element_bytes(element),
            type.get_num_dims(),
            1 + len(self.words),
            name,
            ",".join(map(str, others)) or "-",
            place or "?",
        )
        self.lines.append(f"{' '.join(map(str, words))}\n")

    def site(self, name: str) -> str:
        """The global that describes the SCoP; its name."""
        flags = _permissions(self.module)
        has_floats = any(line.split()[2] == "f" for line in self.lines) or any(
            isinstance(result.type, AnyFloat)
            for op in self.checked.source.function.walk()
            for result in op.results
        )
        is_bounded = has_floats and bool(flags & {"contract", "reassoc"})
        is_finite = bool(flags & {"nnan", "ninf"})
        head = f"{name} {int(is_bounded)} {int(is_finite)} {len(self.lines)}\n"
        text = b"\0" * 8 + f"{head}{''.join(self.lines)}\0".encode(errors="surrogateescape")
        symbol = f"{self.checked.symbol}.site"
        place = cmem.GlobalOp(symbol, len(text), 8, linkage="internal", initial=text)
        self.module.body.block.add_op(place)
        return symbol

    # Values

    def site_of_parameters(self) -> Site:
        op = self.checked.scop
        names = (name.data for name in op.param_names)
        parameters = dict(zip(names, op.params, strict=True))
        return Site(self.block, parameters, frozenset(op.params))

    def address(self, variable: SSAValue) -> SSAValue:
        zero = [self.index(0)] * memref_type(variable).get_num_dims()
        return self.add(cmem.AddressOp(variable, zero))

    def index(self, value: int) -> SSAValue:
        return self.add(arith.ConstantOp(IntegerAttr(value, INDEX)))

    def word(self, value: SSAValue) -> None:
        if value.type == INDEX:
            value = self.add(arith.IndexCastOp(value, i64))
        self.words.append(value)

    def strides(self, array: SSAValue) -> list[SSAValue]:
        """In bytes, of each dimension."""
        type = memref_type(array)
        sizes = iter(dynamic_sizes(array, type))
        extents = [
            next(sizes) if extent == DYNAMIC_INDEX else self.index(extent)
            for extent in type.get_shape()
        ]
        strides: list[SSAValue] = []
        stride = self.index(element_bytes(type.element_type))
        for extent in reversed(extents):
            strides.insert(0, stride)
            if len(strides) < len(extents):
                assert extent is not None
                stride = self.add(arith.MuliOp(stride, extent))
        return strides


def _operand(op: ScopOp, name: str) -> SSAValue:
    return next(v for v, n in zip(op.arrays, op.array_names, strict=True) if n.data == name)


def _is_object(array: SSAValue, module: ModuleOp) -> bool:
    """Whether the array's extents are those of a variable that is there for sure: of all of it, not
    of one member, beside which the others are elements without the extents."""
    type = memref_type(array)
    match underlying_object(array):
        case str(name):
            variable = SymbolTable.lookup_symbol(module, name)
            return isinstance(variable, cmem.GlobalOp) and _bytes(type) == variable.size.value.data
        case OpResult(op=memref.AllocaOp() as variable):
            whole = memref_type(variable.memref)
            return type == whole or (_bytes(whole) is not None and _bytes(type) == _bytes(whole))
        case _:
            return False


def _bytes(type: MemRefType[Attribute]) -> int | None:
    """None where a size is known at run time only."""
    shape = type.get_shape()
    return None if DYNAMIC_INDEX in shape else prod(shape) * element_bytes(type.element_type)


def _letter(element: Attribute) -> str:
    if isinstance(element, AnyFloat):
        return "f"
    return "i" if isinstance(element, IntegerType) else "p"


def _permissions(module: ModuleOp) -> frozenset[str]:
    flags = module.attributes.get(FASTMATH)
    return frozenset(flags.data if isinstance(flags, arith.FastMathFlagsAttr) else ())


def _frame(op: ScopOp, size: int) -> tuple[SSAValue, SSAValue]:
    """A variable of the function around, which says at its start that nothing is under way; and
    its address."""
    function = op.parent_op()
    assert isinstance(function, func.FuncOp)
    entry = function.body.blocks.first
    assert entry is not None
    assert entry.first_op is not None
    alloca = memref.AllocaOp.get(i64, shape=(size,))
    zero = arith.ConstantOp(IntegerAttr(0, INDEX))
    none = arith.ConstantOp(IntegerAttr(0, i64))
    store = memref.StoreOp.get(none.result, alloca.memref, [zero.result])
    address = cmem.AddressOp(alloca.memref, [zero.result])
    place = entry.first_op
    for new in (alloca, zero, none, store, address):
        new.location = op.location
        entry.insert_op_before(new, place)
    alloca.memref.name_hint = "check_frame"
    return alloca.memref, address.result
