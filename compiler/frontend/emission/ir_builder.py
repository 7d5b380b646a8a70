"""The blocks of one function while they are written.

Operations go to the end of the current block; there is none (`block` is None) behind a jump, and
what would go there is dead. Constants, allocas, addresses of globals and views of what is known
on entry go to the prologue of the entry block, once per function.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TypeVar

from xdsl.dialects import arith, cf, memref, ub
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FileLineColLoc,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.frontend.language.c_types import DOUBLE, LDOUBLE, CType, FloatType
from polyopt.frontend.language.ir_types import integer_type, scalar_type
from polyopt.support.diagnostics import Span

INDEX = IndexType()
_ONLY_CONDITION = DenseArrayBase.from_list(i32, [1, 0, 0])
Op = TypeVar("Op", bound=Operation)


_OF_REGION = ("region", "block", "has_dead_blocks")
_OF_FUNCTION = (
    *_OF_REGION,
    "entry",
    "known_on_entry",
    "_prologue_end",
    "_constants",
    "_addresses",
    "_indices",
    "_views",
)


class IRBuilder:
    """`wrapping`: signed integers wrap around as unsigned ones do."""

    def __init__(self, argument_types: Sequence[Attribute], *, wrapping: bool = False):
        self.wrapping = wrapping
        self.entry = Block(arg_types=argument_types)
        self.region = Region(self.entry)
        self.block: Block | None = self.entry
        self.reached: set[Block] = set()
        self.has_dead_blocks = False
        self.location: FileLineColLoc | None = None
        self.known_on_entry: set[SSAValue] = set(self.entry.args)
        self._prologue_end: Operation | None = None
        self._constants: dict[tuple[int | str, Attribute], SSAValue] = {}
        self._addresses: dict[str, SSAValue] = {}
        self._indices: dict[tuple[SSAValue, bool], SSAValue] = {}
        self._views: dict[tuple[SSAValue, ...], dict[Attribute, SSAValue]] = {}
        self._locations: dict[Span, FileLineColLoc] = {}

    # Places in the text and in the blocks

    def at(self, span: Span) -> None:
        """What is added from now on comes from this place in the C text."""
        self.location = self._locations.get(span)
        if self.location is None:
            self.location = self._locations[span] = location(span)

    def add(self, operation: Op) -> Op:
        if self.location is not None:
            operation.location = self.location
        if self.block is None:
            self.open_dead_block()
            assert self.block is not None
        self.block.add_op(operation)
        return operation

    def open_dead_block(self) -> None:
        """A block that nothing reaches, for code that is there for its labels."""
        self.enter(Block())

    def enter(self, block: Block) -> None:
        """Go on in this block."""
        assert self.block is None
        self.has_dead_blocks = self.has_dead_blocks or block not in self.reached
        self.region.add_block(block)
        self.block = block

    def enter_if_reached(self, block: Block) -> None:
        if block in self.reached:
            self.enter(block)

    def go_on_in(self, block: Block) -> None:
        """Fall into a block; where nothing else jumps to it, the current one serves."""
        if self.block is not None and block not in self.reached:
            return
        self.jump(block)
        self.enter_if_reached(block)

    def jump(
        self, block: Block, *values: SSAValue, attributes: dict[str, Attribute] | None = None
    ) -> None:
        if self.block is None:
            return
        self.add(cf.BranchOp(block, *values)).attributes |= attributes or {}
        self.reached.add(block)
        self.block = None

    def branch(self, condition: SSAValue, if_true: Block, if_false: Block) -> None:
        if self.block is None:
            return
        self.add(
            cf.ConditionalBranchOp.create(
                operands=[condition],
                successors=[if_true, if_false],
                properties={"operandSegmentSizes": _ONLY_CONDITION},
            )
        )
        self.reached |= {if_true, if_false}
        self.block = None

    def merge(self, type: Attribute) -> Block:
        """A block that is given one value by each jump to it."""
        return Block(arg_types=[type])

    def end_entry_prologue(self) -> None:
        """All that stands in the entry block so far belongs to the prologue."""
        if self.block is self.entry:
            self._prologue_end = self.entry.last_op
            for op in self.entry.ops:
                self.known_on_entry.update(op.results)

    def _add_to_prologue(self, operation: Op) -> Op:
        if self.location is not None:
            operation.location = self.location
        if self._prologue_end is not None:
            self.entry.insert_op_after(operation, self._prologue_end)
        elif self.entry.first_op is not None:
            self.entry.insert_op_before(operation, self.entry.first_op)
        else:
            self.entry.add_op(operation)
        self._prologue_end = operation
        self.known_on_entry.update(operation.results)
        return operation

    @contextmanager
    def nested(self, *, is_function: bool = False) -> Generator[Region]:
        """What is added goes to a region of its own, whose operation is to be added afterwards. One
        that `is_function` will be one: it has constants, allocas and views of its own."""
        outside = dict(vars(self))
        entry = Block()
        self.region = Region(entry)
        self.block = entry
        self.has_dead_blocks = False
        if is_function:
            self.entry = entry
            self._prologue_end = None
            self._constants, self._addresses, self._indices, self._views = {}, {}, {}, {}
            self.known_on_entry = set(self.known_on_entry)
        yield self.region
        if self.has_dead_blocks:
            self.erase_dead_blocks(entry)
        for name in _OF_FUNCTION if is_function else _OF_REGION:
            setattr(self, name, outside[name])

    # Values known on entry

    def constant(self, value: int, type: CType) -> SSAValue:
        return self.integer(value, integer_type(type))

    def integer(self, value: int, type: IntegerType | IndexType) -> SSAValue:
        if isinstance(type, IntegerType):
            bits = type.width.data
            value &= (1 << bits) - 1
            if value >> (bits - 1):
                value -= 1 << bits
        known = self._constants.get((value, type))
        if known is None:
            op = arith.ConstantOp.create(
                properties={"value": _integer(value, type)}, result_types=[type]
            )
            known = self._add_to_prologue(op).results[0]
            self._constants[value, type] = known
        return known

    def real(self, value: float, type: CType) -> SSAValue:
        assert isinstance(type, FloatType)
        ir_type = scalar_type(type)
        if type.size == LDOUBLE.size:
            # Each double is a long double; what else is one comes from memory.
            key = (value.hex(), ir_type)
            if key not in self._constants:
                double = self.real(value, DOUBLE)
                self._constants[key] = self._add_to_prologue(arith.ExtFOp(double, ir_type)).result
            return self._constants[key]
        # Zeros of both signs and all NaN are keys of their own.
        key = (value.hex(), ir_type)
        known = self._constants.get(key)
        if known is None:
            attribute = FloatAttr(value, 8 * type.size)
            known = self._add_to_prologue(arith.ConstantOp(attribute)).result
            self._constants[key] = known
        return known

    def address_of(self, symbol: str, *, is_alias: bool = False) -> SSAValue:
        known = self._addresses.get(symbol)
        if known is None:
            op = cmem.AliasOfOp(symbol) if is_alias else cmem.AddressOfOp(symbol)
            known = self._add_to_prologue(op).result
            self._addresses[symbol] = known
        return known

    def index_cast(self, value: SSAValue, *, signed: bool) -> SSAValue:
        """An integer as an index; of what is known on entry it is made there, once."""
        on_entry = value in self.known_on_entry
        known = self._indices.get((value, signed)) if on_entry else None
        if known is not None:
            return known
        add = self._add_to_prologue if on_entry else self.add
        wide = value
        if bit_width(value) > 64:
            wide = add(arith.TruncIOp(value, i64)).results[0]
        elif not signed and value.type != i64:
            wide = add(arith.ExtUIOp(value, i64)).results[0]
        index = add(arith.IndexCastOp.create(operands=[wide], result_types=[INDEX])).results[0]
        if on_entry:
            self._indices[value, signed] = index
        return index

    def alloca(self, type: MemRefType[Attribute], alignment: int | None, name: str) -> SSAValue:
        """A fixed-size object of this function."""
        op = memref.AllocaOp.build(
            operands=[[], []],
            result_types=[type],
            properties={"alignment": None if alignment is None else IntegerAttr(alignment, i64)},
        )
        return named(self._add_to_prologue(op).memref, name)

    def view(
        self, pointer: SSAValue, type: MemRefType[Attribute], sizes: list[SSAValue]
    ) -> SSAValue:
        """A view; of what is known on entry it is made there, once."""
        operands = (pointer, *sizes)
        on_entry = self.known_on_entry.issuperset(operands)
        if on_entry:
            known = self._views.setdefault(operands, {}).get(type)
            if known is not None:
                return known
        op = cmem.ViewOp.create(operands=operands, result_types=[type])
        (self._add_to_prologue if on_entry else self.add)(op)
        if on_entry:
            self._views[operands][type] = op.result
        if pointer.name_hint:
            op.result.name_hint = pointer.name_hint
        return op.result

    def stop(self) -> None:
        """Nothing comes back from what was called last."""
        self.add(ub.UnreachableOp())
        self.block = None

    def erase_dead_blocks(self, entry: Block | None = None) -> None:
        """Drop the blocks that nothing reaches."""
        entry = entry or self.entry
        alive = {entry}
        work = [entry]
        while work:
            block = work.pop()
            assert block.last_op is not None
            for successor in block.last_op.successors:
                if successor not in alive:
                    alive.add(successor)
                    work.append(successor)
        dead = [block for block in self.region.blocks if block not in alive]
        for block in dead:
            for op in block.ops:
                op.drop_all_references()
        for block in dead:
            self.region.erase_block(block, safe_erase=False)


def bit_width(value: SSAValue) -> int:
    """The width of a value that is known to be an integer."""
    assert isa(value.type, IntegerType)
    return value.type.width.data


def location(span: Span) -> FileLineColLoc:
    """Made without asking what each part is: there is one for almost each operation."""
    made = FileLineColLoc.__new__(FileLineColLoc)
    object.__setattr__(made, "filename", _file(span.file))
    object.__setattr__(made, "line", _number(span.line))
    object.__setattr__(made, "column", _number(span.column))
    return made


@cache
def _file(name: str) -> StringAttr:
    return StringAttr(name)


@lru_cache(1 << 14)
def _number(number: int) -> IntAttr:
    return IntAttr(number)


@lru_cache(1 << 12)
def _integer(value: int, type: IntegerType | IndexType) -> IntegerAttr[IntegerType | IndexType]:
    return IntegerAttr(value, type)


def named(value: SSAValue, name: str) -> SSAValue:
    if name.isascii() and SSAValue.is_valid_name(name):
        value.name_hint = name
    return value
