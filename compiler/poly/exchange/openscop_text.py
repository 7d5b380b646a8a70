"""OpenScop's text: comments, relations, and generics such as <arrays> ... </arrays>."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyopt.poly.exchange.openscop import (
    KINDS,
    Matrix,
    OpenScop,
    OpenScopStatement,
    Relation,
)
from polyopt.poly.exchange.text_lines import Lines

START, END = "<OpenScop>", "</OpenScop>"

# Writing


def openscop_text(scop: OpenScop) -> str:
    return "\n".join(_scop_lines(scop)) + "\n"


def _scop_lines(scop: OpenScop) -> Iterator[str]:
    names = scop.parameters or ()
    yield from (START, "", "# Language", scop.language, "", "# Context")
    yield from _relation_lines(scop.context, (), names)
    yield from ("", "# Parameters are provided", "1" if scop.parameters is not None else "0")
    if scop.parameters is not None:
        yield from ("<strings>", " ".join(names), "</strings>")
    yield from ("", "# Number of statements", str(len(scop.statements)))
    for number, statement in enumerate(scop.statements, 1):
        yield from ("", f"# =============================================== Statement {number}")
        yield from _statement_lines(statement, names)
    yield from ("", "# =============================================== Extensions")
    if scop.scattering_names:
        yield from ("<scatnames>", " ".join(scop.scattering_names), "</scatnames>", "")
    yield from ("<arrays>", "# Number of arrays", str(len(scop.arrays)))
    yield "# Mapping array-identifiers/array-names"
    yield from (f"{number} {name}" for number, name in scop.arrays.items())
    yield from ("</arrays>", "", END)


def _statement_lines(statement: OpenScopStatement, parameters: Sequence[str]) -> Iterator[str]:
    yield from ("# Number of relations describing the statement:", str(len(statement.relations)))
    for relation in statement.relations:
        yield ""
        yield from _relation_lines(relation, statement.iterators, parameters)
    yield from ("", "# Number of Statement Extensions", "1", "<body>")
    yield from ("# Number of original iterators", str(len(statement.iterators)))
    if statement.iterators:
        yield from ("# List of original iterators", " ".join(statement.iterators))
    yield from ("# Statement body expression", statement.body, "</body>")


def _relation_lines(
    relation: Relation, iterators: Sequence[str], parameters: Sequence[str]
) -> Iterator[str]:
    yield relation.kind
    if len(relation.parts) != 1:
        yield from (f"# Union with {len(relation.parts)} parts", str(len(relation.parts)))
    for number, part in enumerate(relation.parts, 1):
        if len(relation.parts) > 1:
            yield f"# Union part No.{number}"
        yield _row(
            len(part.rows),
            part.columns,
            part.outputs,
            part.inputs,
            part.locals,
            part.parameters,
            width=0,
        )
        if part.rows:
            yield "# e/i|" + "|".join(_headings(relation.kind, part, iterators, parameters))
        for row in part.rows:
            yield "  " + _row(*row, width=5)


def _row(*numbers: int, width: int) -> str:
    return " ".join(f"{number:>{width - 1 if width else 0}}" for number in numbers)


def _headings(
    kind: str, part: Matrix, iterators: Sequence[str], parameters: Sequence[str]
) -> Iterator[str]:
    """The names of the columns, in groups."""
    counted = [f"i{k + 1}" for k in range(part.outputs + part.inputs)]
    inner = [*iterators, *counted[len(iterators) :]]
    match kind:
        case "SCATTERING":
            outputs = [f"c{k + 1}" for k in range(part.outputs)]
        case "READ" | "WRITE" | "MAY_WRITE":
            outputs = ["Arr", *(f"[{k}]" for k in range(1, part.outputs))]
        case _:
            outputs = inner[: part.outputs]
    groups = [outputs, inner[: part.inputs], [f"l{k + 1}" for k in range(part.locals)], parameters]
    yield from (" ".join(f"{name:>4}" for name in group) for group in groups if group)
    yield f"{1:>4}"


# Reading


def parse_openscop(text: str, file: str) -> OpenScop:
    """The one SCoP in the text; raises CompileError with the line of what is wrong."""
    lines = Lines(text, file)
    while lines.next("a line with <OpenScop>") != START:
        pass
    language = lines.next("the language").split()[0]
    context = _read_relation(lines)
    if context.kind != "CONTEXT":
        raise lines.error(f"expected the CONTEXT, got {context.kind}")
    parameters = None
    if lines.integer("whether parameters are named"):
        tag, content = lines.generic()
        if tag != "strings":
            raise lines.error(f"expected the parameters' names as <strings>, got <{tag}>")
        parameters = lines.parameters([word for line in content for word in line.split()])
    count = lines.count("the number of statements")
    statements = tuple(_read_statement(lines) for _ in range(count))
    arrays, scattering = dict[int, str](), tuple[str, ...]()
    while lines.peek("</OpenScop>") != END:
        tag, content = lines.generic()
        match tag:
            case "arrays":
                arrays = lines.names_by_number(content)
            case "scatnames":
                scattering = tuple(word for line in content for word in line.split())
            case _:
                pass
    lines.next(END)
    if lines.has(START):
        raise lines.error("the file holds more than one SCoP", "give each a file of its own")
    return OpenScop(context, parameters, statements, arrays, scattering, language)


def _read_statement(lines: Lines) -> OpenScopStatement:
    count = lines.count("the number of a statement's relations")
    span = lines.span
    relations = tuple(_read_relation(lines) for _ in range(count))
    iterators, body = tuple[str, ...](), ""
    for _ in range(lines.count("the number of a statement's extensions")):
        tag, content = lines.generic()
        match tag:
            case "body":
                iterators, body = _body(content, lines)
            case "extbody":
                accesses = int(content[0]) if content and content[0].isdecimal() else 0
                iterators, body = _body(content[1 + accesses :], lines)
            case _:
                pass
    return OpenScopStatement(relations, iterators, body, span)


def _read_relation(lines: Lines) -> Relation:
    kind = lines.next("a relation").split()[0]
    if kind not in KINDS:
        raise lines.error(f"'{kind}' is no kind of relation", hint=f"one of {', '.join(KINDS)}")
    span = lines.span
    head = lines.integers("a relation's 6 attributes")
    count = 1
    if len(head) == 1:
        count, head = head[0], []
    parts = list[Matrix]()
    for _ in range(count):
        parts.append(_read_matrix(lines, head or lines.integers("a relation's 6 attributes")))
        head = []
    return Relation(kind, tuple(parts), span)


def _read_matrix(lines: Lines, head: list[int]) -> Matrix:
    if len(head) != 6 or min(head) < 0:
        raise lines.error("expected 6 numbers: rows, columns, outputs, inputs, locals, parameters")
    count, columns, *dimensions = head
    if columns != sum(dimensions) + 2:
        raise lines.error(f"{columns} columns do not hold {sum(dimensions)} dimensions and 2 more")
    rows = list[tuple[int, ...]]()
    for _ in range(count):
        row = lines.integers("a row of a matrix")
        if len(row) != columns or row[0] not in (0, 1):
            raise lines.error(f"expected a row of {columns} numbers, 0 or 1 first")
        rows.append(tuple(row))
    outputs, inputs, existential, parameters = dimensions
    return Matrix(tuple(rows), outputs, inputs, existential, parameters)


def _body(content: list[str], lines: Lines) -> tuple[tuple[str, ...], str]:
    if not content or not content[0].isdecimal():
        raise lines.error("expected a body: the number of iterators, their names, an expression")
    count = int(content[0])
    iterators = tuple(content[1].split()) if count and len(content) > 1 else ()
    return iterators, "\n".join(content[2 if count else 1 :])
