"""isl's AST as a `loop_tree`: the same loops, conditions and instances, exactly.

isl's operators on integers a, b with b > 0 and what they become:

    fdiv_q  floor(a / b)                     FloorDiv
    pdiv_q  a / b for a >= 0                 FloorDiv
    div     a / b where b divides a          FloorDiv
    pdiv_r  a mod b for a >= 0               Mod
    zdiv_r  zero exactly if b divides a      Mod

A loop that isl knows to run once becomes its only value. What is none of this, such as a loop
without a last iteration, has no loop tree: `Unconvertible`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import islpy as isl

from polyopt.poly.loops.expressions import (
    add,
    all_of,
    any_of,
    compare,
    floor_div,
    maximum,
    minimum,
    modulo,
    scale,
    subtract,
)
from polyopt.poly.loops.loop_tree import (
    Branch,
    Condition,
    Const,
    Expr,
    Instance,
    Loop,
    Name,
    Node,
    Select,
)
from polyopt.support.record import record


class Unconvertible(Exception):
    """isl's AST has something that no loop tree can say."""


def _kind(node: isl.AstNode) -> str:
    return isl.ast_node_type(node.get_type()).name


def _operator(expression: isl.AstExpr) -> str:
    if expression.get_type() != isl.ast_expr_type.op:
        raise Unconvertible(f"no operation: {expression.to_C_str()}")
    return isl.ast_expr_op_type(expression.op_get_type()).name


@record
class LoopFacts:
    """What is known of one generated loop besides its text."""

    is_parallel: bool = False
    reductions: tuple[str, ...] = ()
    pipeline: tuple[str, ...] | None = None


@record
class MarkedBand:
    """A mark of the schedule tree: it holds for the loops at depths [first, first + members)."""

    name: str
    first: int
    members: int


@record
class AstFacts:
    """Facts by the names that isl's AST carries: annotations of loops, identities of marks, and
    iterators, whose order is that of their depths in the schedule (a loop that isl has made a
    constant keeps its place). `judge` is asked about a loop and the only loop inside it, if there
    is nothing but that."""

    judge: Callable[[str, str | None], LoopFacts]
    marks: Mapping[str, MarkedBand]
    depths: Mapping[str, int]


def convert_ast(node: isl.AstNode, facts: AstFacts) -> tuple[Node, ...]:
    """The loop tree. Raises Unconvertible."""
    return _Converter(facts).node(node, {}, ())


@record
class _Converter:
    facts: AstFacts

    def node(
        self, node: isl.AstNode, values: Mapping[str, Expr], marks: Sequence[MarkedBand]
    ) -> tuple[Node, ...]:
        """`values` are those of the loops that run once."""
        match _kind(node):
            case "for_":
                return self._loop(node, values, marks)
            case "if_":
                then = self.node(node.if_get_then_node(), values, marks)
                orelse: tuple[Node, ...] = ()
                if node.if_has_else_node():
                    orelse = self.node(node.if_get_else_node(), values, marks)
                condition = convert_condition(node.if_get_cond(), values)
                return (Branch(condition, then, orelse),)
            case "block":
                children = node.block_get_children()
                parts = list[Node]()
                for k in range(len(children)):
                    parts += self.node(children.get_at(k), values, marks)
                return tuple(parts)
            case "mark":
                mark = self.facts.marks[_name(node.mark_get_id())]
                return self.node(node.mark_get_node(), values, [*marks, mark])
            case "user":
                return (_instance(node.user_get_expr(), values),)
            case kind:
                raise Unconvertible(f"a node of kind {kind}")

    def _loop(
        self, node: isl.AstNode, values: Mapping[str, Expr], marks: Sequence[MarkedBand]
    ) -> tuple[Node, ...]:
        iterator = _name(node.for_get_iterator().id_get_id())
        lower = convert_expression(node.for_get_init(), values)
        if node.for_is_degenerate():
            return self.node(node.for_get_body(), {**values, iterator: lower}, marks)
        inner = _only_loop(node.for_get_body())
        facts = self.facts.judge(_name(node.get_annotation()), inner and _name(inner))
        depth = self.facts.depths[iterator]
        return (
            Loop(
                iterator,
                lower,
                _upper_bound(node.for_get_cond(), values),
                node.for_get_inc().int_get_val().to_python(),
                self.node(node.for_get_body(), values, marks),
                facts.is_parallel,
                facts.reductions,
                tuple(
                    mark.name for mark in marks if mark.first <= depth < mark.first + mark.members
                ),
                pipeline=facts.pipeline,
            ),
        )


