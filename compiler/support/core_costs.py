"""What a core takes for the code of a loop: the numbers of the model that has the last word.

`poly/cost/nest_cost.py` and its readers ask a `CoreCosts` and nothing else. They are those of a
common x86-64 core, in cycles where nothing else is said; where two versions of a nest are compared,
only their ratios matter.
"""

from __future__ import annotations

from polyopt.support.record import record
from polyopt.support.target import Target


@record
class CoreCosts:
    """`issue`, `loads`, `stores` and `arithmetic` are how many operations may start in a cycle;
    one on integers takes `integer_share` of what one on floating-point numbers does.
    The `*_line` are what a line costs that the named level does not hold, after what prefetching
    hides; a line that is written costs `written` times as much, and one beyond the second level
    `unforeseen` times as much, the less the more of them beyond `followed_lines` are in a row. A
    vector that is stored by a mask is not there for loads that come soon.

    Bytes and shorts that lie apart are taken into vectors and out of them `singly` (base64's four
    bytes out of a table: 1.7 cycles each as lanes of 32, 1.3 one after the other).

    LLVM makes vectors of `llvm_bits`, runs `llvm_chains` of them at a time, and the iterations
    that are left over one by one. A loop of at most `unrolled` operations, all iterations taken
    together, becomes straight code where their number is known."""

    issue: float = 5.0
    loads: float = 2.0
    stores: float = 1.5
    arithmetic: float = 2.0
    add_latency: float = 4.0
    integer_latency: float = 1.0
    integer_share: float = 0.67
    divide: float = 4.0
    divide_latency: float = 13.0
    call: float = 20.0
    gathered: float = 0.7
    scattered: float = 1.0
    singly: float = 1.5
    interleaved: float = 0.5
    start: float = 6.0
    mispredicted: float = 14.0
    vector_start: float = 10.0
    allocation: float = 150.0
    masked_load: float = 1.5
    masked_store: float = 10.0
    l1_line: float = 1.2
    l2_line: float = 5.0
    l3_line: float = 12.0
    unforeseen: float = 2.0
    followed_lines: float = 2.0
    written: float = 2.0
    llvm_bits: int = 256
    llvm_chains: int = 4
    unrolled: int = 300
    short: float = 48.0

    @staticmethod
    def of(target: Target) -> CoreCosts:
        return CoreCosts(llvm_bits=min(target.vector_bits, 256))
