"""The public surface: what it promises is there, documented and typed, and means what it says."""

from __future__ import annotations

import inspect
import shutil

import islpy as isl
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt import api
from polyopt.driver.units.module_texts import make_context
from polyopt.ir.placed_text import parse_module
from polyopt.poly.schedulers.pluto import PROGRAMS
from polyopt.support.diagnostics import Span

PREFIX_SUM = "[n]\nfor i : 1 <= i < n\n  S: x[i] = x[i - 1] y[i]\n"

MODULE = """
func.func @shift(%a : memref<?xf64>, %n : index) {
  %one = arith.constant 1 : index
  scf.for %i = %one to %n step %one {
    %before = arith.subi %i, %one : index
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %a[%before] : memref<?xf64>
  }
  func.return
}
"""


def test_everything_promised_is_there_and_documented() -> None:
    assert api.__all__[0] == "VERSION"
    assert api.__all__[1:] == sorted(api.__all__[1:])
    for name in api.__all__:
        value = getattr(api, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name


@pytest.mark.parametrize("name", [one for one in api.__all__ if one.islower()])
def test_functions_are_typed(name: str) -> None:
    signature = inspect.signature(getattr(api, name))
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty, parameter


def module() -> ModuleOp:
    return parse_module(make_context(), MODULE, "shift.mlir")


def test_a_module_in_memory_is_compiled_and_not_changed() -> None:
    given = module()
    before = str(given)
    program = api.compile(given, ["-O3"])
    a = np.arange(5.0)
    program["shift"](a, 5)
    assert a.tolist() == [1, 2, 3, 4, 4]
    assert str(given) == before
    assert isinstance(api.native(given), bytes)
    assert "affine.for" in str(api.native(given, "affine", "-O3 --poly=isl"))


def test_loops_of_a_module_in_memory_are_driven_by_hand() -> None:
    steps = api.schedule(module(), "shift")
    with pytest.raises(api.CompileError, match="anti dependence from S"):
        steps.reverse("i")
    a = np.arange(5.0)
    steps.tile("i", 2).compile()["shift"](a, 5)
    assert a.tolist() == [1, 2, 3, 4, 4]


def test_several_values_are_no_result_for_python() -> None:
    text = "func.func @two(%a : i32) -> (i32, i32) { func.return %a, %a : i32, i32 }"
    program = api.compile(parse_module(make_context(), text, "two.mlir"))
    with pytest.raises(TypeError, match="it returns 2 values"):
        program["two"](4)


def test_places_of_a_module_in_memory_are_kept() -> None:
    (scop,) = api.scops(module()).values()
    assert scop.name == "shift"
    assert scop.statements[0].span == Span("shift.mlir", 7, 5)


def test_dependences_and_what_breaks_them() -> None:
    scop = api.parse_scop(PREFIX_SUM)
    kept = api.dependences(scop)
    assert kept.flow.is_equal(isl.UnionMap("[n] -> { S[i] -> S[i + 1] : 1 <= i < n - 1 }"))
    assert not api.violations(scop, scop.schedule)
    backwards = isl.Schedule(
        '{ domain: "[n] -> { S[i] : 1 <= i < n }", child: { schedule: "[{ S[i] -> [(-i)] }]" } }'
    )
    assert [one.kind for one in api.violations(scop, backwards, kept)] == ["flow"]


@pytest.mark.parametrize("name", api.schedulers())
def test_every_scheduler_gives_a_legal_order(name: str) -> None:
    scop = api.parse_scop(
        "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = A[i - 1, j] A[i, j - 1]\n"
    )
    if name == "pluto" and not any(map(shutil.which, PROGRAMS)):
        pytest.skip("no Pluto is on the PATH")
    order = api.reschedule(scop, name)
    assert not api.violations(scop, order)
    assert "S(" in api.loops(scop, order)


def test_wrong_names_are_refused() -> None:
    scop = api.parse_scop(PREFIX_SUM)
    with pytest.raises(ValueError, match="unknown scheduler 'best': one of identity, isl"):
        api.reschedule(scop, "best")
    with pytest.raises(ValueError, match="unknown product 'exe': expected one of nothing"):
        api.native("int x;", "exe")
    with pytest.raises(api.CompileError):
        api.compile("int f(void) { return y; }")
