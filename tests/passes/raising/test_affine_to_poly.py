"""Raised and generated again, loops make the same accesses in the same order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.structured import run
from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from polyopt.dialects.cmem import CMem
from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.passes.codegen.poly_to_affine import PolyToAffinePass
from polyopt.passes.raising.affine_to_poly import AffineToPolyPass
from polyopt.support.remarks import collect_remarks


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, func.Func, affine.Affine, arith.Arith, memref.MemRef, scf.Scf, CMem):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def raised(module: ModuleOp, *, assume_distinct: bool = True) -> ModuleOp:
    result = module.clone()
    AffineToPolyPass(assume_distinct=assume_distinct).apply(Context(), result)
    result.verify()
    return result


def scops_in(module: ModuleOp) -> list[ScopOp]:
    return [op for op in module.walk() if isinstance(op, ScopOp)]


def check_round_trip(text: str, sizes: list[int], *, scops: int = 1) -> None:
    module = parse(text)
    changed = raised(module)
    assert len(scops_in(changed)) == scops
    PolyToAffinePass().apply(Context(), changed)
    changed.verify()
    for n in sizes:
        assert run(changed, n).of_arguments() == run(module, n).of_arguments()


def test_loops_branches_and_divisions() -> None:
    check_round_trip(
        """
        func.func @f(%A : memref<?x?xindex>, %n : index) {
          affine.for %i = max affine_map<()[s0] -> (s0 floordiv 3, 2)>()[%n] to %n {
            affine.for %j = affine_map<(d0) -> (d0 ceildiv 2)>(%i) to 9 step 3 {
              affine.store %j, %A[%i mod 4, %j floordiv 2 - %n] : memref<?x?xindex>
              "affine.if"(%i, %j) ({
                affine.store %i, %A[%j, %i] : memref<?x?xindex>
                "affine.yield"() : () -> ()
              }, {
                affine.store %n, %A[%j, %i + 1] : memref<?x?xindex>
              }) {condition = affine_set<(d0, d1) : (d0 - d1 >= 0, d0 mod 2 == 1)>}
              : (index, index) -> ()
            }
          }
          "affine.if"(%n) ({
            affine.store %n, %A[0, 0] : memref<?x?xindex>
          }, {}) {condition = affine_set<(d0) : (d0 - 4 == 0)>} : (index) -> ()
          func.return
        }
        """,
        list(range(12)),
    )


CARRIED = """
func.func @f(%A : memref<?xindex>, %n : index) {
  %zero = arith.constant 0 : index
  affine.for %i = 0 to %n {
    %h = affine.load %A[%i] : memref<?xindex>
    %s, %p = affine.for %j = 0 to %i iter_args(%t = %h, %q = %zero) -> (index, index) {
      %x = affine.load %A[%j] : memref<?xindex>
      %u = arith.addi %t, %x : index
      affine.yield %q, %u : index, index
    }
    affine.store %s, %A[%i + 20] : memref<?xindex>
    %y = arith.addi %p, %h : index
    affine.store %y, %A[%i + 40] : memref<?xindex>
  }
  func.return
}
"""


def test_carried_values_and_values_across_loops() -> None:
    check_round_trip(CARRIED, [0, 1, 2, 5])
    (op,) = scops_in(raised(parse(CARRIED)))
    local = {array.name for array in read_scop(op).arrays if array.is_local}
    assert {array.name for array in read_scop(op).arrays} - local == {"A"}


def test_a_result_is_read_after_the_scop() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %n : index) {
      %r = affine.for %i = 0 to %n iter_args(%t = %n) -> (index) {
        %x = affine.load %A[%i] : memref<?xindex>
        %u = arith.addi %t, %x : index
        affine.yield %u : index
      }
      affine.store %r, %A[30] : memref<?xindex>
      func.return
    }
    """
    check_round_trip(text, [0, 3])
    (op,) = scops_in(raised(parse(text)))
    scop = read_scop(op)
    assert not any(array.is_local for array in scop.arrays)
    reductions = [statement.reduction for statement in scop.statements]
    assert [one.operator for one in reductions if one] == ["arith.addi"]


def test_branches_with_results() -> None:
    check_round_trip(
        """
        func.func @f(%A : memref<?xindex>, %n : index) {
          affine.for %i = 0 to %n {
            %v = "affine.if"(%i) ({
              %x = affine.load %A[%i + 3] : memref<?xindex>
              "affine.yield"(%x) : (index) -> ()
            }, {
              "affine.yield"(%n) : (index) -> ()
            }) {condition = affine_set<(d0) : (d0 - 2 >= 0)>} : (index) -> index
            affine.store %v, %A[%i] : memref<?xindex>
          }
          func.return
        }
        """,
        [0, 2, 5],
    )


