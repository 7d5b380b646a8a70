"""What the words of a page mean that somebody who writes loops need not know: those that are on it.

A word is explained where it is met in a verdict or in a sentence about a static control part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from polyopt.report.markup import Markup, element

WORDS: tuple[tuple[str, str, str], ...] = (
    (
        r"(?<!as it was, )iterations are independent",
        "independent",
        "The iterations of a loop could run in any order, or all at once: none uses what another "
        "one computes.",
    ),
    (
        r"needs earlier ones",
        "needs earlier ones",
        "An iteration uses what one before it computes, and has to wait for it. The example names "
        "two of them, and what goes from the one to the other.",
    ),
    (
        r"may need earlier ones",
        "may need earlier ones",
        "Whether it does depends on the data (a condition, a subscript that is read from memory), "
        "so that it has to wait all the same.",
    ),
    (
        r"[Ss]tatic control part",
        "static control part",
        "Loops whose bounds, conditions and subscripts are sums of loop variables and sizes. All "
        "that they will do is known before they run, so that they can be put into another order.",
    ),
    (
        r"dependence",
        "dependence",
        "One run of a statement uses what another one computes, or writes where that one reads or "
        "writes: the two have to keep their order.",
    ),
    (
        r"order of the source",
        "order of the source",
        "The iterations follow each other as the loops were written.",
    ),
    (
        r"\btiles? of\b",
        "tile",
        "A block of iterations that is finished before the next one begins, so that the elements "
        "it uses are still in the cache when it uses them again.",
    ),
    (
        r"pipeline along|follow the one before at a distance",
        "pipeline",
        "An iteration need not wait for the end of the one before: it may follow some way behind.",
    ),
    (
        r"\bvectors of\b",
        "vector",
        "So many elements side by side that one instruction works on together.",
    ),
    (
        r"\bin lanes\b",
        "lanes",
        "So many iterations of an outer loop run at once, each in its own place in the vectors.",
    ),
    (
        r"[Cc]ontraction in panels",
        "contraction, panels",
        "A product of matrices, or loops of its form. Blocks of what is multiplied are copied side "
        "by side (panels), so that they are read in the order in which they lie, and a few rows of "
        "sums stay in registers until they are complete.",
    ),
    (
        r"in registers",
        "kept in registers",
        "What a loop adds to again and again is not written to memory in between.",
    ),
    (
        r"run-time check|before the loops run|compared each time",
        "run-time check",
        "A comparison in front of the loops. Where it does not hold, they run as they were "
        "written.",
    ),
    (
        r"as far as the model knows|cycles .*expected",
        "model",
        "What the compiler expects loops to take, by counting: an estimate, not a measurement.",
    ),
    (
        r"of what (?:arithmetic|memory) allows",
        "roof",
        "The most that the machine can do: arithmetic on elements that are there, or all that its "
        "memory brings, whichever is less.",
    ),
)
"""How a word is met, what it is called, and what it means."""


def glossary(texts: Iterable[str]) -> Markup | None:
    """Of the words in these texts; nothing where there are none."""
    said = "\n".join(texts)
    met = [(word, meaning) for pattern, word, meaning in WORDS if re.search(pattern, said)]
    if not met:
        return None
    entries = [[element("dt", word), element("dd", meaning)] for word, meaning in met]
    return element(
        "details",
        element("summary", "What the words on this page mean"),
        element("dl", entries),
        class_="panel glossary",
    )
