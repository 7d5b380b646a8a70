"""A table of what was drawn and of what it became."""

from __future__ import annotations

from itertools import groupby

from polyopt.tools.fuzz.campaigns.campaign import Tally
from polyopt.tools.fuzz.programs.choices import all_features


def features(tally: Tally) -> str:
    """Every feature that can be drawn with its number, by topic, then what the compiler did."""
    lines = list[str]()
    for topic, names in groupby(all_features(), key=lambda one: one[0]):
        lines.append(f"{topic}:")
        lines += [f"  {tally.drawn[topic, name]:8} {name}" for _, name in names]
    lines.append("what they became:")
    lines += [f"  {number:8} {name}" for name, number in sorted(tally.became.items())]
    lines.append("verdicts:")
    lines += [f"  {number:8} {name}" for name, number in tally.verdicts.most_common()]
    return "\n".join(lines)


def summary(tally: Tally) -> str:
    """One line."""
    rate = 3600 * tally.trials / tally.seconds if tally.seconds else 0.0
    return (
        f"{tally.programs} programs, {tally.trials} configurations, {len(tally.findings)} findings "
        f"of {len(tally.kinds)} kinds, {tally.seconds:.0f} s ({rate:.0f} configurations an hour)"
    )
