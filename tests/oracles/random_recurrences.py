"""Random C loops whose variables change in all ways that chains of recurrences know.

Variables that are added to, multiplied, divided, swapped, kept from the iteration before, masked,
that alternate or go round; in loops of two levels. Some overflow, which C does not define where
they are signed: whoever runs them has to notice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

PARAMETERS = {"n": "int", "m": "int", "u": "unsigned", "l": "long"}
SIGNATURE = ", ".join(f"{type} {name}" for name, type in PARAMETERS.items()) + ", double *A"
TYPES = ("int", "int", "long", "unsigned", "unsigned char", "short")


@dataclass
class RecurrenceProgram:
    random: Random
    lines: list[str] = field(default_factory=list[str])
    variables: list[str] = field(default_factory=list[str])
    loops: int = 0

    def text(self) -> str:
        for place in range(self.random.randint(2, 4)):
            name = f"x{place}"
            start = self.random.choice(("0", "1", "2", "3", "-1", "40", "n", "u", "m"))
            self.lines.append(f"    {self.random.choice(TYPES)} {name} = {start};")
            self.variables.append(name)
        self._loop(1)
        if self.random.random() < 0.3:
            self._loop(1)
        self.lines += [f"    A[{name}] = 1.0;" for name in self.variables]
        return f"void f({SIGNATURE})\n{{\n" + "\n".join(self.lines) + "\n}\n"

    def _loop(self, depth: int) -> None:
        self.loops += 1
        name = f"i{self.loops}"
        indent = "    " * depth
        head = self.random.choice(
            (
                f"for (int {name} = 0; {name} < n; {name}++)",
                f"for (int {name} = 0; {name} < {self.random.randint(1, 9)}; {name}++)",
                f"for (int {name} = 1; {name} < n; {name} *= 2)",
                f"for (int {name} = 3; {name} <= {self.random.randint(1, 99)}; {name} *= 3)",
                f"for (int {name} = n; {name} > 0; {name} /= 2)",
                f"for (unsigned {name} = u; {name} != 0; {name} >>= 1)",
                f"for (unsigned {name} = 1; {name} < {self.random.randint(1, 99)}; {name} *= 2)",
                f"for (long {name} = l; {name} >= 3; {name} >>= 2)",
            )
        )
        self.lines.append(f"{indent}{head} {{")
        for _ in range(self.random.randint(1, 4)):
            self._update(depth + 1)
        if depth < 2 and self.random.random() < 0.3:
            self._loop(depth + 1)
        self.lines.append(f"{indent}    A[{self.random.choice(self.variables)}] = 1.0;")
        self.lines.append(f"{indent}}}")

    def _update(self, depth: int) -> None:
        x, y = self.random.sample(self.variables, 2)
        c = self.random.choice((1, 1, 2, 3, 5, -2))
        indent = "    " * depth
        told = self.random.choice(
            (
                f"{x} += {c};",
                f"{x} += {y};",
                f"{x} += {y} + {c};",
                f"{x} -= 2 * {y};",
                f"{x} *= {c};",
                f"{x} = {c} * {x} + {y};",
                f"{x} = {c} - {x};",
                f"{x} = n - {x};",
                f"{x} = {y};",
                f"{x} = {y} + {c};",
                f"{{ int t = {x}; {x} = {y}; {y} = t; }}",
                f"{x} >>= {abs(c)};",
                f"{x} /= 2;",
                f"{x} ^= {abs(c)};",
                f"{x} |= {abs(c)};",
                f"{x} &= {self.random.choice((7, 6, -8, 12, 254))};",
                f"{x} = ({x} + {abs(c)}) % {self.random.choice((2, 3, 4))};",
                f"{x} = n < {c} ? {y} + {c} : {y} + {c};",
                f"if (n > {c}) {x} += 2; else {x} += 3;",
            )
        )
        self.lines.append(f"{indent}{told}")


def recurrence_program(seed: int) -> str:
    return RecurrenceProgram(Random(seed)).text()
