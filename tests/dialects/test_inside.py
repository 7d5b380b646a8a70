"""Operations inside of others are those of the walk."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from xdsl.dialects import scf, test
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region

from polyopt.dialects.inside import operations_in


def random_operation(draw: random.Random, depth: int) -> Operation:
    kind = draw.choice((test.TestOp, test.TestPureOp))
    regions = [
        Region([Block([random_operation(draw, depth - 1) for _ in range(draw.randint(0, 3))])])
        for _ in range(draw.randint(0, 2) if depth else 0)
    ]
    return kind.create(regions=regions)


def test_as_by_walking() -> None:
    draw = random.Random(7)
    for _ in range(20):
        module = ModuleOp([random_operation(draw, 4) for _ in range(3)])
        for kinds in ((test.TestOp,), (test.TestPureOp, ModuleOp), (FuncOp,)):
            walked = [op for op in module.walk() if isinstance(op, kinds)]
            assert operations_in(module, *kinds) == walked
        assert operations_in(module, Operation) == list(module.walk())


def test_classes_that_inherit() -> None:
    class Special(test.TestOp):
        pass

    module = ModuleOp([Special.create(), test.TestOp.create()])
    assert len(operations_in(module, test.TestOp)) == 2
    assert len(operations_in(module, Special)) == 1


def test_what_has_regions_is_found_wherever_it_comes_from() -> None:
    """A region that was flat, and is asked again after each way to put something into it."""
    if_op = partial(scf.IfOp.create, operands=[], result_types=[])

    def nested() -> scf.IfOp:
        return if_op(regions=[Region(Block()), Region()])

    def known_to_be_flat() -> tuple[ModuleOp, FuncOp]:
        function = FuncOp("f", ((), ()))
        function.body.block.add_op(test.TestOp.create())
        module = ModuleOp([function])
        assert operations_in(module, scf.IfOp) == []
        return module, function

    def put_in_front(function: FuncOp) -> None:
        first = function.body.block.first_op
        assert first is not None
        function.body.block.insert_op_before(nested(), first)

    def put_late(function: FuncOp) -> None:
        first = function.body.block.first_op
        assert first is not None
        first.add_region(Region(Block([nested()])))

    ways: list[Callable[[FuncOp], object]] = [
        lambda function: function.body.block.add_op(nested()),
        put_in_front,
        lambda function: function.body.add_block(Block([nested()])),
        lambda function: Region(Block([nested()])).move_blocks(function.body),
        lambda function: Region(Block([nested()])).move_blocks_before(function.body.block),
        put_late,
        lambda function: function.body.insert_block(Block([nested()]), 0),
    ]
    for way in ways:
        module, function = known_to_be_flat()
        way(function)
        assert len(operations_in(module, scf.IfOp)) == 1, way
    module, function = known_to_be_flat()
    block = function.body.detach_block(0)
    block.add_op(nested())
    function.body.add_block(block)
    assert len(operations_in(module, scf.IfOp)) == 1
    assert operations_in(module, test.TestOp) == [block.first_op]
