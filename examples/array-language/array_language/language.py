# pyright: basic, reportAttributeAccessIssue=false, reportArgumentType=false
"""The language: `mean[i, j] = (a[i, j - 1] + a[i, j + 1]) / 2 for i in (0, n), j in (1, m - 1)`.

Arrays are of f64; whatever else has a name is a size. A program is a row of assignments, with
Python's syntax for expressions, so that Python's parser reads it.
"""

import ast
import re

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IndexType, MemRefType, ModuleOp, f64
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from array_language.dialect import ArrayToLoopsPass, AssignOp, EndOp
from polyopt import api

INDEX = IndexType()
OF_FLOATS = {
    ast.Add: arith.AddfOp,
    ast.Sub: arith.SubfOp,
    ast.Mult: arith.MulfOp,
    ast.Div: arith.DivfOp,
}
OF_INDICES = {ast.Add: arith.AddiOp, ast.Sub: arith.SubiOp, ast.Mult: arith.MuliOp}


def compile(name: str, text: str) -> api.Program:
    """The program as a function of Python; its arguments, arrays first, are in order of the
    alphabet."""
    module = translate(name, text)
    ArrayToLoopsPass().apply(Context(), module)
    return api.compile(module, "-O3 -fparallel --assume-distinct")


def translate(name: str, text: str) -> ModuleOp:
    """The program as a module of the dialect. Raises SyntaxError."""
    lines = [_read(line) for line in text.strip().splitlines()]
    nodes = [node for line in lines for node in ast.walk(line)]
    ranks = {one.value.id: len(_subscripts(one)) for one in nodes if isinstance(one, ast.Subscript)}
    bound = {target for line in lines for target in _iterators(line)}
    names = {one.id for one in nodes if isinstance(one, ast.Name)}
    sizes = sorted(names - ranks.keys() - bound)
    types = [MemRefType(f64, [DYNAMIC_INDEX] * ranks[array]) for array in sorted(ranks)] + [
        INDEX
    ] * len(sizes)
    block = Block(arg_types=types)
    values = dict(zip([*sorted(ranks), *sizes], block.args, strict=True))
    for hint, value in values.items():
        value.name_hint = hint
    for line in lines:
        _Writer(Builder(InsertPoint.at_end(block)), values).assignment(line)
    block.add_op(func.ReturnOp())
    return ModuleOp([func.FuncOp(name, (types, ()), Region(block))])


def _read(line: str) -> ast.Module:
    """`target = value for i in (low, high), …` as Python's own assignments, one for each part."""
    match = re.fullmatch(r"(.*?=.*?) for (.*)", line.strip())
    if match is None:
        raise SyntaxError(f"expected 'a[i] = … for i in (low, high)': {line}")
    loops = re.sub(r"(\w+) in (\([^)]*\)),?", r"\1 = \2;", match[2])
    return ast.parse(f"{match[1]}\n{loops}")


def _iterators(line: ast.Module) -> list[str]:
    return [loop.targets[0].id for loop in line.body[1:]]


def _subscripts(access: ast.Subscript) -> list[ast.expr]:
    return access.slice.elts if isinstance(access.slice, ast.Tuple) else [access.slice]


class _Writer:
    def __init__(self, builder: Builder, values: dict[str, SSAValue]):
        self.builder, self.values = builder, dict(values)

    def assignment(self, line: ast.Module) -> None:
        bounds = [[self.index(end) for end in loop.value.elts] for loop in line.body[1:]]
        lower, upper = zip(*bounds, strict=True)
        block = Block([end := EndOp()], arg_types=[INDEX] * len(bounds))
        assign = AssignOp.build(operands=[lower, upper], regions=[Region(block)])
        self.builder.insert(assign)
        self.values.update(zip(_iterators(line), block.args, strict=True))
        for name in _iterators(line):
            self.values[name].name_hint = name
        self.builder = Builder(InsertPoint.before(end))
        target, value = line.body[0].targets[0], self.value(line.body[0].value)
        self.builder.insert(memref.StoreOp.get(value, *self.access(target)))

    def access(self, node: ast.Subscript) -> tuple[SSAValue, list[SSAValue]]:
        return self.values[node.value.id], [self.index(one) for one in _subscripts(node)]

    def value(self, node: ast.expr) -> SSAValue:
        match node:
            case ast.Subscript():
                return self.builder.insert(memref.LoadOp.get(*self.access(node))).res
            case ast.BinOp() if type(node.op) in OF_FLOATS:
                made = OF_FLOATS[type(node.op)](self.value(node.left), self.value(node.right))
                return self.builder.insert(made).result
            case ast.Constant():
                return self.builder.insert(
                    arith.ConstantOp(FloatAttr(float(node.value), f64))
                ).result
            case _:
                raise SyntaxError(f"no value: {ast.unparse(node)}")

    def index(self, node: ast.expr) -> SSAValue:
        match node:
            case ast.Name():
                return self.values[node.id]
            case ast.BinOp() if type(node.op) in OF_INDICES:
                made = OF_INDICES[type(node.op)](self.index(node.left), self.index(node.right))
                return self.builder.insert(made).result
            case ast.Constant():
                made = arith.ConstantOp.from_int_and_width(int(node.value), INDEX)
                return self.builder.insert(made).result
            case _:
                raise SyntaxError(f"no size: {ast.unparse(node)}")
