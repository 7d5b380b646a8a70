"""Graphs in Graphviz's language: nodes with lines of text, edges with labels, clusters.

Nothing here knows what the graphs are of; `graphs` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """`lines` are shown left-aligned; `shape` and `style` are Graphviz's."""

    name: str
    lines: tuple[str, ...]
    shape: str = "box"
    style: str = ""


@dataclass(frozen=True)
class Edge:
    source: str
    target: str
    label: str = ""
    style: str = ""
    color: str = ""


@dataclass(frozen=True)
class Cluster:
    """Nodes and clusters in a box with a title, whose ground has a colour or none."""

    title: str
    members: tuple[Node | Cluster, ...]
    color: str = ""
    style: str = ""


@dataclass(frozen=True)
class Graph:
    name: str
    members: tuple[Node | Cluster, ...]
    edges: tuple[Edge, ...] = ()


def dot_text(graph: Graph) -> str:
    """Everything in quotes, so that any name and text will do."""
    lines = [f"digraph {_quoted(graph.name)} {{", '  node [fontname="monospace"];']
    lines += _member_lines(graph.members, "  ", iter(range(1 << 30)))
    for edge in graph.edges:
        attributes = _attributes(label=edge.label, style=edge.style, color=edge.color)
        lines.append(f"  {_quoted(edge.source)} -> {_quoted(edge.target)}{attributes};")
    return "\n".join([*lines, "}"]) + "\n"


def _member_lines(
    members: tuple[Node | Cluster, ...], indent: str, numbers: Iterator[int]
) -> Iterator[str]:
    for member in members:
        match member:
            case Node(name, lines, shape, style):
                label = "".join(f"{_escaped(line)}\\l" for line in lines)
                attributes = _attributes(shape=shape, style=style)
                separator = ", " if attributes else ""
                inner = attributes.removeprefix(" [").removesuffix("]")
                yield f'{indent}{_quoted(name)} [label="{label}"{separator}{inner}];'
            case Cluster(title, inside, color, style):
                yield f"{indent}subgraph cluster_{next(numbers)} {{"
                yield f"{indent}  label={_quoted(title)};"
                for key, value in (("bgcolor", color), ("style", style)):
                    if value:
                        yield f"{indent}  {key}={_quoted(value)};"
                yield from _member_lines(inside, f"{indent}  ", numbers)
                yield f"{indent}}}"


def _attributes(**values: str) -> str:
    given = [f"{key}={_quoted(value)}" for key, value in values.items() if value]
    return f" [{', '.join(given)}]" if given else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text: str) -> str:
    return '"' + _escaped(text).replace("\n", "\\n") + '"'
