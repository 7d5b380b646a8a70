"""What is seen and done in each kernel: `recognition.toml`, so that no loss goes unnoticed."""

import tomllib
from pathlib import Path

import pytest
from oracles.kernel_runs import PROGRAMS
from xdsl.dialects import func

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units import unit as stages
from polyopt.driver.units.source import read_source
from polyopt.driver.units.unit import Unit
from polyopt.poly.schedule_tree import Tree, bands, marks, read_tree
from polyopt.support.diagnostics import SourceMap
from polyopt.support.remarks import collect_remarks
from polyopt.tools.bench.programs import POLYBENCH

TABLE = tomllib.loads(Path(__file__).with_name("recognition.toml").read_text(encoding="utf-8"))
CONTRACTIONS = TABLE["contractions"]["kernels"].split()
EXPECTED: dict[str, dict[str, int]] = {**TABLE["polybench"], **TABLE["own"]}


def unit_of(kernel: str, configuration: str, *more: str) -> Unit:
    flags = ("-O3", "-ffp-contract=off", "-DMINI_DATASET", f"--poly={configuration}", *more)
    source = read_source(str(PROGRAMS[kernel].source))
    return stages.parse(source, read_settings(flags), SourceMap())


def trees_of(unit: Unit, kernel: str) -> list[Tree]:
    """The schedule trees of the SCoPs in the kernel's function."""
    name = PROGRAMS[kernel].function
    (function,) = (
        op for op in unit.module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == name
    )
    return [read_tree(read_scop(op).schedule) for op in function.walk() if isinstance(op, ScopOp)]


def test_the_table_has_every_kernel():
    assert set(TABLE["polybench"]) == set(POLYBENCH)
    assert set(EXPECTED) == set(PROGRAMS)


@pytest.mark.parametrize("kernel", PROGRAMS)
def test_recognised_and_scheduled(kernel: str):
    expected = EXPECTED[kernel]
    unit = unit_of(kernel, "isl")
    with collect_remarks() as remarks:
        stages.lower(unit, "poly")
    function = PROGRAMS[kernel].function
    missed = [item for item in remarks.items if item.kind == "missed" and item.function == function]
    assert missed == []
    (original,) = trees_of(unit, kernel)
    assert sum(len(band.members) for band in bands(original)) == expected["loops"]

    stages.lower(unit, "schedule")
    (tree,) = trees_of(unit, kernel)
    permutable = [band for band in bands(tree) if band.permutable]
    parallel = [sum(member.coincident for member in band.members) for band in permutable]
    assert max(len(band.members) for band in permutable) >= expected["band"]
    assert max(parallel) >= expected["parallel"]


@pytest.mark.parametrize("kernel", [k for k, row in EXPECTED.items() if row["band"] >= 2])
@pytest.mark.slow
def test_tiled(kernel: str):
    """Bands in tiles of a given size, but for what has tiles of its own."""
    unit = unit_of(kernel, "isl+tile", "--tile-sizes=32")
    stages.lower(unit, "schedule")
    # There are two versions where the sizes decide whether a temporary is expanded.
    found = {mark for tree in trees_of(unit, kernel) for mark in marks(tree)}
    assert "tile" in found or kernel in CONTRACTIONS


@pytest.mark.parametrize("kernel", EXPECTED)
@pytest.mark.slow
def test_contracted(kernel: str):
    unit = unit_of(kernel, "auto")
    stages.lower(unit, "schedule")
    found = {mark for tree in trees_of(unit, kernel) for mark in marks(tree)}
    assert ("contract" in found) == (kernel in CONTRACTIONS)
