"""How long a nest is said to take is within a factor of two of what counting its iterations gives.

The estimate of a nest whose sizes are unknown is arithmetic in front of it, which runs here as
machine code. Innermost bodies take two cycles: a load, an addition and a store of one element.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping

import pytest
from oracles.affine_native import parse_affine
from xdsl.context import Context
from xdsl.dialects import affine, func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, f64
from xdsl.ir import Block

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.passes.lower.affine_to_scf import AffineToScfPass
from polyopt.passes.parallel.code import Code
from polyopt.passes.parallel.most_work import most_cycles
from polyopt.passes.parallel.work import Work
from polyopt.support.record import record

CYCLES = 2.0
"""Of an innermost body here."""

Bound = tuple[tuple[tuple[int, str], ...], int]
"""Coefficients of names, and a constant."""


@record
class Loop:
    """From the greatest of the lower bounds to before the least of the upper ones; a nest of these
    is a loop's body."""

    name: str
    lowers: tuple[Bound, ...]
    uppers: tuple[Bound, ...]
    step: int
    body: tuple[Loop, ...]


def value(bound: Bound, at: Mapping[str, int]) -> int:
    return bound[1] + sum(c * at[name] for c, name in bound[0])


def counted(loop: Loop, at: Mapping[str, int]) -> float:
    first = max(value(one, at) for one in loop.lowers)
    last = min(value(one, at) for one in loop.uppers)
    iterations = range(first, last, loop.step)
    if not loop.body:
        return CYCLES * len(iterations)
    return sum(counted(one, {**at, loop.name: i}) for i in iterations for one in loop.body)


def map_text(bounds: tuple[Bound, ...], kind: str) -> str:
    names = list(dict.fromkeys(name for terms, _ in bounds for _, name in terms))
    dims = [f"d{k}" for k in range(len(names))]
    forms = [
        " + ".join([*(f"{dims[names.index(name)]} * {c}" for c, name in terms), str(constant)])
        for terms, constant in bounds
    ]
    choice = f"{kind} " if len(bounds) > 1 else ""
    arguments = ", ".join(f"%{name}" for name in names)
    return f"{choice}affine_map<({', '.join(dims)}) -> ({', '.join(forms)})>({arguments})"


def text_of(loop: Loop, depth: int = 1) -> str:
    inner = "".join(text_of(one, depth + 1) for one in loop.body) or (
        f"%x = affine.load %A[%{loop.name}] : memref<?xf64>\n"
        "%y = arith.addf %x, %x : f64\n"
        f"affine.store %y, %A[%{loop.name}] : memref<?xf64>\n"
    )
    lower, upper = map_text(loop.lowers, "max"), map_text(loop.uppers, "min")
    return f"affine.for %{loop.name} = {lower} to {upper} step {loop.step} {{\n{inner}}}\n"


def draw_nest(drawn: random.Random, depth: int, around: tuple[str, ...]) -> Loop:
    """Boxes, triangles, trapezoids, tiles and bands, up to three loops deep; the length of a loop
    grows with at most one loop around, as it does in programs."""
    name = "ijk"[len(around)]
    zero, n = ((), 0), (((1, "n"),), 0)
    lowers, uppers = [zero], [n]
    step = drawn.choice([1, 1, 1, 2, 5])
    if around:
        other = (((1, drawn.choice(around)),), drawn.choice([0, 0, 1]))
        match drawn.choice(["box", "lower", "upper", "tile", "band"]):
            case "lower":
                uppers = [other]
            case "upper":
                lowers = [other]
            case "tile":
                width = drawn.choice([4, 16])
                lowers = [other]
                uppers = [(other[0], width), n]
            case "band":
                lowers = [zero, (other[0], -9)]
                uppers = [n, (other[0], 9)]
            case _:
                pass
    inner = 0 if depth == 1 else drawn.choice([1, 1, 2])
    body = tuple(draw_nest(drawn, depth - 1, (*around, name)) for _ in range(inner))
    return Loop(name, tuple(lowers), tuple(uppers), step, body)


NESTS = [draw_nest(random.Random(k), 1 + k % 3, ()) for k in range(40)]


def with_amount(text: str) -> func.FuncOp:
    """The function that stores the estimate of its only loop instead of running it."""
    (function,) = parse_affine(text).ops
    assert isinstance(function, func.FuncOp)
    function.detach()
    block = function.body.block
    loop = next(op for op in block.ops if isinstance(op, affine.ForOp))
    code = Code(Block(), loop)
    amount = code.amount(Work(code, loop, 1).of_loop(loop))
    ops = [*code.block.ops]
    for op in ops:
        op.detach()
        block.insert_op_before(op, loop)
    block.insert_op_before(memref.StoreOp.get(amount, block.args[2], []), loop)
    loop.detach()
    loop.erase()
    return function


