"""affine-to-scf does what affine's definition says, for every sign and every bound."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.structured import run
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    Builtin,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Block, Region
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.poly import Poly
from polyopt.passes.lower.affine_to_scf import AffineToScfPass

INDEX = IndexType()


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, func.Func, affine.Affine, arith.Arith, memref.MemRef, scf.Scf, Poly):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def lowered(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    AffineToScfPass().apply(Context(), result)
    result.verify()
    assert not [op for op in result.walk() if op.name.startswith("affine.")]
    return result


def check_same(module: ModuleOp, *arguments: int) -> None:
    assert run(lowered(module), *arguments).events == run(module, *arguments).events


def expressions() -> st.SearchStrategy[AffineExpr]:
    leaves = st.one_of(
        st.integers(-20, 20).map(AffineExpr.constant),
        st.integers(0, 1).map(AffineExpr.dimension),
        st.just(AffineExpr.symbol(0)),
    )

    def larger(inner: st.SearchStrategy[AffineExpr]) -> st.SearchStrategy[AffineExpr]:
        divisors = st.integers(1, 9) | st.sampled_from([16, 32, 100])
        return st.one_of(
            st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
            st.tuples(inner, st.integers(-7, 7)).map(lambda pair: pair[0] * pair[1]),
            st.tuples(inner, divisors).map(lambda pair: pair[0] // pair[1]),
            st.tuples(inner, divisors).map(lambda pair: pair[0].ceil_div(pair[1])),
            st.tuples(inner, divisors).map(lambda pair: pair[0] % pair[1]),
        )

    return st.recursive(leaves, larger, max_leaves=8)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(expressions(), min_size=1, max_size=3),
    st.integers(-3, 5),
    st.integers(-40, 40),
    st.integers(-40, 40),
)
def test_every_expression(results: list[AffineExpr], start: int, other: int, symbol: int) -> None:
    """Subscripts over an iterator, whose sign may be known from its bounds, and two arguments."""
    rank = len(results)
    block = Block(arg_types=[MemRefType(INDEX, [-1] * rank), INDEX, INDEX])
    array, argument, parameter = block.args
    body = Block(arg_types=[INDEX])
    iterator = body.args[0]
    builder = Builder(InsertPoint.at_end(body))
    builder.insert(
        affine.StoreOp(
            iterator,
            array,
            [iterator, argument, parameter],
            AffineMapAttr(AffineMap(2, 1, tuple(results))),
        )
    )
    builder.insert(affine.YieldOp.get())
    block.add_op(affine.ForOp.from_region([], [], [], [], start, start + 9, Region(body), 2))
    block.add_op(func.ReturnOp())
    function = func.FuncOp("f", (block.arg_types, ()), Region(block))
    check_same(ModuleOp([function]), other, symbol)


@settings(max_examples=100, deadline=None)
@given(*[st.integers(-9, 9)] * 3)
def test_bounds_and_conditions(a: int, b: int, n: int) -> None:
    check_same(
        parse(
            """
            func.func @f(%A : memref<?x?xindex>, %a : index, %b : index, %n : index) {
              affine.for %i = max affine_map<(d0)[s0] -> (d0, s0 floordiv 2, -3)>(%a)[%b]
                  to min affine_map<(d0, d1) -> (d0 + d1, 7)>(%b, %n) step 3 {
                affine.for %j = affine_map<(d0) -> (d0 ceildiv 2)>(%i) to %n {
                  "affine.if"(%i, %j, %n) ({
                    affine.store %j, %A[%i mod 4, %j] : memref<?x?xindex>
                    "affine.yield"() : () -> ()
                  }, {
                    affine.store %i, %A[-%i, %j floordiv 3 - %n] : memref<?x?xindex>
                  }) {condition = affine_set<(d0, d1)[s0] :
                      (d0 - d1 + s0 - 1 >= 0, d1 - 2 * d0 + 4 >= 0, d0 mod 2 == 0)>}
                  : (index, index, index) -> ()
                }
              }
              func.return
            }
            """
        ),
        a,
        b,
        n,
    )


def test_values_flow_through_loops_and_branches() -> None:
    module = parse(
        """
        func.func @f(%A : memref<?xindex>, %n : index) {
          %zero = arith.constant 0 : index
          %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (index) {
            %m = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0 - d0, 3)>(%i)[%n]
            %v = "affine.if"(%i) ({
              "affine.yield"(%m) : (index) -> ()
            }, {
              "affine.yield"(%i) : (index) -> ()
            }) {condition = affine_set<(d0) : (d0 - 2 >= 0)>} : (index) -> index
            %t = arith.addi %s, %v : index
            affine.yield %t : index
          }
          affine.store %sum, %A[0] : memref<?xindex>
          func.return
        }
        """
    )
    for n in range(-1, 8):
        check_same(module, n)


LEFT_OVER = """
func.func @f(%A : memref<?xindex>, %s : index, %n : index) {
  %zero = arith.constant 0 : index
  %q = affine.apply affine_map<(d0, d1) -> ((d1 - d0) floordiv 4)> (%s, %n)
  %sum = affine.for %i = affine_map<(d0, d1) -> (d0 + d1 * 4)>(%s, %q) to %n step BY
      iter_args(%t = %zero) -> (index) {
    %left = affine.apply affine_map<(d0, d1) -> (d1 - d0)> (%i, %n)
    affine.store %left, %A[%i + 1] : memref<?xindex>
    %u = arith.addi %t, %i : index
    affine.yield %u : index
  }
  affine.store %sum, %A[%n] : memref<?xindex>
  func.return
}
"""


def test_what_a_division_leaves_is_a_branch() -> None:
    """Less than a step is one iteration or none; of shorter steps there may be more."""
    once, thrice = (parse(LEFT_OVER.replace("BY", by)) for by in ("4", "2"))
    for module in (once, thrice):
        for n in range(-6, 10):
            check_same(module, 2, n)
    names = [op.name for op in lowered(once).walk()]
    assert "scf.for" not in names
    assert "arith.andi" in names
    assert any(isinstance(op, scf.ForOp) for op in lowered(thrice).walk())


LEFT_OVER_TWICE = """
func.func @f(%A : memref<?xindex>, %s : index, %n : index) {
  %zero = arith.constant 0 : index
  %q = affine.apply affine_map<(d0, d1) -> ((d1 - d0) floordiv MANY)> (%s, %n)
  %r = affine.apply affine_map<(d0, d1, d2) -> ((d1 - d0 - d2 * MANY) floordiv 4)> (%s, %n, %q)
  %sum = affine.for %i = affine_map<(d0, d1, d2) -> (d0 + d1 * MANY + d2 * 4)>(%s, %q, %r) to %n
      step BY iter_args(%t = %zero) -> (index) {
    %left = affine.apply affine_map<(d0, d1) -> (d1 - d0)> (%i, %n)
    affine.store %left, %A[%i + 1] : memref<?xindex>
    %u = arith.addi %t, %i : index
    affine.yield %u : index
  }
  affine.store %sum, %A[%n] : memref<?xindex>
  func.return
}
"""


@pytest.mark.parametrize("many", [12, 16, 10, 3])
def test_what_two_divisions_leave_is_a_branch(many: int) -> None:
    """Cut by many first and by 4 then, less than 4 is left; it is seen where 4 divides many."""
    text = LEFT_OVER_TWICE.replace("MANY", str(many))
    once, more = (parse(text.replace("BY", by)) for by in ("4", "1"))
    for module in (once, more):
        for n in range(-30, 40):
            check_same(module, 2, n)
    is_loop = any(isinstance(op, scf.ForOp) for op in lowered(once).walk())
    assert is_loop == (many % 4 != 0)
    assert any(isinstance(op, scf.ForOp) for op in lowered(more).walk())


PARALLEL = """
func.func @f(%A : memref<?x?xindex>, %a : index, %n : index) {
  "affine.parallel"(%a, %n) ({
  ^bb0(%i : index, %j : index):
    affine.store %j, %A[%i, %j] : memref<?x?xindex>
    "affine.yield"() : () -> ()
  }) {
    lowerBoundsMap = affine_map<(d0) -> (d0, 0, -2)>,
    upperBoundsMap = affine_map<()[s0] -> (s0, 5)>,
    lowerBoundsGroups = dense<[2, 1]> : vector<2xi32>,
    upperBoundsGroups = dense<1> : vector<2xi32>, steps = [1, 2], reductions = []
  } : (index, index) -> ()
  func.return
}
"""


def test_parallel_loops() -> None:
    module = parse(PARALLEL)
    for a, n in [(-1, 4), (2, 3), (5, 1)]:
        check_same(module, a, n)
    loops = [op for op in lowered(module).walk() if isinstance(op, scf.ForOp)]
    assert len(loops) == 2
    assert all(facts_of(loop).is_parallel for loop in loops)


def test_known_signs_are_cheap() -> None:
    """An iterator that starts at 0 is divided as C divides; a mask needs no sign at all."""
    module = parse(
        """
        func.func @f(%A : memref<?x?xindex>, %x : index) {
          affine.for %i = 0 to 9 {
            affine.store %i, %A[%i floordiv 3, %x mod 8] : memref<?x?xindex>
          }
          func.return
        }
        """
    )
    names = {op.name for op in lowered(module).walk()}
    assert "arith.divsi" in names
    assert "arith.andi" in names
    assert names.isdisjoint({"arith.select", "arith.remsi", "arith.cmpi"})


def test_division_by_zero_is_refused() -> None:
    module = parse(
        """
        func.func @f(%A : memref<?xindex>, %x : index) {
          affine.store %x, %A[%x] : memref<?xindex>
          func.return
        }
        """
    )
    store = next(op for op in module.walk() if isinstance(op, affine.StoreOp))
    quotient = AffineExpr.dimension(0) // AffineExpr.constant(0)
    store.properties["map"] = AffineMapAttr(AffineMap(1, 0, (quotient,)))
    with pytest.raises(PassFailedException, match="not a positive constant"):
        AffineToScfPass().apply(Context(), module)


def test_constants_fold_into_the_form() -> None:
    module = parse(
        """
        func.func @f(%A : memref<?xindex>, %x : index) {
          %c = arith.constant 3 : index
          %y = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 2 - 6)>(%x)[%c]
          affine.store %y, %A[%x] : memref<?xindex>
          func.return
        }
        """
    )
    store = next(op for op in lowered(module).walk() if isinstance(op, memref.StoreOp))
    assert store.value is store.indices[0]
    constant = next(op for op in module.walk() if isinstance(op, arith.ConstantOp))
    assert constant.value == IntegerAttr(3, INDEX)
