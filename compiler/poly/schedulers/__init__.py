"""Schedulers: (SCoP, dependences, options) -> a schedule tree that keeps the dependences.

Each is one function in one file, found by name in `SCHEDULERS`; the files are loaded on demand.
A scheduler may fail to find anything better; it then gives the SCoP's own schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from polyopt.poly.schedulers.interface import Scheduler

if __name__ != "polyopt.poly.schedulers":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.schedulers'")


def _identity() -> Scheduler:
    from polyopt.poly.schedulers.identity import schedule_identity

    return schedule_identity


def _isl() -> Scheduler:
    from polyopt.poly.schedulers.isl_scheduler import schedule_with_isl

    return schedule_with_isl


def _feautrier() -> Scheduler:
    from polyopt.poly.schedulers.isl_scheduler import schedule_with_feautrier

    return schedule_with_feautrier


def _matrix() -> Scheduler:
    from polyopt.poly.schedulers.matrix import schedule_with_matrix

    return schedule_with_matrix


def _tile_simd() -> Scheduler:
    from polyopt.poly.schedulers.tile_simd import schedule_tile_simd

    return schedule_tile_simd


def _poly_ast() -> Scheduler:
    from polyopt.poly.schedulers.poly_ast import schedule_poly_ast

    return schedule_poly_ast


def _locality() -> Scheduler:
    from polyopt.poly.schedulers.locality_scheduler import schedule_for_locality

    return schedule_for_locality


SCHEDULERS: Mapping[str, Callable[[], Scheduler]] = {
    "identity": _identity,
    "isl": _isl,
    "feautrier": _feautrier,
    "locality": _locality,
    "poly-ast": _poly_ast,
    "matrix": _matrix,
    "tile-simd": _tile_simd,
}
