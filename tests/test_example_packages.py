"""The packages in examples/ that are made to be copied do what they are for, found by the entry
points of their own pyproject.toml."""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from doc_pages import blocks, follow_commands, follow_session

from polyopt import api
from polyopt.driver.options.flags import read_settings
from polyopt.pass_specs import pass_from_text
from polyopt.poly.cost.cost_models import cost_model_named
from polyopt.poly.cost.nest_cost import estimate
from polyopt.poly.cost.tile_sizes import TileSizeModel
from polyopt.poly.schedulers.tile_models import tile_model_named
from polyopt.support.diagnostics import CompileError
from polyopt.support.plugins import load_plugin, plugin_names
from polyopt.tools import polyopt_cc, polyopt_opt

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PACKAGES = ("scheduler-plugin", "array-language")

COLUMNS = """void columns(int n, int m, double (*restrict a)[m], double (*restrict b)[m]) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = 2 * b[i][j];
}
"""


def install(folder: Path, package: str, entry_points: dict[str, dict[str, str]]) -> None:
    """As pip writes down what a package offers."""
    info = folder / f"{package.replace('-', '_')}-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1\n")
    groups = (
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in names.items())
        for group, names in entry_points.items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups))


def entry_points_of(name: str) -> dict[str, dict[str, str]]:
    project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text())["project"]
    return project["entry-points"]


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in PACKAGES:
        install(tmp_path, name, entry_points_of(name))
    folders = [str(tmp_path), *(str(EXAMPLES / name) for name in PACKAGES)]
    monkeypatch.setattr(sys, "path", [*folders, *sys.path])
    invalidate_caches()
    plugin_names.cache_clear()
    yield tmp_path
    plugin_names.cache_clear()


def module(name: str) -> Any:
    return import_module(name)


def innermost(order: str) -> str:
    return next(line for line in order.splitlines() if "(" in line and "for" not in line).strip()


def test_a_scheduler_is_found_by_its_name_everywhere(packages: Path) -> None:
    assert api.schedulers()[-1] == "far-first"
    columns = api.scops(COLUMNS, "-O3")["columns"]
    assert innermost(api.loops(columns)) == "S0(c0, c1);"
    assert innermost(api.loops(columns, api.reschedule(columns, "far-first"))) == "S0(c1, c0);"
    for configuration in ("far-first", "far-first+tile"):
        assert read_settings([f"--poly={configuration}"]).poly == configuration
        library = api.compile(COLUMNS, f"-O3 --poly={configuration}")
        a, b = np.zeros((5, 7)), np.arange(35.0).reshape(5, 7)
        library["columns"](5, 7, a, b)
        assert np.array_equal(a, 2 * b)


