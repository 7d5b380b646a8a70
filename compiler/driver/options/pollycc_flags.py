"""The names that Polly's first driver, pollycc, had for what other flags here do.

T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, figure 11. There -fpolly alone changes
no order, and -ftile says more than it wherever it stands; -fpluto has another
program choose the order (`schedulers/pluto`).
"""

from __future__ import annotations

from polyopt.driver.options.flag_reading import Collected, Flag, Setter, constant

TILED = "isl+tile"
PLUTO, TILED_PLUTO = "pluto", "pluto+tile"


def _polly(collected: Collected, _: str) -> None:
    if collected.get("poly") not in (TILED, PLUTO, TILED_PLUTO):
        collected["poly"] = "identity"


def pollycc_flags(export: Setter) -> tuple[Flag, ...]:
    """`export` is what --export= does."""

    def export_jscop(collected: Collected, _: str) -> None:
        export(collected, "jscop")

    def export_svg(collected: Collected, _: str) -> None:
        export(collected, "svg")

    def export_blocks(collected: Collected, _: str) -> None:
        export(collected, "svg")
        collected["draws_lines"] = False

    def tile(collected: Collected, _: str) -> None:
        by_pluto = collected.get("poly") in (PLUTO, TILED_PLUTO)
        collected["poly"] = TILED_PLUTO if by_pluto else TILED

    def pluto(collected: Collected, _: str) -> None:
        is_tiled = collected.get("poly") in (TILED, TILED_PLUTO)
        collected["poly"] = TILED_PLUTO if is_tiled else PLUTO

    return (
        Flag("-fpolly", "--poly=identity, where nothing says -ftile or -fpluto", _polly),
        Flag("-ftile", f"--poly={TILED}, or {TILED_PLUTO} with -fpluto", tile),
        Flag("-fpluto-tile", "the same", tile),
        Flag("-fpluto", "--poly=pluto, or pluto+tile behind -ftile", pluto),
        Flag("-fpolly-export", "--export=jscop", export_jscop),
        Flag("-fview-scops", "--export=svg, which draws functions and SCoPs", export_svg),
        Flag("-fview-scops-only", "the same, blocks of functions by number only", export_blocks),
        Flag("-fvector", "-fvectorize", constant(vectorize=True)),
        Flag("-fvvector", "the same", constant(vectorize=True)),
        Flag("-fpolly-import", "--import=jscop", constant(imports=("jscop", "."))),
    )
