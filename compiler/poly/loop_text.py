"""A loop tree as text in the manner of C, for people and for tests."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.loop_tree import (
    All,
    Any,
    Branch,
    Compare,
    Condition,
    Const,
    Expr,
    FloorDiv,
    Instance,
    Loop,
    Max,
    Min,
    Mod,
    Name,
    Node,
    Product,
    Select,
    Sum,
)


def loop_text(nodes: Sequence[Node], indent: str = "") -> str:
    """Each loop, branch and instance on a line of its own, nested by indentation."""
    return "".join(_lines(node, indent) for node in nodes)


def _lines(node: Node, indent: str) -> str:
    inner = indent + "  "
    match node:
        case Instance(statement, arguments):
            return f"{indent}{statement}({', '.join(map(expression_text, arguments))});\n"
        case Branch(condition, then, orelse):
            text = f"{indent}if ({condition_text(condition)})\n{loop_text(then, inner)}"
            return text + (f"{indent}else\n{loop_text(orelse, inner)}" if orelse else "")
        case Loop():
            name = node.iterator
            step = f"{name} += {node.step}" if node.step != 1 else f"{name}++"
            facts = [*node.marks]
            if node.is_parallel:
                facts.append("parallel")
            if node.reductions:
                facts.append(f"reduction({', '.join(node.reductions)})")
            if node.pipeline:
                facts.append(f"reduction({', '.join(node.pipeline)}) & pipeline")
            elif node.pipeline is not None:
                facts.append("pipeline")
            comment = f" // {', '.join(facts)}" if facts else ""
            return (
                f"{indent}for ({name} = {expression_text(node.lower)}; "
                f"{name} < {expression_text(node.upper)}; {step}){comment}\n"
                f"{loop_text(node.body, inner)}"
            )


def expression_text(expression: Expr) -> str:
    match expression:
        case Const(value):
            return str(value)
        case Name(name):
            return name
        case Product(factor, term):
            return f"{'-' if factor == -1 else f'{factor} * '}{_operand(term)}"
        case Sum(terms):
            first, *rest = (expression_text(term) for term in terms)
            signs = (f" - {text[1:]}" if text[0] == "-" else f" + {text}" for text in rest)
            return first + "".join(signs)
        case FloorDiv(term, divisor):
            return f"floord({expression_text(term)}, {divisor})"
        case Mod(term, divisor):
            return f"mod({expression_text(term)}, {divisor})"
        case Min(terms):
            return f"min({', '.join(map(expression_text, terms))})"
        case Max(terms):
            return f"max({', '.join(map(expression_text, terms))})"
        case Select(condition, then, orelse):
            return (
                f"({condition_text(condition)} ? {expression_text(then)} "
                f": {expression_text(orelse)})"
            )


def _operand(expression: Expr) -> str:
    text = expression_text(expression)
    return f"({text})" if isinstance(expression, Sum) else text


def condition_text(condition: Condition) -> str:
    match condition:
        case Compare(term, is_equality):
            return f"{expression_text(term)} {'==' if is_equality else '>='} 0"
        case All(conditions):
            return " && ".join(_grouped(one) for one in conditions) or "1"
        case Any(conditions):
            return " || ".join(_grouped(one) for one in conditions) or "0"


def _grouped(condition: Condition) -> str:
    text = condition_text(condition)
    return text if isinstance(condition, Compare) else f"({text})"
