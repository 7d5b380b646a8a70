"""affine-unroll runs the same accesses in the same order, whatever sticks out of a tile."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.structured import Memory, run
from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.poly import Poly
from polyopt.passes.loops.unroll.full_tiles import is_marked
from polyopt.passes.loops.unroll.unroll import AffineUnrollPass
from polyopt.passes.lower.affine_to_scf import AffineToScfPass


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, func.Func, affine.Affine, arith.Arith, memref.MemRef, Poly):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def unrolled(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    AffineUnrollPass().apply(Context(), result)
    result.verify()
    return result


def check_same(module: ModuleOp, *arguments: int) -> None:
    changed = unrolled(module)
    assert run(changed, *arguments).events == run(module, *arguments).events
    AffineToScfPass().apply(Context(), changed)
    assert run(changed, *arguments).events == run(module, *arguments).events


def bound(forms: list[str], iterators: list[str], side: str) -> str:
    """Forms over the iterators in scope and %n as one bound."""
    dims = ", ".join(f"d{k}" for k in range(len(iterators)))
    operands = ", ".join(iterators)
    return f"{side} affine_map<({dims})[s0] -> ({', '.join(forms)})>({operands})[%n]"


def extra_forms(dims: int) -> st.SearchStrategy[list[str]]:
    """Bounds of the domain that a tile may stick out of."""
    coefficients = st.lists(st.integers(-2, 2), min_size=dims + 1, max_size=dims + 1)
    names = [f"d{k}" for k in range(dims)] + ["s0"]

    def text(factors: list[int]) -> str:
        return " + ".join(f"{name} * {c}" for name, c in zip(names, factors, strict=True))

    return st.lists(st.tuples(coefficients, st.integers(-6, 6)), max_size=2).map(
        lambda found: [f"{text(factors)} + {constant}" for factors, constant in found]
    )


@st.composite
def nests(draw: st.DrawFn) -> str:
    """for ii step s, for j, and in them two marked loops over a tile, cut by other bounds."""
    step, j_step = draw(st.sampled_from([1, 2, 3])), draw(st.sampled_from([1, 1, 2]))
    first = draw(st.integers(1, 3))
    second = draw(st.integers(1, 3))
    j_lower = ["0", *draw(extra_forms(1))] if j_step == 1 else [draw(st.sampled_from(["0", "d0"]))]
    lower_i, upper_i = draw(extra_forms(2)), draw(extra_forms(2))
    lower_k, upper_k = draw(extra_forms(3)), draw(extra_forms(3))
    k_first = draw(st.sampled_from(["0", "d1", "d2", "d0 - d1"]))
    ii, j, i = "%ii", "%j", "%i"
    return f"""
    func.func @f(%A : memref<?x?x?xindex>, %n : index) {{
      affine.for %ii = 0 to %n step {step} {{
        affine.for %j = {bound(j_lower, [ii], "max")} to %n step {j_step} {{
          affine.for %i = {bound(["d0", *lower_i], [ii, j], "max")}
              to {bound([f"d0 + {first}", *upper_i], [ii, j], "min")} {{
            affine.for %k = {bound([k_first, *lower_k], [ii, j, i], "max")}
                to {bound([f"{k_first} + {second}", *upper_k], [ii, j, i], "min")} {{
              affine.store %k, %A[%i, %j + %k, %ii] : memref<?x?x?xindex>
            }} {{poly.loop = #poly.loop<unroll>}}
            affine.store %i, %A[%i, %j, %i - %j] : memref<?x?x?xindex>
          }} {{poly.loop = #poly.loop<unroll>}}
        }}
      }}
      func.return
    }}
    """


@settings(max_examples=100, deadline=None)
@given(nests(), st.integers(0, 7))
def test_any_tile(text: str, n: int) -> None:
    check_same(parse(text), n)


PRODUCT = """
func.func @f(%C : memref<?x?xindex>, %A : memref<?x?xindex>, %n : index, %m : index) {
  affine.for %ii = 0 to %n step 4 {
    affine.for %j = 0 to %m {
      affine.for %i = affine_map<(d0) -> (d0)>(%ii)
          to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%ii)[%n] {
        %c = affine.load %C[%i, %j] : memref<?x?xindex>
        %a = affine.load %A[%i * 2, %j mod 3] : memref<?x?xindex>
        %s = arith.addi %c, %a : index
        %t = arith.addi %s, %i : index
        affine.store %t, %C[%i, %j] : memref<?x?xindex>
      } {poly.loop = #poly.loop<point, unroll>}
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}
"""


def loops_in(module: ModuleOp) -> list[affine.ForOp]:
    return [op for op in module.walk() if isinstance(op, affine.ForOp)]


def test_the_full_tile_is_straight_line_code() -> None:
    module = unrolled(parse(PRODUCT))
    for n, m in product(range(10), (0, 3)):
        check_same(parse(PRODUCT), n, m)
    branch = next(op for op in module.walk() if isinstance(op, affine.IfOp))
    assert isinstance(branch.parent_op(), affine.ForOp)
    (fast,) = (op for op in branch.then_region.block.ops if isinstance(op, affine.ForOp))
    assert not [op for op in fast.body.walk() if isinstance(op, affine.ForOp | affine.IfOp)]
    assert len([op for op in fast.body.walk() if isinstance(op, affine.StoreOp)]) == 4
    assert facts_of(fast).is_parallel
    marks = [facts_of(loop).marks for loop in loops_in(module)]
    assert [one for one in marks if one] == [("point",)]


def test_a_triangle_cuts_the_loop_around() -> None:
    """The tile is full where it lies below the diagonal: a range of the loop around."""
    text = """
    func.func @f(%A : memref<?x?xindex>, %n : index) {
      affine.for %ii = 0 to %n step 4 {
        affine.for %j = 0 to affine_map<(d0) -> (d0 + 4)>(%ii) {
          affine.for %i = max affine_map<(d0, d1) -> (d0, d1)>(%ii, %j)
              to affine_map<(d0) -> (d0 + 4)>(%ii) {
            affine.store %j, %A[%i, %j] : memref<?x?xindex>
          } {poly.loop = #poly.loop<unroll>}
        }
      }
      func.return
    }
    """
    module = unrolled(parse(text))
    assert not [op for op in module.walk() if isinstance(op, affine.IfOp)]
    _, full, partial, inner = loops_in(module)
    assert not [op for op in full.body.walk() if isinstance(op, affine.ForOp)]
    assert inner.parent_op() is partial
    for n in range(10):
        check_same(parse(text), n)


INNER = """
    affine.for %k = 0 to %n {
      affine.for %x = affine_map<(d0) -> (d0)>(%i)
          to min affine_map<(d0)[s0] -> (d0 + 2, s0)>(%i)[%n] {
        affine.store %k, %A[%i, %x] : memref<?x?xindex>
      } {poly.loop = #poly.loop<unroll>}
    }
"""
OUTER = """
    affine.for %y = affine_map<(d0) -> (d0)>(%i)
        to min affine_map<(d0)[s0] -> (d0 + 3, s0)>(%i)[%n] {
      affine.store %y, %A[%y, %i] : memref<?x?xindex>
    } {poly.loop = #poly.loop<unroll>}
"""


@pytest.mark.parametrize(
    "pieces", [(INNER, OUTER), (OUTER, INNER), (OUTER, INNER, OUTER), (INNER, OUTER, INNER)]
)
@pytest.mark.parametrize("around", ["%n", "7"])
def test_tiles_of_a_loop_and_of_a_loop_in_it(pieces: tuple[str, ...], around: str) -> None:
    """Whichever stands first, all are unrolled: none is left with its mark."""
    text = f"""
    func.func @f(%A : memref<?x?xindex>, %n : index) {{
      affine.for %i = 0 to {around} step 2 {{
        {"".join(pieces)}
      }}
      func.return
    }}
    """
    module = unrolled(parse(text))
    assert not any(is_marked(loop) for loop in loops_in(module))
    for n in range(10):
        check_same(parse(text), n)


def test_values_pass_from_copy_to_copy() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %n : index) {
      %s = affine.for %i = affine_map<(d0) -> (d0)>(%n) to affine_map<(d0) -> (d0 + 3)>(%n)
          iter_args(%t = %n) -> (index) {
        %x = affine.load %A[%i] : memref<?xindex>
        %u = arith.addi %t, %x : index
        affine.yield %u : index
      } {poly.loop = #poly.loop<unroll>}
      affine.store %s, %A[0] : memref<?xindex>
      func.return
    }
    """
    assert not loops_in(unrolled(parse(text)))
    check_same(parse(text), 5)


@pytest.mark.parametrize(
    "bounds",
    [
        "0 to %n",
        "0 to 1000",
        "affine_map<(d0) -> (d0 floordiv 2)>(%n) to affine_map<(d0) -> (d0 floordiv 2 + 2)>(%n)",
        "max affine_map<(d0) -> (d0, d0 + 1)>(%n) to affine_map<(d0) -> (d0)>(%n)",
    ],
)
def test_no_constant_range_no_unrolling(bounds: str) -> None:
    """A range that is not constant, too long, or that can never be full."""
    text = f"""
    func.func @f(%A : memref<?xindex>, %n : index) {{
      affine.for %i = {bounds} {{
        affine.store %i, %A[%i] : memref<?xindex>
      }} {{poly.loop = #poly.loop<unroll>}}
      func.return
    }}
    """
    assert len(loops_in(unrolled(parse(text)))) == 1
    check_same(parse(text), 4)


def touched(memory: Memory) -> list[tuple[str, str, tuple[int, ...]]]:
    return sorted(event[:3] for event in memory.events)


def test_jammed_loops_move_inside() -> None:
    text = PRODUCT.replace('"unroll"', '"unroll", "jam"').replace("%j = 0 to %m", "%j = 0 to 7")
    swapped = """
    func.func @f(%A : memref<?x?xindex>, %n : index, %m : index) {
      affine.for %ii = 0 to %n step 2 {
        affine.for %i = affine_map<(d0) -> (d0)>(%ii)
            to min affine_map<(d0)[s0] -> (d0 + 2, s0)>(%ii)[%n] {
          affine.for %j = 0 to %m {
            affine.store %j, %A[%i, %j] : memref<?x?xindex>
          }
        } {poly.loop = #poly.loop<unroll, jam>}
      }
      func.return
    }
    """
    for module in (parse(text), parse(swapped)):
        for n, m in product(range(6), (0, 1, 3)):
            assert touched(run(unrolled(module), n, m)) == touched(run(module, n, m))
    changed = unrolled(parse(swapped))
    fast = next(op for op in changed.walk() if isinstance(op, affine.IfOp)).then_region
    (j_loop,) = (op for op in fast.block.ops if isinstance(op, affine.ForOp))
    assert len([op for op in j_loop.body.walk() if isinstance(op, affine.StoreOp)]) == 2
    assert not any(is_marked(loop) for loop in loops_in(changed))


def test_a_loop_that_depends_on_the_marked_one_stays_inside() -> None:
    text = """
    func.func @f(%A : memref<?x?xindex>, %n : index) {
      affine.for %i = 0 to 2 {
        affine.for %j = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n] {
          affine.store %j, %A[%i, %j] : memref<?x?xindex>
        }
      } {poly.loop = #poly.loop<unroll, jam>}
      func.return
    }
    """
    assert len(loops_in(unrolled(parse(text)))) == 2
    check_same(parse(text), 3)
