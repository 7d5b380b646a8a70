"""pvec in native code against Python."""

import ctypes
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

Native = Callable[..., Any]
LANES = 8


def masked_numbers(call_ir: Callable[..., Native], mask: str) -> Callable[[int, int], list[int]]:
    """A function that writes 1 to 8 where the mask of (%lo, %hi) is set, 0 elsewhere."""
    text = f"""
    func.func @f(%p : !llvm.ptr, %lo : index, %hi : index) {{
      %A = cmem.view %p [] : memref<?xi32>
      %c0 = arith.constant 0 : index
      %m = {mask} : vector<{LANES}xi1>
      %n = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : vector<{LANES}xi32>
      %z = arith.constant dense<0> : vector<{LANES}xi32>
      %v = pvec.select %m, %n, %z : vector<{LANES}xi1>, vector<{LANES}xi32>
      vector.store %v, %A[%c0] : memref<?xi32>, vector<{LANES}xi32>
      func.return
    }}"""
    native = call_ir(text, "void", "ptr", "i64", "i64")

    def call(low: int, high: int) -> list[int]:
        buffer = (ctypes.c_int32 * LANES)()
        native(ctypes.addressof(buffer), low, high)
        return list(buffer)

    return call


def test_range_masks(call_ir: Callable[..., Native]):
    call = masked_numbers(call_ir, "pvec.range_mask %lo to %hi")
    ends = [-(2**40), -1, 0, 1, 3, 7, 8, 9, 2**40]
    for low, high in product(ends, repeat=2):
        wanted = [lane + 1 if low <= lane < high else 0 for lane in range(LANES)]
        assert call(low, high) == wanted, (low, high)


@pytest.mark.parametrize(
    ("predicate", "wanted"),
    [
        ("slt", [1, 2, 0, 0, 0, 0, 0, 0]),
        ("ult", [0, 2, 0, 0, 0, 0, 0, 0]),
        ("eq", [0, 0, 3, 0, 0, 0, 0, 0]),
        ("ne", [1, 2, 0, 4, 5, 6, 7, 8]),
    ],
)
def test_integer_comparisons(call_ir: Callable[..., Native], predicate: str, wanted: list[int]):
    text = f"""
    func.func @f(%p : !llvm.ptr) {{
      %A = cmem.view %p [] : memref<?xi32>
      %c0 = arith.constant 0 : index
      %a = arith.constant dense<[-1, 1, 2, 3, 4, 5, 6, 7]> : vector<{LANES}xi32>
      %two = arith.constant dense<2> : vector<{LANES}xi32>
      %m = pvec.cmpi "{predicate}", %a, %two : vector<{LANES}xi32> -> vector<{LANES}xi1>
      %n = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : vector<{LANES}xi32>
      %z = arith.constant dense<0> : vector<{LANES}xi32>
      %v = pvec.select %m, %n, %z : vector<{LANES}xi1>, vector<{LANES}xi32>
      vector.store %v, %A[%c0] : memref<?xi32>, vector<{LANES}xi32>
      func.return
    }}"""
    buffer = (ctypes.c_int32 * LANES)()
    call_ir(text, "void", "ptr")(ctypes.addressof(buffer))
    assert list(buffer) == wanted


def test_float_comparisons_know_nan(call_ir: Callable[..., Native]):
    text = """
    func.func @f(%p : !llvm.ptr) {
      %A = cmem.view %p [] : memref<?xf64>
      %c0 = arith.constant 0 : index
      %a = vector.load %A[%c0] : memref<?xf64>, vector<4xf64>
      %one = arith.constant dense<1.0> : vector<4xf64>
      %m = pvec.cmpf "olt", %a, %one : vector<4xf64> -> vector<4xi1>
      %u = pvec.cmpf "ult", %a, %one : vector<4xf64> -> vector<4xi1>
      %zero = arith.constant dense<0.0> : vector<4xf64>
      %v = pvec.select %m, %one, %zero : vector<4xi1>, vector<4xf64>
      %w = pvec.select %u, %one, %zero : vector<4xi1>, vector<4xf64>
      %s = arith.addf %v, %w : vector<4xf64>
      vector.store %s, %A[%c0] : memref<?xf64>, vector<4xf64>
      func.return
    }"""
    buffer = (ctypes.c_double * 4)(0.5, 1.5, float("nan"), 1.0)
    call_ir(text, "void", "ptr")(ctypes.addressof(buffer))
    assert list(buffer) == [2.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("kind", "through", "number", "wanted"),
    [
        ("fptosi", "i8", -3.75, -3),
        ("fptoui", "i16", 65000.5, 65000),
        ("fptosi", "i64", -(2.0**40), -(2**40)),
    ],
)
def test_conversions_round_and_extend(
    call_ir: Callable[..., Native], kind: str, through: str, number: float, wanted: int
):
    """To a narrow integer, to 64 bits by its sign, or without one, and back to a float."""
    sign = "u" if kind == "fptoui" else "s"
    narrow = f"vector<4x{through}>"
    extended = f"""
      %e = pvec.convert "ext{sign}i", %k : {narrow} -> vector<4xi64>
      %t = pvec.convert "trunci", %e : vector<4xi64> -> {narrow}
      %b = pvec.convert "{sign}itofp", %t : {narrow} -> vector<4xf64>"""
    if through == "i64":
        extended = f'%b = pvec.convert "sitofp", %k : {narrow} -> vector<4xf64>'
    text = f"""
    func.func @f(%p : !llvm.ptr) {{
      %A = cmem.view %p [] : memref<?xf64>
      %c0 = arith.constant 0 : index
      %a = vector.load %A[%c0] : memref<?xf64>, vector<4xf64>
      %k = pvec.convert "{kind}", %a : vector<4xf64> -> {narrow}
      {extended}
      vector.store %b, %A[%c0] : memref<?xf64>, vector<4xf64>
      func.return
    }}"""
    buffer = (ctypes.c_double * 4)(number, 0.0, 1.0, 100.0)
    call_ir(text, "void", "ptr")(ctypes.addressof(buffer))
    assert list(buffer) == [wanted, 0.0, 1.0, 100.0]


