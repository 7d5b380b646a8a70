"""isl's sets and relations as OpenScop's matrices, and back."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyopt.poly.exchange.openscop import Matrix
from polyopt.poly.isl.lists import basic_maps
from polyopt.poly.isl.names import apart

_Dim = isl.dim_type


def matrices_of_map(relation: isl.Map, parameters: isl.Space) -> tuple[Matrix, ...]:
    """One for each basic relation; the columns of parameters are those of `parameters`."""
    relation = relation.align_params(parameters)
    return tuple(_matrix(part) for part in basic_maps(relation)) or (_nothing(relation),)


def matrices_of_set(value: isl.Set, parameters: isl.Space) -> tuple[Matrix, ...]:
    """As a relation from nothing: the dimensions are output."""
    return matrices_of_map(isl.Map.from_range(value), parameters)


def _matrix(part: isl.BasicMap) -> Matrix:
    order = (_Dim.out, _Dim.in_, _Dim.div, _Dim.param, _Dim.cst)
    equalities, inequalities = part.equalities_matrix(*order), part.inequalities_matrix(*order)
    equations = sorted(map(_solved, _numbers(equalities)), key=_first_column)
    rows = [(0, *row) for row in equations] + [(1, *row) for row in _numbers(inequalities)]
    outputs, inputs, existential, parameters = (part.dim(kind) for kind in order[:4])
    return Matrix(tuple(rows), outputs, inputs, existential, parameters)


def _nothing(relation: isl.Map) -> Matrix:
    """The empty relation: 1 = 0."""
    counts = [relation.dim(kind) for kind in (_Dim.out, _Dim.in_, _Dim.param)]
    outputs, inputs, parameters = counts
    return Matrix(((0,) * (sum(counts) + 1) + (1,),), outputs, inputs, 0, parameters)


def _numbers(matrix: isl.Mat) -> list[list[int]]:
    return [
        [matrix.get_element_val(k, column).to_python() for column in range(matrix.cols())]
        for k in range(matrix.rows())
    ]


def _solved(row: list[int]) -> list[int]:
    """An equation as Clan has it: -1 for the dimension that it says something of."""
    return row if row[_first_column(row)] < 0 else [-number for number in row]


def _first_column(row: list[int]) -> int:
    return next((column for column, number in enumerate(row) if number), 0)


def set_of(parts: Sequence[Matrix], parameters: Sequence[str], name: str) -> isl.Set:
    """{ name[outputs] }"""
    texts = [
        f"{name}[{_outputs(part, parameters)}] : {_condition(part, parameters)}" for part in parts
    ]
    return isl.Set(f"[{', '.join(parameters)}] -> {{ {'; '.join(texts)} }}")


def parameter_set_of(parts: Sequence[Matrix], parameters: Sequence[str]) -> isl.Set:
    texts = [f": {_condition(part, parameters)}" for part in parts]
    return isl.Set(f"[{', '.join(parameters)}] -> {{ {'; '.join(texts)} }}")


def map_of(parts: Sequence[Matrix], parameters: Sequence[str], name: str) -> isl.Map:
    """{ name[inputs] -> [outputs] }"""
    texts = [
        f"{name}[{_inputs(part, parameters)}] -> [{_outputs(part, parameters)}]"
        f" : {_condition(part, parameters)}"
        for part in parts
    ]
    return isl.Map(f"[{', '.join(parameters)}] -> {{ {'; '.join(texts)} }}")


def _outputs(part: Matrix, parameters: Sequence[str]) -> str:
    return ", ".join(apart("o", part.outputs, parameters))


def _inputs(part: Matrix, parameters: Sequence[str]) -> str:
    return ", ".join(apart("i", part.inputs, parameters))


def _condition(part: Matrix, parameters: Sequence[str]) -> str:
    local = apart("e", part.locals, parameters)
    names = [
        *apart("o", part.outputs, parameters),
        *apart("i", part.inputs, parameters),
        *local,
        *parameters,
    ]
    rows = [_constraint(row, names) for row in part.rows]
    condition = " and ".join(rows) or "true"
    return f"exists ({', '.join(local)} : {condition})" if local else condition


def _constraint(row: Sequence[int], names: Sequence[str]) -> str:
    terms = [f"{factor} * {name}" for factor, name in zip(row[1:], names, strict=False) if factor]
    relation = "=" if row[0] == 0 else ">="
    return f"{' + '.join([*terms, str(row[-1])])} {relation} 0"
