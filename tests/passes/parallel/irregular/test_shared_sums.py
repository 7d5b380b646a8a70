"""Updates: what is combined with something at the same place, and nothing else looks at."""

from __future__ import annotations

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import func, memref

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.parallel.irregular.shared_sums import carried_sum
from polyopt.passes.parallel.irregular.shared_updates import updates_among

ARRAY = """
func.func private @place(index) -> index
func.func @f(%c : i1, %k : index, %m : index, %x : i32, %h : memref<?xi32>, %b : memref<?xindex>) {{
  {body}
  func.return
}}"""

AT_K = """
  %old = memref.load %h[%k] : memref<?xi32>
  %new = arith.addi %old, %x : i32
"""


def looked_up(first: str, last: str, between: str = "") -> str:
    return f"""
      %p = memref.load %b[%k] : memref<?xindex>
      %one = arith.constant {first} : index
      %at = arith.addi %p, %one : index
      %old = memref.load %h[%at] : memref<?xi32>
      %new = arith.addi %old, %x : i32
      {between}
      %q = memref.load %b[%k] : memref<?xindex>
      %other = arith.constant {last} : index
      %there = arith.addi %q, %other : index
      memref.store %new, %h[%there] : memref<?xi32>
    """


UPDATES = {
    "at a place": f"{AT_K} memref.store %new, %h[%k] : memref<?xi32>",
    "at a place computed twice": looked_up("1", "1"),
    "or what it was": f"""{AT_K}
      %kept = arith.select %c, %new, %old : i32
      memref.store %kept, %h[%k] : memref<?xi32>""",
}
NO_UPDATES = {
    "at another place": f"{AT_K} memref.store %new, %h[%m] : memref<?xi32>",
    "at a place computed from another number": looked_up("1", "2"),
    "at a place that may be another one by then": looked_up(
        "1", "1", "memref.store %m, %b[%m] : memref<?xindex>"
    ),
    "at a place that is asked for twice": """
      %at = func.call @place(%k) : (index) -> index
      %there = func.call @place(%k) : (index) -> index
      %old = memref.load %h[%at] : memref<?xi32>
      %new = arith.addi %old, %x : i32
      memref.store %new, %h[%there] : memref<?xi32>""",
    "stored elsewhere": f"""{AT_K}
      memref.store %new, %h[%k] : memref<?xi32>
      memref.store %old, %h[%m] : memref<?xi32>""",
    "or what it was, and the sum goes elsewhere": f"""{AT_K}
      %kept = arith.select %c, %new, %old : i32
      %moved = arith.index_cast %new : i32 to index
      memref.store %moved, %b[%m] : memref<?xindex>
      memref.store %kept, %h[%k] : memref<?xi32>""",
    "or something else": f"""{AT_K}
      %kept = arith.select %c, %new, %x : i32
      memref.store %kept, %h[%k] : memref<?xi32>""",
    "or something new": """
      %old = memref.load %h[%k] : memref<?xi32>
      %kept = arith.select %c, %x, %old : i32
      memref.store %kept, %h[%k] : memref<?xi32>""",
    "by twice itself": """
      %old = memref.load %h[%k] : memref<?xi32>
      %new = arith.addi %old, %old : i32
      memref.store %new, %h[%k] : memref<?xi32>""",
}


def is_update(body: str) -> bool:
    function = function_of(ARRAY.format(body=body))
    array = function.args[4]
    accesses = {use.operation for use in array.uses}
    assert all(isinstance(op, memref.LoadOp | memref.StoreOp) for op in accesses)
    return updates_among(set(accesses)) is not None


def function_of(text: str) -> func.FuncOp:
    function = parse_affine(text).body.block.last_op
    assert isinstance(function, func.FuncOp)
    return function


@pytest.mark.parametrize("body", UPDATES.values(), ids=UPDATES)
def test_updates(body: str):
    assert is_update(body)


@pytest.mark.parametrize("body", NO_UPDATES.values(), ids=NO_UPDATES)
def test_no_updates(body: str):
    assert not is_update(body)


LOOP = """
func.func @f(%n : i32, %z : i32, %x : i32, %c : i1) -> i32 {{
  %one = arith.constant 1 : i32
  cf.br ^header(%z, %z : i32, i32)
^header(%i : i32, %s : i32):
  %goes_on = arith.cmpi slt, %i, %n : i32
  cf.cond_br %goes_on, ^body, ^end(%s : i32)
^body:
  %t = arith.addi %s, %x : i32
  cf.cond_br %c, {branches}
^again(%u : i32):
  %j = arith.addi %i, %one : i32
  cf.br ^header(%j, %u : i32, i32)
^end(%left : i32):
  func.return %left : i32
}}"""

BRANCHES = {
    "or what it was": ("^again(%t : i32), ^again(%s : i32)", True),
    "in any case": ("^again(%t : i32), ^again(%t : i32)", True),
    "left with what it was": ("^again(%t : i32), ^end(%s : i32)", True),
    "left with the sum": ("^again(%t : i32), ^end(%t : i32)", False),
    "begun anew": ("^again(%t : i32), ^again(%x : i32)", False),
}


@pytest.mark.parametrize(("branches", "is_sum"), BRANCHES.values(), ids=BRANCHES)
def test_sums_that_are_handed_on(branches: str, is_sum: bool):
    flow = ControlFlow(function_of(LOOP.format(branches=branches)).body)
    (loop,) = flow.loops.all_loops()
    found = carried_sum(loop, loop.header.args[1])
    assert (found is not None) == is_sum