def test_the_scheduler_on_command_lines(packages: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = packages / "columns.c"
    source.write_text(COLUMNS)
    assert polyopt_cc.main(["-O3", "--poly=far-first", "--emit=affine", str(source)]) == 0
    text = capfd.readouterr().out
    assert text.index('iterator = "j"') < text.index('iterator = "i"')  # at the ends of loops
    passes = "promote-scalars,clean-values,simplify-loops,detect-scops,"
    passes += "poly-schedule{scheduler=far-first}"
    assert polyopt_opt.main([str(source), "-p", passes]) == 0
    assert "[(i)]" in capfd.readouterr().out
    assert polyopt_cc.main(["--poly=nearest", str(source)]) == 1
    assert "far-first, far-first+tile" in capfd.readouterr().err


def test_bench_and_fuzz_know_it(packages: Path) -> None:
    from polyopt.pipeline_options import plugin_configurations
    from polyopt.tools.bench.contenders import polyopt_contenders

    assert plugin_configurations() == ("far-first", "far-first+tile")
    (contender,) = polyopt_contenders(["far-first+tile"], fast=True)
    assert "--poly=far-first+tile" in contender.flags


def test_a_model_of_tile_sizes(packages: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert tile_model_named("lines") is TileSizeModel
    source = packages / "gemm.c"
    source.write_text((EXAMPLES / "transposed.c").read_text())
    flags = ["-O3", "--poly=locality", "-march=x86-64-v3", "--emit=schedule", str(source)]
    assert polyopt_cc.main(flags) == 0
    ours = capfd.readouterr().out
    assert polyopt_cc.main(["--tile-model=square", *flags]) == 0
    theirs = capfd.readouterr().out
    assert "mod 32 = 0" not in theirs
    assert ours != theirs
    with pytest.raises(CompileError, match="unknown model of tile sizes 'round'"):
        tile_model_named("round")


def test_a_model_of_cost(
    packages: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge asks the model that was named, and does what it says."""
    source = packages / "turned.c"
    source.write_text(
        "void turned(int n, double (*restrict a)[n], double (*restrict b)[n]) {\n"
        "  for (int j = 0; j < n; j++)\n    for (int i = 0; i < n; i++)\n"
        "      a[i][j] = b[i][j];\n}\n"
    )
    flags = ["-O3", "-march=x86-64-v3", "--cache=off", "--remarks", "--emit=loops", str(source)]

    def judged(*chosen: str) -> str:
        assert polyopt_cc.main([*chosen, *flags]) == 0
        return capfd.readouterr().err

    ours = judged()
    assert "is kept" in ours
    assert "of them for memory" in ours
    theirs = judged("--cost-model=operations")
    assert "is kept" in theirs
    assert "of them for memory" not in theirs
    asked = list[object]()

    def dearer_each_time(parts: Any, *_: object) -> api.Estimate:
        asked.append(parts)
        return api.Estimate(1000.0 * len(asked), 0.0)

    monkeypatch.setattr(module("far_first.cost"), "operations_only", dearer_each_time)
    assert "stays as it was written" in judged("--cost-model=operations")
    assert len(asked) >= 2
    assert cost_model_named("lines") is estimate
    with pytest.raises(CompileError, match="unknown model of cost 'round'"):
        cost_model_named("round")


def test_an_illegal_order_is_refused(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far_first = module("far_first.scheduler")
    sums = "[n]\nfor i : 0 <= i < n\n  S: x[i] = x[i - 1]\n"
    scop = api.parse_scop(sums)

    def backwards(scop: api.Scop, *_: object) -> Any:
        tree = api.parse_scop(sums.replace("for i :", "for i down :")).schedule
        return tree

    monkeypatch.setattr(far_first, "schedule_far_first", backwards)
    with pytest.raises(ValueError, match="the order of 'far-first' is illegal: flow dependence"):
        api.reschedule(scop, "far-first")


def test_a_plugin_that_fails_is_told_of(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("i")

    monkeypatch.setattr(module("far_first.scheduler"), "schedule_far_first", fail)
    with pytest.raises(CompileError, match="the scheduler 'far-first' fails: KeyError"):
        api.compile(COLUMNS, "-O3 --poly=far-first")


def test_a_plugin_that_gives_no_schedule_is_told_of(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tree(scop: api.Scop, *_: object) -> object:
        return api.read_tree(scop.schedule)

    monkeypatch.setattr(module("far_first.scheduler"), "schedule_far_first", tree)
    with pytest.raises(CompileError, match="'far-first' fails: TypeError: it gives 'Band', no isl"):
        api.compile(COLUMNS, "-O3 --poly=far-first")
    with pytest.raises(TypeError, match=r"api\.build_schedule makes one"):
        api.reschedule(api.parse_scop("[n]\nfor i : 0 <= i < n\n  S: x[i] = y[i]\n"), "far-first")


def test_names_that_clash_or_lead_nowhere(packages: Path) -> None:
    install(packages, "other", {"polyopt.schedulers": {"isl": "nowhere:at_all"}})
    plugin_names.cache_clear()
    with pytest.raises(CompileError, match=r"'isl' of other .* is polyopt's own name"):
        api.schedulers()
    install(packages, "broken", {"polyopt.tile_models": {"lost": "nowhere:at_all"}})
    with pytest.raises(CompileError, match=r"'lost' .* cannot be loaded: ModuleNotFoundError"):
        load_plugin("polyopt.tile_models", "lost")


def test_the_language_gets_tiles_vectors_and_threads(packages: Path) -> None:
    language = module("array_language.language")
    program = language.compile(
        "smooth",
        """
        turned[i, j] = picture[j, i] for i in (0, m), j in (0, n)
        mean[i, j] = (turned[i, j - 1] + turned[i, j + 1]) / 2 for i in (0, m), j in (1, n - 1)
        """,
    )
    n, m = 60, 70
    picture = np.random.default_rng(3).random((n, m))
    mean, turned = np.zeros((m, n)), np.zeros((m, n))
    program["smooth"](mean, picture, turned, m, n)
    assert np.array_equal(turned, picture.T)
    expected = (picture.T[:, :-2] + picture.T[:, 2:]) / 2
    assert np.array_equal(mean[:, 1:-1], expected)
    said = " ".join(one.message for one in program.remarks)
    assert "vectors of" in said
    assert "in threads" in said
    turned_alone = language.compile("turn", "b[i, j] = a[j, i] for i in (0, m), j in (0, n)")
    assert any("squares of" in one.message for one in turned_alone.remarks)


def test_the_language_says_what_it_cannot_read(packages: Path) -> None:
    with pytest.raises(SyntaxError, match=r"expected 'a\[i\] = "):
        module("array_language.language").compile("f", "a[i] = 1")


def test_its_pass_is_one_of_every_tool(packages: Path) -> None:
    assert pass_from_text("array-to-loops").name == "array-to-loops"
    assert "array_language" in sys.modules


@pytest.mark.parametrize("name", PACKAGES)
def test_copied_somewhere_its_readme_is_as_it_says(
    packages: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing of the sources' folder is near. The tools are started, each with what this
    environment has of packages."""
    copied = packages / "copied" / name
    shutil.copytree(EXAMPLES / name, copied, ignore=shutil.ignore_patterns("__pycache__"))
    page = str(copied / "README.md")
    assert {one.language for one in blocks(page)} == {"console", "pycon"}
    tools = os.path.dirname(sys.executable)
    path = os.pathsep.join([tools, os.environ.get("PATH", os.defpath)])
    given = os.environ.get("PYTHONPATH", "")
    paths = os.pathsep.join([str(copied), str(packages), *([given] if given else [])])
    monkeypatch.chdir(copied)
    assert follow_commands(page, {**os.environ, "PATH": path, "PYTHONPATH": paths}, copied) == []
    assert "".join(follow_session(page)) == ""
