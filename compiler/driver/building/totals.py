"""--statistics: how much there was, and how often each pass did something.

2  static control parts
…
applied  missed  analysis
      2       0         1  poly-to-affine
"""

from __future__ import annotations

from collections import Counter

from polyopt.support.remarks import Remarks

KINDS = ("applied", "missed", "analysis")

COUNTERS = {
    "scops": "static control parts",
    "operations": "operations of isl",
    "budget-spent": "questions given up, since their budget was spent",
    "isl-refused": "questions that isl refused",
}
"""What the totals are of that are counted on the way."""


def totals(remarks: Remarks) -> str:
    """The named totals, and the remarks of each kind by the pass, or the reason, that they name."""
    lines = [
        f"{remarks.counters.get(name, 0):8}  {words}"
        for name, words in COUNTERS.items()
        if name == "scops" or name in remarks.counters
    ]
    found = Counter((one.id, one.kind) for one in remarks.items)
    names = list(dict.fromkeys(one.id for one in remarks.items))
    if names:
        lines.append("  ".join(f"{kind:>8}" for kind in KINDS))
    for name in names:
        numbers = "  ".join(f"{found[name, kind]:8}" for kind in KINDS)
        lines.append(f"{numbers}  {name}")
    return "\n".join(lines)
