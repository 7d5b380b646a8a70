"""affine-split-guards runs the same accesses in the same order, without the tests."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.structured import run
from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.poly import Poly
from polyopt.passes.loops.unroll.split_guards import AffineSplitGuardsPass


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, func.Func, affine.Affine, arith.Arith, memref.MemRef, Poly):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def split(module: ModuleOp, *, recurrences: bool = False) -> ModuleOp:
    result = module.clone()
    AffineSplitGuardsPass(recurrences=recurrences).apply(Context(), result)
    result.verify()
    return result


def guards_left(module: ModuleOp) -> int:
    return len(
        [
            op
            for op in module.walk()
            if isinstance(op, affine.IfOp) and isinstance(op.parent_op(), affine.ForOp)
        ]
    )


def guarded(first: str, second: str = "d0 - s0 >= 0", step: int = 1, lower: str = "0") -> str:
    """A loop over two guarded statements, the first with an else part."""
    return f"""
    func.func @f(%A : memref<?x?xindex>, %n : index, %m : index) {{
      affine.for %i = {lower} to %n step {step} {{
        "affine.if"(%i, %n, %m) ({{
          affine.store %i, %A[%i, 0] : memref<?x?xindex>
          "affine.yield"() : () -> ()
        }}, {{
          affine.store %m, %A[%i, 1] : memref<?x?xindex>
          "affine.yield"() : () -> ()
        }}) {{condition = affine_set<(d0)[s0, s1] : ({first})>}} : (index, index, index) -> ()
        affine.store %i, %A[%i, 2] : memref<?x?xindex>
        "affine.if"(%i, %n, %m) ({{
          affine.store %i, %A[%i, 3] : memref<?x?xindex>
          "affine.yield"() : () -> ()
        }}, {{}}) {{condition = affine_set<(d0)[s0, s1] : ({second})>}}
        : (index, index, index) -> ()
      }} {{poly.loop = #poly.loop<parallel>}}
      func.return
    }}
    """


def check(text: str, *, recurrences: bool = False) -> ModuleOp:
    module = parse(text)
    changed = split(module, recurrences=recurrences)
    for n in range(-1, 8):
        for m in (-2, 0, 3, 9):
            assert run(changed, n, m).events == run(module, n, m).events
    return changed


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("d0 - 1 >= 0", "s0 - d0 - 2 >= 0"),
        ("d0 - s1 == 0", "s1 - 2 >= 0"),
        ("d0 <= s1", "d0 - s0 - 4 >= 0"),
    ],
)
def test_tests_leave_the_loop(first: str, second: str) -> None:
    changed = check(guarded(first, second))
    assert guards_left(changed) == 0
    loops = [op for op in changed.walk() if isinstance(op, affine.ForOp)]
    assert all(facts_of(loop).is_parallel for loop in loops)


def test_shifted_statements_are_peeled() -> None:
    """The first and the last iteration, and all others in one loop without a test."""
    changed = check(guarded("d0 - 1 >= 0", "s0 - d0 - 2 >= 0"))
    stores = [
        len([op for op in loop.body.block.ops if isinstance(op, affine.StoreOp)])
        for loop in changed.walk()
        if isinstance(loop, affine.ForOp)
    ]
    assert sorted(stores) == [2, 2, 3, 3]


def test_cuts_that_divide() -> None:
    """They leave bounds that are not linear: the second test stays, in each piece of the loop."""
    changed = check(guarded("d0 * 2 - s1 >= 0, s1 + 3 - d0 * 3 >= 0", "s0 - d0 - 2 >= 0"))
    assert guards_left(changed) == 3


def test_a_loop_with_nothing_left_goes() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %n : index, %m : index) {
      affine.for %i = 0 to %n {
        "affine.if"(%i, %m) ({
          affine.store %i, %A[%i] : memref<?xindex>
          "affine.yield"() : () -> ()
        }, {}) {condition = affine_set<(d0)[s0] : (d0 - s0 == 0)>} : (index, index) -> ()
      }
      func.return
    }
    """
    changed = check(text)
    assert len([op for op in changed.walk() if isinstance(op, affine.ForOp)]) == 1


def test_what_is_not_linear_stays() -> None:
    changed = check(guarded("d0 mod 2 == 0", "d0 - 3 >= 0"))
    tests = [op for op in changed.walk() if isinstance(op, affine.IfOp)]
    assert tests
    assert all("mod" in str(op.condition) for op in tests)


FORM = st.tuples(st.integers(-2, 2), st.integers(-1, 1), st.integers(-1, 1), st.integers(-4, 4))


def condition(forms: list[tuple[int, int, int, int]], is_equality: bool) -> str:
    kind = "==" if is_equality else ">="
    return ", ".join(f"d0 * {a} + s0 * {b} + s1 * {c} + {d} {kind} 0" for a, b, c, d in forms)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(FORM, min_size=1, max_size=3),
    st.lists(FORM, min_size=1, max_size=2),
    st.booleans(),
    st.sampled_from([1, 1, 2, 3]),
    st.sampled_from(["0", "%m", "max affine_map<()[s0] -> (s0, 1)>()[%m]"]),
)
def test_any_tests(
    first: list[tuple[int, int, int, int]],
    second: list[tuple[int, int, int, int]],
    is_equality: bool,
    step: int,
    lower: str,
) -> None:
    check(guarded(condition(first, False), condition(second, is_equality), step, lower))


def around_recurrences(first: str, second: str) -> str:
    """Loops with a row that waits for itself behind each of two tests, and one behind neither."""
    row = """
        affine.for %j = 1 to 4 {
          %x = affine.load %A[%i, %j - 1] : memref<?x?xindex>
          affine.store %x, %A[%i, %j] : memref<?x?xindex>
        } {poly.loop = #poly.loop<serial>}
        "affine.yield"() : () -> ()"""
    set = "affine_set<(d0, d1)[s0, s1] : "
    return f"""
    func.func @f(%A : memref<?x?xindex>, %n : index, %m : index) {{
      affine.for %k = 0 to 4 {{
        affine.for %i = 0 to %n {{
          affine.store %k, %A[%i, 0] : memref<?x?xindex>
          "affine.if"(%k, %i, %n, %m) ({{ {row} }}, {{
            affine.store %m, %A[%i, 5] : memref<?x?xindex>
            "affine.yield"() : () -> ()
          }}) {{condition = {set}({first})>}} : (index, index, index, index) -> ()
          "affine.if"(%k, %i, %n, %m) ({{ {row} }}, {{}})
            {{condition = {set}({second})>}} : (index, index, index, index) -> ()
        }}
      }}
      func.return
    }}
    """


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        ("1 - d0 >= 0", "d0 - 1 >= 0", 0),
        ("d0 == 2, s1 - 3 >= 0", "s0 - d0 - 2 >= 0", 0),
        ("1 - d0 >= 0", "d1 - 2 >= 0", 2),
        ("d1 - d0 >= 0", "d1 - 2 >= 0", 2),
    ],
)
def test_what_loops_outside_decide_is_asked_outside(first: str, second: str, left: int) -> None:
    """Each test that stays in the loop %i stays in each of its copies."""
    changed = check(around_recurrences(first, second), recurrences=True)
    inside = [op for op in changed.walk() if isinstance(op, affine.IfOp)]
    rows = [op.parent_op() for op in inside if _is_row(op.parent_op())]
    assert len(rows) == left


def _is_row(op: Operation | None) -> bool:
    """The loop %i, or a copy of it."""
    return isinstance(op, affine.ForOp) and isinstance(op.body.block.first_op, affine.StoreOp)
