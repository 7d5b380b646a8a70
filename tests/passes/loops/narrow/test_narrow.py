"""Integers no wider than they need be: the same results as gcc gives, for all pairs of bytes."""

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from oracles.told_programs import functions_around, output, wanted
from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, memref
from xdsl.parser import Parser

from polyopt.passes.loops.value_ranges import ValueRange, value_ranges
from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("narrow.c")
NARROW = {
    *("mean", "greatest", "distance", "sign_of", "chroma", "high_part", "weighted"),
    *("remainders", "by_threes", "clipped", "bits", "threshold", "far_threshold", "unsigned_shift"),
    "rotated",
}
AS_WIDE = {"saturated", "far_shift", "products", "shifted_by"}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64"])
def test_the_same_is_stored(march: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    flags = ["-w", str(SOURCE), "-o"]
    made = ["-O3", f"-march={march}", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE)
    said = capfd.readouterr().err.splitlines()
    places = {int(one.split(":")[1]) for one in said if "[affine-narrow]" in one}
    taken = functions_around(SOURCE, places)
    assert taken >= NARROW
    assert not taken & AS_WIDE
    assert Target.named(march).vector_bits >= 128


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "muli": lambda x, y: x * y,
    "andi": lambda x, y: x & y,
    "ori": lambda x, y: x | y,
    "xori": lambda x, y: x ^ y,
    "maxsi": lambda x, y: max(x, y),
    "minsi": lambda x, y: min(x, y),
}
CONSTANTS: dict[str, Callable[[int, int], int]] = {
    "shli": lambda x, k: x << k,
    "shrsi": lambda x, k: x >> k,
    "shrui": lambda x, k: (x & 0xFFFFFFFF) >> k,
    "divsi": lambda x, k: abs(x) // k * (1 if x >= 0 else -1),
    "remsi": lambda x, k: abs(x) % k * (1 if x >= 0 else -1),
}


def wrapped(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def intervals_of(lines: Sequence[str]) -> dict[str, ValueRange]:
    """What the values of a loop over `%i` can be, by their names."""
    body = "\n".join(lines)
    text = f"""func.func @f(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {{
      affine.for %i = 0 to %n {{ {body} }}
      func.return }}"""
    context = Context()
    for dialect in (builtin.Builtin, func.Func, affine.Affine, arith.Arith, memref.MemRef):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    (loop,) = (op for op in module.walk() if isinstance(op, affine.ForOp))
    operations = [op for op in loop.body.block.ops if not isinstance(op, affine.YieldOp)]
    ranges = value_ranges(operations)
    named = [(value.name_hint or "", value) for op in operations for value in op.results]
    return {name: ranges[value] for name, value in named}


@pytest.mark.parametrize("name", ["andi", "ori", "xori"])
def test_bits_of_two_signed_bytes_are_a_signed_byte(name: str):
    lines = [
        "%x = affine.load %A[%i] : memref<?xi8>",
        "%y = affine.load %B[%i] : memref<?xi8>",
        "%v = arith.extsi %x : i8 to i32",
        "%w = arith.extsi %y : i8 to i32",
        f"%bits = arith.{name} %v, %w : i32",
    ]
    assert intervals_of(lines)["bits"] == ValueRange(-128, 127)


@pytest.mark.parametrize("seed", range(40))
def test_intervals_hold_what_values_are(seed: int):
    """Random straight code over bytes, run by itself for many bytes."""
    chosen = random.Random(seed)
    lines = [
        "%x0 = affine.load %A[%i] : memref<?xi8>",
        "%y0 = affine.load %B[%i] : memref<?xi8>",
        f"%v0 = arith.ext{chosen.choice('us')}i %x0 : i8 to i32",
        f"%v1 = arith.ext{chosen.choice('us')}i %y0 : i8 to i32",
    ]
    signs = ["extsi" in line for line in lines[2:]]
    steps: list[tuple[str, int, int]] = []
    for k in range(2, 9):
        if chosen.random() < 0.4:
            name, constant = chosen.choice(list(CONSTANTS)), chosen.randint(1, 6)
            source = chosen.randrange(k)
            lines.append(f"%c{k} = arith.constant {constant} : i32")
            lines.append(f"%v{k} = arith.{name} %v{source}, %c{k} : i32")
            steps.append((name, source, constant))
        else:
            name, left, right = chosen.choice(list(OPERATIONS)), *chosen.choices(range(k), k=2)
            lines.append(f"%v{k} = arith.{name} %v{left}, %v{right} : i32")
            steps.append((name, left, right))
    intervals = intervals_of(lines)
    for _ in range(200):
        pair = [chosen.choice((0, 1, 127, 128, 255, chosen.randrange(256))) for _ in range(2)]
        values = [
            one - 256 if sign and one > 127 else one for one, sign in zip(pair, signs, strict=True)
        ]
        for name, left, right in steps:
            if name in CONSTANTS:
                values.append(wrapped(CONSTANTS[name](values[left], right)))
            else:
                values.append(wrapped(OPERATIONS[name](values[left], values[right])))
        for k, value in enumerate(values):
            assert intervals[f"v{k}"].low <= value <= intervals[f"v{k}"].high
