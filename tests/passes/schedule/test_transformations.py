"""Every transformation as a pass: its options are one step, on the SCoP that it is to change."""

from collections.abc import Callable

import pytest
from oracles.polyhedral import execution_order
from oracles.scop_ir import scop_module
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass, PassPipeline
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.passes.schedule import transformations as passes
from polyopt.passes.schedule.apply_steps import PolyApplyStepsPass
from polyopt.poly.notation import parse_scop
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.support.diagnostics import CompileError

TEXT = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S: A[i, j] =
    T: B[i, j] = C[i, j]
for i : 0 <= i < n
  for k : 0 <= k < n
    U: D[i, k] = B[i, k]
"""
SIZES = {"n": 5}

EQUAL: list[tuple[ModulePass, str]] = [
    (passes.PolyInterchangePass("U.i", "U.k"), "interchange U.i U.k"),
    (passes.PolyPermutePass(("U.k", "U.i")), "permute U.k U.i"),
    (passes.PolyStripMinePass("S.j", 2), "strip S.j 2"),
    (passes.PolyTileLoopsPass(("U.i", "U.k"), (2, 3)), "tile U.i U.k 2 3"),
    (passes.PolyUnrollPass("S.i", 2), "unroll S.i 2"),
    (passes.PolySkewPass("U.k", "U.i", 2), "skew U.k U.i 2"),
    (passes.PolyShiftPass("T.j", 2), "shift T.j 2"),
    (passes.PolyReversePass("U.k"), "reverse U.k"),
    (passes.PolyScalePass("T.i", 2), "scale T.i 2"),
    (passes.PolyFusePass(("S", "U")), "fuse S U"),
    (passes.PolyDistributePass("S.j"), "distribute S.j"),
    (passes.PolyDistributePass("S.j", before=("T",)), "distribute S.j T"),
    (passes.PolyReorderPass(("T", "S")), "reorder T S"),
    (passes.PolyPeelPass("U.k"), "peel U.k first 1"),
    (passes.PolyPeelPass("U.k", "last", 2), "peel U.k last 2"),
    (passes.PolySplitPass("U.k", "k < i"), "split U.k where k < i"),
    (passes.PolyVectorizePass("U.k"), "vectorize U.k"),
    (passes.PolyParallelPass("S.i"), "parallel S.i"),
    (PolyApplyStepsPass(steps="fuse S U; reverse S.i"), "fuse S U; reverse S.i"),
]


SWEEP = """
[n]
for i : 1 <= i < n
  for j : 1 <= j < n - 1
    S: A[i, j] = A[i - 1, j + 1]
    T: B[i, j] = A[i, j]
for k : 1 <= k < n - 1
  U: C[k] = A[n - 1, k + 1]
"""

ILLEGAL: list[ModulePass] = [
    passes.PolyInterchangePass("S.i", "S.j"),
    passes.PolyPermutePass(("S.j", "S.i")),
    passes.PolyTileLoopsPass(("S.i", "S.j"), (2, 2)),
    passes.PolyUnrollPass("S.i", 2),
    passes.PolySkewPass("S.i", "S.j"),
    passes.PolyShiftPass("S.j", 1),
    passes.PolyReversePass("S.i"),
    passes.PolyFusePass(("S.i", "U.k")),
    passes.PolyReorderPass(("T", "S")),
    passes.PolyReorderPass(("U", "S")),
    passes.PolySplitPass("S.i", "i > 2"),
    passes.PolyParallelPass("S.i"),
]


def scops_in(module: ModuleOp) -> list[ScopOp]:
    return [op for op in module.walk() if isinstance(op, ScopOp)]


@pytest.mark.parametrize(("item", "step"), EQUAL, ids=[step for _, step in EQUAL])
def test_a_pass_is_its_step(item: ModulePass, step: str):
    module = scop_module(parse_scop(TEXT))
    (op,) = scops_in(module)
    expected = schedule_by_hand(read_scop(op), None, step)
    item.apply(Context(), module)
    module.verify()
    assert execution_order(read_scop(op).schedule, SIZES) == execution_order(expected, SIZES)


@pytest.mark.parametrize("item", ILLEGAL, ids=str)
def test_an_illegal_one_is_refused(item: ModulePass):
    module = scop_module(parse_scop(SWEEP))
    (op,) = scops_in(module)
    before = op.schedule
    with pytest.raises(CompileError) as raised:
        item.apply(Context(), module)
    assert "is illegal:\n  " in raised.value.diagnostic.message
    assert op.schedule == before


def test_options_as_text():
    spec = 'poly-tile-loops{loops="S.i","S.j" sizes=4,8 scop="f:2"}'
    available: dict[str, Callable[[], type[ModulePass]]] = {
        "poly-tile-loops": lambda: passes.PolyTileLoopsPass
    }
    (item,) = PassPipeline.parse_spec(available, spec).passes
    assert item == passes.PolyTileLoopsPass(("S.i", "S.j"), (4, 8), "f:2")


@pytest.fixture
def three_scops() -> ModuleOp:
    """Two SCoPs in the function `f`, one in `g`."""
    module = scop_module(parse_scop(TEXT, name="f"))
    (first,) = scops_in(module)
    second = first.clone()
    second.properties["scop_name"] = StringAttr("f_1")
    Rewriter.insert_op(second, InsertPoint.after(first))
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    other = function.clone()
    other.sym_name = StringAttr("g")
    for op in [op for op in other.walk() if isinstance(op, ScopOp)][1:]:
        Rewriter.erase_op(op)
    module.body.block.add_op(other)
    return module


@pytest.mark.parametrize(
    ("name", "changed"), [("f:1", 0), ("f:2", 1), ("f_1", 1), ("g", 2), ("g:1", 2)]
)
def test_the_scop_that_is_meant(three_scops: ModuleOp, name: str, changed: int):
    before = [op.schedule for op in scops_in(three_scops)]
    PolyApplyStepsPass(steps=f"scop {name}\nreverse U.k").apply(Context(), three_scops)
    differs = [op.schedule != old for op, old in zip(scops_in(three_scops), before, strict=True)]
    assert differs == [k == changed for k in range(3)]


@pytest.mark.parametrize(
    ("steps", "message", "place"),
    [
        ("reverse U.k", "steps for one SCoP, where there are 3", "1:1"),
        ("scop h\nreverse U.k", "no SCoP 'h'", "1:6"),
        ("scop f\nreverse U.k", "2 SCoPs in it", "1:6"),
        ("scop f:3\nreverse U.k", "no SCoP 'f:3'", "1:6"),
        ("scop f:0\nreverse U.k", "no SCoP 'f:0'", "1:6"),
    ],
)
def test_no_scop_or_several(three_scops: ModuleOp, steps: str, message: str, place: str):
    with pytest.raises(CompileError) as raised:
        PolyApplyStepsPass(steps=steps).apply(Context(), three_scops)
    diagnostic = raised.value.diagnostic
    assert diagnostic.message == message
    assert str(diagnostic.span) == f"<poly-apply-steps>:{place}"
    assert "scop f:1; scop f:2; scop g" in (diagnostic.hint or "")


@pytest.mark.parametrize("options", [{}, {"file": "a", "steps": "b"}])
def test_either_a_file_or_steps(options: dict[str, str]):
    with pytest.raises(CompileError, match="give either a file or steps"):
        PolyApplyStepsPass(options.get("file"), options.get("steps")).apply(
            Context(), scop_module(parse_scop(TEXT))
        )
