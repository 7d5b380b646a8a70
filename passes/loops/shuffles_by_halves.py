"""Elements in another order, where shuffles work within the halves of a vector.

Without AVX-512, one instruction puts elements of two vectors of 32 bytes in any order only within
their halves of 16; what crosses these takes an instruction of its own, and more of them where it is
not whole halves that change places. So both halves go through one network for vectors half as long
(`shuffle_network`), and whole halves change places behind it, or in front of it:

    four vectors of 8 floats in turns      8 shuffles within halves, 4 of halves
    the network for whole vectors          4 within halves, 4 that take three instructions each
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.passes.loops.shuffle_network import Element, Lanes, Network, Shuffle, shuffle_network
from polyopt.support.core_model import CORE

_Half = tuple[int, int]
"""Of which vector, and which of both."""


def shuffles_by_halves(
    sources: Sequence[Sequence[Element]], results: Sequence[Lanes], lanes: int
) -> Network | None:
    """As `shuffle_network`; None where neither the halves of all sources are as far apart as those
    of all results are to be, element by element, nor the other way round, or the network for whole
    vectors takes fewer instructions."""
    if any(None in result for result in results):
        return None
    found = _halves_put_together(sources, results, lanes)
    if found is None:
        found = _halves_taken_apart(sources, results, lanes)
    if found is None:
        return None
    whole = shuffle_network(sources, results, lanes)
    return found if _instructions(found, lanes) <= _instructions(whole, lanes) else None


def _instructions(network: Network, lanes: int) -> int:
    return sum(
        1 if _is_one(shuffle, lanes // 2) else CORE.strided.across_halves
        for shuffle in network.shuffles
    )


def _is_one(shuffle: Shuffle, half: int) -> bool:
    """Does it stay within halves, or move whole ones?"""
    low, high = shuffle.order[:half], shuffle.order[half:]
    stays = all(one // half % 2 == 0 for one in low) and all(one // half % 2 for one in high)
    return stays or all(
        part[0] % half == 0 and part == tuple(range(part[0], part[0] + half))
        for part in (low, high)
    )


def _halves_put_together(
    sources: Sequence[Sequence[Element]], results: Sequence[Lanes], lanes: int
) -> Network | None:
    """What the network makes of the sources has halves of results, which are put together then."""
    half = lanes // 2
    apart = _distance(sources, half)
    if apart is None:
        return None
    first = [source[:half] for source in sources]
    low = {element for source in first for element in source}
    pieces = [piece for result in results for piece in _pieces(result, half)]
    wanted = [piece for piece in pieces if low.issuperset(piece)]
    network = shuffle_network(first, wanted, half)
    held: dict[Lanes, _Half] = {}
    for piece, number in zip(wanted, network.results, strict=True):
        held[piece] = number, 0
        held[_moved(piece, apart)] = number, 1
    if not held.keys() >= set(pieces):
        return None
    shuffles = [_in_both(one, half) for one in network.shuffles]
    found: list[int] = []
    for start in range(0, len(pieces), 2):
        pair = held[pieces[start]], held[pieces[start + 1]]
        found.append(_joined(pair, half, shuffles, len(sources)))
    return Network(tuple(shuffles), tuple(found))


def _halves_taken_apart(
    sources: Sequence[Sequence[Element]], results: Sequence[Lanes], lanes: int
) -> Network | None:
    """Halves of sources are put together so that the network makes the results of them."""
    half = lanes // 2
    apart = _distance(results, half)
    if apart is None:
        return None
    first = [result[:half] for result in results]
    low = {element for result in first for element in result}
    held: dict[Lanes, _Half] = {}
    for number, source in enumerate(sources):
        for which, piece in enumerate(_pieces(source, half)):
            held.setdefault(piece, (number, which))
    needed = [piece for piece in held if not low.isdisjoint(piece)]
    if any(_moved(piece, apart) not in held for piece in needed):
        return None
    shuffles: list[Shuffle] = []
    vectors = [
        _joined((held[piece], held[_moved(piece, apart)]), half, shuffles, len(sources))
        for piece in needed
    ]
    network = shuffle_network(
        [[one for one in piece if one is not None] for piece in needed], first, half
    )
    numbers = [*vectors, *(len(sources) + len(shuffles) + k for k in range(len(network.shuffles)))]
    for one in network.shuffles:
        both = _in_both(one, half)
        shuffles.append(Shuffle(numbers[both.left], numbers[both.right], both.order))
    return Network(tuple(shuffles), tuple(numbers[one] for one in network.results))


def _distance(vectors: Sequence[Lanes], half: int) -> int | None:
    """By how much elements of second halves are more than those of first ones, if by as much in all
    lanes of all vectors."""
    apart = {
        (high or 0) - (low or 0)
        for vector in vectors
        for low, high in zip(vector[:half], vector[half:], strict=True)
    }
    return apart.pop() if len(apart) == 1 else None


def _pieces(vector: Lanes, half: int) -> tuple[Lanes, Lanes]:
    return tuple(vector[:half]), tuple(vector[half:])


def _moved(piece: Lanes, by: int) -> Lanes:
    return tuple((element or 0) + by for element in piece)


def _joined(pair: tuple[_Half, _Half], half: int, shuffles: list[Shuffle], sources: int) -> int:
    """The number of a vector of these halves, by one more shuffle if there is none."""
    (left, one), (right, other) = pair
    if left == right and (one, other) == (0, 1):
        return left
    order = (*_lanes_of(one, half), *(2 * half + lane for lane in _lanes_of(other, half)))
    shuffles.append(Shuffle(left, right, order))
    return sources + len(shuffles) - 1


def _lanes_of(which: int, half: int) -> range:
    return range(which * half, (which + 1) * half)


def _in_both(one: Shuffle, half: int) -> Shuffle:
    """A shuffle of vectors of `half` lanes, in both halves of vectors twice as long."""
    order = [lane if lane < half else lane + half for lane in one.order]
    return Shuffle(one.left, one.right, (*order, *(lane + half for lane in order)))
