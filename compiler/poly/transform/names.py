"""Which loop of a schedule tree is `S1.i`? The names of the C source, found in the functions.

A loop around a statement is called after the C iterator that it counts, whatever was done to it:

    i         i, -i, 2 i, i + 3: the one iterator in the function
    i         i + t, where another loop around the statement counts t alone (a skewed loop)
    i_tile    32 floor(i / 32): of the loop that counts what is divided
    i_tile2   the second of that name, counted from outside

so names need no bookkeeping: they are the same for a tree that comes from a file, from isl's
scheduler, or from a transformation. A loop around several statements has a name for each. Where
splitting has made several parts of a statement, `S1:2` is the second of them. Of two C loops of
one name around a statement the inner one is `i2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

import islpy as isl

from polyopt.poly.isl.lists import pieces, pw_affs, sets
from polyopt.poly.isl.names import parameters_of
from polyopt.poly.schedule_tree import Leaf, Sequence, Tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.places import CannotTransform, Path, SingleLoop, as_loop
from polyopt.support.record import record

TILE_SUFFIX = "_tile"


@record
class NamedLoop:
    """`name` is None for a loop that makes one iteration of the statement's instances."""

    name: str | None
    path: Path


@record
class Part:
    """Instances of a statement that stand at one leaf, and the loops around it, outermost first."""

    statement: str
    path: Path
    loops: tuple[NamedLoop, ...]


@record
class Names:
    """The places of the statements of a SCoP in one tree."""

    parts: tuple[Part, ...]

    @classmethod
    def of(cls, scop: Scop, tree: Tree) -> Names:
        return cls(tuple(_parts(scop, tree, scop.domain, (), ())))

    def part(self, statement: str, number: int | None = None) -> Part:
        """Raises CannotTransform, with what there is instead, if there is no such part, or
        several and no number that chooses."""
        found = [part for part in self.parts if part.statement == statement]
        if not found:
            known = list(dict.fromkeys(part.statement for part in self.parts))
            raise CannotTransform(f"no statement '{statement}'", _instead(statement, known))
        if number is None and len(found) > 1:
            raise CannotTransform(
                f"{statement} stands in {len(found)} places",
                f"say {statement}:1 for the first, and so on to {statement}:{len(found)}",
            )
        if number is not None and not 1 <= number <= len(found):
            places = "one place" if len(found) == 1 else f"{len(found)} places"
            raise CannotTransform(f"no {statement}:{number}: {statement} stands in {places}")
        return found[(number or 1) - 1]

    def loop(self, statement: str, name: str, number: int | None = None) -> Path:
        """The path of the loop of that name around the statement."""
        part = self.part(statement, number)
        for loop in part.loops:
            if loop.name == name:
                return loop.path
        known = [loop.name for loop in part.loops if loop.name is not None]
        raise CannotTransform(f"no loop '{name}' around {statement}", _instead(name, known))


