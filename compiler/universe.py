"""What polyopt adds to xDSL's tools: dialects and passes by name, loaded on first use."""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.universe import Universe


def _cmem() -> Dialect:
    from polyopt.dialects.cmem import CMem

    return CMem


def _poly() -> Dialect:
    from polyopt.dialects.poly import Poly

    return Poly


POLYOPT_UNIVERSE = Universe(all_dialects={"cmem": _cmem, "poly": _poly}, all_passes={})
