"""A static control part as its verifier sees it: names, texts of isl, numbers; no operation."""

from __future__ import annotations

from polyopt.support.record import record


@record
class AccessFacts:
    """`array` is None where it is none of the SCoP's. Conditional: `scf.if` stands around it."""

    kind: str
    array: str | None
    rank: int
    relation: str
    indices: int
    is_may: bool
    is_conditional: bool


@record
class StatementFacts:
    """`iterators`: how many have names, None where none has one."""

    name: str
    domain: str
    dimensions: int
    iterators: int | None
    accesses: tuple[AccessFacts, ...]


@record
class ScopFacts:
    """Names, and how many operands they are for."""

    parameters: tuple[str, ...]
    parameter_count: int
    arrays: tuple[str, ...]
    array_count: int
    local: tuple[str, ...]
    context: str
    assumed: str | None
    schedule: str
    statements: tuple[StatementFacts, ...]
