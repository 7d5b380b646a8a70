"""The sizes of blocked contractions: what fits where, and that the next larger would not."""

from dataclasses import replace
from itertools import product

import pytest
from oracles.affine_native import apply, parse_affine
from oracles.contract_passes import contract_passes

from polyopt.dialects.contract_forms import Blocking
from polyopt.passes.loops.contract.block_sizes import choose_blocking
from polyopt.support.remarks import collect_remarks
from polyopt.support.target import Target

KIB = 1024
CACHES = ((16, 256), (32, 1024), (48, 2048))
PANELS = ((1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 2, 2))
ELEMENTS = (4, 8)
ENDLESS = 1 << 50


def machine(l1: int, l2: int, bits: int = 256, registers: int = 16) -> Target:
    return replace(
        Target(),
        l1_bytes=l1 * KIB,
        l2_bytes=l2 * KIB,
        vector_bits=bits,
        vector_registers=registers,
    )


@pytest.mark.parametrize("panels", PANELS)
@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize(("l1", "l2"), CACHES)
def test_blocks_fill_their_caches_and_no_more(
    l1: int, l2: int, element: int, panels: tuple[int, int, int]
):
    """A tile of the column panels, as deep as a block, is half as much again as L1 holds; the row
    panels of a block are half of L2."""
    _, rows, columns = panels
    sizes = choose_blocking(machine(l1, l2), element, *panels)
    tall = choose_blocking(machine(l1, ENDLESS), element, *panels)
    deep = choose_blocking(machine(ENDLESS, ENDLESS), element, *panels).depth

    def tile(depth: int) -> int:
        return depth * sizes.columns * element * columns

    def block(height: int) -> int:
        return height * sizes.depth * element * rows

    assert sizes.depth % 8 == 0
    assert sizes.depth == 16 or tile(sizes.depth) <= 1.5 * l1 * KIB
    assert sizes.depth == deep or tile(sizes.depth + 8) > 1.5 * l1 * KIB
    assert sizes.row_block % sizes.rows == 0
    assert sizes.row_block == sizes.rows or block(sizes.row_block) <= l2 * KIB / 2
    assert block(sizes.row_block + sizes.rows) > l2 * KIB / 2
    assert sizes.column_block % sizes.columns == 0
    assert tall.column_block == sizes.column_block
    further_out = sizes.column_block * sizes.depth * element * columns
    assert l2 * KIB < further_out or sizes.column_block == sizes.columns


def cost(
    shape: tuple[int, int], lanes: int, panels: tuple[int, int, int], extents: tuple[int, int]
) -> float:
    """Loads per update, and one for the update, times what is computed in vain."""
    height, vectors = shape
    _, rows, columns = panels
    waste = 1.0
    for extent, tile in zip(extents, (height, vectors * lanes), strict=True):
        waste *= -(-extent // tile) * tile / extent
    return (1 + (height * rows + vectors * columns) / (height * vectors)) * waste


@pytest.mark.parametrize("panels", PANELS)
@pytest.mark.parametrize(("bits", "registers"), [(128, 16), (256, 16), (512, 32)])
def test_no_shape_of_the_tile_costs_less(bits: int, registers: int, panels: tuple[int, int, int]):
    target = machine(32, 1024, bits, registers)
    accumulators, _, columns = panels
    for extents in ((1000, 1000), (12, 40), (7, 24), (32, 9)):
        sizes = choose_blocking(target, 8, *panels, extents)
        fitting = [
            (height, vectors)
            for height, vectors in product(range(4, registers, 4), range(1, 5))
            if accumulators * height * vectors + columns * vectors + 1 <= registers
        ]
        chosen = sizes.rows, sizes.vectors
        assert sizes.lanes == bits // 64
        if not fitting:
            assert chosen == (4, 1)
            continue
        assert chosen in fitting
        least = min(cost(one, sizes.lanes, panels, extents) for one in fitting)
        assert cost(chosen, sizes.lanes, panels, extents) == pytest.approx(least)


def update(combine: str, flags: str, size: str = "%n") -> str:
    matrix = "memref<?x?xf64>"
    return f"""
    builtin.module attributes {{polyopt.fastmath = #arith.fastmath<{flags}>}} {{
      func.func @f(%n : index, %C : {matrix} {{llvm.noalias}}, %A : {matrix} {{llvm.noalias}},
                   %B : {matrix} {{llvm.noalias}}) {{
        affine.for %i = 0 to {size} {{ affine.for %j = 0 to {size} {{ affine.for %k = 0 to %n {{
          %x = affine.load %C[%i, %j] : {matrix}
          %p = affine.load %A[%i, %k] : {matrix}
          %q = affine.load %B[%k, %j] : {matrix}
          {combine}
          affine.store %y, %C[%i, %j] : {matrix}
        }} }} }}
        return
      }}
    }}"""


SUM = "%t = arith.mulf %p, %q : f64\n%y = arith.addf %x, %t : f64"
DIFFERENCE = "%t = arith.mulf %p, %q : f64\n%y = arith.subf %x, %t : f64"
LEAST = "%t = arith.addf %p, %q : f64\n%y = arith.minnumf %x, %t : f64"


def said_of(text: str, march: str) -> str:
    with collect_remarks() as remarks:
        apply(parse_affine(text), contract_passes(smallest=1, march=march))
    (one,) = [item for item in remarks.by_place() if "contraction in panels" in str(item)]
    return str(one)


def in_words(sizes: Blocking) -> str:
    return (
        f"panels of {sizes.row_block} x {sizes.depth} x {sizes.column_block}, "
        f"{sizes.rows} rows of {sizes.vectors} vectors"
    )


@pytest.mark.parametrize(
    ("combine", "flags", "march", "fused"),
    [
        (SUM, "contract", "x86-64-v3", True),
        (DIFFERENCE, "contract", "x86-64-v3", True),
        (SUM, "none", "x86-64-v3", False),
        (LEAST, "contract", "x86-64-v3", False),
        (SUM, "contract", "x86-64", False),
        (SUM, "none", "x86-64-v4", True),
        (LEAST, "none", "x86-64-v4", True),
    ],
)
def test_a_register_for_the_product_where_it_is_rounded_and_registers_are_few(
    combine: str, flags: str, march: str, fused: bool
):
    sizes = choose_blocking(Target.named(march), 8, 1, 1, 1, is_fused=fused)
    assert in_words(sizes) in said_of(update(combine, flags), march)


@pytest.mark.parametrize("size", [24, 40])
def test_known_extents_shape_the_tile(size: int):
    sizes = choose_blocking(Target.named("x86-64-v3"), 8, 1, 1, 1, (size, size))
    text = said_of(update(SUM, "contract", str(size)), "x86-64-v3")
    assert f"{sizes.rows} rows of {sizes.vectors} vectors" in text