def _only_loop(node: isl.AstNode) -> isl.Id | None:
    """The annotation of the loop that is all of `node`, perhaps under conditions."""
    match _kind(node):
        case "mark":
            return _only_loop(node.mark_get_node())
        case "if_" if not node.if_has_else_node():
            return _only_loop(node.if_get_then_node())
        case "for_" if node.for_is_degenerate():
            return _only_loop(node.for_get_body())
        case "for_":
            return node.get_annotation()
        case _:
            return None


def _upper_bound(condition: isl.AstExpr, values: Mapping[str, Expr]) -> Expr:
    """e of `iterator < e`, e + 1 of `iterator <= e`; the least one of several."""
    kind = _operator(condition)
    match kind:
        case "lt":
            return convert_expression(condition.op_get_arg(1), values)
        case "le":
            return add(convert_expression(condition.op_get_arg(1), values), Const(1))
        case "and_" | "and_then":
            parts = [condition.op_get_arg(k) for k in range(condition.op_get_n_arg())]
            return minimum(*(_upper_bound(part, values) for part in parts))
        case _:
            raise Unconvertible(f"the loop condition {condition.to_C_str()}")


def _instance(call: isl.AstExpr, values: Mapping[str, Expr]) -> Instance:
    arguments = [call.op_get_arg(k) for k in range(call.op_get_n_arg())]
    return Instance(
        _name(arguments[0].id_get_id()),
        tuple(convert_expression(argument, values) for argument in arguments[1:]),
    )


def _name(identifier: isl.Id) -> str:
    name = identifier.get_name()
    assert name is not None
    return name


_COMPARISONS: Mapping[str, Callable[[Expr, Expr], Condition]] = {
    "eq": lambda a, b: compare(subtract(a, b), is_equality=True),
    "le": lambda a, b: compare(subtract(b, a)),
    "lt": lambda a, b: compare(add(subtract(b, a), Const(-1))),
    "ge": lambda a, b: compare(subtract(a, b)),
    "gt": lambda a, b: compare(add(subtract(a, b), Const(-1))),
}


def convert_condition(condition: isl.AstExpr, values: Mapping[str, Expr]) -> Condition:
    """Raises Unconvertible."""
    if condition.get_type() == isl.ast_expr_type.int:
        return compare(Const(condition.int_get_val().to_python() - 1))
    kind = _operator(condition)
    arguments = [condition.op_get_arg(k) for k in range(condition.op_get_n_arg())]
    match kind:
        case "and_" | "and_then":
            return all_of(*(convert_condition(one, values) for one in arguments))
        case "or_" | "or_else":
            return any_of(*(convert_condition(one, values) for one in arguments))
        case _:
            if kind not in _COMPARISONS:
                raise Unconvertible(f"the condition {condition.to_C_str()}")
            left, right = (convert_expression(one, values) for one in arguments)
            return _COMPARISONS[kind](left, right)


def convert_expression(expression: isl.AstExpr, values: Mapping[str, Expr]) -> Expr:
    """Raises Unconvertible."""
    match expression.get_type():
        case isl.ast_expr_type.int:
            return Const(expression.int_get_val().to_python())
        case isl.ast_expr_type.id:
            name = _name(expression.id_get_id())
            return values.get(name, Name(name))
        case _:
            pass
    kind = _operator(expression)
    arguments = [expression.op_get_arg(k) for k in range(expression.op_get_n_arg())]
    if kind in ("cond", "select"):
        condition = convert_condition(arguments[0], values)
        then, orelse = (convert_expression(one, values) for one in arguments[1:])
        return Select(condition, then, orelse)
    terms = [convert_expression(one, values) for one in arguments]
    match kind:
        case "add":
            return add(*terms)
        case "sub":
            return subtract(*terms)
        case "minus":
            return scale(-1, *terms)
        case "mul":
            return _product(*terms)
        case "min":
            return minimum(*terms)
        case "max":
            return maximum(*terms)
        case "fdiv_q" | "pdiv_q" | "div":
            return floor_div(terms[0], _constant(terms[1]))
        case "pdiv_r" | "zdiv_r":
            return modulo(terms[0], _constant(terms[1]))
        case _:
            raise Unconvertible(f"the expression {expression.to_C_str()}")


def _product(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const):
        return scale(left.value, right)
    return scale(_constant(right), left)


def _constant(expression: Expr) -> int:
    if not isinstance(expression, Const):
        raise Unconvertible("a product or quotient of two variables")
    return expression.value
