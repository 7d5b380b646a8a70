"""Polly's own JSCoP files against ours, and our schedules given to Polly.

Where Polly has the same statements, everything must agree up to names: domains, accesses and the
order. Where it has not, `OTHERS` says why; every kernel is in one table or the other.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from oracles.kernel_runs import PROGRAMS
from oracles.kernel_scops import SIZE, module_of, scop_of_kernel
from oracles.polly import ILLEGAL, PollyPeer, needs_polly
from xdsl.context import Context

from polyopt.passes.exchange.described import described_op
from polyopt.passes.exchange.jscop import PolyExportJscopPass, PolyImportJscopPass
from polyopt.poly.exchange.correspondence import (
    Names,
    corresponding_arrays,
    corresponding_names,
    same_order,
)
from polyopt.poly.exchange.jscop import parse_jscop

SCALARS = "sums in scalars are values of LLVM's, with statements of their own where loops meet"
FORWARDED = "clean-up before Polly makes one statement of stores of one value"
OTHERS = {
    "adi": FORWARDED,
    "backsub": SCALARS,
    "correlation": FORWARDED,
    "covariance": FORWARDED,
    "deriche": SCALARS,
    "durbin": SCALARS,
    "fir": SCALARS,
    "gramschmidt": SCALARS,
    "ludcmp": SCALARS,
    "symm": SCALARS,
}
SAME = sorted(PROGRAMS.keys() - OTHERS.keys())

WRAPS = "subscripts that wrap into the next row for sizes beyond the array's"
REFUSED = {
    "fdtd-2d": WRAPS,
    "heat-3d": WRAPS,
    "nussinov": "updates of a maximum in another order, which Polly takes for dependences",
    "redblack": "Polly's own operation limit ends the check, then Polly itself",
}
"""What Polly does not take of isl's schedules: it writes `A[i][j - 1]` as one flat subscript, and
looks at all values of the parameters when it checks, also those that C does not allow."""

QUICK = ("gemm", "lu", "seidel-2d")


def spread(names: list[str]) -> list[object]:
    """The quick ones, and the others marked slow."""
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in names]


def exported_by_polly(peer: PollyPeer, name: str) -> tuple[Path, Path]:
    """LLVM's module, and Polly's file about the kernel."""
    module = peer.prepare(PROGRAMS[name].source, SIZE)
    (file,) = peer.export(module, PROGRAMS[name].function)
    return module, file


@needs_polly
@pytest.mark.parametrize("name", spread(SAME))
def test_domains_accesses_and_order_are_polly_s(name: str, tmp_path: Path) -> None:
    _, file = exported_by_polly(PollyPeer(tmp_path), name)
    theirs = parse_jscop(file.read_text(), file.name)
    ours = described_op(scop_of_kernel(module_of(name, "poly", "identity"), name))
    names = corresponding_names(ours, theirs)
    assert isinstance(names, Names), names
    assert corresponding_arrays(ours, theirs, names).is_complete
    assert same_order(ours, theirs, names)


@needs_polly
@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_where_polly_has_other_statements(name: str, tmp_path: Path) -> None:
    _, file = exported_by_polly(PollyPeer(tmp_path), name)
    theirs = parse_jscop(file.read_text(), file.name)
    ours = described_op(scop_of_kernel(module_of(name, "poly", "identity"), name))
    assert len(ours.statements) != len(theirs.statements)


@needs_polly
@pytest.mark.parametrize("name", spread([name for name in SAME if name not in REFUSED]))
def test_polly_takes_the_schedule_that_we_found(name: str, tmp_path: Path) -> None:
    peer, function = PollyPeer(tmp_path), PROGRAMS[name].function
    module, file = exported_by_polly(peer, name)
    found = module_of(name, "schedule", "isl")
    export = PolyExportJscopPass(dir=str(tmp_path), postfix="ours", scop=function, like=str(file))
    export.apply(Context(), found)
    said = peer.import_schedules(module, function, "ours")
    assert "Reading JScop" in said
    assert "Schedule :=" in said
    assert ILLEGAL not in said


@needs_polly
def test_polly_refuses_an_illegal_schedule(tmp_path: Path) -> None:
    """So that the test above says something."""
    peer = PollyPeer(tmp_path)
    module, file = exported_by_polly(peer, "lu")
    backwards = file.read_text().replace("-> [i0, ", "-> [-i0, ")
    assert backwards != file.read_text()
    (tmp_path / f"{file.name}.backwards").write_text(backwards)
    assert ILLEGAL in peer.import_schedules(module, "kernel_lu", "backwards")


@needs_polly
@pytest.mark.parametrize("name", spread(SAME))
def test_polly_s_schedule_becomes_ours(name: str, tmp_path: Path) -> None:
    _, file = exported_by_polly(PollyPeer(tmp_path), name)
    module = module_of(name, "poly", "identity")
    op = scop_of_kernel(module, name)
    PolyImportJscopPass(scop=PROGRAMS[name].function, file=str(file)).apply(Context(), module)
    theirs = parse_jscop(file.read_text(), file.name)
    ours = described_op(op)
    names = corresponding_names(ours, theirs)
    assert isinstance(names, Names), names
    assert same_order(ours, theirs, names)
