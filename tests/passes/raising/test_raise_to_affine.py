"""Raised, code makes the same accesses in the same order, whatever its index arithmetic is."""

from __future__ import annotations

import random

import pytest
from oracles.structured import run
from xdsl.dialects import affine, memref, scf
from xdsl.dialects.builtin import ModuleOp

from polyopt.driver.units.module_texts import make_context
from polyopt.ir.placed_text import parse_module
from polyopt.passes.raising.affine_to_poly import AffineToPolyPass
from polyopt.passes.raising.raise_to_affine import RaiseToAffinePass
from polyopt.support.remarks import collect_remarks


def parse(text: str) -> ModuleOp:
    module = parse_module(make_context(), text, "test.mlir")
    module.verify()
    return module


def raised(module: ModuleOp) -> ModuleOp:
    result = module.clone()
    RaiseToAffinePass().apply(make_context(), result)
    result.verify()
    return result


def has(module: ModuleOp, *kinds: type) -> bool:
    return any(isinstance(op, kinds) for op in module.walk())


def check_same(text: str, *sizes: int) -> ModuleOp:
    module = parse(text)
    changed = raised(module)
    for n in sizes:
        assert run(changed, n).events == run(module, n).events
    return changed


ALL_OF_SCF = (scf.ForOp, scf.IfOp, scf.ParallelOp, memref.LoadOp, memref.StoreOp)

OPERATIONS = {
    "addi": (None, None),
    "subi": (None, None),
    "muli": (None, "number"),
    "floordivsi": (None, "positive"),
    "ceildivsi": (None, "positive"),
    "divsi": (None, "positive"),
    "remsi": (None, "positive"),
    "divui": (None, "positive"),
    "remui": (None, "positive"),
    "shli": (None, "shift"),
    "shrsi": (None, "shift"),
    "shrui": (None, "shift"),
    "andi": (None, "mask"),
}
NUMBERS = {
    None: (-3, 5, 17),
    "number": (-2, 3, 8),
    "positive": (1, 2, 3, 7),
    "shift": (0, 1, 3),
    "mask": (0, 1, 7, 15, 5),
}


class Writer:
    """Random index arithmetic as text."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def line(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def value(self, depth: int, role: str | None = None) -> str:
        if depth == 0 or role is not None:
            if role is None and self.random.random() < 0.8:
                return self.random.choice(["%i", "%j", "%n"])
            number = self.random.choice(NUMBERS[role])
            return self.line(f"arith.constant {number} : index")
        name = self.random.choice(list(OPERATIONS))
        left, right = (self.value(depth - 1, one) for one in OPERATIONS[name])
        return self.line(f"arith.{name} {left}, {right} : index")

    def condition(self) -> str:
        tests: list[str] = []
        for _ in range(self.random.choice([1, 2])):
            kind = self.random.choice(["eq", "ne", "slt", "sle", "sgt", "sge"])
            operands = f"{self.value(1)}, {self.value(0)}"
            tests.append(self.line(f"arith.cmpi {kind}, {operands} : index"))
        joined = tests[0]
        for test in tests[1:]:
            word = self.random.choice(["andi", "ori"])
            joined = self.line(f"arith.{word} {joined}, {test} : i1")
        return joined


def program(seed: int) -> str:
    writer = Writer(seed)
    subscripts = [writer.value(writer.random.choice([1, 2, 3])) for _ in range(3)]
    condition = writer.condition()
    low, step = writer.random.choice([-3, 0, 2]), writer.random.choice([1, 2])
    body = "\n".join(writer.lines)
    return f"""
    func.func @f(%A : memref<?xindex>, %n : index) {{
      %low = arith.constant {low} : index
      %zero = arith.constant 0 : index
      %step = arith.constant {step} : index
      scf.for %i = %low to %n step %step {{
        %more = arith.addi %i, %step : index
        %end = arith.minsi %more, %n : index
        scf.for %j = %zero to %end step %step {{
          {body}
          %x = memref.load %A[{subscripts[0]}] : memref<?xindex>
          scf.if {condition} {{
            memref.store %x, %A[{subscripts[1]}] : memref<?xindex>
          }} else {{
            memref.store %i, %A[{subscripts[2]}] : memref<?xindex>
          }}
        }}
      }}
      func.return
    }}
    """


@pytest.mark.parametrize("seed", range(60))
def test_random_arithmetic(seed: int) -> None:
    changed = check_same(program(seed), 0, 1, 6)
    assert not has(changed, scf.ForOp)


def test_everything_that_is_affine_is_taken() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %B : memref<?x?xindex>, %n : index) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %2 = arith.constant 2 : index
      %3 = arith.constant 3 : index
      scf.for %i = %0 to %n step %2 {
        %even = arith.remui %i, %3 : index
        %half = arith.divsi %i, %2 : index
        %sum = arith.addi %even, %half : index
        %x = memref.load %A[%sum] : memref<?xindex>
        %low = arith.maxsi %i, %2 : index
        scf.for %j = %low to %n step %1 {
          %is = arith.cmpi ne, %i, %j : index
          %t = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%j)[%n]
          scf.if %is {
            memref.store %x, %B[%t, %half] : memref<?x?xindex>
          }
        }
      }
      func.return
    }
    """
    assert not has(check_same(text, 0, 1, 7), *ALL_OF_SCF)


