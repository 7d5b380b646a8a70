"""What became of a loop nest, in one line and in the names of the C source: for remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyopt.poly.loops.expressions import names_in
from polyopt.poly.loops.loop_tree import Branch, Instance, Loop, Node
from polyopt.poly.scop import Scop, Statement
from polyopt.support.diagnostics import Span
from polyopt.support.record import record


@record
class NestSummary:
    """`span` is the first statement's of the nest."""

    text: str
    span: Span | None


def summarise_nests(nodes: Sequence[Node], scop: Scop) -> list[NestSummary]:
    """One summary for each outermost loop."""
    return [_summary(node, scop) for node in _outermost(nodes)]


def _outermost(nodes: Sequence[Node]) -> Iterator[Loop]:
    for node in nodes:
        match node:
            case Loop():
                yield node
            case Branch():
                yield from _outermost(node.then + node.orelse)
            case Instance():
                pass


def _summary(nest: Loop, scop: Scop) -> NestSummary:
    instances = list(_instances((nest,)))
    names = {instance.statement for instance in instances}
    statements = [statement for statement in scop.statements if statement.name in names]
    deepest = max(statements, key=lambda statement: len(statement.iterators))
    path = _deepest_path(nest, deepest.name)
    skewed = _skewed(deepest, [i for i in instances if i.statement == deepest.name], path)
    strips = _unrolled_strips(path)
    jammed = set(map(id, strips))
    points = [one for one in path if not {"tile", "unroll"} & set(one.marks) or id(one) in jammed]
    order = list(map(_name, points))
    tiles = [str(loop.step) for loop in path if "tile" in loop.marks and id(loop) not in jammed]
    parallel = [name for name in order if _is_parallel(name, path)]
    is_source = order == list(deepest.iterators) and not skewed
    facts = ["order of the source" if is_source else f"order {', '.join(order)}"]
    if skewed:
        facts.append(f"{' and '.join(skewed)} skewed")
    if tiles:
        # Loops that count tiles, not the steps between them, are over tiles of another shape.
        facts.append(f"tiles of {' x '.join(tiles)}" if set(tiles) != {"1"} else "tiles")
    facts += [f"{_name(loop)} unrolled by {loop.step}" for loop in strips]
    if parallel:
        facts.append(f"no dependence carried by {' and '.join(parallel)}")
    facts += _other_parallelism(nest)
    if len(statements) > 1:
        facts.append(f"{len(statements)} statements together")
    loops = f"loop{'s' if len(deepest.iterators) > 1 else ''} {', '.join(deepest.iterators)}"
    spans = [statement.span for statement in statements if statement.span is not None]
    return NestSummary(f"{loops}: {', '.join(facts)}", min(spans, default=None))


def _instances(nodes: Sequence[Node]) -> Iterator[Instance]:
    for node in nodes:
        match node:
            case Instance():
                yield node
            case Branch():
                yield from _instances(node.then + node.orelse)
            case Loop():
                yield from _instances(node.body)


def _deepest_path(node: Node, statement: str) -> list[Loop]:
    """The loops around an instance of `statement`, outermost first: the longest such chain."""
    match node:
        case Instance():
            return []
        case Branch():
            inner = node.then + node.orelse
        case Loop():
            inner = node.body
    holding = [n for n in inner if any(i.statement == statement for i in _instances((n,)))]
    longest = max((_deepest_path(child, statement) for child in holding), key=len)
    return [node, *longest] if isinstance(node, Loop) else longest


def _unrolled_strips(path: Sequence[Loop]) -> list[Loop]:
    """The loops over strips whose iterations become straight-line code, inside of the others."""
    names = [_name(loop) for loop in path if "unroll" in loop.marks]
    ofs = ([loop for loop in path if _name(loop) == name and loop.step > 1] for name in names)
    return [found[-1] for found in ofs if found]


def _skewed(statement: Statement, instances: Sequence[Instance], path: Sequence[Loop]) -> list[str]:
    """The C loops whose value is computed from several generated loops."""
    iterators = {loop.iterator for loop in path}
    return [
        name
        for position, name in enumerate(statement.iterators)
        if any(len(iterators & names_in(one.arguments[position])) > 1 for one in instances)
    ]


def _other_parallelism(nest: Loop) -> list[str]:
    """What the outermost loop offers where it carries something."""
    sums = nest.reductions or nest.pipeline or ()
    kinds = [f"reduction of {' and '.join(sums)}"] if sums else []
    kinds += ["pipeline"] if nest.pipeline is not None else []
    return [f"{' and '.join(kinds)} along {_name(nest)}"] if kinds else []


def _name(loop: Loop) -> str:
    return loop.source or loop.iterator


def _is_parallel(name: str, path: Sequence[Loop]) -> bool:
    """Every loop over this C loop, tiles and points, is parallel."""
    return all(loop.is_parallel for loop in path if _name(loop) == name)
