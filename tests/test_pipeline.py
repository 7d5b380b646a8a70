"""The pipeline table keeps its own order constraints, and the loop that runs it keeps its word."""

import subprocess
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import affine, func, test
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, i32
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from polyopt.pass_runs import InvalidModule, LaterPass, Watch, check_pass_names, run_passes
from polyopt.pipeline import STEPS, make_pass, steps_between
from polyopt.pipeline_options import LEVELS, POLY_CONFIGURATIONS, PipelineOptions
from polyopt.pipeline_order import ORDER, Before
from polyopt.poly import schedulers
from polyopt.poly.schedulers import names
from polyopt.support.diagnostics import CompileError
from polyopt.support.timing import collect_timings
from polyopt.universe import PASSES

NAMES = [step.name for step in STEPS]


def test_steps_are_passes_of_ours():
    assert set(NAMES) <= set(PASSES)


def test_levels_are_reached_in_order():
    positions = [LEVELS.index(step.level) for step in STEPS]
    assert positions == sorted(positions)


@pytest.mark.parametrize("rule", ORDER, ids=lambda rule: f"{rule.first}<{rule.second}")
def test_order(rule: Before):
    assert NAMES.index(rule.first) < NAMES.index(rule.second), rule.reason


def test_every_scheduler_is_offered():
    assert tuple(schedulers.SCHEDULERS) == names.SCHEDULERS
    assert set(names.SCHEDULERS) <= set(POLY_CONFIGURATIONS)


@pytest.mark.parametrize("poly", POLY_CONFIGURATIONS)
def test_every_configuration_makes_its_passes(poly: str):
    options = PipelineOptions(poly=poly, tile_sizes=(16, 8))
    made = [make_pass(step, options).name for step in steps_between(options, "source", "scf")]
    assert made == [name for name in NAMES if name in made]
    assert poly != "none" or made == []


@pytest.mark.parametrize("parallel", [None, 2])
def test_what_is_imported_was_found_as_what_is_exported(parallel: int | None):
    """A SCoP has the same name in both: nothing may take loops away in front of one of them."""

    def finding(options: PipelineOptions) -> set[str]:
        steps = [step.name for step in steps_between(options, "source", "poly")]
        return set(steps) - {"mark-changing-steps", "mark-scattered-stores", "poly-weigh"}

    exporting = PipelineOptions(poly="isl", parallel=parallel, exports=(("openscop", "there"),))
    importing = PipelineOptions(parallel=parallel, imported=("openscop", "there"))
    by_steps = PipelineOptions(parallel=parallel, steps="there")
    assert finding(exporting) == finding(importing) == finding(by_steps)


def test_levels_add_up():
    options = PipelineOptions(poly="auto")
    whole = [step.name for step in steps_between(options, LEVELS[0], LEVELS[-1])]
    parts = [
        step.name for one, two in pairwise(LEVELS) for step in steps_between(options, one, two)
    ]
    assert parts == whole


@pytest.mark.parametrize("skipped", NAMES)
def test_skipped_pass_is_left_out(skipped: str):
    options = PipelineOptions(poly="auto", skipped=(skipped,))
    assert skipped not in [step.name for step in steps_between(options, "source", "scf")]


def test_unknown_pass_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PASSES, "detect-scops", "nowhere:NoPass")
    check_pass_names(["detect-scops", "all"])
    with pytest.raises(CompileError) as raised:
        check_pass_names(["detect-scop"])
    assert raised.value.diagnostic.hint == "did you mean 'detect-scops'?"


@dataclass(frozen=True)
class TagPass(ModulePass):
    """Put the attribute `tag` on the module."""

    name = "tag"
    tag: str = "done"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes[self.tag] = StringAttr("")


@dataclass(frozen=True)
class BreakPass(ModulePass):
    """Leave an operation behind that uses a value of another region."""

    name = "break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        class Refusing(test.TestOp):
            def verify_(self) -> None:
                raise VerifyException("refused")

        op.body.block.add_op(Refusing())


@dataclass(frozen=True)
class CrashPass(ModulePass):
    """Have a defect."""

    name = "crash"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise AssertionError("impossible")


def test_passes_run_in_order_under_watch():
    module = ModuleOp([])
    seen: list[tuple[str, list[str]]] = []
    watch = Watch(after=lambda name, module: seen.append((name, list(module.attributes))))
    with collect_timings() as timings:
        run_passes(module, Context(), [TagPass("a"), TagPass("b")], watch)
    assert seen == [("tag", ["a"]), ("tag", ["a", "b"])]
    assert list(timings.stretches) == ["tag"]


