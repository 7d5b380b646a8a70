"""Values that are equal, and values that only look so."""

from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, memref, scf
from xdsl.dialects.cf import Cf
from xdsl.parser import Parser

from polyopt.dialects.poly import Poly
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.equal_values import Known, drop_unused_values, key_of, share_equal


def parsed(body: str, arguments: str) -> func.FuncOp:
    context = Context()
    dialects = (affine.Affine, arith.Arith, builtin.Builtin, func.Func, memref.MemRef, scf.Scf)
    for dialect in (*dialects, Cf, Poly):
        context.load_dialect(dialect)
    text = f"func.func @f({arguments}) {{ {body} func.return }}"
    module = Parser(context, text).parse_module()
    module.verify()
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    return function


def names(function: func.FuncOp) -> list[str]:
    return [op.name for op in function.walk() if op.name.startswith(("arith", "memref"))]


def cleaned(body: str, arguments: str) -> list[str]:
    function = parsed(body, arguments)
    share_equal(ControlFlow(function.body))
    drop_unused_values(reversed(function.body.block.ops))
    function.verify()
    return names(function)


def test_what_is_known_inside_is_not_known_outside():
    known = Known[int]()
    known.remember("outside", 1)
    inside = known.nested()
    inside.remember("inside", 2)
    assert inside.find("outside") == 1
    assert known.find("inside") is None
    assert inside.once("inside", lambda: 3) == 2
    assert known.once("inside", lambda: 3) == 3
    assert known.first("inside", 4) == 3


def test_what_is_said_of_an_operation_is_a_part_of_it():
    body = """
        %a = arith.mulf %x, %y : f64
        %b = arith.mulf %x, %y {poly.rounding = #poly.rounding<unfused>} : f64
        %c = arith.mulf %x, %y fastmath<contract> : f64
        %d = arith.mulf %y, %x : f64
        %e = arith.mulf %x, %y : f64
    """
    ops = list(parsed(body, "%x: f64, %y: f64").body.block.ops)[:-1]
    assert [[key_of(a) == key_of(b) for b in ops] for a in ops] == [
        [True, False, False, False, True],
        [False, True, False, False, False],
        [False, False, True, False, False],
        [False, False, False, True, False],
        [True, False, False, False, True],
    ]


def test_equal_casts_to_other_types_are_not_equal():
    body = """
        %a = arith.extsi %x : i8 to i16
        %b = arith.extsi %x : i8 to i32
        %c = arith.extui %x : i8 to i32
        memref.store %a, %p[] : memref<i16>
        memref.store %b, %q[] : memref<i32>
        memref.store %c, %q[] : memref<i32>
    """
    stores = ["memref.store"] * 3
    found = cleaned(body, "%x: i8, %p: memref<i16>, %q: memref<i32>")
    assert found == ["arith.extsi", "arith.extsi", "arith.extui", *stores]


def test_a_chain_that_nobody_uses_goes_whole_and_what_stores_stays():
    body = """
        %a = memref.load %p[] : memref<i32>
        %b = arith.addi %a, %a : i32
        %c = arith.muli %b, %b : i32
        memref.store %x, %p[] : memref<i32>
    """
    assert cleaned(body, "%x: i32, %p: memref<i32>") == ["memref.store"]


def test_a_load_behind_a_loop_that_stores_is_not_the_one_before_it():
    loop = """
        %a = memref.load %p[] : memref<i32>
        scf.for %i = %n to %m step %n {{
          {inside}
        }}
        %b = memref.load %p[] : memref<i32>
        %c = arith.addi %a, %b : i32
        memref.store %c, %p[] : memref<i32>
    """
    arguments = "%x: i32, %p: memref<i32>, %n: index, %m: index"
    found = cleaned(loop.format(inside="memref.store %x, %p[] : memref<i32>"), arguments)
    assert found.count("memref.load") == 2


def test_arms_do_not_see_each_other_and_loops_see_what_is_around():
    body = """
        %a = arith.addi %x, %x : i32
        scf.if %c {
          %b = arith.addi %x, %x : i32
          %d = arith.muli %b, %x : i32
          memref.store %d, %p[] : memref<i32>
        } else {
          %d = arith.muli %a, %x : i32
          memref.store %d, %p[] : memref<i32>
        }
    """
    found = cleaned(body, "%x: i32, %p: memref<i32>, %c: i1")
    assert found.count("arith.addi") == 1
    assert found.count("arith.muli") == 2


def test_regions_of_several_blocks_see_what_is_around_and_their_own_dominators():
    body = """
        %a = arith.addi %x, %x : i32
        scf.execute_region {
          %b = arith.addi %x, %x : i32
          %d = arith.muli %b, %x : i32
          scf.if %c {
            memref.store %b, %p[] : memref<i32>
          }
          cf.cond_br %c, ^then, ^end
        ^then:
          %e = arith.muli %a, %x : i32
          memref.store %e, %p[] : memref<i32>
          cf.br ^end
        ^end:
          memref.store %d, %p[] : memref<i32>
          scf.yield
        }
        memref.store %a, %p[] : memref<i32>
    """
    found = cleaned(body, "%x: i32, %p: memref<i32>, %c: i1")
    assert found.count("arith.addi") == 1
    assert found.count("arith.muli") == 1


def test_a_region_of_two_blocks_is_not_one_of_one_block():
    body = """
        %a = arith.addi %x, %x : i32
        scf.execute_region {
          cf.br ^end
        ^end:
          %b = arith.addi %x, %x : i32
          memref.store %b, %p[] : memref<i32>
          scf.yield
        }
        memref.store %a, %p[] : memref<i32>
    """
    assert cleaned(body, "%x: i32, %p: memref<i32>").count("arith.addi") == 1


def test_what_was_first_since_a_mark_is_forgotten_and_what_was_before_is_not():
    known = Known[int]()
    assert known.first("a", 1) == 1
    outer = known.mark()
    assert known.first("b", 2) == 2
    inner = known.mark()
    assert [known.first("a", 3), known.first("b", 3), known.first("c", 3)] == [1, 2, 3]
    known.back_to(inner)
    assert [known.find("a"), known.find("b"), known.find("c")] == [1, 2, None]
    known.back_to(outer)
    assert [known.find("a"), known.find("b"), known.first("c", 4)] == [1, None, 4]


def test_arms_of_a_branch_share_what_is_before_it_and_nothing_of_each_other():
    body = """
        %a = arith.addi %x, %y : i32
        cf.cond_br %c, ^then, ^else
      ^then:
        %b = arith.addi %x, %y : i32
        %d = arith.muli %x, %y : i32
        memref.store %b, %p[] : memref<i32>
        memref.store %d, %p[] : memref<i32>
        cf.br ^join
      ^else:
        %e = arith.muli %x, %y : i32
        memref.store %e, %p[] : memref<i32>
        cf.br ^join
      ^join:
        memref.store %a, %p[] : memref<i32>
        %g = arith.muli %x, %y : i32
        memref.store %g, %p[] : memref<i32>
    """
    function = parsed(body, "%x: i32, %y: i32, %c: i1, %p: memref<i32>")
    share_equal(ControlFlow(function.body))
    function.verify()
    assert names(function).count("arith.addi") == 1
    assert names(function).count("arith.muli") == 3
