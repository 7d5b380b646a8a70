"""Networks of shuffles, run on lists, and what they are tried on."""

from __future__ import annotations

from polyopt.passes.loops.shuffle_network import Network


def run(network: Network, sources: list[list[int]]) -> list[list[int]]:
    """The results that the network makes of the sources."""
    vectors = [list(source) for source in sources]
    for one in network.shuffles:
        both = vectors[one.left] + vectors[one.right]
        vectors.append([both[lane] for lane in one.order])
    return [vectors[number] for number in network.results]


def rows(count: int, lanes: int) -> list[list[int]]:
    return [list(range(start, start + lanes)) for start in range(0, count * lanes, lanes)]


def columns(count: int, lanes: int) -> list[list[int]]:
    """The same elements in turns."""
    return [list(range(start, count * lanes, count)) for start in range(count)]