@pytest.fixture(scope="module")
def estimates() -> Callable[[int, int], float]:
    """Of a nest, by its number, and an n."""
    out = MemRefType(f64, [])
    heads = [f"@nest{k}(%n: index, %A: memref<?xf64>, %out: {out})" for k in range(len(NESTS))]
    texts = [
        f"func.func {head} {{\n{text_of(nest)}func.return\n}}"
        for head, nest in zip(heads, NESTS, strict=True)
    ]
    module = ModuleOp([with_amount(text) for text in texts])
    AffineToScfPass().apply(Context(), module)
    module.verify()
    address = load_objects([emit_object(module, BackendOptions(opt_level=1))]).address
    types = [ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
    prototype = ctypes.CFUNCTYPE(None, *types)

    def estimate(number: int, n: int) -> float:
        found = ctypes.c_double()
        prototype(address(f"nest{number}"))(n, None, 0, ctypes.addressof(found))
        return found.value

    return estimate


@pytest.mark.parametrize("number", range(len(NESTS)))
def test_unknown_sizes(estimates: Callable[[int, int], float], number: int):
    for n in (24, 60):
        right = counted(NESTS[number], {"n": n})
        assert right / 2 <= estimates(number, n) <= right * 2, text_of(NESTS[number])


@pytest.mark.parametrize("number", range(0, len(NESTS), 4))
def test_known_sizes_are_folded(number: int):
    text = text_of(NESTS[number])
    module = parse_affine(
        f"func.func @f(%A: memref<?xf64>) {{\n%n = arith.constant 40 : index\n{text}func.return\n}}"
    )
    (loop,) = [op for op in module.walk() if isinstance(op, affine.ForOp) and not _is_inner(op)]
    code = Code(Block(), loop)
    found = Work(code, loop, 1).of_loop(loop)
    assert isinstance(found, float)
    assert not list(code.block.ops)
    right = counted(NESTS[number], {"n": 40})
    assert right / 2 <= found <= right * 2, text


def _is_inner(loop: affine.ForOp) -> bool:
    return isinstance(loop.parent_op(), affine.ForOp)


VECTORS = """
func.func @f(%A: memref<?xf64>) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[%j] : memref<?xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %A[%j] : memref<?xf64>
    } {poly.loop = #poly.loop<CARRIED>}
  }
  func.return
}
"""


@pytest.mark.parametrize(("carried", "lanes"), [("parallel", 8), ("serial", 1)])
def test_what_may_be_vectors_takes_less(carried: str, lanes: int):
    module = parse_affine(VECTORS.replace("CARRIED", carried))
    loop = next(op for op in module.walk() if isinstance(op, affine.ForOp))
    found = Work(Code(Block(), loop), loop, 8).of_loop(loop)
    assert found == 100 * 1000 * CYCLES / lanes


NARROW = """
func.func @f(%A: memref<?xELEMENT>) {
  affine.for %j = 0 to 1000 {
    %x = affine.load %A[%j] : memref<?xELEMENT>
    WIDER
    affine.store %x, %A[%j] : memref<?xELEMENT>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
"""


@pytest.mark.parametrize(
    ("element", "wider", "lanes"),
    [
        ("f64", "", 8),
        ("f32", "", 16),
        ("i16", "", 32),
        ("i8", "", 64),
        ("i8", "%w = arith.extui %x : i8 to i32", 64),
        ("i8", "%w = arith.uitofp %x : i8 to f32", 16),
        ("index", "", 8),
    ],
)
def test_a_vector_has_more_narrow_elements(element: str, wider: str, lanes: int):
    """A load and a store take 1.5 cycles, a conversion half of one; bytes are not widened."""
    module = parse_affine(NARROW.replace("ELEMENT", element).replace("WIDER", wider))
    loop = next(op for op in module.walk() if isinstance(op, affine.ForOp))
    found = Work(Code(Block(), loop), loop, 8).of_loop(loop)
    assert isinstance(found, float)
    assert found == 1000 * (1.5 + (0.5 if wider else 0.0)) / lanes
    assert Work(Code(Block(), loop), loop, 1).of_loop(loop) == found * lanes


SUM = """
func.func @f(%A: memref<?xf64>, %s: memref<?xf64>) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[%j] : memref<?xf64>
      %y = affine.load %s[%i] : memref<?xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %s[PLACE] : memref<?xf64>
    } {poly.loop = #poly.loop<reduces = ["s"]>}
  }
  func.return
}
"""


@pytest.mark.parametrize(("place", "cycles"), [("%i", 1.0), ("%j", 2.0)])
def test_what_stays_at_its_place_is_in_a_register(place: str, cycles: float):
    """A load and an addition; and the store, where it moves."""
    loop = next(
        op
        for op in parse_affine(SUM.replace("PLACE", place)).walk()
        if isinstance(op, affine.ForOp)
    )
    assert Work(Code(Block(), loop), loop, 8).of_loop(loop) == 100 * 1000 * cycles / 8


RECURRENCE = """
func.func @f(%A: memref<?x8xf64>, %n: index) {
  affine.for %b = 0 to %n {
    %first = affine.load %A[%b, 1] : memref<?x8xf64>
    affine.store %first, %A[%b, 0] : memref<?x8xf64>
    affine.for %k = 1 to 8 {
      %x = affine.load %A[%b, %k - 1] : memref<?x8xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %A[%b, %k] : memref<?x8xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<parallel MARK>}
  func.return
}
"""


@pytest.mark.parametrize(("mark", "cycles"), [("", 350.0 + 150.0), (", batch", 350.0 + 37.5)])
def test_problems_in_lanes_take_less(mark: str, cycles: float):
    """Half as many at once as there are lanes, copies counted, not only of innermost bodies."""
    text = RECURRENCE.replace("%n {", "100 {").replace(" MARK", mark)
    loop = next(op for op in parse_affine(text).walk() if isinstance(op, affine.ForOp))
    assert Work(Code(Block(), loop), loop, 8).of_loop(loop) == cycles


@pytest.mark.parametrize(
    ("array", "upper", "most"),
    [
        ("memref<?x8xf64>", "%n", None),
        ("memref<20x8xf64>", "%n", 100.0),
        ("memref<?x8xf64>", "5", 25.0),
    ],
)
def test_declared_rows_end_loops(array: str, upper: str, most: float | None):
    """As often as there are places along the row, or as often as numbers say; else nobody knows."""
    text = RECURRENCE.replace(" MARK", "").replace("memref<?x8xf64>", array)
    text = text.replace("= 0 to %n", f"= 0 to {upper}")
    loop = next(op for op in parse_affine(text).walk() if isinstance(op, affine.ForOp))
    assert most_cycles([loop], 8) == most
