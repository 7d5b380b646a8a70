"""A model of tile sizes: every loop of a band the same, as many as fit the first-level cache."""

from collections.abc import Callable, Sequence

from polyopt import api


def square_tiles(
    matrices: api.AccessMatrices, points: api.Tree, target: api.Target, serial: frozenset[str]
) -> Callable[[api.Band, Sequence[api.Member]], tuple[int, ...] | None]:
    """Made once for each SCoP; what is returned is asked for each band, and may answer None."""
    elements = target.l1_bytes // 8

    def sizes(band: api.Band, outer: Sequence[api.Member]) -> tuple[int, ...] | None:
        loops = len(band.members)
        return (max(4, int((elements / 4) ** (1 / loops))),) * loops if loops > 1 else None

    return sizes
