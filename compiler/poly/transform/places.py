"""Places in a schedule tree, and how what stands there is replaced.

The transformations work on trees in which every band has one member, its marks right above it:
that is a loop. `single_loops` makes any tree one of these; the order is the same. A path leads
from the root to a node, one number for each step: 0 from a loop into its body, k from a sequence
to its child k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import islpy as isl

from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Sequence, Tree
from polyopt.support.record import record

Path = tuple[int, ...]
Child = tuple[isl.UnionSet, Tree]


class CannotTransform(Exception):
    """The tree does not have the shape that a transformation needs; `hint` says what to do."""

    def __init__(self, reason: str, hint: str | None = None):
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


@record(eq=False)
class SingleLoop:
    """A band of one member with the marks that hold for it."""

    member: Member
    body: Tree
    marks: tuple[str, ...] = ()

    @property
    def function(self) -> isl.UnionPwAff:
        return self.member.function

    def tree(self) -> Tree:
        return self.marked(Band((self.member,), self.body))

    def marked(self, band: Tree) -> Tree:
        """`band` below the marks of the loop."""
        for name in reversed(self.marks):
            band = Mark(name, band)
        return band

    def counting(self, function: isl.UnionPwAff) -> SingleLoop:
        """The loop with another function: what was known of its dependences is forgotten."""
        return replace(self, member=Member(function))


def single_loops(tree: Tree) -> Tree:
    """The same order in bands of one member. A mark of a band holds for each of its members; one
    that stands above no band holds for nothing and goes. A set becomes a sequence."""
    return _single_loops(tree, ())


def _single_loops(tree: Tree, marks: tuple[str, ...]) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(name, child):
            return _single_loops(child, (*marks, name))
        case Sequence(children):
            return sequence(tuple((one, _single_loops(child, ())) for one, child in children))
        case Band(members, child):
            body = _single_loops(child, ())
            for member in reversed(members):
                body = SingleLoop(member, body, marks).tree()
            return body


def without_mark(tree: Tree, name: str) -> Tree:
    """The tree of single loops with the mark on none of them."""
    loop = as_loop(tree)
    if loop is not None:
        marks = tuple(mark for mark in loop.marks if mark != name)
        return replace(loop, marks=marks, body=without_mark(loop.body, name)).tree()
    if isinstance(tree, Sequence):
        children = tuple((one, without_mark(child, name)) for one, child in tree.children)
        return replace(tree, children=children)
    return tree


def as_loop(tree: Tree) -> SingleLoop | None:
    """The loop that stands at the root of a tree of single loops, if one does."""
    marks = list[str]()
    while isinstance(tree, Mark):
        marks.append(tree.name)
        tree = tree.child
    if not isinstance(tree, Band):
        return None
    assert len(tree.members) == 1, "a tree of single loops"
    return SingleLoop(tree.members[0], tree.child, tuple(marks))


def node_at(tree: Tree, path: Path) -> Tree:
    for step in path:
        loop = as_loop(tree)
        if loop is not None:
            tree = loop.body
        else:
            assert isinstance(tree, Sequence)
            tree = tree.children[step][1]
    return tree


def loop_at(tree: Tree, path: Path) -> SingleLoop:
    loop = as_loop(node_at(tree, path))
    assert loop is not None, "a path to a loop"
    return loop


def sequence_at(tree: Tree, path: Path) -> Sequence:
    node = node_at(tree, path)
    assert isinstance(node, Sequence), "a path to a sequence"
    return node


def replace_at(tree: Tree, path: Path, change: Callable[[Tree], Tree]) -> Tree:
    """The tree with the node at `path` replaced by `change` of it."""
    if not path:
        return change(tree)
    step, *rest = path
    loop = as_loop(tree)
    if loop is not None:
        return replace(loop, body=replace_at(loop.body, tuple(rest), change)).tree()
    assert isinstance(tree, Sequence)
    children = list(tree.children)
    instances, child = children[step]
    children[step] = instances, replace_at(child, tuple(rest), change)
    return sequence(tuple(children))


def replace_loop(tree: Tree, path: Path, change: Callable[[SingleLoop], Tree]) -> Tree:
    """As `replace_at`, for a path to a loop."""

    def change_loop(node: Tree) -> Tree:
        loop = as_loop(node)
        assert loop is not None, "a path to a loop"
        return change(loop)

    return replace_at(tree, path, change_loop)


def sequence(children: tuple[Child, ...]) -> Tree:
    """The children one after another: those of a sequence among them in its place, a single one
    by itself."""
    flat = list[Child]()
    for instances, child in children:
        if isinstance(child, Sequence):
            flat += [(instances.intersect(one), inner) for one, inner in child.children]
        else:
            flat.append((instances, child))
    return flat[0][1] if len(flat) == 1 else Sequence(tuple(flat))


def loops_on(tree: Tree, path: Path) -> Iterator[tuple[Path, SingleLoop]]:
    """The loops strictly above the node at `path`, outermost first."""
    for depth in range(len(path)):
        loop = as_loop(node_at(tree, path[:depth]))
        if loop is not None:
            yield path[:depth], loop


def instances_at(tree: Tree, path: Path, domain: isl.UnionSet) -> isl.UnionSet:
    """The instances of `domain` that run below the node at `path`."""
    for depth, step in enumerate(path):
        node = node_at(tree, path[:depth])
        if isinstance(node, Sequence):
            domain = domain.intersect(node.children[step][0])
    return domain


def union_of(children: tuple[Child, ...]) -> isl.UnionSet:
    """The instances of all of them."""
    (result, _), *rest = children
    for instances, _ in rest:
        result = result.union(instances)
    return result
