"""What GNU C's grammar has nodes of its own for, in the tree of pycparser."""

from __future__ import annotations

from pycparser import c_ast
from pycparser.c_ast import Node
from pycparser.c_parser import Coord


class NumberRange(Node):
    """`first ... last`, both among it."""

    def __init__(self, first: Node, last: Node, coord: Coord | None):
        self.first = first
        self.last = last
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return ("first", self.first), ("last", self.last)


class Broken(Node):
    """An item of a block whose syntax is wrong; that has been said."""

    def __init__(self, coord: Coord | None):
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return ()


class BlockExpression(Node):
    """`({ ... })`"""

    def __init__(self, block: c_ast.Compound, coord: Coord | None):
        self.block = block
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return (("block", self.block),)


class Operand(Node):
    """An operand of an assembly: its name in the template, "" for none, its constraint, and the
    expression."""

    def __init__(self, name: str, constraint: str, value: Node, coord: Coord | None):
        self.name = name
        self.constraint = constraint
        self.value = value
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return (("value", self.value),)


class Assembly(Node):
    """`asm volatile (template : outputs : inputs : clobbers : labels)`; `clobbers` is None where
    there is no colon: the template is as it is, `%` too."""

    def __init__(
        self,
        template: str,
        operands: list[list[Operand]],
        clobbers: list[str] | None,
        labels: list[str],
        coord: Coord | None,
    ):
        self.template = template
        self.clobbers = clobbers
        self.labels = labels
        self.outputs = operands[0] if operands else []
        self.inputs = operands[1] if len(operands) > 1 else []
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return tuple(("operand", operand) for operand in (*self.outputs, *self.inputs))


class LabelAddress(Node):
    """`&&name`"""

    def __init__(self, name: str, coord: Coord | None):
        self.name = name
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return ()


class ComputedGoto(Node):
    """`goto *address;`"""

    def __init__(self, address: Node, coord: Coord | None):
        self.address = address
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return (("address", self.address),)


class LocalLabels(Node):
    """`__label__ a, b;`"""

    def __init__(self, names: list[c_ast.ID], coord: Coord | None):
        self.names = names
        self.coord = coord

    def children(self) -> tuple[tuple[str, Node], ...]:
        return ()
