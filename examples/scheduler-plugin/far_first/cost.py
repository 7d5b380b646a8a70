"""A model of what nests cost: operations, and nothing of memory. Whoever compiles for a machine
whose memory keeps up with its core might want it."""

from collections.abc import Sequence

from polyopt import api


def operations_only(
    parts: Sequence[api.Part], target: api.Target, core: api.CoreCosts
) -> api.Estimate:
    """Asked for the code that the loops were made from, and for the loops: the least one stays."""
    return api.Estimate(sum(map(cycles, parts)), 0.0)


def cycles(part: api.Part) -> float:
    if isinstance(part, api.Straight):
        return part.cycles
    return part.start + part.trips * max(sum(map(cycles, part.inner)), part.wait)
