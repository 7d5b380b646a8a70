"""The register tile fits extents that are known."""

from polyopt.passes.loops.contract.block_sizes import choose_blocking
from polyopt.support.target import Target


def tile(march: str, extents: tuple[int | None, int | None]) -> tuple[int, int]:
    sizes = choose_blocking(Target.named(march), 4, 1, 1, 1, extents)
    return sizes.rows, sizes.columns


def test_nothing_is_computed_in_vain_where_that_can_be():
    for march in ("x86-64-v3", "x86-64-v4"):
        rows, columns = tile(march, (32, 32))
        assert 32 % rows == 0
        assert 32 % columns == 0


def test_long_extents_have_the_tile_of_unknown_ones():
    assert tile("x86-64-v3", (4096, 4608)) == tile("x86-64-v3", (None, None))


def test_one_extent_may_be_known():
    rows, columns = tile("x86-64-v4", (None, 16))
    assert columns == 16
    assert rows > 4


def test_a_product_that_is_rounded_has_a_register_of_its_own():
    fused, rounded = (
        choose_blocking(Target.named("x86-64-v3"), 8, 1, 1, 1, is_fused=is_fused)
        for is_fused in (True, False)
    )
    assert (fused.rows, fused.vectors) == (4, 3)
    assert rounded.rows * rounded.vectors + rounded.vectors + 1 + 1 <= 16
