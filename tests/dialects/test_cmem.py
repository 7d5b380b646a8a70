"""What `cmem` refuses, beyond what its text can say."""

import pytest
from xdsl.dialects.builtin import MemRefType, f32, f64
from xdsl.dialects.memref import AllocaOp
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.cmem import DistinctObjectsOp


def test_an_object_that_is_told_from_others_keeps_its_type() -> None:
    objects = [AllocaOp.get(element, shape=[4]) for element in (f64, f32)]
    op = DistinctObjectsOp(objects)
    op.verify()
    (first, second) = op.res.types
    assert (first, second) == (MemRefType(f64, [4]), MemRefType(f32, [4]))
    wrong = DistinctObjectsOp.build(operands=[objects], result_types=[[second, first]])
    with pytest.raises(VerifyException, match="type of its operand"):
        wrong.verify()
