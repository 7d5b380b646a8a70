"""A translation unit in parts that know nothing of each other, so that each can be compiled alone.

What one function can know of another it knows by what it names: functions that it calls or takes
the address of, globals that both use. So functions and globals that are joined by names, over
however many steps, stay together, whether other files see them or not: nothing that would be
inlined, copied, found out about a callee or laid out beside another object is lost. What the linker
puts in order (constructors, own sections) is one part, too. Constants without a name are in each
part that uses them.

Parts are filled with the largest pieces first.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from polyopt.dialects import cmem
from polyopt.ir.objects.named_symbols import symbols_named_by

LEAST = (1000, 400, 150)
"""Operations that others have to spare the largest part, at -O0, -O1 and above: a process and the
linker's run take 0.06 s, and so do as many operations of straight code (40 of loops at -O3)."""

_IN_ORDER = frozenset(("constructor", "destructor", "section"))


def parts_of(module: ModuleOp, most: int, level: int) -> list[frozenset[Operation]]:
    """What each of at most so many parts defines; none where parts bring nothing at that level of
    optimisation."""
    pieces = _pieces(module)
    weights = [sum(_weight(op) for op in piece) for piece in pieces]
    parts: list[list[Operation]] = [[] for _ in range(min(most, len(pieces)))]
    filled = [0] * len(parts)
    for weight, piece in sorted(zip(weights, pieces, strict=True), key=lambda one: -one[0]):
        emptiest = filled.index(min(filled))
        filled[emptiest] += weight
        parts[emptiest] += piece
    if sum(filled) - max(filled, default=0) < LEAST[min(level, len(LEAST) - 1)]:
        return []
    return [frozenset(part) for part in parts]


def keep_part(module: ModuleOp, part: frozenset[Operation]) -> None:
    """Leave nothing else of what the module defines; declarations stay."""
    for op in list(module.ops):
        if op not in part and not _is_in_all(op):
            op.detach()


def _weight(op: Operation) -> int:
    return sum(1 for _ in op.walk())


def _pieces(module: ModuleOp) -> list[list[Operation]]:
    """What is joined by names, in the order of the module; none where something has no name
    or the assembler may have names of its own."""
    if cmem.ASSEMBLY in module.attributes:
        return []
    own: dict[str, Operation] = {}
    for op in module.ops:
        if not isinstance(op, (FuncOp, cmem.GlobalOp)):
            return []
        if not _is_in_all(op):
            own[op.sym_name.data] = op
    joined = {name: name for name in own}

    def root(name: str) -> str:
        while joined[name] != name:
            joined[name] = name = joined[joined[name]]
        return name

    first_in_order: str | None = None
    for name, op in own.items():
        for other in _names_in(op):
            if other in own:
                joined[root(other)] = root(name)
        if cmem.linker_marks(op).keys() & _IN_ORDER:
            first_in_order = first_in_order or name
            joined[root(first_in_order)] = root(name)
    pieces: dict[str, list[Operation]] = {}
    for name, op in own.items():
        pieces.setdefault(root(name), []).append(op)
    return list(pieces.values())


def _names_in(op: Operation) -> Iterator[str]:
    for one in op.walk():
        yield from symbols_named_by(one)


def _is_in_all(op: Operation) -> bool:
    """Declarations, but for other names of what is defined, and constants without a name."""
    if "alias" in cmem.linker_marks(op):
        return False
    if isinstance(op, FuncOp):
        return op.is_declaration
    assert isinstance(op, cmem.GlobalOp)
    return op.declaration is not None or op.sym_name.data.startswith(".str.")
