"""Loops that small parameters end: how long they are at most, and a version for just that."""

import islpy as isl

from polyopt.poly.loops.expressions import add
from polyopt.poly.loops.limited_loops import small_parameters, with_limits
from polyopt.poly.loops.loop_tree import Branch, Const, Instance, Loop, Min, Name, Node


def test_parameters_that_are_never_great():
    known = isl.Set("[n, m, k, p] -> { : n <= 8 and m <= n + 5 and k <= 14 and p >= 0 }")
    assert small_parameters(known, 13) == {"n": 8, "m": 13}
    assert small_parameters(known, 8) == {"n": 8}


def loop(iterator: str, upper: Name, body: Node) -> Loop:
    return Loop(iterator, Const(0), upper, 1, (body,))


def square(size: str) -> Loop:
    work = Instance("S", (Name("i"), Name("j")))
    return loop("i", Name(size), loop("j", Name(size), work))


def uppers(node: Node) -> list[object]:
    if not isinstance(node, Loop):
        return []
    return [node.upper, *(one for inner in node.body for one in uppers(inner))]


def test_bounds_show_how_long_a_loop_is_at_most():
    work = Instance("S", (Name("i"),))
    [found] = with_limits([loop("i", Name("n"), work)], {"n": 13})
    assert uppers(found) == [Min((Name("n"), Const(13)))]


def test_a_small_square_is_there_for_its_whole_size_too():
    [found] = with_limits([square("n")], {"n": 8, "other": 2})
    assert isinstance(found, Branch)
    assert uppers(found.then[0]) == [Const(8)] * 2
    assert uppers(found.orelse[0]) == [Min((Name("n"), Const(8)))] * 2


def test_one_loop_alone_needs_no_version():
    work = Instance("S", (Name("i"), Name("j")))
    [found] = with_limits([loop("i", Name("n"), loop("j", Name("m"), work))], {"n": 8})
    assert uppers(found) == [Min((Name("n"), Const(8))), Name("m")]


def test_other_bounds_stay():
    tile = Loop("i", Const(0), add(Name("t"), Name("n")), 1, ())
    assert with_limits([tile], {"n": 20}) == (tile,)
    assert with_limits([square("n")], {}) == (square("n"),)
