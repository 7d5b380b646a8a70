"""A loop tree as text in the manner of C, for people and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyopt.poly.loops.loop_tree import (
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
    return "".join(f"{indent}{line}\n" for line, _ in loop_lines(nodes))


def loop_lines(nodes: Sequence[Node]) -> Iterator[tuple[str, Node]]:
    """The lines of the text, each with the node that it is of."""
    for node in nodes:
        match node:
            case Instance(statement, arguments):
                yield f"{statement}({', '.join(map(expression_text, arguments))});", node
            case Branch(condition, then, orelse):
                yield f"if ({condition_text(condition)})", node
                yield from _inside(then)
                if orelse:
                    yield "else", node
                    yield from _inside(orelse)
            case Loop():
                yield _head(node), node
                yield from _inside(node.body)


def _inside(nodes: Sequence[Node]) -> Iterator[tuple[str, Node]]:
    return ((f"  {line}", node) for line, node in loop_lines(nodes))


def _head(loop: Loop) -> str:
    """The line of the loop itself, with what is known of it."""
    name = loop.iterator
    step = f"{name} += {loop.step}" if loop.step != 1 else f"{name}++"
    facts = [*loop.marks]
    if loop.is_parallel:
        facts.append("parallel")
    if loop.reductions:
        facts.append(f"reduction({', '.join(loop.reductions)})")
    if loop.pipeline:
        facts.append(f"reduction({', '.join(loop.pipeline)}) & pipeline")
    elif loop.pipeline is not None:
        facts.append("pipeline")
    comment = f" // {', '.join(facts)}" if facts else ""
    return (
        f"for ({name} = {expression_text(loop.lower)}; "
        f"{name} < {expression_text(loop.upper)}; {step}){comment}"
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