def test_run_time_subscripts() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %B : memref<?xindex>, %n : index) {
      affine.for %i = 0 to %n {
        %k = affine.load %A[%i] : memref<?xindex>
        %x = memref.load %B[%k] : memref<?xindex>
        affine.store %x, %B[%k + 1] : memref<?xindex>
      }
      func.return
    }
    """
    check_round_trip(text, [0, 4])
    (op,) = scops_in(raised(parse(text)))
    accesses = read_scop(op).statements[0].accesses
    assert [(access.array, access.is_must) for access in accesses] == [
        ("A", True),
        ("B", False),
        ("B", False),
    ]


def test_statements_are_cut_where_no_loaded_value_lives_on() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %n : index) {
      affine.for %i = 0 to %n {
        %x = affine.load %A[%i] : memref<?xindex>
        affine.store %x, %A[%i + 10] : memref<?xindex>
        %y = affine.load %A[%i + 1] : memref<?xindex>
        affine.store %y, %A[%i + 20] : memref<?xindex>
        affine.store %y, %A[%i + 30] : memref<?xindex>
        %dead = affine.load %A[%i + 2] : memref<?xindex>
      }
      func.return
    }
    """
    (op,) = scops_in(raised(parse(text)))
    counts = [len(statement.accesses) for statement in read_scop(op).statements]
    assert counts == [2, 3]


def test_two_rows_with_a_call_between() -> None:
    text = """
    func.func private @g()
    func.func @f(%A : memref<?xindex>, %n : index) {
      affine.for %i = 0 to %n { affine.store %i, %A[%i] : memref<?xindex> }
      %two = arith.constant 2 : index
      affine.for %i = 0 to %n { affine.store %i, %A[%i + %two] : memref<?xindex> }
      func.call @g() : () -> ()
      affine.for %i = 0 to %n { affine.store %i, %A[%i] : memref<?xindex> }
      func.return
    }
    """
    assert [len(op.statements()) for op in scops_in(raised(parse(text)))] == [2, 1]


REFUSED = {
    "a call": "func.call @g() : () -> ()",
    "a bound that is loaded": """
        %b = memref.load %A[%i] : memref<?xindex>
        affine.for %j = 0 to %b { affine.store %j, %A[%j] : memref<?xindex> }
    """,
    "another kind of loop": """
        scf.for %j = %n to %n step %n { memref.store %j, %A[%j] : memref<?xindex> }
    """,
    "an array made inside": """
        %B = memref.alloca() : memref<4xindex>
        affine.store %i, %B[0] : memref<4xindex>
    """,
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    text = f"""
    func.func private @g()
    func.func @f(%A : memref<?xindex>, %n : index) {{
      affine.for %i = 0 to %n {{
        {REFUSED[case]}
      }}
      func.return
    }}
    """
    module = parse(text)
    with collect_remarks() as remarks:
        changed = raised(module)
    assert not [op for op in scops_in(changed) if "%i" in str(op.params)]
    assert any(one.kind == "missed" for one in remarks.items), case
    assert len([op for op in changed.walk() if isinstance(op, affine.ForOp)]) >= 1


def test_arrays_must_be_apart() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %B : memref<?xindex> {NOALIAS}, %n : index) {
      affine.for %i = 0 to %n {
        %x = affine.load %A[%i] : memref<?xindex>
        affine.store %x, %B[%i] : memref<?xindex>
      }
      func.return
    }
    """
    unknown, known = (parse(text.replace("{NOALIAS}", one)) for one in ("", "{llvm.noalias}"))
    with collect_remarks() as remarks:
        assert not scops_in(raised(unknown, assume_distinct=False))
    assert [one.id for one in remarks.items] == ["may-overlap"]
    assert len(scops_in(raised(known, assume_distinct=False))) == 1
    assert len(scops_in(raised(unknown, assume_distinct=True))) == 1


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=8, max_size=8), st.integers(0, 6))
def test_any_coefficients(c: list[int], n: int) -> None:
    check_round_trip(
        f"""
        func.func @f(%A : memref<?x?xindex>, %n : index) {{
          affine.for %i = affine_map<()[s0] -> (s0 * {c[0]} + {c[1]})>()[%n] to 7 step 2 {{
            affine.for %j = 0
                to min affine_map<(d0)[s0] -> (d0 * {c[2]} + s0 * {c[3]}, 6)>(%i)[%n] {{
              %x = affine.load %A[%i * {c[4]} + %j, %n floordiv 2 + %j * {c[5]}]
                  : memref<?x?xindex>
              affine.store %x, %A[%j mod 3 + {c[6]}, %i * {c[7]}] : memref<?x?xindex>
            }}
          }}
          func.return
        }}
        """,
        [n],
    )
