"""Parts of a range cover it with no gap and no overlap, and take equally long.

The arithmetic that a pass would write runs as machine code, strict and with fast-math, for bounds
that are known and bounds that are not.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    f64,
)
from xdsl.ir import Block, Region

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.ir.fast_math import FASTMATH
from polyopt.passes.lower.affine_to_scf import AffineToScfPass
from polyopt.passes.parallel.code import Amount, Code, Index
from polyopt.passes.parallel.parts import Parts, parts_of_equal_work

SHAPES = [(1, 1), (1, 16), (3, 1), (7, 2), (32, 1), (32, 16)]
"""Steps and grains."""

KNOWN = [(0, 1000), (5, 3), (-17, 40)]
"""Bounds that a pass may know; in the first of these shapes."""

COUNTS = (1, 2, 3, 4, 7, 16, 64)

Starts = Callable[[int, int, int, float, float], list[int]]
"""Of lower bound, upper bound, number of parts, cycles of the first and of the last iteration:
where each part starts, and the end."""


def function_of(
    name: str, step: int, grain: int, *, profiled: bool, known: tuple[int, int] | None = None
) -> func.FuncOp:
    index = IndexType()
    to = MemRefType(index, [DYNAMIC_INDEX])
    block = Block(arg_types=[index, index, index, f64, f64, to])
    lower, upper, count, first, last, out = block.args
    end = func.ReturnOp()
    code = Code(Block(), end)
    bounds: tuple[Index, Index] = known or (lower, upper)
    parts = Parts(*bounds, step, count, grain)
    if profiled:

        def cycles(at: Code, iterator: Index) -> Amount:
            """Those of the first iteration, those of the last one, and evenly between."""
            longest = at.as_amount(at.subtract(at.subtract(parts.upper, 1), parts.lower))
            behind = at.as_amount(at.subtract(iterator, parts.lower))
            share = at.ratio(behind, at.sum(longest, 1e-9))
            return at.sum(first, at.product(share, at.difference(last, first)))

        parts = parts_of_equal_work(code, parts, cycles)
    body = Block(arg_types=[index])
    inside = Code(body, end)
    start = inside.index(parts.first(inside, body.args[0]))
    body.add_ops([memref.StoreOp.get(start, out, [body.args[0]]), scf.YieldOp()])
    size = code.index(code.add(count, 1))
    code.block.add_op(scf.ForOp(code.index(0), size, code.index(1), [], body))
    parts.close(code)
    for op in list(code.block.ops):
        op.detach()
        block.add_op(op)
    block.add_op(end)
    type_ = FunctionType.from_lists([one.type for one in block.args], [])
    return func.FuncOp(name, type_, Region(block))


def name_of(step: int, grain: int, profiled: bool, known: tuple[int, int] | None) -> str:
    place = "" if known is None else f"_{KNOWN.index(known)}"
    return f"parts_{step}_{grain}_{int(profiled)}{place}"


@cache
def code(flags: str) -> Callable[[str], int]:
    """The addresses of all functions, by name."""
    functions = [
        function_of(name_of(*shape, p, known), *shape, profiled=p, known=known)
        for shape in SHAPES
        for p in (False, True)
        for known in (None, *(KNOWN if shape == SHAPES[0] and not flags else []))
    ]
    module = ModuleOp([*functions])
    if flags:
        module.attributes[FASTMATH] = FastMathFlagsAttr("fast")
    AffineToScfPass().apply(Context(), module)
    module.verify()
    options = BackendOptions(opt_level=3 if flags else 1, march="native")
    return load_objects([emit_object(module, options)]).address


def starts_of(flags: str, name: str) -> Starts:
    types = [ctypes.c_int64] * 3 + [ctypes.c_double] * 2 + [ctypes.c_int64] * 2
    function = ctypes.CFUNCTYPE(None, *types)(code(flags)(name))

    def starts(lower: int, upper: int, count: int, first: float, last: float) -> list[int]:
        out: NDArray[np.int64] = np.full(count + 1, -99, np.int64)
        function(lower, upper, count, first, last, out.ctypes.data, len(out))
        return [int(one) for one in out]

    return starts


def check_cover(starts: list[int], lower: int, upper: int, step: int, grain: int) -> None:
    end = max(lower, upper)
    assert starts[0] == lower
    assert starts[-1] == end
    assert all(a <= b for a, b in pairwise(starts))
    for one in starts:
        whole = one % grain if step == 1 else (one - lower) % (step * grain)
        assert one in (lower, end) or whole == 0


def draw_range(drawn: random.Random) -> tuple[int, int]:
    lower = drawn.choice([0, 1, -5, drawn.randrange(-1000, 1000), drawn.randrange(-(10**9), 10**9)])
    length = drawn.choice([-3, 0, 1, 2, drawn.randrange(40), drawn.randrange(3000), 10**9])
    return lower, lower + length


def draw_profile(drawn: random.Random) -> tuple[float, float]:
    sizes = [0.0, 1.0, 0.3, drawn.uniform(0, 100), 1e12]
    return drawn.choice(sizes), drawn.choice(sizes)


@pytest.mark.parametrize("flags", ["", "fast"])
@pytest.mark.parametrize("profiled", [False, True])
@pytest.mark.parametrize(("step", "grain"), SHAPES)
def test_parts_cover_the_range(step: int, grain: int, profiled: bool, flags: str):
    drawn = random.Random(step * 100 + grain)
    starts = starts_of(flags, name_of(step, grain, profiled, None))
    for _ in range(500):
        lower, upper = draw_range(drawn)
        found = starts(lower, upper, drawn.choice(COUNTS), *draw_profile(drawn))
        check_cover(found, lower, upper, step, grain)


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("profiled", [False, True])
def test_parts_of_a_known_range(profiled: bool, known: tuple[int, int]):
    drawn = random.Random(1)
    step, grain = SHAPES[0]
    starts = starts_of("", name_of(step, grain, profiled, known))
    for count in COUNTS:
        check_cover(starts(0, 0, count, *draw_profile(drawn)), *known, step, grain)


def cycles(first: float, last: float, trips: int, begin: int, end: int) -> float:
    """Of iterations `begin` to before `end` of `trips`, the first of which takes `first`."""
    slope = (last - first) / max(1, trips - 1)
    numbers = np.arange(begin, end)
    return float((first + slope * numbers).sum())


@pytest.mark.parametrize("flags", ["", "fast"])
@pytest.mark.parametrize(("step", "grain"), SHAPES)
def test_parts_take_equally_long(step: int, grain: int, flags: str):
    """Up to the grain that a part must be rounded to, and what an integral says otherwise than a
    sum; each of these is less than a grain of the longest iterations, at each of the two ends."""
    drawn = random.Random(step * 10 + grain)
    starts = starts_of(flags, name_of(step, grain, True, None))
    for _ in range(100):
        trips = drawn.randrange(200, 3000)
        first, last = drawn.choice([(0.0, 1.0), (1.0, 0.0), (5.0, 5.0), (drawn.random(), 1.0)])
        count = drawn.choice(COUNTS)
        found = starts(7, 7 + trips * step, count, first, last)
        numbers = [-(-(one - 7) // step) for one in found]
        equal = cycles(first, last, trips, 0, trips) / count
        for begin, end in pairwise(numbers):
            off = abs(cycles(first, last, trips, begin, end) - equal)
            assert off <= 2.5 * grain * max(first, last) + 1e-6 * equal


@pytest.mark.parametrize("step", [1, 3])
def test_even_parts_differ_by_one_iteration(step: int):
    starts = starts_of("", name_of(step, 1, False, None))
    for trips in (0, 1, 2, 5, 64, 1001):
        for count in COUNTS:
            found = starts(-3, -3 + trips * step, count, 0.0, 0.0)
            lengths = {(b - a) // step for a, b in pairwise(found)}
            assert max(lengths) - min(lengths) <= 1


PROFILES: dict[str, tuple[Callable[[Code, Amount], Amount], Callable[[float], float]]] = {
    "tetrahedron": (lambda at, x: at.product(x, x), lambda x: x * x),
    "what is left of one": (
        lambda at, x: at.product(at.difference(1.0, x), at.difference(1.0, x)),
        lambda x: (1 - x) ** 2,
    ),
    "lens": (
        lambda at, x: at.product(x, at.difference(1.0, x)),
        lambda x: x * (1 - x),
    ),
    "roof": (
        lambda at, x: at.difference(
            0.5, at.root(at.amount(at.product(at.difference(x, 0.5), at.difference(x, 0.5))))
        ),
        lambda x: 0.5 - abs(x - 0.5),
    ),
}
"""Of a share of the range, the cycles there; as code and as Python."""


@pytest.mark.parametrize("name", PROFILES)
def test_parts_of_no_triangle(name: str):
    """What grows in another way than evenly is shared out evenly, too: within a thirtieth of a
    thread's share, for up to eight threads."""
    write, profile = PROFILES[name]
    trips = 4000

    def cycles(at: Code, iterator: Index) -> Amount:
        return write(at, at.product(at.as_amount(iterator), 1.0 / trips))

    index = IndexType()
    block = Block(arg_types=[index, MemRefType(index, [DYNAMIC_INDEX])])
    count, out = block.args
    end = func.ReturnOp()
    code = Code(block, end)
    parts = parts_of_equal_work(code, Parts(0, trips, 1, count), cycles)
    body = Block(arg_types=[index])
    inside = Code(body, end)
    start = inside.index(parts.first(inside, body.args[0]))
    body.add_ops([memref.StoreOp.get(start, out, [body.args[0]]), scf.YieldOp()])
    size = code.index(code.add(count, 1))
    block.add_op(scf.ForOp(code.index(0), size, code.index(1), [], body))
    parts.close(code)
    block.add_op(end)
    type_ = FunctionType.from_lists([one.type for one in block.args], [])
    module = ModuleOp([func.FuncOp("parts", type_, Region(block))])
    AffineToScfPass().apply(Context(), module)
    module.verify()
    loaded = load_objects([emit_object(module, BackendOptions(opt_level=1))])
    types = [ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]
    function = ctypes.CFUNCTYPE(None, *types)(loaded.address("parts"))
    work = np.array([profile((one + 0.5) / trips) for one in range(trips)])
    for number in (1, 2, 3, 4, 8):
        starts: NDArray[np.int64] = np.full(number + 1, -99, np.int64)
        function(number, starts.ctypes.data, len(starts))
        check_cover([int(one) for one in starts], 0, trips, 1, 1)
        for begin, stop in pairwise(starts):
            assert abs(work[begin:stop].sum() * number / work.sum() - 1) < 1 / 30
