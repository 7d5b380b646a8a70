"""The module that is being written: symbols, declarations, metadata, fast-math permissions."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation

from polyopt.backend.emit.metadata import Metadata
from polyopt.backend.processors.options import BackendOptions
from polyopt.dialects.cmem import STRICT_ALIASING
from polyopt.ir.fast_math import FASTMATH
from polyopt.support.record import entity

if TYPE_CHECKING:
    from polyopt.backend.emit.debug_info import DebugInfo

_ALL_FAST = frozenset(FastMathFlagsAttr("fast").data)


@entity
class ModuleEmitter:
    """`symbols` are the module's own; `declarations` are lines by the name they declare;
    `written_once` are lines that definitions ask for, by what they define.
    `has_strict_types`: memory is accessed as of one type only; `vectorised_later`: LLVM's
    vectorisers will see the module. `scalars`: the types of objects that are one value each."""

    options: BackendOptions
    fastmath: frozenset[str]
    symbols: dict[str, Operation]
    has_strict_types: bool = False
    vectorised_later: bool = False
    metadata: Metadata = field(default_factory=Metadata)
    declarations: dict[str, str] = field(default_factory=dict[str, str])
    debug_info: DebugInfo | None = None
    kept: dict[str, None] = field(default_factory=dict[str, None])
    referenced: set[str] = field(default_factory=set[str])
    written_once: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    attribute_groups: list[str] = field(default_factory=list[str])
    has_gathers: bool = False
    library_bits: int = 0
    scalars: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    aliases: dict[str, str] = field(default_factory=dict[str, str])
    constructors: dict[str, list[tuple[int, str]]] = field(
        default_factory=dict[str, list[tuple[int, str]]]
    )
    _flag_texts: dict[tuple[FastMathFlagsAttr | None, frozenset[str]], str] = field(
        default_factory=dict[tuple[FastMathFlagsAttr | None, frozenset[str]], str]
    )

    @staticmethod
    def of(module: ModuleOp, options: BackendOptions) -> ModuleEmitter:
        attribute = module.attributes.get(FASTMATH)
        flags = attribute.data if isinstance(attribute, FastMathFlagsAttr) else ()
        symbols: dict[str, Operation] = {}
        for op in module.ops:
            name = op.properties.get("sym_name")
            if isinstance(name, StringAttr):
                symbols[name.data] = op
        has_strict_types = STRICT_ALIASING in module.attributes
        emitter = ModuleEmitter(options, frozenset(flags), symbols, has_strict_types)
        emitter.metadata.flags += options.module_flags()
        if options.debug:
            from polyopt.backend.emit.debug_info import DebugInfo

            emitter.debug_info = DebugInfo(emitter.metadata, options.opt_level > 0)
        return emitter

    def fast_flags(
        self, attribute: FastMathFlagsAttr | None, *, without: frozenset[str] = frozenset()
    ) -> str:
        """What an operation may do, or all operations of the module; with a space after it.
        `without`: what this operation is not to do all the same."""
        text = self._flag_texts.get((attribute, without))
        if text is None:
            flags = self.fastmath | frozenset(attribute.data if attribute else ())
            flags -= without
            if flags >= _ALL_FAST:
                text = "fast "
            else:
                text = "".join(f"{flag} " for flag in sorted(flags))
            self._flag_texts[attribute, without] = text
        return text

    def may(self, flag: str, attribute: FastMathFlagsAttr | None) -> bool:
        """Whether an operation has this permission, by itself or from the module."""
        return flag in self.fastmath or (attribute is not None and flag in attribute.data)

    @contextmanager
    def as_written(self) -> Generator[None]:
        """What is emitted in the block keeps the order of the source."""
        kept = self.fastmath, self._flag_texts
        self.fastmath, self._flag_texts = self.fastmath & {FastMathFlag.ALLOW_CONTRACT}, {}
        yield
        self.fastmath, self._flag_texts = kept

    def intrinsic(self, name: str, result: str, parameters: str) -> str:
        """Declare an intrinsic; its global name."""
        if name not in self.declarations:
            self.declarations[name] = f"declare {result} @{name}({parameters})"
        return f"@{name}"

    def keep(self, name: str, result: str, parameters: str, attributes: str) -> None:
        """Declare a function that LLVM may call later, though nothing does yet."""
        self.declarations[name] = f"declare {result} @{name}({parameters}) {attributes}"
        self.kept[name] = None

    def attribute_group(self, attributes: str) -> str:
        """The number of a group of function attributes."""
        if attributes not in self.attribute_groups:
            self.attribute_groups.append(attributes)
        return f"#{self.attribute_groups.index(attributes)}"

    def definition_group(self, vector_bits: int, features: str = "") -> str:
        """The group of a function that is defined, whose widest vector has so many bits, for a CPU
        that has these features, too. It does what its body says, whatever function of the library
        has its name."""
        texts = [
            f"{_MACHINE}{{{features}}}",
            "nobuiltin",
            f'"min-legal-vector-width"="{vector_bits}"',
        ]
        texts += [text for flag, text in _PROMISES.items() if flag in self.fastmath]
        return self.attribute_group(" ".join(texts))

    def group_lines(self) -> list[str]:
        """The definitions of the groups, when all functions are written. Where a model of ours
        gathers in any of them, none is told of gathers: LLVM inlines only what knows as much as
        the caller. Intel's CPUs compute functions of the library for twice as many lanes in little
        more time, where LLVM takes half of their vectors (tanh of 30,000 floats: 40 us by halves,
        16 by whole ones): if loops may call such functions, all are told to take whole ones."""
        return [
            f"attributes #{number} = {{ {self._with_machine(attributes)} }}"
            for number, attributes in enumerate(self.attribute_groups)
        ]

    def _with_machine(self, attributes: str) -> str:
        if not attributes.startswith(_MACHINE):
            return attributes
        features, _, rest = attributes.removeprefix(f"{_MACHINE}{{").partition("}")
        takes_apart = not self.has_gathers
        machine = _machine_attributes(self.options, features, takes_apart=takes_apart)
        if self.library_bits > _HALF_LINE and self.options.prefer_vector_width is None:
            machine += f' "prefer-vector-width"="{self.library_bits}"'
        return machine + rest

    def symbol(self, name: str) -> str:
        """A symbol's global name, noted as used."""
        self.referenced.add(name)
        return global_name(name)


