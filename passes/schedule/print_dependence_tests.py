"""print-dependence-tests: what the classic tests say of each pair of accesses, as text before the
module.

For people and for tests; the module is not changed, and nothing is decided by it: schedulers go by
isl's dependences (`poly-print-dependences`).
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.poly.classic.conflicts import Chrec
from polyopt.poly.classic.scop_pairs import Pair, pairs_of
from polyopt.poly.linear.dependence_vectors import vector_text
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.poly.scop import Access, Statement
from polyopt.support.record import record


@record
class PrintDependenceTestsPass(ModulePass):
    """Print, for each pair of accesses of a SCoP to one array of which one writes, how many loops
    its subscripts vary in (ziv: none, siv: one, miv: several), and the verdict: independent, with
    the test that proved it; dependent; or unknown, which counts as dependent. Then the distances
    or directions in the loops around both, and the conflicting iterations of each such loop as
    chains of recurrences in the number of the conflict, as far as there are such.

    // f: A[] of S0 and A[] of S1, siv: independent (siv)
    // f: A[] of S0 and A[] of S0, siv: dependent, by (2); i: {0, +, 1} and {2, +, 1}
    """

    name = "print-dependence-tests"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for one in op.walk():
            if not isinstance(one, ScopOp):
                continue
            scop = read_scop(one)
            try:
                for pair in pairs_of(scop):
                    print(f"// {scop.name}: {_text(pair)}")
            except UnsupportedTree as error:
                print(f"// {scop.name}: {error}")


def _text(pair: Pair) -> str:
    verdict = pair.verdict
    kinds = ", ".join(pair.kinds) or "ziv"
    told = f"{_access(*pair.source)} and {_access(*pair.sink)}, {kinds}: {verdict.kind}"
    if verdict.decided_by:
        return f"{told} ({verdict.decided_by})"
    if pair.common:
        told += f", by {' or '.join(map(vector_text, verdict.vectors))}"
    chains = zip(pair.common, verdict.conflicts, strict=False)
    return told + "".join(f"; {name}: {_chains(one)}" for name, one in chains if one)


def _access(statement: Statement, access: Access) -> str:
    verb = "written" if access.is_write else "read"
    return f"{access.array} {verb} in {statement.name}"


def _chains(chains: tuple[Chrec, ...]) -> str:
    return " and ".join(map(str, chains))
