"""What is drawn, and how often: one source of chance for a program, and a count of its draws.

Every decision that a reader of the statistics may ask about is made from a `Table`, a named choice
with weights. Tables are made when their modules are loaded, so that those which never were drawn
can be told from those which do not exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

from polyopt.support.record import record

T = TypeVar("T")


@record
class Table:
    """Names with weights; `topic` is what they are names of."""

    topic: str
    weights: Mapping[str, float]


_tables: dict[str, Table] = {}


def table(topic: str, **weights: float) -> Table:
    """A new table; an underscore in a name is shown as a space."""
    assert topic not in _tables, f"two tables of {topic}"
    made = Table(topic, {name.replace("_", " "): weight for name, weight in weights.items()})
    _tables[topic] = made
    return made


def all_features() -> Iterator[tuple[str, str]]:
    """(topic, name) of everything that can be drawn from the tables that are loaded."""
    for one in _tables.values():
        for name in one.weights:
            yield one.topic, name


class Choices:
    """Draws that depend on `seed` alone; `drawn` counts (topic, name)."""

    def __init__(self, seed: int | str):
        self.random = Random(seed)
        self.drawn = Counter[tuple[str, str]]()

    def pick(self, table: Table, *, among: Sequence[str] | None = None) -> str:
        """A name by its weight, one of `among` where that is given."""
        names = list(table.weights) if among is None else [n for n in table.weights if n in among]
        name = self.random.choices(names, [table.weights[n] for n in names])[0]
        self.drawn[table.topic, name] += 1
        return name

    def note(self, table: Table, name: str) -> None:
        """Count what was decided in another way."""
        assert name in table.weights, f"{table.topic} has no {name}"
        self.drawn[table.topic, name] += 1

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def number(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def one(self, values: Sequence[T]) -> T:
        return self.random.choice(values)
