"""Random C functions that count in all ways that C programs do.

Loops of every integer type, with steps and bounds of all kinds, written as for, while and do,
left in the middle, skipped on conditions; what they compute is of no matter. Some of them do not
end, or leave C's definition: whoever runs them has to notice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

TYPES = ("int", "int", "int", "long", "unsigned", "unsigned long")
PARAMETERS = {"n": "int", "m": "int", "u": "unsigned", "l": "long"}
SIGNATURE = ", ".join(f"{type} {name}" for name, type in PARAMETERS.items()) + ", double *A"


@dataclass
class CountingProgram:
    random: Random
    lines: list[str] = field(default_factory=list[str])
    iterators: list[str] = field(default_factory=list[str])
    loops: int = 0

    def text(self) -> str:
        for _ in range(self.random.randint(1, 2)):
            self._loop(1)
        body = "\n".join(self.lines)
        return f"void f({SIGNATURE})\n{{\n{body}\n}}\n"

    def _add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def _number(self) -> str:
        return str(self.random.choice((0, 0, 1, 1, 2, 3, 5)))

    def _term(self) -> str:
        return self.random.choice([*PARAMETERS, *self.iterators, *self.iterators, self._number()])

    def _value(self) -> str:
        match self.random.randrange(8):
            case 0:
                return f"{self._term()} + {self._term()}"
            case 1:
                return f"{self._term()} - {self._number()}"
            case 2:
                return f"2 * {self._term()}"
            case 3:
                return f"{self._term()} / {self.random.choice((2, 3))}"
            case 4:
                return f"{self._term()} % {self.random.choice((2, 3, 4))}"
            case 5:
                first, second = self._term(), self._term()
                return f"({first} < {second} ? {first} : {second})"
            case _:
                return self._term()

    def _condition(self) -> str:
        relation = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        one = f"{self._value()} {relation} {self._value()}"
        match self.random.randrange(5):
            case 0:
                return f"{one} && {self._term()} < {self._value()}"
            case 1:
                return f"{one} || {self._term()} > {self._value()}"
            case _:
                return one

    def _body(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 2)):
            choice = self.random.randrange(6)
            if choice < 2 and depth < 4:
                self._loop(depth)
            elif choice == 2:
                self._add(depth, f"if ({self._condition()}) {{")
                self._statement(depth + 1)
                if self.random.random() < 0.5:
                    self._add(depth, "} else {")
                    self._statement(depth + 1)
                self._add(depth, "}")
            else:
                self._statement(depth)

    def _statement(self, depth: int) -> None:
        self._add(depth, f"A[{self._value()}] = {self.random.randint(1, 9)};")

    def _loop(self, depth: int) -> None:
        self.loops += 1
        name, type = f"i{self.loops}", self.random.choice(TYPES)
        step = self.random.choice((1, 1, 1, 2, 3))
        start, bound = self._value(), self._value()
        if self.random.random() < 0.35:
            relation, update = self.random.choice((">", ">=", "!=")), f"{name} -= {step}"
            start, bound = self.random.choice(("n", "l", "u", "7")), self._number()
        else:
            relation, update = self.random.choice(("<", "<", "<=", "!=")), f"{name} += {step}"
        test = f"{name} {relation} {bound}"
        kind = self.random.randrange(6)
        if kind < 3:
            self._add(depth, f"for ({type} {name} = {start}; {test}; {update}) {{")
            self._inside(depth, name, ("break", "continue"))
            self._add(depth, "}")
            return
        self._add(depth, f"{type} {name} = {start};")
        head, tail = {
            3: (f"while ({test}) {{", "}"),
            4: ("do {", f"}} while ({test});"),
            5: (f"for (;;) {{ if (!({test})) break;", "}"),
        }[kind]
        self._add(depth, head)
        self._inside(depth, name, ("break",))
        self._add(depth + 1, f"{update};")
        self._add(depth, tail)
        if self.random.random() < 0.5:
            self._add(depth, f"A[{name}] = {self.random.randint(1, 9)};")

    def _inside(self, depth: int, name: str, jumps: tuple[str, ...]) -> None:
        self.iterators.append(name)
        self._body(depth + 1)
        if self.random.random() < 0.25:
            self._add(depth + 1, f"if ({self._condition()}) {self.random.choice(jumps)};")
            self._statement(depth + 1)
        self.iterators.pop()


def counting_program(seed: int) -> str:
    return CountingProgram(Random(seed)).text()
