"""From which size on stores are non-temporal: of nests whose sizes are known, to the byte."""

from dataclasses import replace

import pytest
from oracles.affine_native import apply, parse_affine
from xdsl.dialects import affine

from polyopt.dialects.loop_facts import facts_of
from polyopt.passes.loops.memory.stream import AffineStreamPass
from polyopt.support.target import Target

MIB = 1 << 20


def nest(rows: int, columns: int, element: str = "f64", *, step: int = 1, read: str = "%B") -> str:
    matrix = f"memref<?x?x{element}> {{llvm.noalias}}"
    plain = f"memref<?x?x{element}>"
    row = f"memref<?x{element}>"
    load = {
        "%B": f"affine.load %B[%i, %j] : {plain}",
        "%V": f"affine.load %V[%j] : {row}",
    }[read]
    return f"""
    func.func @f(%A : {matrix}, %B : {matrix}, %V : {row} {{llvm.noalias}}) {{
      affine.for %i = 0 to {rows} step {step} {{
        affine.for %j = 0 to {columns} {{
          %b = {load}
          %x = arith.mulf %b, %b : {element}
          affine.store %x, %A[%i, %j] : {plain}
        }}
      }}
      return
    }}"""


def is_streamed(text: str, each: AffineStreamPass) -> bool:
    module = apply(parse_affine(text), [each])
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    assert len(loops) == 2, "sizes that are known need no second version"
    return facts_of(loops[1]).nontemporal == (0,)


def limited(bytes: int, row: int = 8) -> AffineStreamPass:
    return AffineStreamPass("x86-64-v3", bytes, row)


@pytest.mark.parametrize(("rows", "wanted"), [(40, True), (39, False)])
def test_as_many_bytes_as_are_asked_for(rows: int, wanted: bool):
    """100 elements of 8 bytes in a row, stored, and as many loaded."""
    assert is_streamed(nest(rows, 100), limited(40 * 100 * 16)) == wanted


@pytest.mark.parametrize(("rows", "wanted"), [(40, True), (39, False)])
def test_what_stays_in_the_cache_is_not_counted(rows: int, wanted: bool):
    """A row that is read again and again is no traffic."""
    assert is_streamed(nest(rows, 100, read="%V"), limited(40 * 100 * 8)) == wanted


@pytest.mark.parametrize(("bytes", "wanted"), [(20 * 100 * 8, True), (20 * 100 * 8 + 1, False)])
def test_floats_are_half_as_many(bytes: int, wanted: bool):
    assert is_streamed(nest(20, 100, "f32"), limited(bytes)) == wanted


@pytest.mark.parametrize(("bytes", "wanted"), [(20 * 100 * 16, True), (20 * 100 * 16 + 1, False)])
def test_a_step_leaves_rows_out(bytes: int, wanted: bool):
    assert is_streamed(nest(40, 100, step=2), limited(bytes)) == wanted


@pytest.mark.parametrize(("columns", "wanted"), [(128, True), (127, False)])
def test_rows_of_a_kilobyte_at_least(columns: int, wanted: bool):
    each = AffineStreamPass("x86-64-v3", 1)
    assert is_streamed(nest(8, columns), each) == wanted


@pytest.mark.parametrize("l2", [MIB // 4, MIB, 2 * MIB, 4 * MIB])
def test_the_model_asks_for_64_mib_and_32_times_the_second_cache(
    l2: int, monkeypatch: pytest.MonkeyPatch
):
    """So much has left every cache of one core, and most of what cores share, before it would be
    read again."""

    def named(march: str) -> Target:
        return replace(Target(), name=march, l2_bytes=l2)

    monkeypatch.setattr(Target, "named", staticmethod(named))
    rows = max(64 * MIB, 32 * l2) // (1024 * 16)
    assert is_streamed(nest(rows, 1024), AffineStreamPass("any"))
    assert not is_streamed(nest(rows - 1, 1024), AffineStreamPass("any"))


@pytest.mark.parametrize(
    ("l3", "cores", "wanted"), [(96, 8, 96), (300, 2, 64), (300, 6, 96), (32, 8, 64)]
)
def test_of_the_last_cache_no_more_counts_than_so_many_cores_have(
    l3: int, cores: int, wanted: int, monkeypatch: pytest.MonkeyPatch
):
    """Two cores that are guests are told of all that their host has."""

    def named(march: str) -> Target:
        return replace(Target(), name=march, l3_bytes=l3 * MIB, cores=cores)

    monkeypatch.setattr(Target, "named", staticmethod(named))
    rows = wanted * MIB // (1024 * 16)
    assert is_streamed(nest(rows, 1024), AffineStreamPass("any"))
    assert not is_streamed(nest(rows - 1, 1024), AffineStreamPass("any"))


@pytest.mark.parametrize(("place", "wanted"), [("%i, %j", True), ("%i, %j - 1", False)])
def test_what_is_read_is_not_streamed_unless_it_was_just_stored(place: str, wanted: bool):
    again = f"%y = affine.load %A[{place}] : memref<?x?xf64>\n"
    again += "affine.store %y, %V[%j] : memref<?xf64>"
    store = "affine.store %x, %A[%i, %j] : memref<?x?xf64>"
    text = nest(40, 100).replace(store, f"{store}\n{again}")
    assert is_streamed(text, limited(1)) == wanted


@pytest.mark.parametrize("value", ["%f", "%b"])
def test_fillings_and_copies_are_left_to_others(value: str):
    text = nest(40, 100).replace("affine.store %x", f"affine.store {value}")
    text = text.replace("func.func @f(", "func.func @f(%f : f64, ")
    assert not is_streamed(text, limited(1))