def global_name(name: str) -> str:
    """The name as LLVM writes it, quoted where it is not a plain identifier."""
    plain = name.replace(".", "_").replace("$", "_")
    if plain.isidentifier() and plain.isascii():
        return f"@{name}"
    quoted = "".join(
        character
        if character.isprintable() and character not in '"\\'
        else f"\\{ord(character):02X}"
        for character in name
    )
    return f'@"{quoted}"'


_HALF_LINE = 256
"""Bits of the vectors that LLVM takes of CPUs which have had to run slower with wider ones."""
_MACHINE = "{machine}"
"""Stands in the groups of functions that are defined for what is told of the machine."""


def _machine_attributes(options: BackendOptions, more: str, *, takes_apart: bool) -> str:
    """What holds for every function that is defined for a CPU with these features, too."""
    cpu, named = options.cpu()
    untaken = options.untaken_vectors() if takes_apart else ""
    features = ",".join(text for text in (named, untaken, more) if text)
    texts = [*unwinding(options), '"no-trapping-math"="true"', f'"target-cpu"="{cpu}"']
    if features:
        texts.append(f'"target-features"="{features}"')
    if options.prefer_vector_width is not None:
        texts.append(f'"prefer-vector-width"="{options.prefer_vector_width}"')
    texts += options.function_attributes()
    return " ".join(texts)


def unwinding(options: BackendOptions) -> list[str]:
    """What holds for functions, defined or not, unless what others throw may pass through."""
    return [] if options.unwinds else ["nounwind"]


_PROMISES = {
    FastMathFlag.NO_NANS: '"no-nans-fp-math"="true"',
    FastMathFlag.NO_INFS: '"no-infs-fp-math"="true"',
    FastMathFlag.NO_SIGNED_ZEROS: '"no-signed-zeros-fp-math"="true"',
}
"""What values a function never sees: where LLVM makes new operations (a phi for a variable, a
maximum for a branch), no flag stands on them."""
