"""What operations touch: which memref, where as far as that is affine, and whether they write."""

import pytest
from oracles.affine_trace import only_loop, parse_module
from xdsl.dialects import affine

from polyopt.ir.affine.affine_nest import AffineLoop, access_of, accesses_in
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import GREATEST_STRIDE, stride_of

TEXT = """
func.func @f(%A : memref<?x?xf64>, %n : index, %x : f64) {
  %two = arith.constant 2 : index
  affine.for %i = 0 to 9 {
    %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %m = arith.muli %i, %n : index
    %a = affine.load %A[%i + 1, %i * 2] : memref<?x?xf64>
    affine.store %x, %A[3, %i mod 2] : memref<?x?xf64>
    %b = memref.load %A[%k, %m] : memref<?x?xf64>
    memref.store %x, %A[%i, %two] : memref<?x?xf64>
    %c = affine.vector_load %A[%i, 0] : memref<?x?xf64>, vector<4xf64>
    affine.vector_store %c, %A[%i, 0] : memref<?x?xf64>, vector<4xf64>
  }
  return
}
"""


def test_each_way_to_touch_an_element_says_where_and_whether_it_writes():
    module = parse_module(TEXT)
    (loop,) = (op for op in module.walk() if isinstance(op, affine.ForOp))
    array = next(op for op in module.walk() if isinstance(op, affine.LoadOp)).memref
    i = loop.body.block.args[0]
    found = {op.name: access for op in loop.body.block.ops if (access := access_of(op)) is not None}
    assert all(access.op.name == name for name, access in found.items())
    assert all(access.array is array for access in found.values())
    assert {name: access.is_write for name, access in found.items()} == {
        "affine.load": False,
        "affine.store": True,
        "memref.load": False,
        "memref.store": True,
        "affine.vector_load": False,
        "affine.vector_store": True,
    }
    m = next(op for op in loop.body.block.ops if op.name == "arith.muli")
    assert {name: access.subscripts for name, access in found.items()} == {
        "affine.load": (Linear(((i, 1),), 1), Linear(((i, 2),))),
        "affine.store": (Linear((), 3), None),
        "memref.load": (Linear(((i, 2),)), Linear.of(m.results[0])),
        "memref.store": (Linear.of(i), Linear((), 2)),
        "affine.vector_load": None,
        "affine.vector_store": None,
    }
    assert list(accesses_in(loop)) == list(found.values())


@pytest.mark.parametrize(
    ("subscripts", "stride"),
    [
        ("%n, %n", 0),
        ("%n, %i", 1),
        ("%n, 5 - %i", -1),
        (f"%n, %i * {GREATEST_STRIDE}", GREATEST_STRIDE),
        (f"%n, %i * {GREATEST_STRIDE + 1}", None),
        ("%i, %n", None),
        ("%i, %i", None),
        ("%n, %i mod 2", None),
    ],
)
def test_a_stride_is_one_of_the_last_dimension_alone(subscripts: str, stride: int | None):
    module = parse_module(f"""
        func.func @f(%A : memref<?x?xf64>, %n : index) {{
          affine.for %i = 0 to 9 {{
            %x = affine.load %A[{subscripts}] : memref<?x?xf64>
          }}
          return
        }}""")
    loop = AffineLoop(only_loop(module))
    (load,) = (op for op in loop.block.ops if isinstance(op, affine.LoadOp))
    assert stride_of(load, loop) == stride


@pytest.mark.parametrize(
    ("element", "stride", "found"),
    [
        ("f64", 8, True),
        ("f64", 9, False),
        ("f32", 9, True),
        ("f32", 16, True),
        ("f32", 17, False),
        ("i8", 16, True),
        ("i8", 17, False),
    ],
)
def test_records_are_no_longer_than_a_line(element: str, stride: int, found: bool):
    module = parse_module(f"""
        func.func @f(%A : memref<?x{element}>) {{
          affine.for %i = 0 to 9 {{
            %x = affine.load %A[%i * {stride}] : memref<?x{element}>
          }}
          return
        }}""")
    loop = AffineLoop(only_loop(module))
    (load,) = (op for op in loop.block.ops if isinstance(op, affine.LoadOp))
    assert stride_of(load, loop) == (stride if found else None)


@pytest.mark.parametrize(
    ("bounds", "extent"),
    [
        ("0 to 9", 9),
        ("0 to 9 step 4", 3),
        ("3 to 1", 0),
        ("affine_map<(d0) -> (d0 + 1)>(%n) to affine_map<(d0) -> (d0 + 8)>(%n) step 2", 4),
        ("0 to %n", None),
        ("0 to min affine_map<(d0) -> (d0, 5)>(%n)", 5),
    ],
)
def test_a_loop_is_repeated_as_often_as_its_bounds_are_apart(bounds: str, extent: int | None):
    module = parse_module(f"""
        func.func @f(%n : index) {{
          affine.for %i = {bounds} {{
          }}
          return
        }}""")
    assert AffineLoop(only_loop(module)).greatest_extent == extent
