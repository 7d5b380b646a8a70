"""An array is an iteration's own where each read finds what the same iteration has written."""

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import affine, memref

from polyopt.passes.parallel.iteration_private import find_own

TEXT = """
func.func @f(%n : index, %c : i1, %A : memref<?xf64> {{llvm.noalias}},
             %B : memref<?xf64> {{llvm.noalias}}) {{
  %t = memref.alloca() : memref<8xf64>
  affine.for %i = 0 to %n {{
    %a = affine.load %A[%i] : memref<?xf64>
    {body}
  }}
  func.return
}}"""

WRITE = "affine.store %a, %t[{}] : memref<8xf64>"
WRITES = "affine.for %j = 0 to {} {{ affine.store %a, %t[%j] : memref<8xf64> }}"
READ = """%x = affine.load %t[{}] : memref<8xf64>
  affine.store %x, %B[%i] : memref<?xf64>"""
WRITE_0, READ_0 = WRITE.format(0), READ.format(0)
OWN = {
    "before": f"{WRITE_0} {READ_0}",
    "before, in the same arm": f"scf.if %c {{ {WRITE_0} {READ_0} }}",
    "before, around the arm": f"{WRITE_0} scf.if %c {{ {READ_0} }}",
    "by loops": f"{WRITES.format(8)} {READ.format(3)}",
}
NOT_OWN = {
    "behind": f"{READ_0} {WRITE_0}",
    "in an arm": f"scf.if %c {{ {WRITE_0} }} {READ_0}",
    "in another arm": f"scf.if %c {{ {WRITE_0} }} else {{ {READ_0} }}",
    "behind, in the same arm": f"scf.if %c {{ {READ_0} {WRITE_0} }}",
    "elsewhere": f"{WRITE_0} {READ.format(1)}",
    "by loops that leave out one": f"{WRITES.format(7)} {READ.format(7)}",
}


def is_own(body: str) -> bool:
    ops = list(parse_affine(TEXT.format(body=body)).walk())
    loop = next(op for op in ops if isinstance(op, affine.ForOp))
    (array,) = [op.memref for op in ops if isinstance(op, memref.AllocaOp)]
    found = find_own(loop)
    return found is not None and array in found.arrays


@pytest.mark.parametrize("body", OWN.values(), ids=OWN)
def test_written_before(body: str):
    assert is_own(body)


@pytest.mark.parametrize("body", NOT_OWN.values(), ids=NOT_OWN)
def test_not_written_before_in_all_iterations(body: str):
    assert not is_own(body)


ROOM = """
func.func @f(%n : index, %t : memref<8xf64>, %I : memref<?xindex> {{llvm.noalias}},
             %B : memref<?xf64> {{llvm.noalias}}) {{
  affine.for %i = 0 to %n {{
    %a = affine.load %B[%i] : memref<?xf64>
    affine.for %j = 0 to 8 {{ affine.store %a, %t[%j] : memref<8xf64> }}
    %k = affine.load %I[%i] : memref<?xindex>
    %x = {read}
    %y = affine.load %t[7] : memref<8xf64>
    %s = arith.addf %x, %y : f64
    affine.store %s, %B[%i] : memref<?xf64>
  }}
  func.return
}}"""


@pytest.mark.parametrize(
    ("read", "is_found"),
    [("affine.load %t[3] : memref<8xf64>", True), ("memref.load %t[%k] : memref<8xf64>", False)],
)
def test_room_that_is_read_where_data_say(read: str, is_found: bool):
    """What a read finds whose place is not known is not known to be the iteration's own."""
    loop = next(
        op for op in parse_affine(ROOM.format(read=read)).walk() if isinstance(op, affine.ForOp)
    )
    assert (find_own(loop) is not None) == is_found
