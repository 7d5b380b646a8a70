"""What a step is done to: the tree as the steps before have left it, and words looked up in it."""

from __future__ import annotations

import islpy as isl

from polyopt.poly.schedule_tree import Tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.names import Names
from polyopt.poly.transform.places import CannotTransform, Path
from polyopt.poly.transform.script import Word
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record
class Site:
    """Where a step is done: the tree that it changes, and the names that hold there."""

    scop: Scop
    tree: Tree
    names: Names
    pairs: isl.UnionMap
    """The dependences, for steps that choose among several orders."""

    def loop(self, word: Word) -> Path:
        """The path of the loop; CompileError at the word if there is none."""
        statement, loop, part = word.address
        assert loop is not None
        try:
            return self.names.loop(statement, loop, part)
        except CannotTransform as error:
            raise CompileError(error.reason, word.span, error.hint) from None

    @property
    def runs(self) -> isl.UnionSet:
        """The instances that there are."""
        return self.scop.domain.intersect_params(self.scop.known)

    def leaf(self, word: Word) -> Path:
        """The path of the statement's leaf."""
        statement, _, part = word.address
        try:
            return self.names.part(statement, part).path
        except CannotTransform as error:
            raise CompileError(error.reason, word.span, error.hint) from None

    def siblings(self, words: tuple[Word, ...]) -> list[Path]:
        """The paths of children of one sequence: loops as they are named; for a statement the
        child that it is in, where these part."""
        paths = [self.loop(word) if word.kind == "L" else self.leaf(word) for word in words]
        depth = _common_depth(paths)
        return [
            path if word.kind == "L" else path[: depth + 1]
            for word, path in zip(words, paths, strict=True)
        ]


def _common_depth(paths: list[Path]) -> int:
    """How long the paths are one."""
    depth = 0
    while all(len(path) > depth and path[depth] == paths[0][depth] for path in paths):
        depth += 1
    return depth
