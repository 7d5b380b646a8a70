"""ScopLib: the format before OpenScop, as Clan up to 0.6, Pluto, LeTSeE and PoCC pass it on.

L.-N. Pouchet, ScopLib 0.2. Less can be said than in OpenScop, so each part is checked when it is
written: domains are unions of matrices without existential dimensions, and what relates is a
function, a row for each date or subscript:

    domain       e/i | iterators | parameters | 1     a row that begins with 0 is an equation
    scattering     0 | iterators | parameters | 1     one row for each date
    access     array | iterators | parameters | 1     one row for each subscript, the array's number
                                                      in the first one, 0 in the others

A scalar is an array with the one subscript 0: `scalars_of` makes scalars of what is so accessed,
whoever wrote it. As data it is the `OpenScop` that says the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.exchange.description import DescribedAccess, Description
from polyopt.poly.exchange.openscop import Matrix, OpenScop, OpenScopStatement, Relation
from polyopt.poly.exchange.text_lines import Lines

START = "SCoP"
_Rows = tuple[tuple[int, ...], ...]

# Writing


def scoplib_text(scop: OpenScop) -> str:
    """Raises ValueError for what cannot be said in ScopLib."""
    return "\n".join(_lines(scop)) + "\n"


def _lines(scop: OpenScop) -> Iterator[str]:
    names = scop.parameters or ()
    yield from (START, "", "# Language", scop.language, "", "# Context")
    yield from _matrix(_context(scop.context, len(names)), 2 + len(names))
    yield from ("", "# Parameter names are provided", "1" if names else "0")
    if names:
        yield from ("# Parameter names", " ".join(names))
    yield from ("", "# Number of statements", str(len(scop.statements)))
    for number, statement in enumerate(scop.statements, 1):
        yield from ("", f"# =============================================== Statement {number}")
        yield from _statement_lines(statement, 2 + len(statement.iterators) + len(names))
    yield from ("", "# =============================================== Options")
    yield from ("<arrays>", str(len(scop.arrays)))
    yield from (f"{number} {name}" for number, name in scop.arrays.items())
    yield "</arrays>"


def _context(context: Relation, parameters: int) -> _Rows:
    """Where there are several parts, nothing is known."""
    (part,) = context.parts if len(context.parts) == 1 else (Matrix((), 0, 0, 0, parameters),)
    return () if part.locals else part.rows


def _statement_lines(statement: OpenScopStatement, columns: int) -> Iterator[str]:
    (domain,), (scattering,) = statement.of_kind("DOMAIN"), statement.of_kind("SCATTERING")
    yield from ("# Iteration domain", str(len(domain.parts)))
    for part in domain.parts:
        if part.locals:
            raise ValueError(f"not all counters of {statement.body} are in the domain")
        yield from _matrix(part.rows, columns)
    yield from ("", "# Scattering function is provided", "1", "# Scattering function")
    dates = _function(scattering, f"the order of {statement.body}")
    yield from _matrix(tuple((0, *row) for row in dates), columns)
    yield from ("", "# Access informations are provided", "1")
    for title, kinds in (("Read", ["READ"]), ("Write", ["WRITE", "MAY_WRITE"])):
        relations = statement.of_kind(*kinds)
        yield f"# {title} access informations"
        what = f"an access of {statement.body}"
        yield from _matrix(tuple(row for one in relations for row in _access(one, what)), columns)
    yield from ("", "# Statement body is provided", "1", "# Original iterator names")
    yield from (" ".join(statement.iterators), "# Statement body", statement.body)


def _access(relation: Relation, what: str) -> Iterator[tuple[int, ...]]:
    (*_, number), *subscripts = _function(relation, what)
    zero = (0,) * (relation.parts[0].inputs + relation.parts[0].parameters + 1)
    for k, row in enumerate(subscripts or [zero]):
        yield (number if k == 0 else 0, *row)


def _function(relation: Relation, what: str) -> list[tuple[int, ...]]:
    """Each output by the inputs, the parameters and 1; ValueError where it is no such function."""
    if len(relation.parts) != 1 or relation.parts[0].locals:
        raise ValueError(f"{what} is no affine function")
    (part,) = relation.parts
    found = dict[int, tuple[int, ...]]()
    for row in part.rows:
        outputs, others = row[1 : 1 + part.outputs], row[1 + part.outputs :]
        place = next((k for k, factor in enumerate(outputs) if factor), None)
        if place is None:
            continue  # of the domain, not of the function
        if row[0] != 0 or sum(map(abs, outputs)) != 1:
            raise ValueError(f"{what} is no affine function")
        found[place] = tuple(-outputs[place] * factor for factor in others)
    if len(found) != part.outputs:
        raise ValueError(f"{what} is no affine function")
    return [found[k] for k in range(part.outputs)]


def _matrix(rows: _Rows, columns: int) -> Iterator[str]:
    yield f"{len(rows)} {columns}"
    yield from ("  " + " ".join(f"{number:>4}" for number in row) for row in rows)


# Reading


def parse_scoplib(text: str, file: str) -> OpenScop:
    """The SCoP in the text; raises CompileError with the line of what is wrong."""
    lines = Lines(text, file)
    start = lines.next(f"a line with {START}")
    if start != START:
        raise lines.error(f"expected {START}, got '{start}'")
    language = lines.next("the language").split()[0]
    rows, columns = _read_matrix(lines, "the context", 2)
    context = Relation("CONTEXT", (Matrix(rows, 0, 0, 0, columns - 2),), lines.span)
    names = None
    if lines.integer("whether parameters are named") and columns > 2:
        names = lines.parameters(lines.next("the names of parameters").split())
        if len(names) != columns - 2:
            raise lines.error(f"expected {columns - 2} names of parameters, got {len(names)}")
    count = lines.count("the number of statements")
    statements = tuple(_read_statement(lines, columns - 2) for _ in range(count))
    arrays = dict[int, str]()
    while lines.is_more:
        tag, content = lines.generic()
        if tag == "arrays":
            arrays = lines.names_by_number(content)
    return OpenScop(context, names, statements, arrays, language=language)


def _read_statement(lines: Lines, parameters: int) -> OpenScopStatement:
    count = lines.count("the number of parts of a domain")
    span = lines.span
    parts = [_read_matrix(lines, "a domain", 2 + parameters) for _ in range(count)]
    columns = parts[0][1] if parts else 0
    if not parts or any(one[1] != columns for one in parts):
        raise lines.error("expected a domain: parts with as many columns")
    shape = depth, _ = columns - 2 - parameters, parameters
    domain = tuple(Matrix(rows, depth, 0, 0, parameters) for rows, _ in parts)
    relations = [Relation("DOMAIN", domain, span)]
    if not lines.integer("whether there is a scattering"):
        raise lines.error("a statement without scattering has no schedule")
    dates, _ = _read_matrix(lines, "a scattering", columns, columns)
    relations.append(_relation("SCATTERING", [row[1:] for row in dates], shape, lines))
    if not lines.integer("whether there are accesses"):
        raise lines.error("a statement without accesses: nobody knows whether it is ours")
    for kind in ("READ", "WRITE"):
        rows, _ = _read_matrix(lines, "accesses", columns, columns)
        relations += [_relation(kind, one, shape, lines) for one in _by_array(rows, lines)]
    iterators, body = tuple[str, ...](), ""
    if lines.integer("whether there is a body"):
        iterators = tuple(lines.next("the iterators' names").split()) if depth else ()
        body = lines.next("the statement's body")
    return OpenScopStatement(tuple(relations), iterators, body, span)


def _by_array(rows: _Rows, lines: Lines) -> list[list[tuple[int, ...]]]:
    """The rows of each access; the array's number is a function of its own, as in OpenScop."""
    found = list[list[tuple[int, ...]]]()
    for row in rows:
        if row[0] > 0:
            found.append([(*(0 for _ in row[2:]), row[0])])
        elif row[0] < 0 or not found:
            raise lines.error("an access without the number of its array")
        found[-1].append(row[1:])
    return found


