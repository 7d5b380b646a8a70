"""The matrix scheduler: each loop nest in the order that one non-singular matrix says.

`matrix` is its text, rows separated by semicolons: "0,1;1,0" interchanges two loops, "1,0;1,1"
skews, "1,0;0,-1" reverses. Fewer rows than columns are completed within the dependences, so
"2,-3" may give a nest whose outer loop is parallel. It is applied to every nest of as many loops
as it has columns; where a dependence forbids that, the nest keeps its order and a remark says
which vector. "auto" chooses for each nest the order that walks along cache lines, and distributes
the loops around imperfect nests where only that lets it.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyopt.poly.changes.components import distribute
from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.budget import budget
from polyopt.poly.linear.dependence_vectors import vector_text
from polyopt.poly.linear.lattice import Matrix, rank
from polyopt.poly.matrix.legality import complete, first_reversed
from polyopt.poly.matrix.locality import choose_matrix
from polyopt.poly.matrix.nests import MatrixNest, transform_nests
from polyopt.poly.schedule_tree import (
    Sequence,
    Tree,
    UnsupportedTree,
    build_schedule,
    read_tree,
)
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark
from polyopt.support.target import Target

AUTO = "auto"


def schedule_with_matrix(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """The SCoP's own schedule with its nests transformed."""
    given = None if options.matrix == AUTO else parse_matrix(options.matrix)
    try:
        tree = read_tree(scop.schedule)
    except UnsupportedTree:
        return scop.schedule
    pairs = dependences.validity
    with budget("dependence vectors", options.operations):
        if given is None:
            line_bytes = Target.named(options.march).line_bytes
            tree = _for_locality(scop, tree, pairs, line_bytes)
        else:
            tree = transform_nests(tree, pairs, lambda nest: _apply_given(scop, nest, given))
        return build_schedule(scop.schedule.get_domain(), tree)


def parse_matrix(text: str) -> Matrix:
    """The rows of "a,b;c,d". Raises CompileError if these are no linearly independent rows of
    integers of one length."""
    try:
        rows = tuple(tuple(int(entry) for entry in row.split(",")) for row in text.split(";"))
    except ValueError:
        raise CompileError(
            f"no matrix: {text!r}", hint='rows of integers, such as matrix="0,1;1,0", or auto'
        ) from None
    if len({len(row) for row in rows}) != 1:
        raise CompileError(f"the rows of the matrix {text!r} differ in length")
    if rank(rows) < len(rows):
        raise CompileError(f"the rows of the matrix {text!r} are linearly dependent")
    return rows


def _for_locality(scop: Scop, tree: Tree, pairs: isl.UnionMap, line_bytes: int) -> Tree:
    """Each outermost loop with its nests in the best order: as it stands or, if a statement then
    runs in a better order that had none, distributed."""
    if isinstance(tree, Sequence):
        parts = list[tuple[isl.UnionSet, Tree]]()
        for one, child in tree.children:
            within = pairs.intersect_domain(one).intersect_range(one)
            parts.append((one, _for_locality(scop, child, within, line_bytes)))
        return replace(tree, children=tuple(parts))

    improved = set[str]()

    def change(nest: MatrixNest) -> Matrix | None:
        matrix = choose_matrix(scop, nest, line_bytes)
        if matrix is not None:
            improved.update(nest.statements)
        return matrix

    as_it_stands = transform_nests(tree, pairs, change)
    before = frozenset(improved)
    cut = transform_nests(distribute(tree, pairs), pairs, change)
    return cut if improved > before else as_it_stands


def _apply_given(scop: Scop, nest: MatrixNest, rows: Matrix) -> Matrix | None:
    if nest.depth != len(rows[0]):
        return None
    culprit = first_reversed(rows, nest.vectors)
    if culprit is not None:
        span = scop.span
        reason = f"matrix refused: it reverses the dependence {vector_text(culprit)}"
        remark("missed", "illegal-matrix", reason, span)
        return None
    return complete(rows, nest.vectors, nest.depth)
