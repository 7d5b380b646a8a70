"""The shorter ways find right and wrong what xDSL's own do. They are for a whole process, so one is
asked: of a module's operations, as they are and made wrong, each again and again."""

import subprocess
import sys

QUESTIONS = '''
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, memref, scf, vector
from xdsl.dialects.builtin import StringAttr, VectorType, f64, i32
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.traits import OpTrait
from xdsl.utils.hints import isa
from polyopt.dialects.quick_verification import quicken_verification

TEXT = """
func.func @f(%n: index, %A: memref<?xf64>, %c: i1) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = memref.load %A[%n] : memref<?xf64>
  %y = memref.load %A[%zero] : memref<?xf64>
  %s = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (f64) {
    %e = memref.load %A[%i] : memref<?xf64>
    %t = arith.addf %a, %e fastmath<fast> : f64
    %u = arith.addf %t, %y : f64
    scf.yield %u : f64
  }
  func.return %s : f64
}
func.func @g(%a: vector<4xf64>, %of_another: index) -> vector<4xf64> {
  %b = arith.mulf %a, %a : vector<4xf64>
  func.return %b : vector<4xf64>
}
"""

def read():
    context = Context()
    for dialect in (arith.Arith, builtin.Builtin, func.Func, memref.MemRef, scf.Scf, vector.Vector):
        context.load_dialect(dialect)
    return Parser(context, TEXT).parse_module()

def said(op):
    """Twice: also when it is known."""
    found = []
    for _ in range(2):
        try:
            op.verify()
            found.append(None)
        except Exception as error:
            found.append((type(error).__name__, str(error)))
    assert found[0] == found[1], found
    return found[0]

def changes(op, others):
    """Ways to make it wrong, or only another; each leaves it as it was."""
    for k, value in enumerate(op.operands):
        for other in others:
            op.operands[k] = other
            yield "operand", k
        op.operands[k] = value
    for store in (op.properties, op.attributes):
        for name in list(store):
            value = store.pop(name)
            yield "without", name
            store[name] = StringAttr("nothing")
            yield "other", name
            store["unheard"] = value
            del store[name]
            yield "renamed", name
            store[name] = store.pop("unheard")
        store["unheard"] = StringAttr("of")
        yield "more", "unheard"
        del store["unheard"]

def astray():
    """What was right where it stood, at the end of what no such operation may end."""
    function = read().body.block.first_op
    found = [said(function)]
    end = next(op for op in function.walk() if op.name == "scf.yield")
    end.detach()
    function.body.block.last_op.detach()
    function.body.block.add_op(end)
    return [*found, said(end)]

class Refusing(OpTrait):
    def verify(self, op):
        raise ValueError("refused")

def answers():
    found = []
    module = read()
    functions = list(module.body.block.ops)
    values = [one for op in functions[0].walk() for one in op.results]
    values += [*functions[0].body.block.args, *functions[1].body.block.args]
    values = list({one.type: one for one in values}.values())
    for op in list(module.walk()):
        found.append((op.name, said(op)))
        for change in changes(op, values):
            found.append((op.name, change, said(op)))
            found.append((op.name, change, said(functions[0])))
        found.append((op.name, said(module)))
        if op.results and not op.regions:
            twin = type(op).create(operands=[*op.operands, op.operands[0]] if op.operands else [],
                result_types=[one.type for one in op.results], properties=op.properties)
            found.append((op.name, "one more operand", said(twin)))
            twin = type(op).create(operands=list(op.operands), properties=op.properties,
                result_types=[i32 for one in op.results])
            found.append((op.name, "another result", said(twin)))
    f64s, indices = VectorType[builtin.Float64Type], VectorType[builtin.IndexType]
    for hint in (f64s, indices, builtin.Float64Type):
        found += [isa(one, hint) for one in (f64, VectorType(f64, [4]), VectorType(i32, [4]))] * 2
    return found

def with_a_trait_more():
    op = read().body.block.first_op.body.block.first_op
    before = said(op)
    kept = type(op).traits._traits
    type(op).traits.add_trait(Refusing())
    try:
        return before, said(op)
    finally:
        type(op).traits._traits = kept

before = answers(), with_a_trait_more(), astray()
assert len({one[-1] for one in before[0] if isinstance(one, tuple)}) > 20
assert any("out of its IsolatedFromAbove" in str(one) for one in before[0])
assert before[2][0] is None
assert "expects parent op" in str(before[2][1])
assert before[1] == (None, ("ValueError", "refused"))
quicken_verification()
after = answers(), with_a_trait_more(), astray()
for one, other in zip([*before[0], *before[1:]], [*after[0], *after[1:]], strict=True):
    assert one == other, (one, other)
quicken_verification()
'''


def test_answers_are_the_same():
    ran = subprocess.run(
        [sys.executable, "-c", QUESTIONS], capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
