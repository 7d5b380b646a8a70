"""Random programs mean to us what they mean to gcc.

The programs compute with all integer types and both floating ones, with arrays, structs, loops
and switches. They are defined but for signed overflow, which gcc is told to wrap and our code
does not exploit at -O0.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

pytestmark = pytest.mark.slow

INTEGERS = [
    *("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned"),
    *("long", "unsigned long", "long long", "unsigned long long", "_Bool"),
]
EDGES = [0, 1, 2, 7, 127, 128, 255, 256, 32767, 65535, 65536, 2**31 - 1, 2**32 - 1, 2**62]
COMPARISONS = ["<", ">", "<=", ">=", "==", "!="]


class Generator:
    """Writes a program; `names` are the integers that an expression may use."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.count = 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def constant(self) -> str:
        value = self.random.choice([*EDGES, self.random.randrange(2**31)])
        suffix = self.pick("", "", "u", "L", "UL", "ll") if value < 2**31 else self.pick("", "UL")
        text = f"{self.pick(str(value), hex(value))}{suffix}"
        return self.pick(text, text, text, f"(-{text})")

    def integer(self, names: list[str], depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.12:
            return self.pick(*names, self.constant())
        a, b, c = (self.integer(names, depth - 1) for _ in range(3))
        x, y = self.real(names, depth - 1), self.real(names, 1)
        return self.pick(
            *[f"({a} {self.pick('+', '-', '*')} {b})"] * 4,
            f"({a} {self.pick('&', '|', '^')} {b})",
            f"({a} {self.pick('/', '%')} (({b} & 15) + 1))",
            f"({a} {self.pick('<<', '>>')} ({b} & 7))",
            f"({a} {self.pick(*COMPARISONS)} {b})",
            f"({a} {self.pick('&&', '||')} {b})",
            f"({self.pick('-', '~', '!', '+')}{a})",
            f"(({self.pick(*INTEGERS)}){a})",
            f"({a} ? {b} : {c})",
            f"({x} {self.pick(*COMPARISONS)} {y})",
            f"({y} > -0.9 && {y} < 120 ? (unsigned char){y} : 7)",
        )

    def real(self, names: list[str], depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.2:
            return self.pick("single", "twice", "0.5", "1.25f", "3.0", "1e10", "(-2.5f)")
        a, b = self.real(names, depth - 1), self.real(names, depth - 1)
        n = self.integer(names, depth - 1)
        return self.pick(
            f"({a} {self.pick('+', '-', '*', '/')} {b})",
            f"(({self.pick('float', 'double')}){n})",
            f"({n} ? {a} : {b})",
            f"(-{a})",
        )

    def statements(self, names: list[str], places: list[str], depth: int) -> str:
        names, places = list(names), list(places)
        lines: list[str] = []
        for _ in range(self.random.randrange(1, 5)):
            value = self.integer(names, 3)
            kind = self.random.random()
            if kind < 0.25:
                name = self.fresh("v")
                lines.append(f"{self.pick(*INTEGERS)} {name} = {value};")
                names.append(name)
                places.append(name)
            elif kind < 0.6:
                operator = self.pick("=", "+=", "-=", "*=", "&=", "|=", "^=")
                i, j = self.integer(names, 1), self.integer(names, 1)
                array, record = f"array[{i} & 7][{j} & 3]", f"records[{i} & 3]"
                member = self.pick("a", "b", "inner.c", "inner.d[1]")
                place = self.pick(*places, array, f"{record}.{member}")
                lines.append(f"{place} {operator} {value};")
            elif kind < 0.68:
                lines.append(f"{self.pick('single', 'twice')} += {self.real(names, 2)};")
            elif kind < 0.78 or depth == 0:
                lines.append(f"check({value});")
            else:
                lines.append(self.compound(names, places, depth - 1))
        return "\n".join(lines)

    def compound(self, names: list[str], places: list[str], depth: int) -> str:
        condition = self.integer(names, 2)
        body, other = self.statements(names, places, depth), self.statements(names, places, depth)
        counter = self.fresh("k")
        inner = self.statements([*names, counter], places, depth)
        leave = f"if ({condition}) {self.pick('break', 'continue')};"
        return self.pick(
            f"if ({condition}) {{\n{body}\n}} else {{\n{other}\n}}",
            f"for (int {counter} = 0; {counter} < 3; {counter}++) {{\n{inner}\n{leave}\n}}",
            f"int {counter} = 3;\nwhile ({counter}-- > 0) {{\n{inner}\n}}",
            f"switch (({condition}) & 3) {{\ncase 0: {{\n{body}\n}}\ncase 1: {{\n{other}\n}}\n"
            f"break;\ndefault: check(1);\n}}",
        )

    def program(self) -> str:
        types = [self.pick(*INTEGERS) for _ in range(9)]
        globals = [self.fresh("g") for _ in range(4)]
        names = [*globals, "array[2][1]", "records[1].a", "records[2].inner.c"]
        text = [
            "#include <stdio.h>",
            "static unsigned long sum = 1;",
            "static void check(unsigned long v) { sum = sum * 31 + v; }",
            "static float single = 1.5f;\nstatic double twice = -2.25;",
            f"static {types[0]} array[8][4] = {{{{1, 2}}, {{3}}}};",
            f"struct inner {{ {types[1]} c; {types[2]} d[3]; }};",
            f"static struct {{ {types[3]} a; {types[4]} b; struct inner inner; }} records[4];",
        ]
        for name, type in zip(globals, types[5:], strict=True):
            text.append(f"{self.pick('static ', '')}{type} {name} = {self.constant()};")
        calls: list[str] = []
        for function in ("f", "g", "h"):
            parameters = [self.fresh("p") for _ in range(self.random.randrange(5))]
            declared = ", ".join(f"{self.pick(*INTEGERS)} {p}" for p in parameters)
            body = self.statements(names + parameters, globals + parameters, 2)
            result = self.integer(names + parameters, 3)
            text.append(f"static {self.pick(*INTEGERS)} {function}({declared or 'void'}) {{")
            text.append(f"{body}\nreturn {result};\n}}")
            arguments = ", ".join(self.integer(names, 2) for _ in parameters)
            calls.append(f"check({function}({arguments}));")
        text.append("int main(void) {")
        text += [*calls, self.statements(names, globals, 2), *calls]
        text += [f"check({name});" for name in names]
        text.append("for (int i = 0; i < 32; i++) check(array[i / 4][i % 4]);")
        text.append("for (int i = 0; i < 4; i++) check(records[i].b + records[i].inner.d[1]);")
        text.append('printf("%lu %a %a\\n", sum, single, twice);\nreturn 0;\n}\n')
        return "\n".join(text)


@pytest.mark.parametrize("seed", range(40))
def test_random_program(seed: int, run_c: Callable[..., str], tmp_path: Path) -> None:
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    source, program = tmp_path / "random.c", tmp_path / "random"
    source.write_text(Generator(seed).program())
    flags = ["-w", "-O0", "-fwrapv", "-ffp-contract=off"]
    subprocess.run([gcc, *flags, source, "-o", program], check=True)
    judged = subprocess.run([program], capture_output=True, text=True, check=True, timeout=20)
    assert run_c(source.read_text()) == f"{judged.stdout}--- stderr\n--- status 0\n"
