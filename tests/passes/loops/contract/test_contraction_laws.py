"""What a contraction may read of the array that it writes, and what regrouping may do to a sum.

The blocked order is run here in plain Python, element by element: which write does each read of a
panel see? Nests are drawn at random, most of them in place, so that every direction in which a
panel may be overwritten too early occurs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import affine, arith
from xdsl.ir import OpResult, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, AffineNest
from polyopt.passes.loops.contract.find_contraction import Contraction, find_contraction
from polyopt.passes.loops.contract.regroup import regroup

SIZE = 5
Point = tuple[int, ...]


@dataclass(frozen=True)
class Panel:
    """array[factor * iterator + constant, ...]"""

    array: str
    subscripts: tuple[tuple[int, str, int], ...]

    def text(self) -> str:
        return ", ".join(f"%{name} * {factor} + {c}" for factor, name, c in self.subscripts)

    def element(self, values: dict[str, int]) -> Point:
        return tuple(factor * values[name] + c for factor, name, c in self.subscripts)


@dataclass(frozen=True)
class Product:
    """for three loops { C[i, j] += rows[i, k] * columns[k, j] }; bounds are 0 and the size, or
    an outer loop's value and one more. `is_diagonal`: C[0, i + j] is what is updated."""

    loops: tuple[tuple[str, str, str], ...]
    rows: Panel
    columns: Panel
    is_diagonal: bool = False

    def updated(self, values: dict[str, int]) -> Point:
        i, j = values["i"], values["j"]
        return (0, i + j) if self.is_diagonal else (i, j)

    def text(self) -> str:
        heads = "".join(
            f"affine.for %{name} = {_bound(low)} to {_bound(high)} {{ "
            for name, low, high in self.loops
        )
        matrix = "memref<?x?xf64>"
        element = "%i * 0, %i + %j" if self.is_diagonal else "%i, %j"
        return f"""
        builtin.module {{ func.func @f(%n : index, %C : {matrix} {{llvm.noalias}},
                                       %A : {matrix} {{llvm.noalias}}) {{
          {heads}
            %x = affine.load %C[{element}] : {matrix}
            %p = affine.load %{self.rows.array}[{self.rows.text()}] : {matrix}
            %q = affine.load %{self.columns.array}[{self.columns.text()}] : {matrix}
            %t = arith.mulf %p, %q : f64
            %y = arith.addf %x, %t : f64
            affine.store %y, %C[{element}] : {matrix}
          {"}" * 3}
          return
        }} }}"""

    def iterations(self) -> Iterator[dict[str, int]]:
        def inside(depth: int, values: dict[str, int]) -> Iterator[dict[str, int]]:
            if depth == 3:
                yield dict(values)
                return
            name, low, high = self.loops[depth]
            first, end = (eval(text, {"n": SIZE}, values) for text in (low, high))
            for value in range(first, end):
                yield from inside(depth + 1, {**values, name: value})

        return inside(0, {})


def _bound(text: str) -> str:
    if text == "n":
        return "%n"
    if text == "0":
        return "0"
    name, _, more = text.partition(" + ")
    return f"affine_map<(d0) -> (d0 + {more or 0})>(%{name})"


def random_product(random: Random) -> Product:
    loops = list[tuple[str, str, str]]()
    for name in random.sample("ijk", 3):
        outer = [one for one, _, _ in loops]
        low, high = "0", "n"
        if outer and random.random() < 0.6:
            bound = random.choice(outer) + random.choice(("", " + 1", " + 2"))
            low, high = (bound, "n") if random.random() < 0.6 else ("0", bound)
        loops.append((name, low, high))

    def panel(names: str) -> Panel:
        array = random.choice("CCA")
        order = random.sample(names, 2) if array == "A" or random.random() < 0.3 else list(names)
        return Panel(
            array,
            tuple((random.choice((1, 1, 1, -1)), one, random.randint(-2, 2)) for one in order),
        )

    return Product(tuple(loops), panel("ik"), panel("kj"), random.random() < 0.1)


