"""Files of other tools that cannot be taken: one message each, with the file in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from oracles.scop_ir import scop_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.passes.exchange.export_dot import PolyExportDotPass
from polyopt.passes.exchange.jscop import PolyExportJscopPass, PolyImportJscopPass
from polyopt.passes.exchange.schedule_files import PolyImportSchedulePass
from polyopt.poly.notation import parse_scop
from polyopt.support.diagnostics import CompileError

SOURCE = "[n]\nfor i : 0 <= i < n\n  S: A[i] =\nfor i : 0 <= i < n\n  T: B[i] = A[i]"
FILE = "f___scop"


@pytest.fixture
def module() -> ModuleOp:
    return scop_module(parse_scop(SOURCE))


BAD_JSCOP = {
    "parameter": (
        "[n] -> { S[i] -> [0, i] }",
        "[m] -> { S[i] -> [m, i] }",
        "the schedule of 'S' speaks of 'm', which is no parameter of the SCoP",
    ),
    "dates": ("{ S[i] -> [0, i] }", "{ S[i] -> [j, i] : i <= j }", "some instance of S has two"),
    "order": ("{ S[i] -> [0, i] }", "{ S[i] -> [2, i] }", "illegal schedule for SCoP 'scop'"),
}


@pytest.mark.parametrize("name", BAD_JSCOP)
def test_schedules_that_a_jscop_may_not_have(name: str, module: ModuleOp, tmp_path: Path) -> None:
    old, new, message = BAD_JSCOP[name]
    PolyExportJscopPass(dir=str(tmp_path)).apply(Context(), module)
    path = tmp_path / f"{FILE}.jscop"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(CompileError, match=message):
        PolyImportJscopPass(dir=str(tmp_path)).apply(Context(), module)


def test_a_file_of_another_loop_nest(module: ModuleOp, tmp_path: Path) -> None:
    PolyExportJscopPass(dir=str(tmp_path)).apply(Context(), module)
    other = scop_module(parse_scop("[n]\nfor i : 0 <= i < n\n  U: A[i] ="))
    file = str(tmp_path / f"{FILE}.jscop")
    with pytest.raises(CompileError, match="not the SCoP 'scop': 2 statements, not 1"):
        PolyImportJscopPass(file=file).apply(Context(), other)
    with pytest.raises(CompileError, match="not the SCoP 'scop': 2 statements, not 1"):
        PolyExportJscopPass(like=file).apply(Context(), other)


def test_a_file_that_is_no_text(module: ModuleOp, tmp_path: Path) -> None:
    path = tmp_path / f"{FILE}.jscop"
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(CompileError, match="not UTF-8 text"):
        PolyImportJscopPass(file=str(path)).apply(Context(), module)


def test_a_module_without_scops_imports_nothing() -> None:
    PolyImportJscopPass(dir="nowhere").apply(Context(), ModuleOp([]))
    PolyExportJscopPass(dir="nowhere").apply(Context(), ModuleOp([]))


def test_without_graphviz_there_is_no_svg(
    module: ModuleOp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompileError, match="'dot', which is not installed"):
        PolyExportDotPass(format="svg", dir=str(tmp_path)).apply(Context(), module)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("graph", ["scop", "dependences", "schedule"])
def test_graphviz_draws(graph: str, module: ModuleOp, tmp_path: Path) -> None:
    export = PolyExportDotPass(format="svg", dir=str(tmp_path), graph=graph)  # pyright: ignore[reportArgumentType]
    export.apply(Context(), module)
    assert "<svg" in (tmp_path / f"{FILE}.{graph}.svg").read_text()


def test_a_schedule_for_which_scop(module: ModuleOp) -> None:
    (op,) = (one for one in module.walk() if isinstance(one, ScopOp))
    text = op.schedule.data
    module.body.block.add_op(module.body.block.first_op.clone())  # pyright: ignore[reportOptionalMemberAccess]
    with pytest.raises(CompileError, match="which SCoP is meant"):
        PolyImportSchedulePass(schedule=text).apply(Context(), module)


def test_a_tree_may_not_speak_of_unknown_parameters(module: ModuleOp) -> None:
    (op,) = (one for one in module.walk() if isinstance(one, ScopOp))
    text = op.schedule.data.replace("[n] -> ", "[n, m] -> ").replace("0 <= i < n", "m <= i < n")
    with pytest.raises(CompileError, match="speaks of 'm'"):
        PolyImportSchedulePass(schedule=text).apply(Context(), module)


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("filter", "{ S[i] }", "[q] -> { S[i] : i >= q }"),
        ("schedule", "[{ S[i] -> [(i)]", "[q] -> [{ S[i] -> [(i + q)]"),
        ("domain", "0 <= i < n", "q <= i < n"),
    ],
)
def test_an_unknown_parameter_is_shown_in_its_file(
    key: str, old: str, new: str, module: ModuleOp, tmp_path: Path
) -> None:
    (op,) = (one for one in module.walk() if isinstance(one, ScopOp))
    lines = [
        'domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"',
        "child:",
        "  sequence:",
        '  - filter: "{ S[i] }"',
        "    child:",
        '      schedule: "[{ S[i] -> [(i)] }]"',
        '  - filter: "{ T[i] }"',
        "    child:",
        '      schedule: "[{ T[i] -> [(i)] }]"',
    ]
    number = next(k for k, line in enumerate(lines) if f"{key}: " in line and old in line)
    changed = lines[number].replace(old, new).replace("[n] -> {", "[n, q] -> {")
    path = tmp_path / "tree.schedule"
    path.write_text("\n".join([*lines[:number], changed, *lines[number + 1 :]]))
    with pytest.raises(CompileError, match=f"the {key} of a schedule speaks of 'q'") as caught:
        PolyImportSchedulePass(file=str(path)).apply(Context(), module)
    assert caught.value.diagnostic.span is not None
    assert caught.value.diagnostic.span.line == number + 1
    assert changed[caught.value.diagnostic.span.column - 1] == "q"
    assert op.schedule.data
