"""Control flow: cf's graphs, scf's structures, calls."""

from collections.abc import Callable
from typing import Any

Native = Callable[..., Any]
Compile = Callable[..., Native]


def test_loop_through_block_arguments(call_ir: Compile) -> None:
    """Fibonacci: both carried values change at once."""
    f = call_ir(
        """
        func.func @f(%n : i32) -> i64 {
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %a0 = arith.constant 0 : i64
          %b0 = arith.constant 1 : i64
          cf.br ^test(%zero, %a0, %b0 : i32, i64, i64)
        ^test(%i : i32, %a : i64, %b : i64):
          %more = arith.cmpi slt, %i, %n : i32
          cf.cond_br %more, ^next, ^done(%a : i64)
        ^next:
          %s = arith.addi %a, %b : i64
          %j = arith.addi %i, %one : i32
          cf.br ^test(%j, %b, %s : i32, i64, i64)
        ^done(%r : i64):
          func.return %r : i64
        }""",
        "i64",
        "i32",
    )
    assert [f(n) for n in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_blocks_in_any_order_and_unreachable_ones(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%x : i32) -> i32 {
          cf.br ^first
        ^last:
          func.return %y : i32
        ^dead:
          %never = arith.addi %y, %y : i32
          cf.br ^dead
        ^first:
          %y = arith.addi %x, %x : i32
          cf.br ^last
        }""",
        "i32",
        "i32",
    )
    assert f(21) == 42


def test_branch_with_two_values_for_one_block(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%x : i32) -> i32 {
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %c = arith.cmpi slt, %x, %zero : i32
          cf.cond_br %c, ^end(%one : i32), ^end(%x : i32)
        ^end(%r : i32):
          func.return %r : i32
        }""",
        "i32",
        "i32",
    )
    assert [f(-5), f(5)] == [1, 5]


def test_loop_back_to_the_entry(call_ir: Compile) -> None:
    """MLIR forbids it in func, but not in a region."""
    f = call_ir(
        """
        func.func @f(%n : i32) -> i32 {
          %one = arith.constant 1 : i32
          %r = scf.execute_region -> (i32) {
            cf.br ^again(%n, %one : i32, i32)
          ^again(%i : i32, %p : i32):
            %q = arith.muli %p, %i : i32
            %j = arith.subi %i, %one : i32
            %more = arith.cmpi sgt, %j, %one : i32
            cf.cond_br %more, ^again(%j, %q : i32, i32), ^end
          ^end:
            scf.yield %q : i32
          }
          func.return %r : i32
        }""",
        "i32",
        "i32",
    )
    assert f(5) == 120


def test_switch(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%x : i32) -> i32 {
          %a = arith.constant 10 : i32
          %b = arith.constant 20 : i32
          %c = arith.constant 30 : i32
          cf.switch %x : i32, [
            default: ^end(%c : i32),
            1: ^end(%a : i32),
            -2: ^end(%b : i32),
            3: ^other
          ]
        ^other:
          cf.br ^end(%x : i32)
        ^end(%r : i32):
          func.return %r : i32
        }""",
        "i32",
        "i32",
    )
    assert [f(x) for x in (0, 1, -2, 3, 4)] == [30, 10, 20, 3, 30]


def test_counted_loop_with_carried_values(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%n : index) -> f64 {
          %zero = arith.constant 0 : index
          %two = arith.constant 2 : index
          %s0 = arith.constant 0.0 : f64
          %p0 = arith.constant 1.0 : f64
          %half = arith.constant 0.5 : f64
          %s, %p = scf.for %i = %zero to %n step %two
              iter_args(%a = %s0, %b = %p0) -> (f64, f64) {
            %a1 = arith.addf %a, %b : f64
            %b1 = arith.mulf %b, %half : f64
            scf.yield %a1, %b1 : f64, f64
          }
          func.return %s : f64
        }""",
        "f64",
        "i64",
    )
    assert [f(n) for n in (-3, 0, 1, 2, 3, 5)] == [0.0, 0.0, 1.0, 1.0, 1.5, 1.75]


def test_nested_loops_and_conditions(call_ir: Compile) -> None:
    """How many pairs i < j below n have an even sum."""
    f = call_ir(
        """
        func.func @f(%n : i32) -> i32 {
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %two = arith.constant 2 : i32
          %r = scf.for %i = %zero to %n step %one iter_args(%outer = %zero) -> (i32) : i32 {
            %first = arith.addi %i, %one : i32
            %t = scf.for %j = %first to %n step %one iter_args(%inner = %outer) -> (i32) : i32 {
              %s = arith.addi %i, %j : i32
              %m = arith.remsi %s, %two : i32
              %even = arith.cmpi eq, %m, %zero : i32
              %k = scf.if %even -> (i32) {
                %more = arith.addi %inner, %one : i32
                scf.yield %more : i32
              } else {
                scf.yield %inner : i32
              }
              scf.yield %k : i32
            }
            scf.yield %t : i32
          }
          func.return %r : i32
        }""",
        "i32",
        "i32",
    )
    pairs = [(i, j) for j in range(9) for i in range(j)]
    assert f(9) == sum((i + j) % 2 == 0 for i, j in pairs)


