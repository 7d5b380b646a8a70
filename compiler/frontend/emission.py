"""What the parts of the emitter share while one function is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from polyopt.frontend.ir_builder import IRBuilder
from polyopt.frontend.module_symbols import ModuleSymbols
from polyopt.frontend.typed_tree import Function, Held, Symbol

if TYPE_CHECKING:
    from polyopt.frontend.emit_builtins import BuiltinEmitter
    from polyopt.frontend.emit_calls import CallEmitter
    from polyopt.frontend.emit_expressions import ExpressionEmitter
    from polyopt.frontend.emit_initialisers import InitialiserEmitter
    from polyopt.frontend.emit_places import PlaceEmitter
    from polyopt.frontend.emit_statements import StatementEmitter


class Emission:
    """The state of one function. Its parts are set by `emit_program`. `values` holds the
    variables that are plain values."""

    places: PlaceEmitter
    expressions: ExpressionEmitter
    calls: CallEmitter
    builtins: BuiltinEmitter
    statements: StatementEmitter
    initialisers: InitialiserEmitter

    def __init__(self, symbols: ModuleSymbols, function: Function, builder: IRBuilder):
        self.symbols = symbols
        self.function = function
        self.builder = builder
        self.values: dict[Symbol, SSAValue] = {}
        self.held: dict[Held, SSAValue] = {}
        self.result_pointer: SSAValue | None = None
        self.may_miss_return = False
