"""Operations inside of others are those of the walk."""

from __future__ import annotations

import random

from xdsl.dialects import test
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