def test_while(call_ir: Compile) -> None:
    """Collatz steps to 1."""
    f = call_ir(
        """
        func.func @f(%n : i64) -> i64 {
          %zero = arith.constant 0 : i64
          %one = arith.constant 1 : i64
          %three = arith.constant 3 : i64
          %x, %steps = scf.while (%a = %n, %c = %zero) : (i64, i64) -> (i64, i64) {
            %more = arith.cmpi sgt, %a, %one : i64
            scf.condition(%more) %a, %c : i64, i64
          } do {
          ^bb0(%a : i64, %c : i64):
            %odd = arith.andi %a, %one : i64
            %is_odd = arith.cmpi eq, %odd, %one : i64
            %next = scf.if %is_odd -> (i64) {
              %t = arith.muli %a, %three : i64
              %u = arith.addi %t, %one : i64
              scf.yield %u : i64
            } else {
              %h = arith.shrsi %a, %one : i64
              scf.yield %h : i64
            }
            %d = arith.addi %c, %one : i64
            scf.yield %next, %d : i64, i64
          }
          func.return %steps : i64
        }""",
        "i64",
        "i64",
    )
    assert [f(n) for n in (1, 2, 3, 27)] == [0, 1, 7, 111]


def test_if_without_else(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%x : i32) -> i32 {
          %v = memref.alloca() : memref<i32>
          memref.store %x, %v[] : memref<i32>
          %zero = arith.constant 0 : i32
          %c = arith.cmpi slt, %x, %zero : i32
          scf.if %c {
            memref.store %zero, %v[] : memref<i32>
          }
          %r = memref.load %v[] : memref<i32>
          func.return %r : i32
        }""",
        "i32",
        "i32",
    )
    assert [f(-4), f(4)] == [0, 4]


def test_parallel_loops_reduce(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%n : index) -> i64 {
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %init = arith.constant 100 : i64
          %r = "scf.parallel"(%zero, %zero, %n, %n, %one, %one, %init) <{
              operandSegmentSizes = array<i32: 2, 2, 2, 1>}> ({
          ^bb0(%i : index, %j : index):
            %p = arith.muli %i, %j : index
            %x = arith.index_cast %p : index to i64
            scf.reduce(%x : i64) {
            ^bb1(%a : i64, %b : i64):
              %s = arith.addi %a, %b : i64
              scf.reduce.return %s : i64
            }
          }) : (index, index, index, index, index, index, i64) -> i64
          func.return %r : i64
        }""",
        "i64",
        "i64",
    )
    assert [f(n) for n in (0, 4)] == [100, 100 + sum(i * j for i in range(4) for j in range(4))]


def test_index_switch(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%x : index) -> i32 {
          %r = scf.index_switch %x -> i32
          case 2 {
            %a = arith.constant 22 : i32
            scf.yield %a : i32
          }
          case 5 {
            %b = arith.constant 55 : i32
            scf.yield %b : i32
          }
          default {
            %c = arith.constant 0 : i32
            scf.yield %c : i32
          }
          func.return %r : i32
        }""",
        "i32",
        "i64",
    )
    assert [f(x) for x in (2, 5, 7)] == [22, 55, 0]


def test_recursive_and_private_functions(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func private @ackermann(%m : i32, %n : i32) -> i32 {
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %m0 = arith.cmpi eq, %m, %zero : i32
          %n1 = arith.addi %n, %one : i32
          cf.cond_br %m0, ^end(%n1 : i32), ^more
        ^more:
          %m1 = arith.subi %m, %one : i32
          %n0 = arith.cmpi eq, %n, %zero : i32
          cf.cond_br %n0, ^step(%one : i32), ^inner
        ^inner:
          %p = arith.subi %n, %one : i32
          %q = func.call @ackermann(%m, %p) : (i32, i32) -> i32
          cf.br ^step(%q : i32)
        ^step(%k : i32):
          %r = func.call @ackermann(%m1, %k) : (i32, i32) -> i32
          cf.br ^end(%r : i32)
        ^end(%result : i32):
          func.return %result : i32
        }
        func.func @f(%m : i32, %n : i32) -> i32 {
          %r = func.call @ackermann(%m, %n) : (i32, i32) -> i32
          func.return %r : i32
        }""",
        "i32",
        "i32",
        "i32",
    )
    assert [f(0, 3), f(1, 2), f(2, 2), f(3, 3)] == [4, 4, 7, 61]


def test_several_results(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func private @both(%a : i32, %b : f64) -> (f64, i32) {
          func.return %b, %a : f64, i32
        }
        func.func @f(%a : i32, %b : f64) -> f64 {
          %x, %y = func.call @both(%a, %b) : (i32, f64) -> (f64, i32)
          %z = arith.sitofp %y : i32 to f64
          %r = arith.subf %x, %z : f64
          func.return %r : f64
        }""",
        "f64",
        "i32",
        "f64",
    )
    assert f(3, 10.0) == 7.0
