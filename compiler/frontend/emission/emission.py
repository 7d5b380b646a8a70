"""What the parts of the emitter share while one function is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from polyopt.frontend.emission.ir_builder import IRBuilder
from polyopt.frontend.emission.module_symbols import ModuleSymbols
from polyopt.frontend.emission.stored_elements import Pair
from polyopt.frontend.tree.typed_statements import Function
from polyopt.frontend.tree.typed_tree import Held, Symbol

if TYPE_CHECKING:
    from polyopt.frontend.emission import emission_parts


class Emission:
    """The state of one function. Its parts are set by `emit_program`. `values` and `pairs` hold the
    variables that are plain values, `alignments` what is promised of pointers that the function is
    passed, wherever it begins."""

    places: emission_parts.Places
    expressions: emission_parts.Expressions
    calls: emission_parts.Calls
    complexes: emission_parts.Complexes
    builtins: emission_parts.Builtins
    statements: emission_parts.Statements
    initialisers: emission_parts.Initialisers

    def __init__(self, symbols: ModuleSymbols, function: Function, builder: IRBuilder):
        self.symbols = symbols
        self.function = function
        self.builder = builder
        self.values: dict[Symbol, SSAValue] = {}
        self.pairs: dict[Symbol, Pair] = {}
        self.alignments: dict[SSAValue, int] = {}
        self.held: dict[Held, SSAValue] = {}
        self.held_pairs: dict[Held, Pair] = {}
        self.result_pointer: SSAValue | None = None
        self.may_miss_return = False
