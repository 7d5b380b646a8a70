"""Variables that are others inside a construct: new storage for the same symbol meanwhile."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.dialects import arith, func, memref, omp
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i8, i32, i64
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects import ompx
from polyopt.dialects.cmem import PTR
from polyopt.frontend.emission.ir_builder import INDEX
from polyopt.frontend.emission.stored_elements import Element
from polyopt.frontend.emission.values.emit_copies import copy_object
from polyopt.frontend.emission.values.emit_elements import store_element
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, PointerType
from polyopt.frontend.language.ir_types import memref_type
from polyopt.frontend.tree.openmp_tree import DataClauses, Reduction
from polyopt.frontend.tree.typed_tree import Expr, Load, Symbol, Variable

if TYPE_CHECKING:
    from polyopt.frontend.emission.statements.emit_statements import StatementEmitter

_BUFFER_ALIGNMENT = 64

_Known = tuple[SSAValue | None, SSAValue | None, SSAValue | None]
"""A variable's storage, the pointer to it, or its value: whichever it has."""


class DataEmitter:
    def __init__(self, statements: StatementEmitter):
        self.statements = statements
        self.emission = statements.emission
        self.builder = statements.builder

    # Who is who

    def unbind(self, symbol: Symbol) -> _Known:
        """Forget where the variable is; what was known."""
        places = self.emission.places
        return (
            places.storage.pop(symbol, None),
            places.pointers.pop(symbol, None),
            self.emission.values.pop(symbol, None),
        )

    def bind(self, symbol: Symbol, known: _Known) -> None:
        self.unbind(symbol)
        places = self.emission.places
        storage, pointer, value = known
        if storage is not None:
            places.storage[symbol] = storage
        if pointer is not None:
            places.pointers[symbol] = pointer
        if value is not None:
            self.emission.values[symbol] = value

    def _peek(self, symbol: Symbol) -> _Known:
        places = self.emission.places
        places.holds(symbol)
        return (
            places.storage.get(symbol),
            places.pointers.get(symbol),
            self.emission.values.get(symbol),
        )

    @contextmanager
    def own(self, symbols: Sequence[Symbol]) -> Generator[None]:
        """These variables are new ones in the block."""
        known = {symbol: self.unbind(symbol) for symbol in symbols}
        for symbol in known:
            self._allocate(symbol)
        yield
        for symbol, before in known.items():
            self.bind(symbol, before)

    def _allocate(self, symbol: Symbol) -> None:
        places = self.emission.places
        if ct.is_variable_length(symbol.type):
            places.allocate_variable(symbol)
        else:
            places.allocate(symbol)

    def outer(self, symbol: Symbol) -> Symbol:
        """Another symbol for the variable as it is here."""
        outer = replace(symbol)
        self.bind(outer, self._peek(symbol))
        return outer

    def object_of(self, symbol: Symbol) -> SSAValue:
        """What the variable's accesses go by: its storage, or the pointer that leads there."""
        known = next((value for value in self._peek(symbol) if value is not None), None)
        if known is not None:
            return known
        place = variable(symbol)
        if ct.is_single(symbol.type):
            element = self.emission.places.element(place)
            assert isinstance(element, Element)
            return element.memref
        return self.emission.places.address(place)

    # Values that go in and out

    def take_values(self, symbols: Sequence[Symbol], *, for_task: bool = False) -> _Taken:
        """What these variables hold here, kept for `put_values` in a region."""
        values: list[tuple[Symbol, SSAValue]] = []
        for symbol in symbols:
            if symbol in self.emission.values:
                continue
            place = variable(symbol)
            if ct.is_single(symbol.type):
                load = Load(ct.unqualified(symbol.type), symbol.span, place)
                value = self.emission.expressions.value(load)
            else:
                value = self.emission.places.address(place)
                if for_task:
                    value = self._heap_copy(value, symbol.type)
            values.append((symbol, value))
        return _Taken(values, for_task)

    def put_values(self, taken: _Taken) -> None:
        """Into the variables of the same symbols, which are new ones now."""
        for symbol, value in taken.values:
            if ct.is_single(symbol.type):
                storage = self.emission.places.storage[symbol]
                store_element(self.emission, value, Element(storage, []))
                continue
            target = self.emission.places.address(variable(symbol))
            self.copy(value, target, symbol.type)
            if taken.on_heap:
                self._call("free", [value], [])

    def _heap_copy(self, source: SSAValue, type: CType) -> SSAValue:
        size = self._byte_size(type)
        target = self._call("malloc", [size], [PTR])
        assert target is not None
        self.copy(source, target, type)
        return target

    def copy(self, source: SSAValue, target: SSAValue, type: CType) -> None:
        if not ct.is_variable_length(type):
            copy_object(self.emission, source, target, type)
            return
        size = self._byte_size(type)
        self._call("memcpy", [target, source, size], [PTR])

    def fill_with_zeros(self, address: SSAValue, type: CType) -> None:
        zero = self.builder.integer(0, i32)
        self._call("memset", [address, zero, self._byte_size(type)], [PTR])

    def _byte_size(self, type: CType) -> SSAValue:
        size = self.emission.places.byte_size(type)
        return self.builder.add(arith.IndexCastOp(size, i64)).result

    def _call(
        self, name: str, arguments: Sequence[SSAValue], outputs: Sequence[Attribute]
    ) -> SSAValue | None:
        types = [argument.type for argument in arguments]
        self.emission.symbols.library_function(
            name, types, outputs, self.emission.function.symbol.span
        )
        op = self.builder.add(func.CallOp(name, list(arguments), outputs))
        return op.results[0] if op.results else None

    def assign(self, source: Symbol, target: Symbol) -> None:
        """target = source"""
        if ct.is_single(source.type):
            value = self.emission.expressions.value(
                Load(ct.unqualified(source.type), source.span, variable(source))
            )
            element = self.emission.places.element(variable(target))
            store_element(self.emission, value, element)
            return
        addresses = [self.emission.places.address(variable(s)) for s in (source, target)]
        self.copy(addresses[0], addresses[1], source.type)

    # Reductions

    def prepare_reductions(self, reductions: Sequence[Reduction]) -> None:
        """Before the construct: which elements, and what the variables are outside."""
        for reduction in reductions:
            if not reduction.is_inherited:
                self.bind(reduction.outer, self._peek(reduction.symbol))
            for symbol, value in (
                (reduction.start_symbol, reduction.start),
                (reduction.count_symbol, reduction.count),
            ):
                if symbol is not None and value is not None:
                    storage = self.emission.places.allocate(symbol)
                    number = self.emission.expressions.value(value)
                    store_element(self.emission, number, Element(storage, []))

    @staticmethod
    def section_symbols(reductions: Sequence[Reduction]) -> list[Symbol]:
        """The variables that say which elements reductions of pointers are about, and where."""
        return [
            symbol
            for one in reductions
            if one.count is not None
            for symbol in (one.outer, one.start_symbol, one.count_symbol)
            if symbol is not None
        ]

    def begin_reductions(self, reductions: Sequence[Reduction]) -> None:
        for reduction in reductions:
            if reduction.count_symbol is not None:
                self._point_to_buffer(reduction)
            for statement in reduction.initial:
                self.statements.statement(statement)
        if any(reduction.reads_outer for reduction in reductions):
            self.builder.add(omp.BarrierOp.build())

    def _point_to_buffer(self, reduction: Reduction) -> None:
        """The thread's pointer: its elements from `start` on are a buffer's."""
        assert reduction.count_symbol is not None
        assert reduction.start_symbol is not None
        symbol = reduction.symbol
        assert isinstance(symbol.type, PointerType)
        places, builder = self.emission.places, self.builder
        count, start = (
            builder.index_cast(
                self.emission.expressions.value(Load(ct.LONG, symbol.span, variable(one))),
                signed=True,
            )
            for one in (reduction.count_symbol, reduction.start_symbol)
        )
        each = places.byte_size(symbol.type.target)
        size = builder.add(arith.MuliOp(count, each)).result
        op = memref.AllocaOp.build(
            operands=[[size], []],
            result_types=[memref_type((DYNAMIC_INDEX,), i8)],
            properties={"alignment": IntegerAttr(_BUFFER_ALIGNMENT, i64)},
        )
        buffer = places.storage_address(builder.add(op).memref)
        back = builder.add(arith.SubiOp(builder.integer(0, INDEX), start)).result
        pointer = places.step_by(buffer, back, symbol.type.target)
        store_element(self.emission, pointer, Element(places.storage[symbol], []))

    def combine(self, reductions: Sequence[Reduction]) -> None:
        if not reductions or self.builder.block is None:
            return
        with self.builder.nested() as region:
            for reduction in reductions:
                for statement in reduction.combine:
                    self.statements.statement(statement)
            self.finish_region()
        self.builder.add(ompx.CriticalOp(ompx.REDUCTION, region))

    def finish_region(self) -> None:
        if self.builder.block is not None:
            self.builder.add(omp.TerminatorOp())

    @staticmethod
    def own_symbols(data: DataClauses) -> list[Symbol]:
        found = [*data.private, *data.firstprivate, *data.lastprivate]
        found += [reduction.symbol for reduction in data.reductions]
        return list(dict.fromkeys(found))


class _Taken:
    def __init__(self, values: list[tuple[Symbol, SSAValue]], on_heap: bool):
        self.values = values
        self.on_heap = on_heap


def variable(symbol: Symbol) -> Expr:
    return Variable(symbol.type, symbol.span, symbol)
