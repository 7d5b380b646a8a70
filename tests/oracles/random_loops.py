"""Random C functions of loops and array accesses whose behaviour C defines completely.

Every function has the same signature and works on the same arrays. All subscripts stay in bounds
by construction: the generator knows an interval for every iterator, whatever the parameters are
(`SMALLEST <= n, m <= LARGEST`), and draws a subscript again until its interval fits. Integers are
unsigned where they could overflow. Values stay small, so that nothing becomes infinite.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

SMALLEST, LARGEST = 0, 9
EXTENT = 24
MATRICES = ("A", "B", "C")
VECTORS = ("x", "y")
COUNTS = "H"

SIGNATURE = (
    f"int n, int m, double A[{EXTENT}][{EXTENT}], double B[{EXTENT}][{EXTENT}], "
    f"double C[{EXTENT}][{EXTENT}], double x[{EXTENT}], double y[{EXTENT}], "
    f"unsigned H[{EXTENT}]"
)


@dataclass(frozen=True)
class Iterator:
    """A loop's variable and an interval that its values are in inside the loop."""

    name: str
    least: int
    most: int


@dataclass
class FunctionWriter:
    """Writes one function; `lines` is its body so far."""

    random: Random
    lines: list[str] = field(default_factory=list[str])
    names: int = 0

    def function(self, name: str) -> str:
        for _ in range(self.random.randint(1, 3)):
            self.nest([], depth=self.random.randint(1, 3))
        body = "\n".join(self.lines)
        return (
            f"void {name}({SIGNATURE})\n{{\n    double s = 0.5, t = 0.25;\n{body}\n"
            "    x[0] += s;\n    y[0] += t;\n}\n"
        )

    # Loops

    def nest(self, outer: list[Iterator], depth: int) -> None:
        """A loop with statements, and with further loops while `depth` allows."""
        self.names += 1
        name = f"i{self.names}"
        iterator, head, tail = self.loop(name, outer)
        self.write(outer, head)
        inner = [*outer, iterator]
        for _ in range(self.random.randint(1, 2)):
            if depth > 1 and self.random.random() < 0.7:
                self.nest(inner, depth - 1)
            else:
                self.statement(inner)
        if depth > 1 and not self.random.randrange(3):
            self.statement(inner)
        self.write(outer, tail)

    def loop(self, name: str, outer: list[Iterator]) -> tuple[Iterator, str, str]:
        """The iterator, and the lines before and after the body."""
        lower, (least, _) = self.bound(outer, low=True)
        upper, (_, most) = self.bound(outer, low=False)
        iterator = Iterator(name, least, max(most - 1, least))
        step = self.random.choice([1, 1, 1, 2, 3])
        match self.random.randrange(6):
            case 0:
                head = f"for (int {name} = {upper} - 1; {name} >= {lower}; {name} -= {step}) {{"
                return iterator, head, "}"
            case 1:
                head = f"int {name} = {lower};\nwhile ({name} < {upper}) {{"
                return iterator, head, f"{name} += {step};\n}}"
            case 2:
                head = f"for (int {name} = {lower}; {name} <= {upper} - 1; {name} += {step}) {{"
                return iterator, head, "}"
            case 3:
                head = f"int {name} = {lower};\nif ({name} < {upper}) do {{"
                return iterator, head, f"{name}++;\n}} while ({name} < {upper});"
            case _:
                head = f"for (int {name} = {lower}; {name} < {upper}; {name} += {step}) {{"
                return iterator, head, "}"

    def bound(self, outer: list[Iterator], *, low: bool) -> tuple[str, tuple[int, int]]:
        """An affine bound and its interval: within [0, 15], as subscripts need room."""
        offset = self.random.randint(0, 2)
        if outer and self.random.random() < 0.4:
            iterator = self.random.choice(outer)
            if 0 <= iterator.least + offset and iterator.most + offset <= 15:
                text = f"{iterator.name} + {offset}"
                return text, (iterator.least + offset, iterator.most + offset)
        if low:
            return str(offset), (offset, offset)
        text = f"{self.random.choice('nm')} + {offset}"
        return text, (SMALLEST + offset, LARGEST + offset)

    # Statements

    def statement(self, loops: list[Iterator]) -> None:
        if self.random.random() < 0.3:
            self.branch(loops, indent=0)
        else:
            self.assignment(loops)

    def branch(self, loops: list[Iterator], indent: int) -> None:
        """An if, at most two deep, that may test several conditions and do several things."""
        condition = self.condition(loops)
        if self.random.random() < 0.25:
            condition = f"({condition}) {self.random.choice(['&&', '||'])} {self.condition(loops)}"
        self.write(loops, f"if ({condition}) {{", indent)
        self.arm(loops, indent + 1)
        if self.random.random() < 0.4:
            self.write(loops, "} else {", indent)
            self.arm(loops, indent + 1)
        self.write(loops, "}", indent)

    def arm(self, loops: list[Iterator], indent: int) -> None:
        for _ in range(self.random.choice([1, 1, 2])):
            if indent == 1 and self.random.random() < 0.2:
                self.branch(loops, indent)
            else:
                self.assignment(loops, indent)

    def assignment(self, loops: list[Iterator], indent: int = 0) -> None:
        kind = self.random.random()
        if kind < 0.1:
            target = f"H[{self.subscript(loops)}]"
            index = self.affine(loops)[0]
            text = f"{target} = {target} * 3u + (unsigned)({index});"
        elif kind < 0.25:
            scalar = self.random.choice("st")
            text = f"{scalar} = {self.value(loops)};"
        elif kind < 0.6:
            text = f"{self.element(loops)} += 0.25 * {self.value(loops)};"
        else:
            text = f"{self.element(loops)} = {self.value(loops)};"
        self.write(loops, text, indent)

    def value(self, loops: list[Iterator]) -> str:
        a, b = self.operand(loops), self.operand(loops)
        match self.random.randrange(6):
            case 0:
                return f"0.5 * {a} + 0.25 * {b}"
            case 1:
                return f"0.5 * ({a} - {b})"
            case 2:
                return f"0.125 * {a} * {b} + 0.5"
            case 3:
                return f"({a} < {b} ? {a} : {b})"
            case 4:
                return f"0.1 * {a} + 0.01 * ({self.affine(loops)[0]})"
            case _:
                return a

    def operand(self, loops: list[Iterator]) -> str:
        return self.random.choice("st") if self.random.random() < 0.15 else self.element(loops)

    def condition(self, loops: list[Iterator]) -> str:
        a, b = self.affine(loops)[0], self.affine(loops)[0]
        compare = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        match self.random.randrange(4):
            case 0:
                return f"({a}) % {self.random.choice([2, 3])} == {self.random.choice([0, 1])}"
            case 1:
                return f"{a} {compare} {b} && {b} < {self.random.choice('nm')}"
            case 2:
                return f"{self.element(loops)} > {self.random.choice(['0.25', '0.5'])}"
            case _:
                return f"{a} {compare} {b}"

    # Accesses

    def element(self, loops: list[Iterator]) -> str:
        if self.random.random() < 0.35:
            return f"{self.random.choice(VECTORS)}[{self.subscript(loops)}]"
        name = self.random.choice(MATRICES)
        return f"{name}[{self.subscript(loops)}][{self.subscript(loops)}]"

    def subscript(self, loops: list[Iterator]) -> str:
        while True:
            text, least, most = self.affine(loops)
            if 0 <= least and most < EXTENT:
                return text

    def affine(self, loops: list[Iterator]) -> tuple[str, int, int]:
        """An affine expression of the iterators, and the interval of its values."""
        offset = self.random.randint(-1, 3)
        text, least, most = str(offset), offset, offset
        for iterator in self.random.sample(
            loops, min(len(loops), self.random.choice([0, 1, 1, 2]))
        ):
            factor = self.random.choice([1, 1, 1, 2, -1])
            text = (
                f"{factor} * {iterator.name} + {text}"
                if factor != 1
                else (f"{iterator.name} + {text}")
            )
            ends = factor * iterator.least, factor * iterator.most
            least, most = least + min(ends), most + max(ends)
        return text, least, most

    def write(self, loops: list[Iterator], text: str, indent: int = 0) -> None:
        space = "    " * (len(loops) + 1 + indent)
        self.lines += [space + line for line in text.split("\n")]


