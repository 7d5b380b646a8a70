"""Where expressions are computed: as far outside as their names mean the same."""

from dataclasses import replace

import pytest
from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block

from polyopt.passes.codegen.loop_builder import INDEX, Site, build_loops
from polyopt.poly.loops.loop_tree import Branch, Compare, Const, Instance, Max, Name, Sum


def test_an_expression_leaves_the_loops_that_it_does_not_hang_on():
    outer = Block(arg_types=[INDEX])
    site = Site(outer, {"n": outer.args[0]}, frozenset())
    inner = site.inside(Block(arg_types=[INDEX]), "i")
    assert inner.of(Max((Name("n"), Const(0)))) is site
    assert inner.of(Max((Name("i"), Const(0)))) is inner


def test_names_that_are_given_inside_stay_there():
    """The parts of a partner have names in the loop over partners, and none outside."""
    outer = Block(arg_types=[INDEX, INDEX])
    site = Site(outer, {"n": outer.args[0]}, frozenset())
    branch = site.inside(Block())
    partner = replace(branch, names={**branch.names, "its": outer.args[1]})
    below = partner.inside(Block())
    assert below.of(Max((Name("its"), Const(0)))) is partner
    assert below.of(Max((Name("n"), Const(0)))) is site


def test_a_name_that_is_given_anew_means_what_it_does_inside():
    outer = Block(arg_types=[INDEX, INDEX])
    site = Site(outer, {"n": outer.args[0]}, frozenset())
    again = replace(site.inside(Block()), names={"n": outer.args[1]})
    assert again.of(Max((Name("n"), Const(0)))) is again


@pytest.mark.parametrize("number", [-(1 << 63) + 1, (1 << 63) - 3, -(1 << 62), 1 << 62])
def test_a_sum_that_may_wrap_is_not_made(number: int):
    """`n + number >= 0` is `n >= -number`."""
    outer = Block(arg_types=[INDEX])
    site = Site(outer, {"n": outer.args[0]}, frozenset())
    test = Compare(Sum((Name("n"), Const(number))))
    build_loops([Branch(test, (Instance("S", ()),), ())], site, lambda node, site: None)
    constant, comparison, branch = outer.ops
    assert isinstance(constant, arith.ConstantOp)
    assert constant.value == IntegerAttr(-number, INDEX)
    assert isinstance(comparison, arith.CmpiOp)
    assert (comparison.lhs, comparison.rhs) == (outer.args[0], constant.result)
    assert isinstance(branch, scf.IfOp)


def test_another_one_is_a_set():
    outer = Block(arg_types=[INDEX])
    site = Site(outer, {"n": outer.args[0]}, frozenset())
    test = Compare(Sum((Name("n"), Const(-(1 << 40)))))
    build_loops([Branch(test, (Instance("S", ()),), ())], site, lambda node, site: None)
    assert isinstance(outer.first_op, affine.IfOp)
