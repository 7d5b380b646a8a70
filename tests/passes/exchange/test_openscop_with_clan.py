"""What Clan reads in the C text of the kernels is what we find in their control flow."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracles.clan import needs_clan, scop_by_clan
from oracles.kernel_runs import PROGRAMS
from oracles.kernel_scops import SIZE, module_of, scop_of_kernel
from xdsl.context import Context

from polyopt.passes.exchange.described import described_op
from polyopt.passes.exchange.openscop import PolyImportOpenscopPass
from polyopt.poly.exchange.correspondence import (
    Names,
    corresponding_arrays,
    corresponding_names,
    same_order,
)
from polyopt.poly.exchange.openscop_scop import description_of
from polyopt.poly.exchange.openscop_text import parse_openscop

NO_C_OF_CLAN_S = frozenset(
    "3mm adi correlation deriche durbin fir gramschmidt ludcmp redblack relax symm".split()
)
"""Declarations, pointers, or conditions with a remainder in the loops: Clan reads no such C."""

QUICK = ("covariance", "nussinov")


@needs_clan
@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
        for name in sorted(PROGRAMS.keys() - NO_C_OF_CLAN_S)
    ],
)
def test_clan_finds_the_same(name: str, tmp_path: Path) -> None:
    text = scop_by_clan(PROGRAMS[name], tmp_path, SIZE)
    found = parse_openscop(text, name)
    theirs = description_of(found, name, [f"C{k}" for k in range(len(found.statements))])
    module = module_of(name, "poly", "identity")
    ours = described_op(scop_of_kernel(module, name))
    names = corresponding_names(ours, theirs)
    assert isinstance(names, Names), names
    assert corresponding_arrays(ours, theirs, names).is_complete
    assert same_order(ours, theirs, names)

    file = tmp_path / "clan.scop"
    file.write_text(text)
    function = PROGRAMS[name].function
    PolyImportOpenscopPass(scop=function, file=str(file)).apply(Context(), module)
    assert same_order(described_op(scop_of_kernel(module, name)), theirs, names)