def random_function(seed: int, name: str) -> str:
    return FunctionWriter(Random(seed)).function(name)


HEAD = f"""\
#include <stdio.h>

static double A[{EXTENT} + 1][{EXTENT}], B[{EXTENT}][{EXTENT}], C[{EXTENT}][{EXTENT}];
static double x[{EXTENT} + 1], y[{EXTENT}];
static unsigned H[{EXTENT}];

static void fill(void)
{{
    for (int i = 0; i < {EXTENT}; i++) {{
        for (int j = 0; j < {EXTENT}; j++) {{
            A[i][j] = ((i * 7 + j * 3) % 11) / 11.0;
            B[i][j] = ((i * 5 + j * 2) % 13) / 13.0;
            C[i][j] = ((i + j * 8) % 17) / 17.0;
        }}
        x[i] = (i * 3 % 7) / 7.0;
        y[i] = (i * 4 % 9) / 9.0;
        H[i] = i;
    }}
}}

static void show(const char *name, int n, int m)
{{
    unsigned long hash = 14695981039346656037UL;
    const void *arrays[] = {{ A, B, C, x, y, H }};
    unsigned long sizes[] = {{ sizeof A, sizeof B, sizeof C, sizeof x, sizeof y, sizeof H }};
    for (int k = 0; k < 6; k++) {{
        const unsigned char *bytes = arrays[k];
        for (unsigned long i = 0; i < sizes[k]; i++)
            hash = (hash ^ bytes[i]) * 1099511628211UL;
    }}
    printf("%s %d %d %016lx\\n", name, n, m, hash);
}}
"""

MAIN = f"""\
int main(void)
{{
    for (int n = {SMALLEST}; n <= {LARGEST}; n += 3)
        for (int m = {SMALLEST}; m <= {LARGEST}; m += 4) {{
@CALLS@
        }}
    return 0;
}}
"""


def random_program(seeds: range) -> str:
    """A program that calls a function for each seed, with several n and m, on separate and on
    overlapping arrays, and prints a hash of everything after each call."""
    functions = [random_function(seed, f"f{seed}") for seed in seeds]
    calls = [
        f"            fill();\n            f{seed}(n, m, A, B, C, x, y, H);\n"
        f'            show("f{seed}", n, m);'
        for seed in seeds
    ]
    return "\n".join([HEAD, *functions, MAIN.replace("@CALLS@", "\n".join(calls))])
