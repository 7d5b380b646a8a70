"""Random schedules, near the order of the source and far from it: dates and trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from oracles.plain_schedules import (
    Band,
    Children,
    Date,
    Dates,
    Leaf,
    Mark,
    Tree,
    plus,
    times_date,
)

# Dates: a change of one dimension, for one statement or for all


def changed_dates(dates: Dates, random: Random) -> tuple[str, Dates]:
    """What was done, and the dates after it: one change or a few."""
    done = list[str]()
    for _ in range(random.choice((1, 1, 2, 3))):
        name, change = random.choice(tuple(_DATE_CHANGES.items()))
        dates = change(dates, random)
        done.append(name)
    return "+".join(sorted(set(done))), dates


def _some(dates: Dates, random: Random) -> list[str]:
    names = list(dates.of)
    if random.random() < 0.55:
        return names
    return random.sample(names, random.randint(1, len(names)))


def _dimension(dates: Dates, random: Random, *, loops: bool) -> int:
    """Of a loop, or of a constant; any where there is none of the kind."""
    found = [
        k
        for k in range(dates.depth)
        if loops == any(not dates.padded(name)[k].is_constant for name in dates.of)
    ]
    return random.choice(found or list(range(dates.depth)))


def _with(dates: Dates, names: list[str], change: Callable[[list[Date]], list[Date]]) -> Dates:
    of = {name: dates.padded(name) for name in dates.of}
    return replace(dates, of=of | {name: tuple(change([*of[name]])) for name in names})


def _at(k: int, change: Callable[[Date], Date]) -> Callable[[list[Date]], list[Date]]:
    return lambda dates: [*dates[:k], change(dates[k]), *dates[k + 1 :]]


def _plain(change: Callable[[Date], Date]) -> Callable[[Date], Date]:
    return lambda date: date if date.divisor else change(date)


def _reverse(dates: Dates, random: Random) -> Dates:
    k = _dimension(dates, random, loops=True)
    return _with(dates, _some(dates, random), _at(k, _plain(lambda date: times_date(date, -1))))


def _scale(dates: Dates, random: Random) -> Dates:
    k = _dimension(dates, random, loops=True)
    return _with(dates, _some(dates, random), _at(k, _plain(lambda date: times_date(date, 2))))


def _shift(dates: Dates, random: Random) -> Dates:
    k, amount = _dimension(dates, random, loops=True), random.choice((-2, -1, 1, 2))
    name = random.choice([*dates.nest.parameters, ""])
    by = Date({name: random.choice((-1, 1))} if name else {}, amount)
    return _with(dates, _some(dates, random), _at(k, _plain(lambda date: plus(date, by, 1))))


def _reorder(dates: Dates, random: Random) -> Dates:
    k = _dimension(dates, random, loops=False)
    position = Date({}, random.randint(-1, 3))
    return _with(dates, [random.choice(list(dates.of))], _at(k, lambda _: position))


def _swap(dates: Dates, random: Random) -> Dates:
    one = _dimension(dates, random, loops=True)
    other = _dimension(dates, random, loops=random.random() < 0.8)

    def change(found: list[Date]) -> list[Date]:
        found[one], found[other] = found[other], found[one]
        return found

    return _with(dates, _some(dates, random), change)


def _skew(dates: Dates, random: Random) -> Dates:
    one, other = (_dimension(dates, random, loops=True) for _ in range(2))
    factor = random.choice((-1, 1, 1, 2))

    def change(found: list[Date]) -> list[Date]:
        if one != other and not found[one].divisor and not found[other].divisor:
            found[one] = plus(found[one], found[other], factor)
        return found

    return _with(dates, _some(dates, random), change)


def _tile(dates: Dates, random: Random) -> Dates:
    """Tiles of some dimensions, in front of all or where the first stands."""
    loops = sorted({_dimension(dates, random, loops=True) for _ in range(random.choice((1, 2)))})
    size = random.choice((2, 3))
    place = random.choice((0, loops[0]))

    def change(found: list[Date]) -> list[Date]:
        tiles = [replace(found[k], divisor=size) for k in loops if not found[k].divisor]
        tiles += [Date({})] * (len(loops) - len(tiles))
        return [*found[:place], *tiles, *found[place:]]

    return _with(dates, list(dates.of), change)


def _rest(dates: Dates, random: Random) -> Dates:
    """A dimension by its rest first: a permutation of its iterations."""
    k, divisor = _dimension(dates, random, loops=True), random.choice((2, 3))

    def change(found: list[Date]) -> list[Date]:
        rest = found[k] if found[k].divisor else replace(found[k], divisor=divisor, is_rest=True)
        return [*found[:k], rest, *found[k:]]

    return _with(dates, list(dates.of), change)


def _forget(dates: Dates, random: Random) -> Dates:
    """A dimension that orders nothing any more."""
    k = random.randrange(dates.depth)
    return _with(dates, _some(dates, random), _at(k, lambda _: Date({})))


def _halve(dates: Dates, random: Random) -> Dates:
    k = _dimension(dates, random, loops=True)
    half = _plain(lambda date: replace(date, divisor=2))
    return _with(dates, _some(dates, random), _at(k, half))


def _leave_out(dates: Dates, random: Random) -> Dates:
    name = random.choice(list(dates.of))
    return replace(dates, where={name: _condition(dates, name, random)})


def _run_again(dates: Dates, random: Random) -> Dates:
    return replace(dates, again=frozenset({random.choice(list(dates.of))}))


def _condition(dates: Dates, name: str, random: Random) -> str:
    iterators = dates.nest.statement(name).iterators
    return random_condition(iterators, random)


def random_condition(iterators: tuple[str, ...], random: Random) -> str:
    one, other = random.choice(iterators), random.choice((*iterators, "n"))
    return random.choice(
        (f"{one} mod 2 = 0", f"{one} >= 1", f"{one} <= {other}", f"{one} + {other} >= 3")
    )


_DATE_CHANGES: dict[str, Callable[[Dates, Random], Dates]] = {
    "reverse": _reverse,
    "scale": _scale,
    "shift": _shift,
    "reorder": _reorder,
    "reorder again": _reorder,
    "swap": _swap,
    "skew": _skew,
    "tile": _tile,
    "rest": _rest,
    "forget": _forget,
    "halve": _halve,
    "leave out": _leave_out,
    "run again": _run_again,
}


# Trees: each node changed with some probability


def changed_tree(
    tree: Tree, iterators: Mapping[str, tuple[str, ...]], random: Random
) -> tuple[str, Tree]:
    done = set[str]()
    changer = _Changer(iterators, random, done)
    while not done:
        tree = changer.change(tree)
    return "+".join(sorted(done)), tree


class _Changer:
    def __init__(
        self, iterators: Mapping[str, tuple[str, ...]], random: Random, done: set[str]
    ) -> None:
        self.iterators, self.random, self.done = iterators, random, done

    def change(self, tree: Tree) -> Tree:
        match tree:
            case Leaf():
                return tree
            case Mark(_, child):
                return replace(tree, child=self.change(child))
            case Children(children):
                parts = tuple((names, self.change(child)) for names, child in children)
                return self._among(replace(tree, children=parts))
            case Band(_, child):
                return self._band(replace(tree, child=self.change(child)))

    def _now(self, what: str, chance: float) -> bool:
        if self.random.random() >= chance:
            return False
        self.done.add(what)
        return True

    def _among(self, tree: Children) -> Tree:
        if self._now("reorder", 0.12):
            children = list(tree.children)
            self.random.shuffle(children)
            return replace(tree, children=tuple(children))
        if self._now("set", 0.08):
            return replace(tree, is_ordered=False)
        if self._now("leave out", 0.02):
            return replace(tree, children=tree.children[1:])
        return tree

    def _band(self, band: Band) -> Tree:
        names = list(band.members)
        if self._now("distribute", 0.12):
            below = band.child
            if isinstance(below, Children):
                parts = [
                    (filters, Band({n: band.members[n] for n in filters}, child))
                    for filters, child in below.children
                ]
                return replace(below, children=tuple(parts))
            if len(names) > 1:
                children = [({n: ""}, _only(band, n)) for n in names]
                return Children(tuple(children))
        if self._now("split", 0.12):
            return self._split(band)
        if isinstance(band.child, Band):
            inner = band.child
            if self._now("interchange", 0.15):
                return replace(inner, child=replace(band, child=inner.child))
            if self._now("join", 0.15):
                members = {n: (*band.members[n], *inner.members[n]) for n in names}
                joined = Band(members, inner.child, self.random.random() < 0.5)
                return replace(joined, are_coincident=self.random.random() < 0.5)
            if self._now("skew", 0.12):
                factor = self.random.choice((-1, 1, 2))
                outward = self.random.random() < 0.5
                one, two = (band, inner) if outward else (inner, band)
                if not any(_has_divisor(one, n) or _has_divisor(two, n) for n in names):
                    skewed = {
                        n: (plus(one.members[n][0], two.members[n][0], factor), *one.members[n][1:])
                        for n in names
                    }
                    if outward:
                        return replace(band, members=skewed)
                    return replace(band, child=replace(inner, members=skewed))
        if self._now("tile", 0.12):
            size = self.random.choice((2, 3))
            tiles = {
                n: tuple(d if d.divisor else replace(d, divisor=size) for d in band.members[n])
                for n in names
            }
            return Mark("tile", Band(tiles, band, is_permutable=self.random.random() < 0.5))
        if self._now("claim", 0.08):
            return replace(band, is_permutable=True, are_coincident=True)
        return self._functions(band, names)

    def _functions(self, band: Band, names: list[str]) -> Band:
        chosen = names if self.random.random() < 0.6 else [self.random.choice(names)]
        k = self.random.randrange(len(band.members[names[0]]))

        def at(change: Callable[[Date], Date]) -> Band:
            members = dict(band.members)
            for name in chosen:
                dates = list(members[name])
                dates[k] = dates[k] if dates[k].divisor else change(dates[k])
                members[name] = tuple(dates)
            return replace(band, members=members)

        if self._now("reverse", 0.08):
            return at(lambda date: times_date(date, -1))
        if self._now("scale", 0.05):
            return at(lambda date: times_date(date, 2))
        if self._now("shift", 0.1):
            amount = Date({}, self.random.choice((-2, -1, 1, 2)))
            return at(lambda date: plus(date, amount, 1))
        if self._now("halve", 0.04):
            return at(lambda date: replace(date, divisor=2))
        if self._now("forget", 0.04):
            return at(lambda _: Date({}))
        return band

    def _split(self, band: Band) -> Tree:
        """The instances that fulfil a condition first, then the others; sometimes some of them
        twice or not at all."""
        conditions = {n: random_condition(self.iterators[n], self.random) for n in band.members}
        first = {n: f"({c})" for n, c in conditions.items()}
        others = {n: f"(not ({c}))" for n, c in conditions.items()}
        choice = self.random.random()
        if choice < 0.1:
            others = dict.fromkeys(conditions, "")
        elif choice < 0.2:
            others = {
                n: f"(not ({c})) and {self.iterators[n][0]} > 1" for n, c in conditions.items()
            }
        return Children(((first, band), (others, band)))


def _has_divisor(band: Band, name: str) -> bool:
    return any(date.divisor for date in band.members[name])


def _only(band: Band, name: str) -> Band:
    return replace(band, members={name: band.members[name]}, child=_for(band.child, name))


def _for(tree: Tree, name: str) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=_for(child, name))
        case Band():
            return _only(tree, name)
        case Children(children):
            parts = [({name: f[name]}, _for(child, name)) for f, child in children if name in f]
            return (
                parts[0][1]
                if len(parts) == 1 and not parts[0][0][name]
                else replace(tree, children=tuple(parts))
            )
