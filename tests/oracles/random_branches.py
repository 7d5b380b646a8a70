"""Random C functions of conditions: nested, joined, switched, on data and on integers, with scalars
that are set on some ways only. All of them end, and C defines all that they do."""

from __future__ import annotations

from random import Random

SIGNATURE = "int n, int m, unsigned u, long l, double *A"
ARRAY = 8
SCALARS = ("s", "t")


class BranchWriter:
    def __init__(self, random: Random):
        self.random = random
        self.lines = list[str]()
        self.loops = 0

    def text(self) -> str:
        self._body(1, ("n", "m"), 0)
        body = "\n".join(self.lines)
        return (
            f"void f({SIGNATURE})\n{{\n    int s = 1, t = 2;\n{body}\n"
            f"    A[0] = A[0] + s;\n    A[1] = t;\n}}\n"
        )

    def _add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def _integer(self, names: tuple[str, ...]) -> str:
        name = self.random.choice((*names, *SCALARS))
        return self.random.choice(
            (
                name,
                str(self.random.randint(0, 4)),
                f"({name} + {self.random.randint(1, 3)})",
                f"({name} & {self.random.choice((1, 3, 5, 6))})",
                f"({name} / {self.random.choice((2, 3, -2))})",
                f"({name} % {self.random.choice((2, 3))})",
                f"(int)(u >> {self.random.randint(0, 2)})",
            )
        )

    def _comparison(self, names: tuple[str, ...]) -> str:
        relation = self.random.choice(("<", "<=", ">", "==", "!="))
        return f"{self._integer(names)} {relation} {self._integer(names)}"

    def _condition(self, names: tuple[str, ...]) -> str:
        one, other = self._comparison(names), self._comparison(names)
        data = f"A[{self.random.randrange(ARRAY)}] > {self.random.randint(0, 3)}.0"
        return self.random.choice(
            (
                one,
                one,
                f"!({one})",
                f"{one} && {other}",
                f"{one} || {other}",
                f"({one}) == ({other})",
                f"({one}) != ({other})",
                data,
                f"{one} && {data}",
                f"{data} || {other}",
            )
        )

    def _body(self, depth: int, names: tuple[str, ...], inside: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            choice = self.random.randrange(8)
            if choice < 2 and inside < 3:
                self._loop(depth, names, inside)
            elif choice < 5 and depth < 5:
                self._branch(depth, names, inside)
            elif choice == 5 and depth < 5:
                self._switch(depth, names)
            else:
                self._assignment(depth, names)

    def _loop(self, depth: int, names: tuple[str, ...], inside: int) -> None:
        self.loops += 1
        name = f"i{self.loops}"
        self._add(depth, f"for (int {name} = 0; {name} < {self.random.choice('nm')}; {name}++) {{")
        self._body(depth + 1, (*names, name), inside + 1)
        if self.random.random() < 0.2:
            jump = self.random.choice(("break", "continue"))
            self._add(depth + 1, f"if ({self._condition((*names, name))}) {jump};")
            self._assignment(depth + 1, names)
        self._add(depth, "}")

    def _branch(self, depth: int, names: tuple[str, ...], inside: int) -> None:
        self._add(depth, f"if ({self._condition(names)}) {{")
        self._body(depth + 1, names, inside + 1)
        if self.random.random() < 0.5:
            self._add(depth, "} else {")
            self._body(depth + 1, names, inside + 1)
        self._add(depth, "}")

    def _switch(self, depth: int, names: tuple[str, ...]) -> None:
        self._add(depth, f"switch ({self._integer(names)}) {{")
        for case in self.random.sample(range(4), self.random.randint(1, 3)):
            self._add(depth, f"case {case}:")
            self._assignment(depth + 1, names)
            if self.random.random() < 0.7:
                self._add(depth + 1, "break;")
        if self.random.random() < 0.5:
            self._add(depth, "default:")
            self._assignment(depth + 1, names)
        self._add(depth, "}")

    def _assignment(self, depth: int, names: tuple[str, ...]) -> None:
        value, place = self._integer(names), self.random.randrange(ARRAY)
        self._add(
            depth,
            self.random.choice(
                (
                    f"A[{place}] = {value};",
                    f"A[{place}] = A[{self.random.randrange(ARRAY)}] + 1.0;",
                    f"{self.random.choice(SCALARS)} = {value};",
                    f"s = {self._condition(names)} ? {value} : {self._integer(names)};",
                    f"if ({self._comparison(names)}) t = {value};",
                )
            ),
        )


def branching_function(seed: int) -> str:
    return BranchWriter(Random(seed)).text()