def test_a_dividend_that_may_be_negative_is_not_affine() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %n : index) {
      %low = arith.constant -4 : index
      %1 = arith.constant 1 : index
      %2 = arith.constant 2 : index
      scf.for %i = %low to %n step %1 {
        %half = arith.divsi %i, %2 : index
        memref.store %i, %A[%half] : memref<?xindex>
      }
      func.return
    }
    """
    assert has(check_same(text, 6), memref.StoreOp)


def test_numbers_that_are_no_index() -> None:
    text = """
    func.func @f(%A : memref<?xi64>, %n : i64) {
      %0 = arith.constant 0 : i64
      %1 = arith.constant 1 : i64
      scf.for %i = %0 to %n step %1 : i64 {
        %exact = arith.addi %i, %1 overflow<nsw> : i64
        %index = arith.index_cast %exact : i64 to index
        %x = memref.load %A[%index] : memref<?xi64>
        %wrapping = arith.muli %i, %n : i64
        %somewhere = arith.index_cast %wrapping : i64 to index
        memref.store %i, %A[%somewhere] : memref<?xi64>
      }
      func.return
    }
    """
    changed = check_same(text, 0, 5)
    assert not has(changed, scf.ForOp, memref.LoadOp)
    assert has(changed, memref.StoreOp)


def test_parallel_loops_and_what_they_reduce() -> None:
    text = """
    func.func @f(%A : memref<?x?xindex>, %n : index) -> (index, index) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %sum, %most = "scf.parallel"(%0, %1, %n, %n, %1, %1, %0, %1)
          <{operandSegmentSizes = array<i32: 2, 2, 2, 2>}> ({
      ^bb0(%i : index, %j : index):
        %x = memref.load %A[%i, %j] : memref<?x?xindex>
        "scf.reduce"(%i, %j) ({
        ^bb1(%a : index, %b : index):
          %s = arith.addi %a, %b : index
          "scf.reduce.return"(%s) : (index) -> ()
        }, {
        ^bb1(%a : index, %b : index):
          %s = arith.maxsi %a, %b : index
          "scf.reduce.return"(%s) : (index) -> ()
        }) : (index, index) -> ()
      }) : (index, index, index, index, index, index, index, index) -> (index, index)
      memref.store %n, %A[%sum, %most] : memref<?x?xindex>
      func.return %sum, %most : index, index
    }
    """
    assert not has(check_same(text, 0, 1, 5), scf.ParallelOp, scf.ForOp)


def test_views_become_subscripts() -> None:
    text = """
    func.func @f(%A : memref<8x10xf64>, %n : index) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %4 = arith.constant 4 : index
      %rows = "memref.subview"(%A, %n) <{static_offsets = array<i64: -9223372036854775808, 3>,
        static_sizes = array<i64: 4, 1>, static_strides = array<i64: 2, 1>,
        operandSegmentSizes = array<i32: 1, 1, 0, 0>}>
        : (memref<8x10xf64>, index) -> memref<4xf64, strided<[20], offset: ?>>
      scf.for %i = %0 to %4 step %1 {
        %x = memref.load %rows[%i] : memref<4xf64, strided<[20], offset: ?>>
        memref.store %x, %rows[%0] : memref<4xf64, strided<[20], offset: ?>>
      }
      func.return
    }
    """
    changed = raised(parse(text))
    events = run(changed, 1).events
    assert [(kind, element) for kind, _, element, _ in events] == [
        one for i in range(4) for one in (("load", (1 + 2 * i, 3)), ("store", (1, 3)))
    ]


def loops_of(text: str) -> list[tuple[str, tuple[int, ...]]]:
    events = run(raised(parse(text)), 0).events
    return [(f"{kind} {array}", element) for kind, array, element, _ in events]


def test_linalg_on_memrefs() -> None:
    text = """
    func.func @f(%A : memref<2x3xi64>, %B : memref<3xi64>, %C : memref<2xi64>,
                 %D : memref<3x2xi64>, %x : i64) {
      linalg.fill ins(%x : i64) outs(%C : memref<2xi64>)
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
        affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%A, %B : memref<2x3xi64>, memref<3xi64>) outs(%C : memref<2xi64>) {
      ^bb0(%a : i64, %b : i64, %c : i64):
        %at = linalg.index 1 : index
        %k = arith.index_cast %at : index to i64
        %p = arith.muli %a, %k : i64
        %s = arith.addi %c, %p : i64
        linalg.yield %s : i64
      }
      linalg.reduce ins(%A : memref<2x3xi64>) outs(%B : memref<3xi64>) dimensions = [0]
      (%a : i64, %b : i64) {
        %s = arith.addi %a, %b : i64
        linalg.yield %s : i64
      }
      linalg.transpose ins(%A : memref<2x3xi64>) outs(%D : memref<3x2xi64>) permutation = [1, 0]
      func.return
    }
    """
    filled = [("store C", (i,)) for i in range(2)]
    product = [
        one
        for i in range(2)
        for j in range(3)
        for one in (("load A", (i, j)), ("load C", (i,)), ("store C", (i,)))
    ]
    sums = [
        one
        for i in range(2)
        for j in range(3)
        for one in (("load A", (i, j)), ("load B", (j,)), ("store B", (j,)))
    ]
    turned = [
        one for i in range(3) for j in range(2) for one in (("load A", (j, i)), ("store D", (i, j)))
    ]
    assert loops_of(text) == filled + product + sums + turned


def remarks_of(text: str) -> list[str]:
    with collect_remarks() as found:
        changed = raised(parse(text))
        AffineToPolyPass().apply(make_context(), changed)
    return [str(one) for one in found.by_place()]


def test_every_loop_that_is_not_taken_is_told_of() -> None:
    text = """func.func @f(%p : memref<?xindex>, %x : memref<?xf64>, %n : index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %end = memref.load %p[%i] : memref<?xindex>
    scf.for %j = %0 to %end step %1 {
      func.call @g() : () -> ()
    }
    scf.for %k = %0 to %n step %n {
      memref.store %end, %p[%k] : memref<?xindex>
    }
  }
  scf.for %m = %0 to %n step %1 {
    %v = memref.load %x[%m] : memref<?xf64>
    %w = arith.fptosi %v : f64 to i64
    %index = arith.index_cast %w : i64 to index
    memref.store %index, %p[%m] : memref<?xindex>
  }
  func.return
}
func.func private @g() -> ()
"""
    assert remarks_of(text) == [
        "test.mlir:4:3: missed: loop i not optimised: the bound of a loop in it is not affine: "
        "'end' is loaded from 'p' [not-a-scop]",
        "test.mlir:6:5: missed: loop j not optimised: it calls 'g', which may do anything; "
        "inlined, it can be looked into [not-a-scop]",
        "test.mlir:9:5: missed: loop k not optimised: its step is not a constant; "
        "arith.constant makes it one [not-affine]",
        "test.mlir:13:3: missed: loop m not optimised: 'x' and 'p' may overlap; assume-distinct "
        "says that different memrefs do not, llvm.noalias that an argument does not [may-overlap]",
    ]


def test_a_pure_conditional_is_a_selection() -> None:
    text = """
    func.func @f(%A : memref<?xindex>, %n : index) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      scf.for %i = %0 to %n step %1 {
        %x = memref.load %A[%i] : memref<?xindex>
        %big = arith.cmpi sgt, %x, %n : index
        %y = scf.if %big -> (index) {
          scf.yield %n : index
        } else {
          %z = arith.addi %x, %1 : index
          scf.yield %z : index
        }
        memref.store %y, %A[%i] : memref<?xindex>
      }
      func.return
    }
    """
    assert not has(check_same(text, 0, 9), *ALL_OF_SCF)


def test_tensors_stay() -> None:
    text = """
    func.func @f(%A : tensor<4xf64>, %x : f64) -> tensor<4xf64> {
      %r = linalg.fill ins(%x : f64) outs(%A : tensor<4xf64>) -> tensor<4xf64>
      func.return %r : tensor<4xf64>
    }
    """
    assert not has(raised(parse(text)), affine.ForOp)
    assert "linalg.fill not optimised: it is about tensors" in remarks_of(text)[0]


def test_affine_parallel_is_a_nest() -> None:
    text = """
    func.func @f(%A : memref<?x?xindex>, %n : index) {
      "affine.parallel"(%n, %n) <{lowerBoundsMap = affine_map<() -> (0, 1)>,
        lowerBoundsGroups = dense<1> : vector<2xi32>, reductions = [],
        upperBoundsMap = affine_map<(d0, d1) -> (d0, d1)>,
        upperBoundsGroups = dense<1> : vector<2xi32>, steps = [1 : i64, 2 : i64]}> ({
      ^bb0(%i : index, %j : index):
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        memref.store %j, %A[%next, %j] : memref<?x?xindex>
        "affine.yield"() : () -> ()
      }) : (index, index) -> ()
      func.return
    }
    """
    assert not has(check_same(text, 0, 5), affine.ParallelOp, memref.StoreOp)


def test_loops_that_do_not_count_are_told_of() -> None:
    text = """func.func @f(%A : memref<?xindex>, %n : index) {
  %r = scf.while (%x = %n) : (index) -> (index) {
    %t = arith.cmpi sgt, %x, %n : index
    scf.condition(%t) %x : index
  } do {
  ^bb0(%x : index):
    %y = memref.load %A[%x] : memref<?xindex>
    scf.yield %y : index
  }
  func.return
}
"""
    assert remarks_of(text) == [
        "test.mlir:2:3: missed: loop not optimised: scf.while does not count; "
        "a loop that counts is an scf.for [not-affine]"
    ]
