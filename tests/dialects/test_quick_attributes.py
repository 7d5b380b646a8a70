"""What is made the shorter way is what xDSL makes, and refused where xDSL refuses it. That is for a
whole process, so one is asked, each question again and again."""

import subprocess
import sys

QUESTIONS = """
from xdsl.dialects.builtin import (
    ArrayAttr, BoolAttr, IndexType, IntAttr, IntegerAttr, IntegerType, Signedness, VectorType,
    f32, f64, i1, i8, i32, i64,
)
from polyopt.dialects.quick_attributes import quicken_attributes

def truth(value):
    return BoolAttr(value, i1)

MAKERS = {
    "vectors": lambda: [VectorType(f64, [8]), VectorType(f32, [8]), VectorType(f64, (8,)),
                        VectorType(f64, [2, 4]), VectorType(f64, [4, 2]), VectorType(f64, [])],
    "of what comes once": lambda: [VectorType(f64, iter([8])),
                        VectorType(f64, ArrayAttr([IntAttr(8)]))],
    "scalable": lambda: [VectorType(f64, [8], ArrayAttr([truth(True)])), VectorType(f64, [8])],
    "truths in place of numbers": lambda: [VectorType(f64, [True]), VectorType(f64, [1])],
    "numbers": lambda: [IntegerAttr(1, i32), IntegerAttr(1, i64), IntegerAttr(1, IndexType()),
                        IntegerAttr(-1, i8), IntegerAttr(255, i8), IntegerAttr(IntAttr(7), i8)],
    "truths": lambda: [truth(True), truth(False), IntegerAttr(1, i1), IntegerAttr(0, i1),
                       IntegerAttr(-1, i1), IntegerAttr(True, i32), IntegerAttr(1, 32)],
    "cut": lambda: [IntegerAttr(300, i8, truncate_bits=True), IntegerAttr(44, i8)],
    "types": lambda: [IntegerType(8), IntegerType(8, Signedness.UNSIGNED), IntegerType(IntAttr(8)),
                      IntegerType(True), IntegerType(1)],
    "too large": lambda: [IntegerAttr(300, i8)],
    "of no integers": lambda: [IntegerAttr(3, f64)],
    "negative extents": lambda: [VectorType(f64, [-8])],
    "negative widths": lambda: [IntegerType(-3)],
}

def asked():
    said = []
    for name, make in MAKERS.items():
        for _ in range(3):
            try:
                made = make()
            except Exception as error:
                said.append((name, type(error).__name__, str(error)))
                continue
            said.append((name, [(str(one), hash(one), one.parameters, repr(one)) for one in made]))
            said.append([[one == other for other in made] for one in made])
    return said

before = asked()
quicken_attributes()
after = asked()
assert before == after, [(a, b) for a, b in zip(before, after) if a != b]
assert VectorType(f64, [8]).shape is VectorType(f64, [8]).shape
quicken_attributes()
assert asked() == before
print("as before")
"""


def test_attributes_are_as_before() -> None:
    said = subprocess.run(
        [sys.executable, "-c", QUESTIONS], capture_output=True, text=True, check=False
    )
    assert said.stdout.strip() == "as before", said.stderr
