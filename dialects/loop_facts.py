"""Facts on loops and arithmetic that one stage has proved and another relies on.

They stand as discardable attributes on operations of other dialects, and are typed:

    affine.for … {poly.loop = #poly.loop<parallel, iterator = "i", tile>}
    affine.for … {poly.loop = #poly.loop<reduces = ["s", "t"], unroll, jam>}
    arith.addf … {poly.rounding = #poly.rounding<in_order>}

`#poly.loop<…>` says, in this order, each at most once:
  - what the loop carries: `parallel` (no dependence); `reduces = ["s"]` (only those of the updates
    of these arrays, which may be done in any order); `pipeline` (only what goes forward along the
    loop inside it too), with `reduces` (that, and these updates); `serial` (it was looked at, and
    carries more). Nothing said is nothing known.
  - `iterator = "i"`: the loop of the source that it runs over. A name, no more.
  - marks, of `MARKS` only: what the schedule says of the shape, what is asked of the loop stage,
    and what is asked of LLVM.
  - `nontemporal = [0]`: which stores right in its body, counted from 0 in the order of the text,
    may be non-temporal. (It stands here because `affine.store` prints no attributes.)
  - `interleave = 4`: its steps are vectors under masks (`affine-peel-masks`); of those that need
    none so many, 1 or more, are to run in one step.
  - `at_most = 8`: it takes no more steps than that. Who weighs what it costs asks for it, where the
    bounds do not show it any more; nothing that is done to the loop is right or wrong by it.

`#poly.rounding<…>` withdraws from an operation what its module permits, in this order:
`in_order` (it is not to be reassociated) and `unfused` (it is rounded before it is added).

A fact that is malformed, unknown or on an operation that cannot have it is refused:
`fact_places.check_facts`. Readers ask `facts_of`; nobody reads the attributes by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from xdsl.ir import Attribute, Data, Operation
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

Carried = Literal["parallel", "reduction", "pipeline", "serial"]

MARKS: Mapping[str, str] = {
    "tile": "runs over tiles",
    "point": "runs within a tile",
    "vector": "was chosen to run in vectors",
    "vectors": "was asked for to run in vectors",
    "threads": "was asked for to run in threads",
    "contract": "belongs to a contraction",
    "batch": "is around small problems that may be lanes",
    "unroll": "asks for being unrolled fully: it belongs to a register tile",
    "jam": "asks for being moved into the loop that is its body, then unrolled",
    "no_vector": "asks LLVM to leave it without vectors",
    "no_unroll": "asks LLVM not to unroll it",
    "unroll_by_4": "asks LLVM for four steps at a time",
    "long": "has many iterations: LLVM is told that another one is likely",
}
"""The marks of loops, and what a loop with the mark does."""

FOR_LLVM = frozenset(("no_vector", "no_unroll", "unroll_by_4", "long"))
"""The marks that ask LLVM for something."""

ROUNDINGS = ("in_order", "unfused")


@dataclass(frozen=True)
class LoopFacts:
    """What `#poly.loop` says. `carried` is None where nothing is known; `reduces` is empty for
    all but reductions and pipelines; `interleave` is 0 for all but loops over masked vectors,
    `at_most` where nothing is known."""

    carried: Carried | None = None
    reduces: tuple[str, ...] = ()
    iterator: str | None = None
    marks: tuple[str, ...] = ()
    nontemporal: tuple[int, ...] = ()
    interleave: int = 0
    at_most: int = 0

    def __post_init__(self) -> None:
        assert bool(self.reduces) == (self.carried == "reduction") or self.carried == "pipeline"
        assert all(mark in MARKS for mark in self.marks)

    @property
    def is_parallel(self) -> bool:
        return self.carried == "parallel"

    @property
    def is_final(self) -> bool:
        """Whether the loop stage has written it, and only LLVM is still asked for something."""
        return not FOR_LLVM.isdisjoint(self.marks)

    def with_marks(self, *marks: str) -> LoopFacts:
        """The same with these marks too."""
        return replace(self, marks=tuple(dict.fromkeys((*self.marks, *marks))))

    def without_marks(self, *marks: str) -> LoopFacts:
        return replace(self, marks=tuple(mark for mark in self.marks if mark not in marks))

    def of_unknown_order(self) -> LoopFacts:
        """The same where other instances run than those that were looked at."""
        return replace(self, carried=None, reduces=())


NO_FACTS = LoopFacts()


@irdl_attr_definition
class LoopAttr(Data[LoopFacts]):
    """`#poly.loop<…>`: facts on one loop."""

    name = "poly.loop"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LoopFacts:
        with parser.in_angle_brackets():
            return _LoopReader(parser).read()

    def print_parameter(self, printer: Printer) -> None:
        facts = self.data
        with printer.in_angle_brackets():
            parts = list[str]()
            if facts.carried not in (None, "reduction"):
                parts.append(facts.carried)
            if facts.reduces:
                parts.append(f"reduces = [{_quoted(facts.reduces)}]")
            if facts.iterator is not None:
                parts.append(f'iterator = "{facts.iterator}"')
            parts += facts.marks
            if facts.nontemporal:
                parts.append(f"nontemporal = [{', '.join(map(str, facts.nontemporal))}]")
            if facts.interleave:
                parts.append(f"interleave = {facts.interleave}")
            if facts.at_most:
                parts.append(f"at_most = {facts.at_most}")
            printer.print_string(", ".join(parts))


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


class _LoopReader:
    """Reads the words between the brackets of `#poly.loop<…>`."""

    def __init__(self, parser: AttrParser):
        self.parser = parser
        self.facts: LoopFacts = NO_FACTS

    def read(self) -> LoopFacts:
        self.parser.parse_optional_undelimited_comma_separated_list(self._optional_word, self._word)
        return self.facts

    def _optional_word(self) -> str | None:
        start = self.parser.pos
        word = self.parser.parse_optional_identifier()
        if word is not None:
            self._take(word, start)
        return word

    def _word(self) -> str:
        start = self.parser.pos
        word = self.parser.parse_identifier(": a fact on a loop")
        self._take(word, start)
        return word

    def _take(self, word: str, start: int) -> None:
        facts = self.facts
        if word in ("parallel", "pipeline", "serial"):
            is_pipeline = word == "pipeline" and facts.carried == "reduction"
            if facts.carried is not None and not is_pipeline:
                self._refuse("what a loop carries is said twice", start)
            self.facts = replace(facts, carried=cast(Carried, word))
        elif word == "reduces":
            if facts.carried not in (None, "pipeline") or facts.reduces:
                self._refuse("what a loop carries is said twice", start)
            carried: Carried = facts.carried or "reduction"
            self.facts = replace(facts, carried=carried, reduces=self._names())
        elif word == "nontemporal":
            if facts.nontemporal:
                self._refuse("the stores are named twice", start)
            self.facts = replace(facts, nontemporal=self._numbers())
        elif word == "interleave":
            if facts.interleave:
                self._refuse("the vectors of a step are said twice", start)
            self.facts = replace(facts, interleave=self._count("vectors"))
        elif word == "at_most":
            if facts.at_most:
                self._refuse("the number of steps is said twice", start)
            self.facts = replace(facts, at_most=self._count("steps"))
        elif word == "iterator":
            if facts.iterator is not None:
                self._refuse("the iterator is named twice", start)
            self.parser.parse_punctuation("=")
            self.facts = replace(facts, iterator=self.parser.parse_str_literal())
        elif word not in MARKS:
            self._refuse(f"unknown fact '{word}' on a loop{_closest(word)}", start)
        elif word in facts.marks:
            self._refuse(f"the mark '{word}' is there twice", start)
        else:
            self.facts = facts.with_marks(word)

    def _names(self) -> tuple[str, ...]:
        self.parser.parse_punctuation("=")
        start = self.parser.pos
        names = self.parser.parse_comma_separated_list(
            self.parser.Delimiter.SQUARE, self.parser.parse_str_literal
        )
        if not names or len(set(names)) != len(names):
            self._refuse("expected one or more names of arrays, each once", start)
        return tuple(names)

    def _numbers(self) -> tuple[int, ...]:
        self.parser.parse_punctuation("=")
        start = self.parser.pos
        numbers = self.parser.parse_comma_separated_list(
            self.parser.Delimiter.SQUARE, lambda: self.parser.parse_integer(allow_negative=False)
        )
        if not numbers or len(set(numbers)) != len(numbers):
            self._refuse("expected one or more numbers of stores, each once", start)
        return tuple(sorted(numbers))

    def _count(self, things: str) -> int:
        self.parser.parse_punctuation("=")
        start = self.parser.pos
        count = self.parser.parse_integer(allow_negative=False)
        if not count:
            self._refuse(f"expected a number of {things}, 1 or more", start)
        return count

    def _refuse(self, message: str, start: int) -> None:
        self.parser.raise_error(message, start, self.parser.pos)


def _closest(word: str) -> str:
    from difflib import get_close_matches

    known = (
        "parallel",
        "pipeline",
        "serial",
        "reduces",
        "iterator",
        *MARKS,
        "nontemporal",
        "interleave",
        "at_most",
    )
    close = get_close_matches(word, known, n=1)
    return f": did you mean '{close[0]}'?" if close else f": there are {', '.join(known)}"


@irdl_attr_definition
class RoundingAttr(Data[tuple[str, ...]]):
    """`#poly.rounding<…>`: which freedom an operation on floats does not have."""

    name = "poly.rounding"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[str, ...]:
        with parser.in_angle_brackets():
            start = parser.pos
            words = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_identifier
            )
            if len(set(words)) != len(words) or not set(words) <= set(ROUNDINGS):
                known = " and ".join(ROUNDINGS)
                parser.raise_error(f"expected {known}, each at most once", start, parser.pos)
        return tuple(word for word in ROUNDINGS if word in words)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(", ".join(self.data))


LOOP = "poly.loop"
ROUNDING = "poly.rounding"


def facts_of(loop: Operation) -> LoopFacts:
    """What is known of `loop`; raises VerifyException where that is no `#poly.loop`."""
    found = loop.attributes.get(LOOP)
    if found is None:
        return NO_FACTS
    if not isinstance(found, LoopAttr):
        raise VerifyException(f"{LOOP} is {found}, expected #poly.loop<…>")
    return found.data


def set_facts(loop: Operation, facts: LoopFacts) -> None:
    """Let `facts` be what is known of `loop`, instead of what was."""
    loop.attributes.pop(LOOP, None)
    loop.attributes |= stated(facts)


def stated(facts: LoopFacts) -> dict[str, Attribute]:
    """The attributes of a loop of which `facts` are known."""
    return {} if facts == NO_FACTS else {LOOP: LoopAttr(facts)}


def rounding_of(op: Operation) -> tuple[str, ...]:
    found = op.attributes.get(ROUNDING)
    if found is None:
        return ()
    if not isinstance(found, RoundingAttr):
        raise VerifyException(f"{ROUNDING} is {found}, expected #poly.rounding<…>")
    return found.data


def restrict_rounding(attributes: dict[str, Attribute], word: str) -> None:
    """Withdraw one freedom more, one of `ROUNDINGS`, from the operation with these attributes."""
    old = attributes.get(ROUNDING)
    words = {word, *(old.data if isinstance(old, RoundingAttr) else ())}
    attributes[ROUNDING] = RoundingAttr(tuple(one for one in ROUNDINGS if one in words))