Seen = dict[tuple[str, Point, Point], int]
"""By reference, its element and the iteration: how many writes of the element came before; of
what is updated that is its turn."""


def seen_in_source(one: Product) -> Seen:
    found, writes = Seen(), dict[Point, int]()
    for values in one.iterations():
        at = values["i"], values["j"], values["k"]
        for name, panel in (("rows", one.rows), ("columns", one.columns)):
            element = panel.element(values)
            found[name, element, at] = writes.get(element, 0) if panel.array == "C" else 0
        element = one.updated(values)
        found["updated", element, at] = writes.get(element, 0)
        writes[element] = writes.get(element, 0) + 1
    return found


def seen_in_blocks(one: Product, blocks: dict[str, int]) -> Seen:
    """`for k-block: for j-block: pack columns; for i-block: pack rows; all updates`: a panel is
    what it was when its block was packed."""
    found, writes = Seen(), dict[Point, int]()
    iterations = list(one.iterations())
    ranges = [range(0, SIZE + 3, blocks[name]) for name in "kji"]

    def block(values: dict[str, int], name: str) -> int:
        return values[name] // blocks[name] * blocks[name]

    for k, j in product(*ranges[:2]):
        inner = [v for v in iterations if block(v, "k") == k and block(v, "j") == j]
        columns = dict(writes)
        for i in ranges[2]:
            here = [v for v in inner if block(v, "i") == i]
            rows = dict(writes)
            for values in sorted(here, key=lambda v: (v["j"], v["i"], v["k"])):
                at = values["i"], values["j"], values["k"]
                for name, panel, packed in (
                    ("rows", one.rows, rows),
                    ("columns", one.columns, columns),
                ):
                    element = panel.element(values)
                    found[name, element, at] = packed.get(element, 0) if panel.array == "C" else 0
                element = one.updated(values)
                found["updated", element, at] = writes.get(element, 0)
                writes[element] = writes.get(element, 0) + 1
    return found


ALL = SIZE + 2
BLOCKS = [
    {"i": i, "j": j, "k": k}
    for i, j, k in ((1, 1, 1), (2, 2, 2), (1, ALL, ALL), (ALL, 1, ALL), (ALL, ALL, 1), (2, 3, ALL))
]


def contraction_in(text: str) -> Contraction | None:
    module = parse_affine(text)
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    return find_contraction(AffineNest(tuple(map(AffineLoop, loops))))


def test_panels_are_read_before_they_are_written():
    """None of 120 nests in place is blocked where some size of blocks would read too late or too
    early; a part of those that could be is."""
    random, accepted, refused = Random(2), 0, 0
    for _ in range(120):
        one = random_product(random)
        in_place = "C" in (one.rows.array, one.columns.array) or one.is_diagonal
        if not in_place or contraction_in(one.text()) is None:
            refused += 1
            continue
        accepted += 1
        wanted = seen_in_source(one)
        for blocks in BLOCKS:
            assert seen_in_blocks(one, blocks) == wanted, f"{blocks}\n{one.text()}"
    assert accepted >= 5
    assert refused >= 50


# Regrouping


def random_sum(random: Random, lines: list[str]) -> str:
    """Three to five terms added and subtracted in some order: mostly one of them is the
    accumulator, and seldom a factor of one."""
    leaves = ["%x"] if random.random() < 0.9 else list[str]()
    while len(leaves) < random.choice((3, 4, 5)):
        second = random.choice(("%b", "%e")) if random.random() < 0.95 else "%x"
        lines.append(f"%v{len(lines)} = arith.mulf {random.choice(('%a', '%d'))}, {second} : f64")
        leaves.append(f"%v{len(lines) - 1}")
    while len(leaves) > 1:
        left, right = (leaves.pop(random.randrange(len(leaves))) for _ in range(2))
        operation = random.choice(("addf", "addf", "subf"))
        lines.append(f"%v{len(lines)} = arith.{operation} {left}, {right} : f64")
        leaves.append(f"%v{len(lines) - 1}")
    return leaves[0]


