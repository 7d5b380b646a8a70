"""What loops do, in the words of somebody who writes loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyopt.poly.analysis.parallelism import LoopParallelism
from polyopt.poly.picture.obstacles import Obstacle
from polyopt.poly.picture.sample import Instance
from polyopt.poly.picture.touches import Element
from polyopt.poly.picture.tree_rows import TreeRow
from polyopt.report.contents import Statement


def listed(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def sentence(message: str) -> str:
    """A remark's message with a capital and a full stop."""
    return f"{message[:1].upper()}{message[1:]}."


def times_as_fast(times: float) -> str:
    """In words, for what a model only estimates; "as it was written" may follow."""
    if abs(times - 1) < NOTHING:
        return "as fast"
    return f"about {times:.1f} times as fast" if times < 2.5 else f"about {times:.0f} times as fast"


NOTHING = 0.05
"""What differs by less is the same, as far as an estimate goes."""


def freedom(found: LoopParallelism, variables: Mapping[str, str] = {}) -> tuple[str, str]:
    """In one word, for colours, and in a phrase: what stands against running iterations at once;
    `variables` are those of the source that arrays hold for each iteration."""
    if found.is_parallel:
        return "free", "iterations are independent"
    if found.pipeline is not None:
        return "partly", "an iteration may follow the one before at a distance"
    if found.reductions:
        names = list(dict.fromkeys(variables.get(one, one) for one in found.reductions))
        return "partly", in_any_order(names)
    return "held", NEEDS


NEEDS, MAY_NEED = "an iteration needs earlier ones", "an iteration may need earlier ones"


def in_any_order(names: Sequence[str]) -> str:
    return f"iterations only update {listed(names)}, in any order"


def instance_text(instance: Instance, statement: Statement) -> str:
    """S1 at i = 0, j = 2."""
    name, values = instance
    pairs = zip(statement.iterators, values, strict=False)
    return f"{name} at {', '.join(f'{i} = {v}' for i, v in pairs)}" if values else name


def element_text(element: Element) -> str:
    array, subscripts = element
    if subscripts and array.startswith("*"):
        array = f"({array})"
    return array + "".join(f"[{one}]" for one in subscripts)


Counts = Mapping[str, tuple[int, int] | None]
"""Iterators that count iterations from 0, while the loop of the source begins at the one number and
goes on by the other; None where these are no numbers."""


def obstacle_text(
    one: Obstacle,
    source: Statement,
    target: Statement,
    variables: Mapping[str, str] = {},
    counts: Counts = {},
) -> str:
    """The pair of iterations, with the element that both touch and its place in the source;
    `variables` are those of the source that arrays hold for each iteration."""
    here = _iteration(one.arrow.source, source, counts)
    there = _iteration(one.arrow.target, target, counts)
    if one.element is None:
        return f"{there} may touch what {here} touches: where that is shows only in the run"
    element = variables.get(one.element[0]) or element_text(one.element)
    match one.kind:
        case "flow" if one.is_somewhere:
            return f"{there} may need {element}, which {here} may compute"
        case "flow" if not one.is_sure:
            return f"{there} may need {element}, which {here} computes where a condition holds"
        case "flow" if not one.is_used:
            return f"{there} may need {element}, which {here} computes"
        case "flow":
            return f"{there} needs {element}, which {here} computes"
        case "reduction" if one.is_somewhere:
            return f"{there} may update {element}, as {here} may"
        case "reduction" if not one.is_sure:
            return f"{there} may update {element}, as {here} does where a condition holds"
        case "reduction":
            return f"{there} updates {element}, as {here} does"
        case "anti":
            return f"{there} overwrites {element}, which {here} still reads"
        case _:
            return f"{there} writes {element}, as {here} does"


def _iteration(instance: Instance, statement: Statement, counts: Counts) -> str:
    _, values = instance
    pairs = [_at(i, v, counts) for i, v in zip(statement.iterators, values, strict=False)]
    return f"{statement.place} at {', '.join(pairs)}" if pairs else statement.place


def _at(iterator: str, value: int, counts: Counts) -> str:
    if iterator not in counts:
        return f"{iterator} = {value}"
    range_ = counts[iterator]
    if range_ is None:
        return f"iteration {value + 1} of {iterator}"
    start, step = range_
    return f"{iterator} = {start + step * value}"


def row_text(row: TreeRow, statements: Sequence[Statement]) -> str:
    """A node of a schedule tree as a sentence."""
    if row.kind == "sequence":
        return "one after the other:"
    if row.kind == "statement":
        (name,) = row.statements
        one = next(s for s in statements if s.name == name)
        return f"{name}: {one.text.strip()}" if one.text.strip() else name
    name = row.name
    if name is None:
        return "once"
    if row.size is not None:
        return f"for each tile of {row.size} along {name.partition('_tile')[0]}"
    functions = dict.fromkeys(text for _, text in row.functions)
    counting = f", counted as {listed(list(functions))}" if functions else ""
    return f"for each {name}{counting}"
