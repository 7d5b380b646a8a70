"""Loops of transformed nests: the paper's figures 7 to 11, then random nests by execution."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import islpy as isl
import pytest
from oracles.polyhedral import coordinates

from polyopt.poly.linear.lattice import Matrix, apply, determinant
from polyopt.poly.loops.expressions import evaluate, holds
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.loops.loop_tree import Branch, Instance, Loop, Node
from polyopt.poly.matrix.bounds import transformed_loops

# Figure 7: DO I=1,3  DO J=1,3  A(I, 2*J) = J
FIGURE_7 = isl.BasicSet("{ S[i, j] : 1 <= i <= 3 and 1 <= j <= 3 }")

# Each: the matrix, then the bounds and the iteration that the figure writes (figure 10 has the
# subscript right and a factor 2 too many in the value).
FIGURES: dict[str, tuple[Matrix, str, str, str]] = {
    "7-original": (((1, 0), (0, 1)), "u = 1; u < 4; u++", "v = 1; v < 4; v++", "S(u, v)"),
    "8-scaled": (
        ((1, 0), (0, 2)),
        "u = 1; u < 4; u++",
        "v = 2; v < 7; v += 2",
        "S(u, floord(v, 2))",
    ),
    "9-interchanged": (((0, 1), (1, 0)), "u = 1; u < 4; u++", "v = 1; v < 4; v++", "S(v, u)"),
    "10-skewed": (
        ((1, 0), (1, 1)),
        "u = 1; u < 4; u++",
        "v = u + 1; v < u + 4; v++",
        "S(u, -u + v)",
    ),
    "11-reversed": (((1, 0), (0, -1)), "u = 1; u < 4; u++", "v = -3; v < 0; v++", "S(u, -v)"),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_the_paper(name: str):
    matrix, outer, inner, instance = FIGURES[name]
    text = loop_text([transformed_loops(FIGURE_7, matrix, ("u", "v"))])
    assert text == f"for ({outer})\n  for ({inner})\n    {instance};\n"


def run(node: Node, values: dict[str, int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """(the loops' values, the iteration) for each iteration, in order; `values` begins with the
    parameters, in capital letters."""
    match node:
        case Instance(_, arguments):
            times = tuple(value for name, value in values.items() if name.islower())
            yield times, tuple(evaluate(one, values) for one in arguments)
        case Branch(condition, then, _):
            if holds(condition, values):
                for child in then:
                    yield from run(child, values)
        case Loop():
            for value in range(
                evaluate(node.lower, values), evaluate(node.upper, values), node.step
            ):
                for child in node.body:
                    yield from run(child, values | {node.iterator: value})


def check(iterations: isl.BasicSet, matrix: Matrix, values: dict[str, int]) -> None:
    """Each iteration runs once, at the time the matrix says, in the order of time."""
    names = tuple(f"t{k}" for k in range(len(matrix)))
    ran = list(run(transformed_loops(iterations, matrix, names), values))
    assert all(apply(matrix, x) == y for y, x in ran)
    assert all(one < other for (one, _), (other, _) in pairwise(ran))
    expected = coordinates(isl.Set.from_basic_set(iterations), values)
    assert sorted(x for _, x in ran) == sorted(expected)


SHAPES = {
    "square": "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }",
    "triangle": "[N] -> { S[i, j] : 0 <= i < N and i <= j < N }",
    "band": "[N] -> { S[i, j] : 0 <= i < N and -2 <= 2i - 3j <= 4 }",
    "line": "[N] -> { S[i, j] : 0 <= i < N and 2j = i }",
    "cube": "[N] -> { S[i, j, k] : 0 <= i < N and 0 <= j <= i and j <= k < N }",
    "guarded": "[N] -> { S[i, j] : 0 <= i < 3 and 0 <= j < 3 and N >= 4 }",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_random_matrices_by_execution(shape: str):
    iterations = isl.BasicSet(SHAPES[shape])
    depth, random, done = iterations.dim(isl.dim_type.set), Random(shape), 0
    while done < 12:
        matrix = tuple(tuple(random.randint(-2, 3) for _ in range(depth)) for _ in range(depth))
        if determinant(matrix):
            check(iterations, matrix, {"N": random.choice([0, 1, 4, 5])})
            done += 1


def test_steps_are_the_diagonal_of_the_hermite_form():
    """(1 1; 1 -1) has determinant -2: every other point of each row."""
    square = isl.BasicSet(SHAPES["square"])
    loop = transformed_loops(square, ((1, 1), (1, -1)), ("u", "v"))
    assert isinstance(loop, Loop)
    inner = loop.body[0]
    assert isinstance(inner, Loop)
    assert (loop.step, inner.step) == (1, 2)


@pytest.mark.parametrize(
    ("text", "matrix", "message"),
    [
        ("{ S[i] : 0 <= i < 9 and i mod 2 = 0 }", ((1,),), "not linear"),
        ("{ S[i, j] : 0 <= i < 9 and j >= 0 }", ((1, 0), (0, 1)), "not bounded"),
        ("{ S[i, j] : 0 <= i, j < 9 }", ((1, 2), (2, 4)), "singular"),
        ("{ S[i, j] : 0 <= i, j < 9 }", ((1,),), "as many loops"),
    ],
)
def test_what_is_no_nest_or_no_transformation(text: str, matrix: Matrix, message: str):
    with pytest.raises(ValueError, match=message):
        transformed_loops(isl.BasicSet(text), matrix, tuple("uv"[: len(matrix)]))
