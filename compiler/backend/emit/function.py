"""The function that is being written: its lines, its names, and where control stands.

Values are written as LLVM operands ("%x", "7"). Blocks are entered through a `Join`, whose phis
are filled in when all branches to it are known. Fixed-size stack slots go to the entry block,
wherever they are declared, because only there LLVM keeps them in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.llvm_types import llvm_type, vector_bits
from polyopt.backend.emit.memrefs import MemRef
from polyopt.backend.emit.metadata import AliasScope, alias_suffix
from polyopt.backend.emit.object_scopes import ObjectScopes
from polyopt.backend.emit.registry import emitter_of
from polyopt.dialects.shaped_types import is_memref, is_vector
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.idioms.bisections import Bisections
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import entity

if TYPE_CHECKING:
    from polyopt.backend.emit.debug_info import Subprogram
    from polyopt.backend.emit.module import ModuleEmitter

_WIDEST_BITS = 512


@entity
class Join:
    """A block to come, and the values that each branch to it brings."""

    label: str
    types: Sequence[str]
    edges: list[tuple[str, Sequence[str]]] = field(default_factory=list[tuple[str, Sequence[str]]])
    names: Sequence[str] = ()
    first_line: int = -1

    def phi(self, position: int) -> str:
        incoming = ", ".join(f"[ {values[position]}, %{label} ]" for label, values in self.edges)
        return f"  {self.names[position]} = phi {self.types[position]} {incoming}"


class FunctionEmitter:
    """One function's text in the making; `label` is the block that receives instructions.

    `widened`: elements narrower than 32 bits are loaded or stored; `looks_up`: such elements are
    found by more than counting."""

    def __init__(self, module: ModuleEmitter, function: func.FuncOp | None = None):
        self.module = module
        self._objects = (
            ObjectScopes(module.metadata, function)
            if function is not None and module.options.opt_level > 0
            else None
        )
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.label = "entry"
        self.bisections = Bisections()
        self.widened = False
        self.looks_up = False
        self._own_vector_bits = 0
        self.access_group: str | None = None
        self.subprogram: Subprogram | None = None
        self.targets: dict[Block, Join] = {}
        self.region_ends: dict[Operation | None, Join] = {}
        self.memrefs: dict[SSAValue, MemRef] = {}
        self.slots: dict[str, str] = {}
        self.pointer_scopes: dict[SSAValue, tuple[AliasScope, ...]] = {}
        self._values: dict[SSAValue, str] = {}
        self._lengths: dict[SSAValue, str] = {}
        self._joins: list[Join] = []
        self._trampolines: list[tuple[str, str]] = []
        self._places: list[Attribute | None] = [None]
        self._placed_lines = 0
        self._taken = {"entry": 0}
        self._left_to: set[int] = set()
        self._flows: dict[Region, ControlFlow] = {}
        self._number = 0

    def control_flow(self, body: Region) -> ControlFlow:
        """Of blocks that are being written, and no more changed."""
        return self._flows.get(body) or self._flows.setdefault(body, ControlFlow(body))

    # Names and values

    def name(self, hint: str | None = None) -> str:
        """A new local name, with its per cent sign."""
        if hint is None:
            self._number += 1
            return f"%{self._number - 1}"
        return f"%{self._unique(hint)}"

    def _unique(self, hint: str) -> str:
        name, count = hint, self._taken.get(hint, 0)
        while name in self._taken:
            count += 1
            name = f"{hint}.{count}"
        if count:
            self._taken[hint] = count
        self._taken[name] = 0
        return name

    def new_label(self, hint: str) -> str:
        return self._unique(hint)

    def value(self, value: SSAValue) -> str:
        """The operand that stands for a value which fits one register."""
        text = self._values.get(value)
        if text is None:
            raise _undefined(value)
        return text

    def typed(self, value: SSAValue) -> str:
        """The operand with its type before it."""
        return f"{llvm_type(value.type)} {self.value(value)}"

    def bind(self, value: SSAValue, text: str) -> None:
        self._values[value] = text

    def length(self, value: SSAValue) -> str:
        """The operand that stands for a number of elements."""
        return self._lengths.get(value) or self.value(value)

    def bind_length(self, value: SSAValue, text: str) -> None:
        """What stands for the value where that counts elements, and is not negative."""
        self._lengths[value] = text

    def memref(self, value: SSAValue) -> MemRef:
        found = self.memrefs.get(value)
        if found is None:
            raise _undefined(value)
        return found

    def argument_names(self, arguments: Sequence[SSAValue]) -> list[str]:
        """New names for the registers of a function's arguments."""
        return [self.name(hint) for hint in self.register_hints(arguments)]

    # Instructions

    def emit(self, instruction: str) -> None:
        self.lines.append(f"  {instruction}")

    def temp(self, instruction: str, hint: str | None = None) -> str:
        """Emit an instruction; the name of its result."""
        name = self.name(hint)
        self.lines.append(f"  {name} = {instruction}")
        return name

    def define(self, value: SSAValue, instruction: str) -> None:
        """Emit the instruction that computes `value`."""
        name = self.name(value.name_hint)
        self.lines.append(f"  {name} = {instruction}")
        self._values[value] = name

    def stack_slot(self, type: str, align: int, hint: str | None) -> str:
        name = self.name(hint or "slot")
        self.allocas.append(f"  {name} = alloca {type}, align {align}")
        return name

    def scopes_of(self, op: Operation, m: MemRef) -> tuple[AliasScope, ...]:
        """The scopes of an access of `op` through `m`, one of its operands."""
        if self._objects is None:
            return m.scopes
        value = next((value for value in op.operands if self.memrefs.get(value) is m), None)
        return m.scopes if value is None else (*m.scopes, *self._objects.of(value))

    def access_suffix(self, scopes: tuple[AliasScope, ...]) -> str:
        """The metadata of a memory access through an object in these scopes."""
        suffix = alias_suffix(self.module.metadata, scopes) if scopes else ""
        if self.access_group is not None:
            suffix += f", !llvm.access.group {self.access_group}"
        return suffix

    def fast_flags(
        self, attribute: FastMathFlagsAttr | None, *, without: frozenset[str] = frozenset()
    ) -> str:
        """The flags of an operation and of the module, each followed by a space."""
        return self.module.fast_flags(attribute, without=without)

    def needs_vectors(self, bits: int) -> None:
        """Vectors of this size are to be one register where the machine has such."""
        self._own_vector_bits = max(self._own_vector_bits, bits)

    @property
    def vector_bits(self) -> int:
        """The widest vector to be one register. Of bytes LLVM takes as many as a preferred vector
        holds, and widens them to 32 bits: that is more than such a vector, and better in one
        register where there is one. But then it also finds it cheap to look up lanes one by one."""
        is_wide = self.widened and not self.looks_up
        return max(self._own_vector_bits, _WIDEST_BITS if is_wide else 0)

    # Values of any type as lists of registers

    def register_types(self, types: Sequence[Attribute]) -> list[str]:
        found: list[str] = []
        for type in types:
            if is_memref(type):
                found += memrefs.register_types(type)
            else:
                found.append(llvm_type(type))
        return found

    def registers(self, values: Sequence[SSAValue]) -> list[str]:
        found: list[str] = []
        for value in values:
            if is_memref(value.type):
                found += memrefs.registers(self.memref(value), value.type)
            else:
                found.append(self.value(value))
        return found

    def register_hints(self, values: Sequence[SSAValue]) -> list[str | None]:
        """The name of each value for its first register, none for the others."""
        hints: list[str | None] = []
        for value in values:
            hints.append(value.name_hint)
            hints += [None] * (len(self.register_types([value.type])) - 1)
        return hints

    def bind_registers(self, values: Sequence[SSAValue], registers: Sequence[str]) -> None:
        """Take `registers` for the values, in the order of `register_types`."""
        position = 0
        for value in values:
            if is_memref(value.type):
                count = len(memrefs.register_types(value.type))
                taken = registers[position : position + count]
                self.memrefs[value] = memrefs.from_registers(self, value.type, taken)
                position += count
            else:
                self._values[value] = registers[position]
                position += 1

    # Blocks

    def start_block(self, label: str) -> None:
        self.lines += ["", f"{label}:"]
        self.label = label
        self._left_to.clear()

    def new_join(self, label: str, types: Sequence[Attribute] = ()) -> Join:
        return Join(self.new_label(label), self.register_types(types))

    def edge(self, join: Join, values: Sequence[str] = ()) -> str:
        """The label by which the terminator to be emitted next reaches `join` with `values`.

        LLVM wants one value for each predecessor: a second edge from the same block goes
        through a block of its own."""
        if not join.types:
            return join.label
        if id(join) in self._left_to:
            trampoline = self.new_label("edge")
            self._trampolines.append((trampoline, join.label))
            join.edges.append((trampoline, values))
            return trampoline
        self._left_to.add(id(join))
        join.edges.append((self.label, values))
        return join.label

    def terminate(self, instruction: str) -> None:
        self.emit(instruction)
        for trampoline, target in self._trampolines:
            self.start_block(trampoline)
            self.emit(f"br label %{target}")
        self._trampolines.clear()

    def jump(self, join: Join, values: Sequence[str] = (), suffix: str = "") -> None:
        self.terminate(f"br label %{self.edge(join, values)}{suffix}")

    def enter(self, join: Join, hints: Sequence[str | None] = ()) -> Sequence[str]:
        """Start the block; the names of the values brought to it."""
        self.start_block(join.label)
        join.first_line = len(self.lines)
        join.names = [self.name(hint) for hint in hints]
        self.lines += [""] * len(join.types)
        if join.types:
            self._joins.append(join)
        return join.names

    def enter_binding(self, join: Join, values: Sequence[SSAValue]) -> None:
        """Start the block; its values become `values`."""
        self.bind_registers(values, self.enter(join, self.register_hints(values)))

    # Operations

    def emit_op(self, op: Operation) -> None:
        emitter = emitter_of(op)
        if emitter is None:
            raise unsupported(op)
        for result in op.results:
            if is_vector(result.type):
                self.needs_vectors(vector_bits(result.type))
        if self.subprogram is not None:
            self._place_lines(self.subprogram)
            place = op.location
            self._places.append(self._places[-1] if isinstance(place, UnknownLoc) else place)
        try:
            emitter(self, op)
        except CompileError as error:
            if error.diagnostic.span is None:
                told = error.diagnostic
                raise unsupported(op, told.message, told.hint) from error
            raise
        if self.subprogram is not None:
            self._place_lines(self.subprogram)
            self._places.pop()

    def _place_lines(self, subprogram: Subprogram) -> None:
        """What has been written since the last time belongs to the operation that is emitted."""
        suffix = subprogram.suffix(self._places[-1])
        for number in range(self._placed_lines, len(self.lines)):
            if self.lines[number].startswith("  "):
                self.lines[number] += suffix
        self._placed_lines = len(self.lines)

    def emit_block(self, block: Block) -> Operation:
        """Emit all operations but the terminator, which is returned."""
        terminator = block.last_op
        if terminator is None:
            raise CompileError("a block without a terminator reached the LLVM back end")
        op = block.first_op
        while op is not terminator and op is not None:
            self.emit_op(op)
            op = op.next_op
        return terminator

    def finish(self) -> list[str]:
        """The lines of the body, the phis filled in."""
        if self.subprogram is not None:
            self._place_lines(self.subprogram)
        for join in self._joins:
            for position in range(len(join.types)):
                self.lines[join.first_line + position] = join.phi(position)
        return ["entry:", *self.allocas, *self.lines]


def _undefined(value: SSAValue) -> CompileError:
    name = value.name_hint or "a value"
    owner = value.owner
    if isinstance(owner, Operation):
        return unsupported(owner, f"its result {name} is used where it is not defined")
    return CompileError(f"{name} is used where it is not defined")
