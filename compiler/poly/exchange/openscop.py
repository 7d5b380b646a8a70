"""OpenScop: a SCoP as matrices of integers, as Clan, Candl, Pluto and CLooG pass it on.

C. Bastoul, OpenScop: a specification and a library for data exchange in polyhedral compilation
tools, Paris-Sud University, 2011. A relation is a union of

    { (output dims) : exists (local dims) : each row of the matrix holds for
                      (output dims, input dims, local dims, parameters, 1) }

where a row that begins with 0 is an equation with 0 and one that begins with 1 says >= 0:

    DOMAIN            output: the iterators
    SCATTERING        output: the dates, input: the iterators
    READ, WRITE, ...  output: the array's number, then its subscripts; input: the iterators

Here is the file as data; `openscop_text` reads and writes it, `openscop_matrices` are isl's sets
as matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

from polyopt.support.diagnostics import Span


@dataclass(frozen=True)
class Matrix:
    """One part of a relation; each row has two columns more than there are dimensions."""

    rows: tuple[tuple[int, ...], ...]
    outputs: int
    inputs: int
    locals: int
    parameters: int

    @property
    def columns(self) -> int:
        return 2 + self.outputs + self.inputs + self.locals + self.parameters


@dataclass(frozen=True)
class Relation:
    """`kind` is CONTEXT, DOMAIN, SCATTERING, READ, WRITE or MAY_WRITE; no parts: nothing."""

    kind: str
    parts: tuple[Matrix, ...]
    span: Span | None = None


KINDS = ("UNDEFINED", "CONTEXT", "DOMAIN", "SCATTERING", "READ", "WRITE", "MAY_WRITE")


@dataclass(frozen=True)
class OpenScopStatement:
    """`iterators` and `body` are for people, and for tools that print C."""

    relations: tuple[Relation, ...]
    iterators: tuple[str, ...] = ()
    body: str = ""
    span: Span | None = None

    def of_kind(self, *kinds: str) -> list[Relation]:
        return [relation for relation in self.relations if relation.kind in kinds]


@dataclass(frozen=True)
class OpenScop:
    """`arrays` are the names by number; `parameters` None where the file has no names."""

    context: Relation
    parameters: tuple[str, ...] | None
    statements: tuple[OpenScopStatement, ...]
    arrays: dict[int, str]
    scattering_names: tuple[str, ...] = ()
    language: str = "C"