def test_a_prefetch_changes_nothing(call_ir: Callable[..., Native]):
    text = """
    func.func @f(%p : !llvm.ptr, %n : index) {
      %A = cmem.view %p [] : memref<?xf64>
      pvec.prefetch %A[%n] : memref<?xf64>
      pvec.prefetch %A[%n] for_write : memref<?xf64>
      func.return
    }"""
    buffer = (ctypes.c_double * 4)(1, 2, 3, 4)
    call_ir(text, "void", "ptr", "i64")(ctypes.addressof(buffer), 1_000_000)
    assert list(buffer) == [1, 2, 3, 4]


@pytest.mark.parametrize("steps", [(1, 0), (0, 1), (1, -2), (-1, 3)])
def test_strided_accesses_move_a_lane_for_each_step(
    call_ir: Callable[..., Native], steps: tuple[int, int]
):
    by = f"[{steps[0]}, {steps[1]}]"
    text = f"""
    func.func @f(%p : !llvm.ptr, %q : !llvm.ptr, %n : index, %i : index, %j : index, %hi : index) {{
      %A = cmem.view %p [%n] : memref<?x?xi32>
      %B = cmem.view %q [%n] : memref<?x?xi32>
      %c0 = arith.constant 0 : index
      %m = pvec.range_mask %c0 to %hi : vector<{LANES}xi1>
      %v = pvec.strided_load %A[%i, %j] by {by} masked %m : vector<{LANES}xi1>
        : memref<?x?xi32>, vector<{LANES}xi32>
      pvec.strided_store %v, %B[%i, %j] by {by} masked %m : vector<{LANES}xi1>
        : memref<?x?xi32>, vector<{LANES}xi32>
      func.return
    }}"""
    native = call_ir(text, "void", "ptr", "ptr", "i64", "i64", "i64", "i64")
    n, i, j = 40, 15, 16
    for lanes in (0, 3, LANES):
        a = (ctypes.c_int32 * (n * n))(*range(1, n * n + 1))
        b = (ctypes.c_int32 * (n * n))()
        native(ctypes.addressof(a), ctypes.addressof(b), n, i, j, lanes)
        wanted = [0] * (n * n)
        for lane in range(lanes):
            place = (i + lane * steps[0]) * n + j + lane * steps[1]
            wanted[place] = a[place]
        assert list(b) == wanted


def test_a_misalignment_counts_from_the_last_boundary(call_ir: Callable[..., Native]):
    text = """
    func.func @f(%p : !llvm.ptr, %n : index, %i : index, %j : index) -> index {
      %A = cmem.view %p [%n] : memref<?x?xi32>
      %m = pvec.misalignment %A[%i, %j] of 8 : memref<?x?xi32>
      func.return %m : index
    }"""
    native = call_ir(text, "i64", "ptr", "i64", "i64", "i64")
    for address, n, i, j in [(4096, 16, 0, 0), (4100, 16, 3, 2), (64, 5, 1, 4), (4096, 16, 0, -1)]:
        place = address + 4 * (i * n + j)
        assert native(address, n, i, j) == place % 32 // 4


