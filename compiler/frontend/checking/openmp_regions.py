"""Which variable is whose in the constructs around a place (OpenMP 4.5, 2.15).

A region knows the variables that its clauses name; what it does not name belongs to whom it did
outside, but that in a task a variable that is not shared is the task's own, with the value that it
had when the task was met. What is declared in a region is nobody else's.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from polyopt.frontend.tree.scope import Scopes
from polyopt.frontend.tree.typed_tree import Expr, Symbol
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity

Share = Literal["shared", "private", "firstprivate", "lastprivate", "reduction"]

WORKSHARING = frozenset(("for", "sections", "single"))
_ALONE = WORKSHARING | frozenset(
    "critical ordered master masked task atomic simd teams distribute".split()
)
_TEAMS = ("parallel", "teams")


@entity
class Doacross:
    """The loops of a nest whose iterations wait for each other: the names of their counters and,
    as kept in front, where each starts, its step (taken off in those that go down), its rounds."""

    counters: list[str]
    lowers: list[Expr]
    steps: list[Expr]
    downs: list[bool]
    rounds: list[Expr]
    is_used: bool = False


@entity
class Region:
    """`depth` is the number of scopes around it; `has_order`: it is a loop with `ordered`;
    `outers`: what variables that are reduced in it are outside; `cancels`: something in it leaves
    it early; `doacross`: its iterations, where they may wait for one another."""

    name: str
    span: Span
    depth: int
    shares: dict[Symbol, Share] = field(default_factory=dict[Symbol, Share])
    default: str | None = None
    references: dict[Symbol, Span] = field(default_factory=dict[Symbol, Span])
    has_order: bool = False
    critical_name: str | None = None
    outers: dict[Symbol, Symbol] = field(default_factory=dict[Symbol, Symbol])
    cancels: bool = False
    doacross: Doacross | None = None


def note_reference(regions: list[Region], scopes: Scopes, symbol: Symbol, span: Span) -> None:
    """The variable is named here, in all these regions."""
    for region in reversed(regions):
        if not _is_outside(scopes, region.depth, symbol):
            return
        region.references.setdefault(symbol, span)
        if region.shares.get(symbol, "shared") != "shared":
            return


def share_of(regions: list[Region], scopes: Scopes, symbol: Symbol) -> Share:
    """Whose the variable is in the innermost region."""
    for index in range(len(regions) - 1, -1, -1):
        region = regions[index]
        if not _is_outside(scopes, region.depth, symbol):
            return "private"
        if symbol in region.shares:
            return region.shares[symbol]
        if region.name in _TEAMS or symbol.kind == "global":
            return "shared"
        if region.name == "task":
            if region.default == "shared" or share_of(regions[:index], scopes, symbol) == "shared":
                return "shared"
            return "firstprivate"
    return "shared" if symbol.kind == "global" else "private"


def _is_outside(scopes: Scopes, depth: int, symbol: Symbol) -> bool:
    return any(scope.names.get(symbol.name) is symbol for scope in scopes.stack[:depth])


def closest_alone(regions: list[Region]) -> Region | None:
    """The region around this place that not all threads of a team are in together, if any."""
    for region in reversed(regions):
        if region.name == "parallel":
            return None
        if region.name in _ALONE:
            return region
    return None
