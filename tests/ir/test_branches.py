"""Edges of one branch are what they are, whichever of them is led elsewhere first."""

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func
from xdsl.ir import Block
from xdsl.parser import Parser

from polyopt.ir.branches import Edge, outgoing

SWITCH = """
func.func @f(%x: i32, %a: i32, %b: i32) {
  cf.switch %x : i32, [default: ^one(%a : i32), 1: ^two(%b, %a : i32, i32), 2: ^one(%b : i32)]
^one(%p: i32):
  cf.cond_br %c, ^one(%p : i32), ^two(%p, %p : i32, i32)
^two(%q: i32, %r: i32):
  func.return
}
""".replace("  cf.switch", "  %c = arith.constant true\n  cf.switch")


def blocks() -> tuple[builtin.ModuleOp, list[Block]]:
    context = Context()
    for dialect in (arith.Arith, builtin.Builtin, cf.Cf, func.Func):
        context.load_dialect(dialect)
    module = Parser(context, SWITCH).parse_module()
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    return module, list(function.body.blocks)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
@pytest.mark.parametrize("source", [0, 1])
def test_edges_found_before_are_redirected_one_after_the_other(source: int, order: tuple[int, ...]):
    module, found = blocks()
    (entry, one, two), body = found, found[0].parent
    assert body is not None
    edges = list(outgoing(found[source]))
    values = [list(edge.values) for edge in edges]
    middles: dict[Edge, Block] = {}
    for place in (place for place in order if place < len(edges)):
        edge = edges[place]
        middle = middles[edge] = Block(arg_types=[value.type for value in edge.values])
        middle.add_op(cf.BranchOp(edge.target, *middle.args))
        body.insert_block_after(middle, two)
        edge.redirect(middle, edge.values)
    module.verify()
    assert [edge.target for edge in edges] == [middles[edge] for edge in edges]
    assert [list(edge.values) for edge in edges] == values
    for block, uses in ((one, 2 - source), (two, 1)):
        assert sum(use.operation.parent in middles.values() for use in block.uses) == uses
    assert entry.last_op is edges[0].terminator or source == 1


def test_what_is_said_of_a_branch_goes_with_its_target():
    _, (entry, one, two) = blocks()
    branch = one.last_op
    assert branch is not None
    branch.attributes["said"] = builtin.UnitAttr()
    again, onward = outgoing(one)
    again.redirect(one, [entry.args[1]])
    assert "said" in branch.attributes
    onward.redirect(one, [entry.args[2]])
    assert "said" not in branch.attributes
    assert not [use for use in two.uses if use.operation is branch]
