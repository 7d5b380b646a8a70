"""The emitters of all constructs of OpenMP, each for its topic, put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from polyopt.frontend.emission.statements.emit_openmp import OpenMPEmitter
from polyopt.frontend.emission.statements.emit_openmp_atomic import AtomicEmitter
from polyopt.frontend.emission.statements.emit_openmp_loops import LoopEmitter
from polyopt.frontend.emission.statements.emit_openmp_regions import RegionEmitter
from polyopt.frontend.tree.typed_statements import Statement

if TYPE_CHECKING:
    from polyopt.frontend.emission.statements.emit_statements import StatementEmitter


def openmp_emitters(statements: StatementEmitter) -> dict[type[Statement], Callable[..., None]]:
    """By the statement that each is for."""
    openmp = OpenMPEmitter(statements)
    RegionEmitter(openmp)
    LoopEmitter(openmp)
    AtomicEmitter(openmp)
    return openmp.emitters