def update(random: Random) -> str:
    lines = list[str]()
    value = random_sum(random, lines)
    body = "\n".join(lines)
    matrix = "memref<?x?xf64>"
    arguments = ", ".join(f"%{name} : {matrix} {{llvm.noalias}}" for name in "CABDE")
    return f"""
    builtin.module attributes {{polyopt.fastmath = #arith.fastmath<fast>}} {{
      func.func @f(%n : index, {arguments}) {{
        affine.for %i = 0 to %n {{ affine.for %j = 0 to %n {{ affine.for %k = 0 to %n {{
          %x = affine.load %C[%i, %j] : {matrix}
          %a = affine.load %A[%i, %k] : {matrix}
          %b = affine.load %B[%k, %j] : {matrix}
          %d = affine.load %D[%i, %k] : {matrix}
          %e = affine.load %E[%k, %j] : {matrix}
          {body}
          affine.store {value}, %C[%i, %j] : {matrix}
        }} }} }}
        return
      }}
    }}"""


def value_of(value: SSAValue, loads: dict[SSAValue, int]) -> int:
    """What the body computes, each load a number."""
    if value in loads:
        return loads[value]
    assert isinstance(value, OpResult)
    left, right = (value_of(operand, loads) for operand in value.op.operands)
    match value.op:
        case arith.AddfOp():
            return left + right
        case arith.SubfOp():
            return left - right
        case arith.MulfOp():
            return left * right
        case other:
            raise AssertionError(other)


def check_sum(text: str) -> bool:
    """Whether it was regrouped; if so, into the same polynomial of what is loaded."""
    contraction = contraction_in(text)
    if contraction is None:
        return False
    random = Random(text)
    operations = contraction.nest.operations
    loads: list[SSAValue] = [op.result for op in operations if isinstance(op, affine.LoadOp)]
    numbers = [{load: random.randint(-50, 50) for load in loads} for _ in range(4)]
    (accumulator,) = contraction.accumulators
    wanted = [value_of(accumulator.store.value, one) for one in numbers]
    changed = regroup(contraction)
    found = [value_of(accumulator.store.value, one) for one in numbers]
    assert found == wanted, text
    return changed


def test_sums_keep_the_signs_of_their_terms():
    random = Random(1)
    assert sum(check_sum(update(random)) for _ in range(40)) >= 10


@pytest.mark.parametrize("sums", ["%s, %x", "%x, %s"])
@pytest.mark.parametrize("operation", ["addf", "subf"])
def test_an_accumulator_on_either_side(operation: str, sums: str):
    """`s - x` above all: the sign of what was accumulated is not a term's."""
    random = Random(0)
    text = update(random)
    start, end = text.index("%e = affine.load"), text.index("affine.store")
    body = f"""
          %p = arith.mulf %a, %b : f64
          %q = arith.mulf %d, %e : f64
          %s = arith.addf %p, %q : f64
          %y = arith.{operation} {sums} : f64
          """
    first = text[start:].split("\n", 1)[0]
    last = re.sub(r"affine.store %\w+", "affine.store %y", text[end:])
    regrouped = check_sum(text[:start] + first + body + last)
    assert regrouped == ((operation, sums) != ("subf", "%s, %x"))


def test_what_is_one_product_and_one_sum_each_is_left_alone():
    """Two products added to the accumulator one after the other need no other grouping."""
    text = update(Random(0))
    start, end = text.index("%e = affine.load"), text.index("affine.store")
    body = """
          %p = arith.mulf %a, %b : f64
          %q = arith.mulf %d, %e : f64
          %s = arith.addf %x, %p : f64
          %y = arith.subf %s, %q : f64
          """
    first = text[start:].split("\n", 1)[0]
    last = re.sub(r"affine.store %\w+", "affine.store %y", text[end:])
    assert not check_sum(text[:start] + first + body + last)
