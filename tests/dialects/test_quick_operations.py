"""The shorter ways mean what xDSL's own do. They are for a whole process, so one is asked."""

import subprocess
import sys

from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from polyopt.dialects.quick_operations import walk_of

QUESTIONS = '''
import re
from xdsl.builder import ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, cf, func, memref, scf
from xdsl.ir import Block, OpResult, Region
from xdsl.parser import Parser
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.dialects.quick_operations import quicken_operations

TEXT = """
func.func @f(%n: index, %A: memref<?xf64>, %c: i1) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = memref.load %A[%n] : memref<?xf64>
  %s = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (f64) {
    %e = memref.load %A[%i] : memref<?xf64>
    %t = arith.addf %a, %e : f64
    scf.yield %t : f64
  }
  cf.cond_br %c, ^left(%x : f64), ^right
^left(%l: f64):
  cf.br ^end(%l : f64)
^right:
  cf.br ^end(%s : f64)
^end(%r: f64):
  func.return %r : f64
}
"""

def read():
    context = Context()
    for dialect in (arith.Arith, builtin.Builtin, cf.Cf, func.Func, memref.MemRef, scf.Scf):
        context.load_dialect(dialect)
    return Parser(context, TEXT).parse_module()

def built():
    """What a builder around takes, as for the terminator of scf.for that nobody has written."""
    block = Block()
    with ImplicitBuilder(block):
        one = arith.ConstantOp.from_int_and_width(1, 32)
        arith.AddiOp(one.result, one)
        scf.YieldOp.create()
    return [op.name for op in block.ops]

def made():
    """Operations in all the forms that their constructors take."""
    one = arith.ConstantOp.from_int_and_width(1, 32)
    both = arith.AddiOp(one.result, one)
    block, other = Block(arg_types=[builtin.i32]), Block()
    yield from (one, both, memref.AllocaOp.get(builtin.f64, shape=[-1], dynamic_sizes=[one]))
    yield from (cf.BranchOp(block, both), cf.BranchOp(other), scf.YieldOp(one, both.result))
    flag = arith.CmpiOp(one, both, "slt")
    yield from (flag, cf.ConditionalBranchOp(flag, block, [both], other, []))
    at = arith.ConstantOp.from_int_and_width(2, builtin.IndexType())
    for lower, upper, inits in (([], [], []), ([at], [], []), ([], [at, at], [one, both])):
        types = [value.results[0].type for value in inits]
        body = Block(arg_types=[at.result.type, *types])
        body.add_op(affine.YieldOp.get(*body.args[1:]))
        first = builtin.AffineMap.identity(1) if lower else builtin.AffineMap.constant_map(0)
        last = builtin.AffineMap.constant_map(9)
        bounds = map(builtin.AffineMapAttr, (first, last))
        yield affine.ForOp.from_region(lower, upper, inits, types, *bounds, Region(body))
    yield memref.AllocOp([at], [at, at], builtin.MemRefType(builtin.f64, [-1, 4]))
    array = memref.AllocOp([], [], builtin.MemRefType(builtin.f64, [8]))
    place = builtin.AffineMapAttr(builtin.AffineMap.identity(1)), [at.result]
    load = memref.LoadOp.get(array, [at])
    yield from (load, memref.StoreOp.get(load, array, [at]))
    for types in ([], [builtin.i32], (builtin.i32, builtin.f64)):
        yield func.CallOp("g", [one, load.res], types)
    masks = Block(arg_types=[builtin.VectorType(builtin.i1, [4])]).args
    for mask in (None, masks[0]):
        lanes = builtin.VectorType(builtin.f64, [4])
        one = ReadOp(array.memref, place, [1], lanes, mask)
        given = dict(properties=dict(one.properties), result_types=[lanes])
        yield from (one, ReadOp.build(operands=[mask, [array.memref], one.indices], **given))
    yield scf.IfOp(flag, [builtin.i32], Region(Block([scf.YieldOp(one)])), None)
    real = arith.ConstantOp(builtin.FloatAttr(0.5, builtin.f64))
    given = dict(operands=[real.result] * 2, result_types=[builtin.f64])
    yield from (arith.AddfOp.create(**given), arith.AddfOp.create(**given, location=other_place))
    for name in ("i", "i_1", "i_2_3", None, "i_1"):
        named = both.clone()
        named.results[0].name_hint = name
        yield named.clone()

other_place = builtin.FileLineColLoc(
    builtin.StringAttr("a.c"), builtin.IntAttr(1), builtin.IntAttr(2))

def identities():
    one = arith.ConstantOp.from_int_and_width(1, 32)
    both = arith.AddiOp(one.result, one.result)
    block = Block([one, both])
    kinds = (one, both, one.result, both.result, block, Region(block))
    return [[(a == b, a != b, (hash(a) == hash(b)) == (a is b), a == 1) for a in kinds]
        for b in kinds] + [len({*kinds, *kinds})]

def wrong():
    one = arith.ConstantOp.from_int_and_width(1, 32)
    flag = arith.CmpiOp(one, one, "slt")
    around = scf.IfOp(flag, [], Region(Block([scf.YieldOp()])), None)
    for make in (
        lambda: arith.AddiOp.build(operands=[one.result], result_types=[builtin.i32]),
        lambda: arith.AddiOp.build(operands=[[one, one], one], result_types=[builtin.i32]),
        lambda: arith.AddiOp.build(operands=[one, None], result_types=[builtin.i32]),
        lambda: arith.AddiOp.build(operands=[one, one], result_types=[]),
        lambda: ReadOp.build(operands=[None, None, []], result_types=[builtin.i32]),
        lambda: ReadOp.build(operands=[[one, one], one, []], result_types=[builtin.i32]),
        lambda: ReadOp.build(operands=[one, one], result_types=[builtin.i32]),
        lambda: func.CallOp.build(operands=[[one]], result_types=[]),
        lambda: memref.LoadOp.build(operands=[one, []], result_types=[[builtin.i32] * 2]),
        lambda: flag.operands[5],
        lambda: around.true_region.block.add_op(around),
        lambda: Block([one, one]),
        lambda: setattr(flag.result, "name_hint", "1x"),
        lambda: setattr(flag.result, "name_hint", "1x"),
        lambda: setattr(Block([]), "name_hint", "x y"),
    ):
        try:
            make()
        except Exception as error:
            yield type(error).__name__, str(error)

def known(op):
    fields = [(name, str(getattr(op, name)), type(getattr(op, name)).__name__) for name in ("lhs",
        "rhs", "condition", "memref", "lb", "indices", "body", "block", "then_block", "else_block",
        "then_arguments", "else_arguments", "res", "dynamic_sizes", "symbol_operands", "iter_args",
        "lowerBoundOperands", "upperBoundOperands", "inits", "successor", "arguments", "cond",
        "true_region", "false_region", "mask") if hasattr(op, name)]
    fields += [(name, str(one)) for name, one in (*op.properties.items(), *op.attributes.items())]
    fields = re.sub("<Block [0-9]+", "<Block", str(fields))
    return (op.name, str(op), fields, [str(v.type) for v in op.operands], op.operands[1:].__class__,
        op.results[:1].__class__, len(op.results), op.results == op.results[:], op.next_op is None,
        op.prev_op is None, [[u.index for u in r.uses] for r in op.results], len(op.successors))

def answers():
    module = read()
    function = module.body.block.first_op
    orders = [[op.name for op in module.walk(reverse=r, region_first=f)]
        for r in (False, True) for f in (False, True)]
    blocks = [[op.name for op in block.ops] for block in function.body.blocks]
    erased = []
    for op in read().walk():
        erased.append(op.name)
        if op.name == "scf.for":
            op.results[0].replace_all_uses_with(op.operands[3])
            op.detach()
    return ([known(op) for op in module.walk()], orders, blocks, erased,
        [known(op) for op in made()], list(wrong()), identities(), built(),
        [(op.location, [one.name_hint for one in op.results]) for op in made()])

before = answers()
assert len(before[5]) == 15
quicken_operations()
after = answers()
for one, other in zip(before, after, strict=True):
    assert one == other, (one, other)
quicken_operations()
'''


def test_answers_are_the_same():
    ran = subprocess.run(
        [sys.executable, "-c", QUESTIONS], capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr


def nested() -> ModuleOp:
    inner = test.TestOp.create(regions=[Region([Block([test.TestPureOp.create()]), Block()])])
    outer = test.TestOp.create(regions=[Region(), Region([Block(), Block([inner])])])
    return ModuleOp([outer, test.TestPureOp.create()])


def test_a_walk_is_that_of_nested_generators():
    module = nested()
    plain = Operation.walk(module)
    assert list(walk_of(module)) == list(plain)


def test_what_is_handed_out_may_be_erased():
    module = nested()
    seen = list[str]()
    for op in walk_of(module):
        seen.append(op.name)
        if op.name == "test.pureop":
            op.detach()
    assert seen == ["builtin.module", "test.op", "test.op", "test.pureop", "test.pureop"]