def _relation(
    kind: str, rows: Sequence[tuple[int, ...]], shape: tuple[int, int], lines: Lines
) -> Relation:
    """output k = row k, of the `shape`'s inputs and parameters. What never runs has no rows."""
    count = len(rows)
    equations = tuple(
        (0, *(-1 if k == place else 0 for k in range(count)), *row)
        for place, row in enumerate(rows)
    )
    inputs, parameters = shape
    return Relation(kind, (Matrix(equations, count, inputs, 0, parameters),), lines.span)


def _read_matrix(
    lines: Lines, what: str, fewest: int, wanted: int | None = None
) -> tuple[_Rows, int]:
    """The rows and how many columns there are: at least `fewest`, or as many as `wanted`."""
    head = lines.integers(f"the rows and columns of {what}")
    if len(head) != 2 or head[0] < 0 or head[1] < fewest or wanted not in (None, head[1]):
        raise lines.error(f"expected {what}: two numbers, of rows and of columns")
    rows = list[tuple[int, ...]]()
    for _ in range(head[0]):
        row = lines.integers(f"a row of {what}")
        if len(row) != head[1]:
            raise lines.error(f"expected a row of {head[1]} numbers")
        rows.append(tuple(row))
    return tuple(rows), head[1]


def scalars_of(description: Description) -> Description:
    """The same, with what is only ever accessed by the one subscript 0 as scalars."""
    accesses = [access for one in description.statements for access in one.accesses]
    arrays = {one.array for one in accesses}
    scalars = {
        name for name in arrays if all(_is_zero(one) for one in accesses if one.array == name)
    }

    def of(access: DescribedAccess) -> DescribedAccess:
        if access.array not in scalars or not access.relation.dim(isl.dim_type.out):
            return access
        short = access.relation.project_out(isl.dim_type.out, 0, 1)
        return replace(access, relation=short.set_tuple_name(isl.dim_type.out, access.array))

    return replace(
        description,
        arrays=tuple(
            replace(one, sizes=()) if one.name in scalars else one for one in description.arrays
        ),
        statements=tuple(
            replace(one, accesses=tuple(map(of, one.accesses))) for one in description.statements
        ),
    )


def _is_zero(access: DescribedAccess) -> bool:
    rank = access.relation.dim(isl.dim_type.out)
    if rank != 1:
        return rank == 0
    fixed = access.relation.plain_get_val_if_fixed(isl.dim_type.out, 0)
    return fixed.is_zero()
