"""The input of CLooG: domains to scan and the order to scan them in, as matrices.

C. Bastoul, Generating loops for scanning polyhedra: CLooG user's guide. One way only: what CLooG
makes of it is C. The matrices are OpenScop's, which CLooG's reader takes too: six numbers ahead, of
rows, columns, output, input, local dimensions and parameters; a domain may be a union, a
scattering is one relation. Scatterings have as many dates in each statement: shorter ones end
with 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyopt.poly.exchange.openscop import Matrix, OpenScop, OpenScopStatement, Relation


def cloog_text(scop: OpenScop) -> str:
    """Raises ValueError for a statement whose order is more than one relation."""
    return "\n".join(_lines(scop)) + "\n"


def _lines(scop: OpenScop) -> Iterator[str]:
    names = scop.parameters or ()
    yield from ("# Language", "c", "", "# Context")
    yield from _matrix(_context(scop.context))
    yield from ("", "# Names of the parameters", "1", " ".join(names))
    yield from ("", "# Number of statements", str(len(scop.statements)))
    scatterings = [_scattering(statement) for statement in scop.statements]
    for statement in scop.statements:
        (domain,) = statement.of_kind("DOMAIN")
        yield from ("", f"# {statement.body}", "# Number of parts of the domain")
        yield str(len(domain.parts))
        for part in domain.parts:
            yield from _matrix(part)
        yield "0 0 0"
    depth = max((len(one.iterators) for one in scop.statements), default=0)
    yield from ("", "# Names of the iterators", "1")
    yield " ".join(f"i{k}" for k in range(depth))
    yield from ("", "# Scatterings", str(len(scatterings)))
    dates = max((one.outputs for one in scatterings), default=0)
    for one in scatterings:
        yield ""
        yield from _matrix(_with_dates(one, dates))
    yield from ("", "# Names of the dates", "1", " ".join(f"c{k + 1}" for k in range(dates)))


def _context(context: Relation) -> Matrix:
    """CLooG takes one part: where there are several, nothing is known."""
    if len(context.parts) == 1:
        return context.parts[0]
    parameters = context.parts[0].parameters if context.parts else 0
    return Matrix((), 0, 0, 0, parameters)


def _scattering(statement: OpenScopStatement) -> Matrix:
    (scattering,) = statement.of_kind("SCATTERING")
    if len(scattering.parts) != 1:
        raise ValueError(f"the order of {statement.body} is {len(scattering.parts)} relations")
    return scattering.parts[0]


def _with_dates(part: Matrix, dates: int) -> Matrix:
    """With further dates, which are 0."""
    missing = dates - part.outputs
    at = 1 + part.outputs
    rows = [(*row[:at], *(0 for _ in range(missing)), *row[at:]) for row in part.rows]
    for k in range(missing):
        row = [0] * (part.columns + missing)
        row[at + k] = -1
        rows.append(tuple(row))
    return replace(part, rows=tuple(rows), outputs=dates)


def _matrix(part: Matrix) -> Iterator[str]:
    counts = (part.outputs, part.inputs, part.locals, part.parameters)
    yield " ".join(map(str, (len(part.rows), part.columns, *counts)))
    yield from ("  " + " ".join(f"{number:>4}" for number in row) for row in part.rows)