def _instead(wanted: str, known: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(wanted, known, n=1)
    listed = f"there {'is' if len(known) == 1 else 'are'} {', '.join(known)}" if known else ""
    if close:
        return f"did you mean {close[0]}? {listed}"
    return listed or "there is none"


def _parts(
    scop: Scop,
    tree: Tree,
    instances: isl.UnionSet,
    path: Path,
    above: tuple[tuple[Path, SingleLoop], ...],
) -> Iterator[Part]:
    loop = as_loop(tree)
    if loop is not None:
        yield from _parts(scop, loop.body, instances, (*path, 0), (*above, (path, loop)))
    elif isinstance(tree, Sequence):
        for k, (one, child) in enumerate(tree.children):
            yield from _parts(scop, child, instances.intersect(one), (*path, k), above)
    else:
        assert isinstance(tree, Leaf)
        for one in sets(instances):
            if not one.is_empty():
                statement = one.get_tuple_name() or ""
                iterators = iterator_names(scop, statement)
                functions = [loop.function for _, loop in above]
                names = loop_names(statement, iterators, functions)
                loops = zip(names, above, strict=True)
                yield Part(statement, path, tuple(NamedLoop(n, p) for n, (p, _) in loops))


def iterator_names(scop: Scop, statement: str) -> tuple[str, ...]:
    """The C names of the statement's iterators, made different from each other and from the names
    of parameters by a number."""
    taken = set(parameters_of(scop.context.get_space()))
    names = list[str]()
    for name in scop.statement(statement).iterators:
        numbered = (f"{name}{number}" for number in count(2))
        names.append(next(one for one in chain((name,), numbered) if one not in taken))
        taken.add(names[-1])
    return tuple(names)


def loop_names(
    statement: str, iterators: tuple[str, ...], functions: list[isl.UnionPwAff]
) -> list[str | None]:
    """The names of the loops around a statement that count `functions`, outermost first."""
    uses = [_uses(function, statement) for function in functions]
    points = _choose([use.direct for use in uses])
    tiles = _choose_tiles(uses, points)
    names = list[str | None]()
    for point, tile in zip(points, tiles, strict=True):
        if point is not None:
            names.append(iterators[point])
        else:
            names.append(iterators[tile] + TILE_SUFFIX if tile is not None else None)
    return _numbered(names)


@record
class _Uses:
    """The positions of the iterators in a function: those with a factor of their own, and those
    that are in it only inside of a division."""

    direct: frozenset[int] = frozenset()
    divided: frozenset[int] = frozenset()


def _uses(function: isl.UnionPwAff, statement: str) -> _Uses:
    for part in pw_affs(function):
        if part.get_domain_space().get_tuple_name(isl.dim_type.set) == statement:
            found = pieces(part)
            if not found:
                return _Uses()
            _, aff = found[0]
            used = [k for k in range(aff.dim(isl.dim_type.in_)) if _involves(aff, k)]
            direct = frozenset(
                k for k in used if not aff.get_coefficient_val(isl.dim_type.in_, k).is_zero()
            )
            return _Uses(direct, frozenset() if direct else frozenset(used))
    return _Uses()


def _involves(aff: isl.Aff, position: int) -> bool:
    return aff.involves_dims(isl.dim_type.in_, position, 1)


def _choose(candidates: list[frozenset[int]]) -> list[int | None]:
    """One iterator for each function that has any, a different one for each as far as that goes:
    first where only one is left, else the innermost of the outermost function's."""
    chosen: list[int | None] = [None] * len(candidates)
    pending = [k for k, one in enumerate(candidates) if one]
    taken = set[int]()
    while pending:
        left = {k: candidates[k] - taken for k in pending}
        forced = [k for k in pending if len(left[k]) == 1]
        k = forced[0] if forced else pending[0]
        chosen[k] = max(left[k] or candidates[k])
        taken.add(max(left[k] or candidates[k]))
        pending.remove(k)
    return chosen


def _choose_tiles(uses: list[_Uses], points: list[int | None]) -> list[int | None]:
    """For each loop over strips the iterator of the loop that counts the same iterators, innermost
    first; where an inner one has it already, another of its iterators that none has (tiles that
    run as a wavefront)."""
    chosen: list[int | None] = [None] * len(uses)
    for k, use in reversed(list(enumerate(uses))):
        if not use.divided:
            continue
        same = (p for other, p in zip(uses, points, strict=True) if other.direct == use.divided)
        wanted = next((p for p in same if p is not None), max(use.divided))
        left = use.divided - {one for one in chosen if one is not None}
        chosen[k] = max(left) if wanted in chosen and left else wanted
    return chosen


def _numbered(names: list[str | None]) -> list[str | None]:
    result = list[str | None]()
    for k, name in enumerate(names):
        earlier = names[:k].count(name)
        result.append(f"{name}{earlier + 1}" if name is not None and earlier else name)
    return result
