"""poly-localize: tiles work on copies of what they touch."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, problems_in, read_problem
from polyopt.passes.schedule.apply_steps import accept, scop_of
from polyopt.poly.schedule_tree import TILE, Sequence, Tree, UnsupportedTree, read_tree
from polyopt.poly.transform.by_hand import dependences_after, finished
from polyopt.poly.transform.localizing import LIMIT, OPERATIONS, Localized, localize
from polyopt.poly.transform.names import Names
from polyopt.poly.transform.places import CannotTransform, Path, as_loop, single_loops
from polyopt.poly.transform.script import Word, parse_script
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import record
from polyopt.support.remarks import remark

AT_TILES = "tile"


@record
class PolyLocalizePass(ModulePass):
    """Copy what a tile touches of `arrays` (of all that can be, where none is named) into buffers:
    before it what it reads and does not make itself, after it what it has written, element by
    element and each once (`poly/transform/localizing.py`). Accesses in the tile go to the buffer,
    at places relative to the tile.

    `at`: the body of the innermost of the loops over tiles, for each nest of them; or of a loop, as
    scripts name it (`S0.j_tile`, `S0.i`). Elements that cost more than `operations` to tell exactly
    are copied as the box around them. A buffer of known size takes at most `limit` bytes; where
    parameters decide, the SCoP is there twice, and works on buffers when all of them together take
    no more than that for each.

    Ensures: every read of a buffer finds what its own tile has put there, which is checked on the
    dataflow of the new SCoP; the copies are statements, and dependences are those of the SCoP that
    has them. What cannot be done is an error where `scop` or `arrays` are named, else a remark.

        for i_tile, for i { B[i] += A[i - 1] + A[i] }
      =>
        for i_tile { for a { L[a - i_tile + 1] = A[a] }
                     for i { B[i] += L[i - i_tile] + L[i - i_tile + 1] } }
    """

    name = "poly-localize"

    arrays: tuple[str, ...] = ()
    at: str = AT_TILES
    operations: int = OPERATIONS
    limit: int = LIMIT
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.operations < 1 or self.limit < 1:
            raise CompileError(f"{self.name}: operations and limit are positive")
        for problem in self._problems(op):
            try:
                with problem.effort():
                    self._localize(problem)
            except CompileError as error:
                if self.scop is not None or self.arrays or self.at != AT_TILES:
                    raise
                remark("missed", "not-localized", error.diagnostic.message, problem.span)

    def _problems(self, op: ModuleOp) -> list[Problem]:
        if self.scop is not None:
            name = parse_script(f"scop {self.scop}", f"<{self.name}>").sections[0].scop
            return [read_problem(scop_of(op, name))]
        if self.at != AT_TILES:
            return [read_problem(scop_of(op, None))]
        return list(problems_in(op))

    def _localize(self, problem: Problem) -> None:
        if not problem.is_understood:
            raise CompileError("the dependences of this SCoP cost too much", problem.span)
        scop, dependences = problem.scop, problem.dependences
        try:
            tree = single_loops(read_tree(scop.schedule))
            places = self._places(problem, tree)
            edits = list[Localized]()
            for k in range(len(places)):
                place = self._places(problem, tree)[k] if edits else places[k]
                made = localize(scop, tree, place, self.arrays, self.operations, self.limit)
                dependences = dependences_after(made, dependences, problem.span)
                scop, tree = made.scop, made.tree
                edits.append(made)
        except UnsupportedTree as error:
            raise CompileError(f"no copies for tiles: {error}", problem.span) from None
        except CannotTransform as error:
            message = f"no copies for tiles: {error.reason}"
            raise CompileError(message, problem.span, error.hint) from None
        accept(problem, finished(scop, dependences, tree, tuple(edits)))

    def _places(self, problem: Problem, tree: Tree) -> list[Path]:
        if self.at == AT_TILES:
            found = list(_tile_loops(tree, ()))
            if not found:
                raise CannotTransform("there are no loops over tiles", "poly-tile makes some")
            return found
        word = Word(self.at, problem.span or Span(f"<{self.name}>", 1))
        if word.kind != "L":
            raise CompileError(f"{self.name}: at is 'tile' or a loop such as S0.i, not '{self.at}'")
        statement, loop, part = word.address
        return [Names.of(problem.scop, tree).loop(statement, loop or "", part)]


def _tile_loops(tree: Tree, path: Path) -> Iterator[Path]:
    """The innermost of each nest of loops over tiles that stand right inside each other."""
    loop = as_loop(tree)
    if loop is not None:
        inner = as_loop(loop.body)
        if TILE in loop.marks and not (inner is not None and TILE in inner.marks):
            yield path
        else:
            yield from _tile_loops(loop.body, (*path, 0))
    elif isinstance(tree, Sequence):
        for k, (_, child) in enumerate(tree.children):
            yield from _tile_loops(child, (*path, k))
