"""The names that Polly's first driver, pollycc, had for what other flags here do.

T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, figure 11. There -fpolly alone changes
no order, and -ftile says more than it wherever it stands.
"""

from __future__ import annotations

from polyopt.driver.flag_reading import Collected, Flag, Setter, constant

TILED = "isl+tile"


def _polly(collected: Collected, _: str) -> None:
    if collected.get("poly") != TILED:
        collected["poly"] = "identity"


def pollycc_flags(export: Setter) -> tuple[Flag, ...]:
    """`export` is what --export= does."""

    def export_jscop(collected: Collected, _: str) -> None:
        export(collected, "jscop")

    tiled = constant(poly=TILED)
    return (
        Flag("-fpolly", "--poly=identity, where nothing says -ftile", _polly),
        Flag("-ftile", f"--poly={TILED}", tiled),
        Flag("-fpluto-tile", f"--poly={TILED}", tiled),
        Flag("-fpolly-export", "--export=jscop", export_jscop),
        Flag("-fpolly-import", "--import=jscop", constant(imports=("jscop", "."))),
    )
