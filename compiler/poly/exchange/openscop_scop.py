"""Descriptions of SCoPs as OpenScop and back.

Dates are written as Clan writes them: one constant before, between and behind the loops of a
statement, so that each statement has as many as its own loops need. Statements have no names in
OpenScop; they are told apart by their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.exchange.dates import with_zeros
from polyopt.poly.exchange.description import (
    DescribedAccess,
    DescribedArray,
    DescribedStatement,
    Description,
)
from polyopt.poly.exchange.openscop import (
    Matrix,
    OpenScop,
    OpenScopStatement,
    Relation,
)
from polyopt.poly.exchange.openscop_matrices import (
    map_of,
    matrices_of_map,
    matrices_of_set,
    parameter_set_of,
    set_of,
)
from polyopt.poly.isl.names import parameters_of
from polyopt.poly.isl.numbers import val
from polyopt.support.diagnostics import CompileError

_Dim = isl.dim_type


def openscop_of(
    description: Description,
    dates: Mapping[str, isl.Map],
    iterators: Mapping[str, Sequence[str]],
) -> OpenScop:
    """With `dates` for those of the description; `iterators` are the loops' names in C."""
    space = description.context.get_space()
    numbers = {array.name: k for k, array in enumerate(description.arrays, 1)}
    statements = tuple(
        _write_statement(one, dates[one.name], numbers, space, tuple(iterators[one.name]))
        for one in description.statements
    )
    depth = max((relation.dim(_Dim.out) for relation in dates.values()), default=0)
    return OpenScop(
        Relation("CONTEXT", matrices_of_set(_as_instances(description.context), space)),
        tuple(parameters_of(space)),
        statements,
        {number: name for name, number in numbers.items()},
        tuple(f"b{k // 2}" if k % 2 == 0 else f"c{k // 2 + 1}" for k in range(depth)),
    )


def _as_instances(context: isl.Set) -> isl.Set:
    """The parameter values as a set of points of no dimensions."""
    return isl.Set("{ [] }").align_params(context.get_space()).intersect_params(context)


def _write_statement(
    statement: DescribedStatement,
    dates: isl.Map,
    numbers: Mapping[str, int],
    space: isl.Space,
    iterators: tuple[str, ...],
) -> OpenScopStatement:
    relations = [
        Relation("DOMAIN", matrices_of_set(statement.domain, space)),
        Relation("SCATTERING", matrices_of_map(dates, space)),
    ]
    for access in statement.accesses:
        kind = "READ" if not access.is_write else "MAY_WRITE" if access.is_may else "WRITE"
        numbered = access.relation.insert_dims(_Dim.out, 0, 1)
        numbered = numbered.fix_val(_Dim.out, 0, val(numbers[access.array]))
        relations.append(Relation(kind, matrices_of_map(numbered, space)))
    body = f"{statement.name}({', '.join(iterators)});"
    return OpenScopStatement(tuple(relations), iterators, body)


def description_of(scop: OpenScop, name: str, statements: Sequence[str]) -> Description:
    """`statements` are names, one for each; CompileError, with the line, where a statement lacks
    something."""
    count = max((part.parameters for part in scop.context.parts), default=0)
    names = scop.parameters or tuple(f"p{k + 1}" for k in range(count))
    reader = _Reader(scop, names)
    labels = zip(scop.statements, statements, strict=True)
    found = tuple(reader.statement(one, label) for one, label in labels)
    depth = max((one.schedule.dim(_Dim.out) for one in found), default=0)
    found = tuple(replace(one, schedule=with_zeros(one.schedule, depth)) for one in found)
    used = {access.array: access for one in found for access in one.accesses}
    return Description(
        name,
        parameter_set_of(reader.checked(scop.context, 0), names),
        tuple(
            DescribedArray(array, ("*",) * access.relation.dim(_Dim.out), "")
            for array, access in used.items()
        ),
        found,
        has_iterators=True,
    )


class _Reader:
    def __init__(self, scop: OpenScop, parameters: Sequence[str]):
        self.scop = scop
        self.parameters = parameters

    def statement(self, statement: OpenScopStatement, name: str) -> DescribedStatement:
        domains, schedules = statement.of_kind("DOMAIN"), statement.of_kind("SCATTERING")
        if len(domains) != 1 or len(schedules) != 1:
            raise CompileError(
                "expected one DOMAIN and one SCATTERING of each statement", statement.span
            )
        domain = set_of(self.checked(domains[0], 0), self.parameters, name)
        depth = domain.dim(_Dim.set)
        return DescribedStatement(
            name,
            domain,
            map_of(self.checked(schedules[0], depth), self.parameters, name),
            tuple(
                self.access(relation, name, depth)
                for relation in statement.of_kind("READ", "WRITE", "MAY_WRITE")
            ),
        )

    def access(self, relation: Relation, name: str, depth: int) -> DescribedAccess:
        found = map_of(self.checked(relation, depth), self.parameters, name)
        number = found.plain_get_val_if_fixed(_Dim.out, 0) if found.dim(_Dim.out) else None
        if number is None or not number.is_int():
            raise CompileError("an access without the number of its array", relation.span)
        array = self.scop.arrays.get(number.to_python(), f"A{number}")
        found = found.project_out(_Dim.out, 0, 1).set_tuple_name(_Dim.out, array)
        return DescribedAccess(relation.kind != "READ", found, relation.kind == "MAY_WRITE")

    def checked(self, relation: Relation, inputs: int) -> tuple[Matrix, ...]:
        """The parts of the relation, with the dimensions that they should have."""
        if not relation.parts:
            raise CompileError("a relation without parts", relation.span)
        for part in relation.parts:
            if part.parameters != len(self.parameters):
                raise CompileError(
                    f"expected {len(self.parameters)} parameters, got {part.parameters}",
                    relation.span,
                )
            if part.inputs != inputs or part.outputs != relation.parts[0].outputs:
                raise CompileError("dimensions do not agree", relation.span)
        return relation.parts
