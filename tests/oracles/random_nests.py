"""Random loop nests in the notation of `polyopt.poly.notation`, of all that makes legality hard:
triangles, strides, loops that count down, statements between loops, conditions, subscripts that
wrap around, scalars, updates, writes that may happen, subscripts that nobody knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

KNOWN = ("", "", "", "n > 0", "m >= 1 and n >= m", "n >= 2 and m >= 2")
NAMES = "ijk"
OPERATORS = ("+", "+", "*", "max")
TALLEST = 4
"""Statements of a nest, at most about as many."""


@dataclass
class NestWriter:
    random: Random
    operators: tuple[str, ...]
    lines: list[str] = field(default_factory=list[str])
    statements: int = 0

    def text(self) -> str:
        for _ in range(self.random.choice((1, 1, 2))):
            self._loop((), self.random.choice((1, 2, 2, 2, 3)))
        return "\n".join([f"[n, m] : {self.random.choice(KNOWN)}", *self.lines])

    def _add(self, depth: int, line: str) -> None:
        self.lines.append("  " * depth + line)

    def _loop(self, outer: tuple[str, ...], depth: int, indent: int = 0) -> None:
        name = NAMES[len(outer)]
        down = self.random.choice(("", "", "", " down"))
        self._add(indent, f"for {name}{down} : {self._range(name, outer)}")
        inner = (*outer, name)
        before = len(self.lines)
        for _ in range(self.random.choice((1, 1, 2))):
            if depth > 1 and self.random.random() < 0.8 and self.statements < TALLEST:
                self._loop(inner, depth - 1, indent + 1)
            else:
                self._statement(inner, indent + 1)
        if len(self.lines) == before or (depth > 1 and self.random.random() < 0.25):
            self._statement(inner, indent + 1)

    def _range(self, name: str, outer: tuple[str, ...]) -> str:
        size = self.random.choice("nnm")
        plain = (
            f"0 <= {name} < {size}",
            f"0 <= {name} < {size}",
            f"1 <= {name} < {size} - 1",
            f"0 <= {name} <= {size}",
            f"0 <= {name} < 3",
            f"0 <= 2{name} < {size}",
            f"0 <= {name} < {size} and {name} mod 2 = 1",
            f"0 <= {name} < {size} and ({name} + 2) mod 3 = 0",
        )
        if not outer or self.random.random() < 0.6:
            return self.random.choice(plain)
        other = self.random.choice(outer)
        return self.random.choice(
            (
                f"0 <= {name} <= {other}",
                f"{other} < {name} < {size}",
                f"{other} <= {name} and 2 <= {name} and {name} < {size}",
                f"0 <= {name} < {size} and ({name} + {other}) mod 2 = 0",
                f"0 <= {name} < n - {other}",
            )
        )

    def _statement(self, loops: tuple[str, ...], indent: int) -> None:
        if self.random.random() < 0.2:
            self._add(indent, f"if {self._condition(loops)}")
            indent += 1
        name = f"S{self.statements}"
        self.statements += 1
        reads = " ".join(self._reference(loops, "r") for _ in range(self.random.choice((0, 1, 2))))
        target = self._reference(loops, "w")
        if self.random.random() < 0.35:
            operator = self.random.choice(self.operators)
            self._add(indent, f"{name}: {target} {operator}= {reads}")
            return
        may = "?" if self.random.random() < 0.12 else ""
        if may and self.random.random() < 0.4:
            target = "A[*]"
        more = f" {self._reference(loops, 'w')}" if self.random.random() < 0.1 else ""
        self._add(indent, f"{name}: {may}{target}{more} = {reads}")

    def _condition(self, loops: tuple[str, ...]) -> str:
        one, other = self.random.choice(loops), self.random.choice((*loops, "n"))
        return self.random.choice(
            (
                f"{one} mod 2 = 0",
                f"{one} > 1",
                f"{one} < {other}",
                f"({one} mod 3 = 1 or {one} > 3)",
                f"{one} + {other} < n + 2",
            )
        )

    def _reference(self, loops: tuple[str, ...], kind: str) -> str:
        choice = self.random.randrange(10)
        if choice < 2:
            return "x[]"
        if choice < 6:
            return f"A[{self._subscript(loops)}]"
        if choice < 7 and kind == "r":
            return f"B[{self._subscript(loops)}]"
        return f"M[{self._subscript(loops)}, {self._subscript(loops)}]"

    def _subscript(self, loops: tuple[str, ...]) -> str:
        one, other = self.random.choice(loops), self.random.choice(loops)
        return self.random.choice(
            (
                one,
                one,
                one,
                f"{one} - 1",
                f"{one} + 1",
                f"{one} + {other}",
                f"{one} - {other}",
                f"n - 1 - {one}",
                f"2{one}",
                f"floor({one}/2)",
                f"({one} + 3) mod 4",
                "0",
            )
        )


def random_nest(seed: int, operators: tuple[str, ...] = OPERATORS) -> str:
    return NestWriter(Random(seed), operators).text()