@pytest.mark.parametrize("width", [4, 16])
@pytest.mark.parametrize("masked", [False, True])
def test_a_gather_finds_what_its_indices_say(
    call_ir: Callable[..., Native], width: int, masked: bool
):
    """Negative numbers too, of different widths; of i32, 16 lanes are gathered at once."""
    mask = f" masked %m : vector<{width}xi1>" if masked else ""
    text = f"""
    func.func @f(%p : !llvm.ptr, %q : !llvm.ptr, %r : !llvm.ptr, %n : index, %hi : index) {{
      %A = cmem.view %p [%n] : memref<?x?xi32>
      %I = cmem.view %q [] : memref<?xi64>
      %J = cmem.view %r [] : memref<?xi32>
      %c0 = arith.constant 0 : index
      %m = pvec.range_mask %c0 to %hi : vector<{width}xi1>
      %i = vector.load %I[%c0] : memref<?xi64>, vector<{width}xi64>
      %j = vector.load %J[%c0] : memref<?xi32>, vector<{width}xi32>
      %g = pvec.gather %A[%i, %j]{mask}
        : memref<?x?xi32>, vector<{width}xi64>, vector<{width}xi32> -> vector<{width}xi32>
      %o = arith.constant dense<0> : vector<{width}xi32>
      %v = pvec.select %m, %g, %o : vector<{width}xi1>, vector<{width}xi32>
      vector.store %v, %J[%c0] : memref<?xi32>, vector<{width}xi32>
      func.return
    }}"""
    native = call_ir(text, "void", "ptr", "ptr", "ptr", "i64", "i64")
    n, lanes = 9, width - 3 if masked else width
    a = (ctypes.c_int32 * (n * n))(*range(100, 100 + n * n))
    rows = [(5 * lane) % n for lane in range(width)]
    columns = [(3 * lane) % n - (1 if row else 0) for lane, row in enumerate(rows)]
    i, j = (ctypes.c_int64 * width)(*rows), (ctypes.c_int32 * width)(*columns)
    native(ctypes.addressof(a), ctypes.addressof(i), ctypes.addressof(j), n, lanes)
    wanted = [100 + row * n + column for row, column in zip(rows, columns, strict=True)]
    assert list(j) == [*wanted[:lanes], *[0] * (width - lanes)]


@pytest.mark.parametrize("kind", ["i32", "i64"])
@pytest.mark.parametrize(("along", "width"), [("row", 4), ("row", 16), ("column", 16)])
def test_lanes_of_a_gather_begin_at_one_row_or_column(
    call_ir: Callable[..., Native], along: str, width: int, kind: str
):
    """What is the same for all lanes, and negative, is where they begin; they go back, too."""
    order = "%k, %j" if along == "row" else "%j, %k"
    types = [f"vector<{width}x{kind}>", f"vector<{width}xi32>"]
    text = f"""
    func.func @f(%p : !llvm.ptr, %r : !llvm.ptr, %one : {kind}, %n : index) {{
      %A = cmem.view %p [%n] : memref<?x?xi32>
      %J = cmem.view %r [] : memref<?xi32>
      %c0 = arith.constant 0 : index
      %k = vector.broadcast %one : {kind} to {types[0]}
      %j = vector.load %J[%c0] : memref<?xi32>, {types[1]}
      %g = pvec.gather %A[{order}]
        : memref<?x?xi32>, {", ".join(types if along == "row" else types[::-1])} -> {types[1]}
      vector.store %g, %J[%c0] : memref<?xi32>, {types[1]}
      func.return
    }}"""
    native = call_ir(text, "void", "ptr", "ptr", kind, "i64")
    n, first = 9, 40
    a = (ctypes.c_int32 * (n * n))(*range(n * n))
    moves = [(3 * lane) % 4 - 2 for lane in range(width)]
    j = (ctypes.c_int32 * width)(*moves)
    native(ctypes.addressof(a) + 4 * first, ctypes.addressof(j), -1, n)
    far, step = (-n, 1) if along == "row" else (-1, n)
    assert list(j) == [first + far + step * move for move in moves]


@pytest.mark.parametrize("width", [4, 8])
def test_strided_accesses_of_all_lanes(call_ir: Callable[..., Native], width: int):
    text = f"""
    func.func @f(%p : !llvm.ptr, %q : !llvm.ptr, %n : index, %i : index) {{
      %A = cmem.view %p [%n] : memref<?x?xf64>
      %B = cmem.view %q [] : memref<?xf64>
      %v = pvec.strided_load %A[%i, %i] by [1, -1] : memref<?x?xf64>, vector<{width}xf64>
      pvec.strided_store %v, %B[%i] by [3] : memref<?xf64>, vector<{width}xf64>
      func.return
    }}"""
    n, i = 20, 9
    a, b = (ctypes.c_double * (n * n))(*range(n * n)), (ctypes.c_double * 40)()
    call_ir(text, "void", "ptr", "ptr", "i64", "i64")(
        ctypes.addressof(a), ctypes.addressof(b), n, i
    )
    wanted = [0.0] * 40
    for lane in range(width):
        wanted[i + 3 * lane] = float((i + lane) * n + i - lane)
    assert list(b) == wanted