def test_passes_are_made_where_there_is_something_for_them():
    """What is not in the module is looked for again once a pass has run; whoever looks on sees
    every pass."""

    @dataclass(frozen=True)
    class AddLoop(ModulePass):
        name = "add-loop"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            op.body.block.add_op(affine.ForOp.from_region([], [], [], [], 0, 4, Region(Block())))

    made: list[str] = []

    def later(name: str, tag: ModulePass | None = None) -> LaterPass:
        def make() -> ModulePass:
            made.append(name)
            return tag or TagPass(name)

        return LaterPass(name, make)

    before: list[str] = []
    watch = Watch(before=lambda name, module: before.append(name))
    names = ("affine-narrow", "poly-schedule", "add-loop", "affine-lanes", "poly-apply-steps")
    passes = [later(name, AddLoop() if name == "add-loop" else None) for name in names]
    run_passes(
        ModuleOp([]), Context(), [*passes, later("affine-to-scf"), later("poly-tile")], watch
    )
    assert made == ["add-loop", "affine-lanes", "poly-apply-steps", "affine-to-scf"]
    assert len(before) == 7


def test_code_without_loops_needs_no_polyhedra(tmp_path: Path):
    source = tmp_path / "input.c"
    source.write_text("struct p { int x, y; }; int f(struct p *p) { return p->x * p->y; }")
    tool = ["-m", "polyopt.tools.polyopt_cc", "--cache=off", "-O3", "-c", str(source)]
    command = [sys.executable, "-X", "importtime", *tool, "-o", str(tmp_path / "out.o")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "polyopt.pass_runs" in loaded
    assert "islpy" not in loaded
    assert not any(name.startswith("polyopt.passes.loops.") for name in loaded)


def test_verification_names_the_pass():
    with pytest.raises(InvalidModule, match="refused") as raised:
        run_passes(ModuleOp([]), Context(), [BreakPass()], Watch(verify=True))
    assert raised.value.__notes__[-1] == "in pass break"


def test_verification_passes_over_what_is_as_it_was():
    class Counting(test.TestOp):
        asked = 0

        def verify_(self) -> None:
            Counting.asked += 1

    module = ModuleOp([Counting()])
    passes = [*(TagPass("a") for _ in range(4)), TagPass("b"), BreakPass()]
    with pytest.raises(InvalidModule, match="refused") as raised:
        run_passes(module, Context(), passes, Watch(verify=True))
    assert raised.value.__notes__[-1] == "in pass break"
    assert Counting.asked == 3


@dataclass(frozen=True)
class InFunctionPass(ModulePass):
    """Leave in the function an operation that the verifier cannot refuse, or that it refuses, or
    let it take something else."""

    name = "in-function"
    function: int
    leaves: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        function = list(op.ops)[self.function]
        assert isinstance(function, func.FuncOp)
        first = function.body.block.first_op
        assert first is not None
        match self.leaves:
            case "other operations":
                function.body.block.insert_op_before(test.TestPureOp.create(), first)
            case "a value before it is there":
                value = test.TestOp.create(result_types=[i32])
                use = test.TestOp.create(operands=value.results)
                function.body.block.insert_ops_before([use, value], first)
            case _:
                function.body.block.insert_arg(i32, 0)
                function.function_type = FunctionType.from_lists([i32], [])


@pytest.mark.parametrize(
    ("function", "leaves", "wrong", "asked"),
    [
        (0, "other operations", None, "fgf"),
        (1, "other operations", None, "fgg"),
        (0, "a value before it is there", "dominate", "fgf"),
        (1, "a value before it is there", "dominate", "fgg"),
        (0, "another type", None, "fgfg"),
        (1, "another type", "callee", "fgf"),
    ],
)
def test_verification_asks_again_only_in_functions_that_are_other(
    function: int, leaves: str, wrong: str | None, asked: str
):
    """But in all of them, where a function says something else of itself: the first calls the
    second, and is not valid any more."""
    seen: list[str] = []

    class Asked(test.TestOp):
        def verify_(self) -> None:
            (name,) = self.attributes
            seen.append(name)

    call = func.CallOp("g", [], [])
    bodies = {"f": [call], "g": list[Operation]()}
    module = ModuleOp(
        func.FuncOp(
            name, ([], []), Region(Block([Asked(attributes={name: i32}), *ops, func.ReturnOp()]))
        )
        for name, ops in bodies.items()
    )
    passes = [TagPass(), InFunctionPass(function, leaves)]
    refused = pytest.raises(InvalidModule, match=wrong) if wrong else nullcontext()
    with refused:
        run_passes(module, Context(), passes, Watch(verify=True))
    assert "".join(seen) == asked


def test_defect_names_the_pass():
    with pytest.raises(AssertionError) as raised:
        run_passes(ModuleOp([]), Context(), [TagPass(), CrashPass()])
    assert raised.value.__notes__ == ["in pass crash"]
