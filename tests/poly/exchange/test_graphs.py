"""Graphs say what is so: nodes, edges and labels against the SCoP itself."""

import re

import pytest
from oracles.kernels import KERNELS
from oracles.nests import GEMM, JACOBI

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.exchange.dot import Cluster, Edge, Graph, Node, dot_text
from polyopt.poly.exchange.graphs import dependence_graph, schedule_graph, scop_graph
from polyopt.poly.notation import parse_scop


def nodes_of(graph: Graph) -> list[Node]:
    found, left = list[Node](), list(graph.members)
    while left:
        member = left.pop(0)
        if isinstance(member, Node):
            found.append(member)
        else:
            left = [*member.members, *left]
    return found


def test_any_text_may_stand_in_a_graph() -> None:
    graph = Graph(
        'a "b"',
        (Cluster('c\n"d"', (Node("x\\", ('say "no"', "two"), "note", "bold"),)), Node("y", ())),
        (Edge("x\\", "y", 'l"', "dashed", "red"), Edge("y", "y")),
    )
    assert dot_text(graph) == (
        'digraph "a \\"b\\"" {\n'
        '  node [fontname="monospace"];\n'
        "  subgraph cluster_0 {\n"
        '    label="c\\n\\"d\\"";\n'
        '    "x\\\\" [label="say \\"no\\"\\ltwo\\l", shape="note", style="bold"];\n'
        "  }\n"
        '  "y" [label="", shape="box"];\n'
        '  "x\\\\" -> "y" [label="l\\"", style="dashed", color="red"];\n'
        '  "y" -> "y";\n'
        "}\n"
    )


def test_each_dependence_is_an_edge() -> None:
    scop = parse_scop(JACOBI)
    graph = dependence_graph(scop, compute_dependences(scop))
    assert {node.name for node in graph.members if isinstance(node, Node)} == {"S", "T"}
    found = {(edge.source, edge.target, edge.label.split()[0]) for edge in graph.edges}
    assert found == {
        ("S", "T", "flow"),
        ("T", "S", "flow"),
        ("S", "T", "anti"),
        ("T", "S", "anti"),
        ("S", "S", "output"),
        ("T", "T", "output"),
    }


def test_a_distance_is_shown_where_there_is_only_one() -> None:
    scop = parse_scop(
        "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = A[i - 1, j + 2]"
    )
    (edge,) = dependence_graph(scop, compute_dependences(scop)).edges
    assert edge.label == "flow (1, -2)"
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = A[0]")
    labels = {e.label for e in dependence_graph(scop, compute_dependences(scop)).edges}
    assert "flow" in labels


def test_the_schedule_tree_node_by_node() -> None:
    scop = parse_scop(GEMM)
    graph = schedule_graph(scop)
    nodes = nodes_of(graph)
    assert [node.lines[0] for node in nodes if node.shape == "diamond"] == ["sequence"]
    # A tree: each node but the root has one edge to it.
    assert sorted(edge.target for edge in graph.edges) == sorted(
        node.name for node in nodes if node.name != "n0"
    )
    leaves = [node for node in nodes if node.style == "rounded"]
    assert {re.findall(r"{ (\w)\[", node.lines[0])[0] for node in leaves} == {"S", "T"}


@pytest.mark.parametrize("name", ["gemm", "adi", "nussinov"])
def test_statements_stand_in_their_loops(name: str) -> None:
    scop = parse_scop(KERNELS[name])
    graph = scop_graph(scop)
    assert {node.name for node in nodes_of(graph)} == {one.name for one in scop.statements}
    for node in nodes_of(graph):
        accesses = scop.statement(node.name).accesses
        kinds = [line.split()[0] for line in node.lines]
        assert kinds.count("write") == sum(access.is_write for access in accesses)
        assert kinds.count("read") == sum(not access.is_write for access in accesses)
    text = dot_text(graph)
    assert text.count("{\n") == text.count("}\n")
