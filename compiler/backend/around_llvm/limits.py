"""What limits a value that the next iteration waits for is a branch.

    loop:                                             loop:
      d = phi double [ …, %entry ], [ e, %loop ]        …
      q = fdiv double x, d                              br i1 c, label %.limit.0.at, label %.limit.0
      c = fcmp ogt double q, 0.9                     .limit.0.at:
      m = select i1 c, double 0.9, double q     =>      br label %.limit.0
      e = fadd double m, y                           .limit.0:
                                                        m = phi double [ 0.9, … ], [ q, %loop ]

A selection waits for the quotient, whichever of the two it gives, and each iteration for the one
before. Behind a branch that is foreseen the limit is there at once, and what follows does not wait;
where it is not foreseen, that costs about as much as the quotient takes: limits of sums and
products stay selections, as do choices between two values that both go round. gcc writes branches,
LLVM selections: a loop of Livermore's (discrete ordinates) takes 12.6 us and 18.8, as here 11.5;
where 400,000 quotients are beyond their limits at random, 0.86 to 1.2 times as long as by
selections.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions
from polyopt.backend.around_llvm.value_graph import ValueGraph
from polyopt.support.record import entity, record

_LABEL = re.compile(r'("[^"]*"|[\w.$-]+):')
_VALUE = re.compile(rf"  ({NAME}) = (.*)")
_LIMIT = re.compile(
    rf"select (?:[a-z]+ )*i1 ({NAME}), (float|double) ([^,]+), (?:float|double) ([^,\n]+)(.*)"
)
_COMING = re.compile(rf", ({NAME}) \]")
_SLOW = ("fdiv ", "@llvm.sqrt.")


def may_limit(text: str) -> bool:
    """Whether a module divides, or takes roots; what it chooses LLVM may have to find out."""
    return any(slow in text for slow in _SLOW)


def with_branches_at_limits(text: str) -> str:
    """The module, as LLVM prints it, with branches in the place of such selections; the same text
    where there are none."""
    return with_functions(text, _function)


def _function(text: str) -> str:
    if _LIMIT.search(text) is None or not may_limit(text):
        return text
    lines = text.split("\n")
    function = _Function.of(lines)
    limits = {
        name: limit for name in function.values.made if (limit := function.limit(name)) is not None
    }
    return "\n".join(_with_branches(lines, limits)) if limits else text


@record
class _Limit:
    condition: str
    type: str
    chosen: str
    other: str


@entity
class _Function:
    """`block`: the number of the block in which each value is, and of each label."""

    values: ValueGraph
    block: dict[str, int]

    @staticmethod
    def of(lines: list[str]) -> _Function:
        made, block, number = dict[str, str](), dict[str, int](), 0
        for line in lines:
            if label := _LABEL.match(line):
                number += 1
                block[f"%{label[1]}"] = number
            elif value := _VALUE.match(line):
                made[value[1]] = value[2]
                block[value[1]] = number
        return _Function(ValueGraph(made), block)

    def limit(self, name: str) -> _Limit | None:
        """The selection of one of two values of which just one goes round, and is late."""
        found = _LIMIT.match(self.values.made[name])
        if found is None or "!unpredictable" in found[5]:
            return None
        both = [found[3].strip(), found[4].strip()]
        if not any(self._is_late(one, self.values.made.keys(), self._late) for one in both):
            return None
        around = self.values.around(name)
        late = [one for one in both if one in around]
        if len(late) != 1 or not self._is_late(late[0], around, {}):
            return None
        return _Limit(found[1], found[2], *both)

    @cached_property
    def _late(self) -> dict[str, bool]:
        return {}

    def _is_late(self, name: str, among: Collection[str], known: dict[str, bool]) -> bool:
        """Is there a quotient or a root on a way to it from what comes from the iteration before,
        as far as that goes through some values?"""
        pending = [name]
        while pending:
            one = pending[-1]
            computed = self.values.made.get(one, "")
            needed = [] if self._comes_back(one) else self.values.taken.get(one, [])
            needed = [other for other in needed if other in among]
            if missing := [other for other in needed if other not in known]:
                pending += missing
                known[one] = False
                continue
            pending.pop()
            known[one] = any(slow in computed for slow in _SLOW) or any(map(known.get, needed))
        return known[name]

    def _comes_back(self, name: str) -> bool:
        """Is it a value from the block itself, or from one further down?"""
        computed = self.values.made.get(name, "")
        return computed.startswith("phi ") and any(
            self.block.get(label, 0) >= self.block[name] for label in _COMING.findall(computed)
        )


def _with_branches(lines: list[str], limits: Mapping[str, _Limit]) -> Iterator[str]:
    """A block ends at each limit, and goes on in two ways; whoever comes from it comes from what
    is its last part then."""
    ends: dict[str, str] = {}
    written, label, count = list[str](), "", 0
    for line in lines:
        if found := _LABEL.match(line):
            label = f"%{found[1]}"
        value = _VALUE.match(line)
        limit = None if value is None else limits.get(value[1])
        if value is None or limit is None:
            written.append(line)
            continue
        on, at = f".limit.{count}", f".limit.{count}.at"
        last = ends.get(label, label)
        written += [
            f"  br i1 {limit.condition}, label %{at}, label %{on}",
            "",
            f"{at}:",
            f"  br label %{on}",
            "",
            f"{on}:",
            f"  {value[1]} = phi {limit.type} [ {limit.chosen}, %{at} ], [ {limit.other}, {last} ]",
        ]
        ends[label] = f"%{on}"
        count += 1
    for line in written:
        is_phi = " = phi " in line and "%.limit." not in line
        yield _COMING.sub(lambda one: f", {ends.get(one[1], one[1])} ]", line) if is_phi else line
