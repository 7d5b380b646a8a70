"""`cancel` and `cancellation point` (OpenMP 4.5, 2.14): a construct is left before its end.

Threads leave it at these two, and at barriers where it is `parallel` that is cancelled; tasks that
have not begun are dropped by the runtime. Nothing is cancelled unless OMP_CANCELLATION is true.
"""

from __future__ import annotations

from typing import Literal

from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker
from polyopt.frontend.parsing.openmp_syntax import Directive
from polyopt.frontend.tree.openmp_tree import Cancel
from polyopt.frontend.tree.typed_statements import Statement

_Construct = Literal["parallel", "for", "sections", "taskgroup"]
_PLACES: dict[_Construct, str] = {
    "parallel": "parallel",
    "for": "for",
    "sections": "sections",
    "taskgroup": "task",
}
"""The constructs that may be cancelled, and the region that it is said in."""


class CancelChecker:
    def __init__(self, directives: OpenMPChecker):
        self.directives = directives
        directives.standalone |= {"cancel": self.cancel, "cancellation point": self.cancel}

    def cancel(self, directive: Directive) -> Statement:
        named: list[_Construct] = [one for one in _PLACES if directive.has(one)]
        if len(named) != 1:
            words = ", ".join(_PLACES)
            self.directives.refuse(directive, f"names one construct: one of {words}")
        (construct,) = named
        regions = self.directives.checker.regions
        place = _PLACES[construct]
        if not regions or regions[-1].name != place:
            self.directives.refuse(
                directive, f"'{construct}' stands right in '#pragma omp {place}' only"
            )
        region = regions[-1]
        if construct == "for" and region.has_order:
            self.directives.refuse(directive, "stands in a loop with the clause 'ordered'")
        region.cancels = True
        condition = self.directives.condition(directive, "cancel")
        return Cancel(directive.span, construct, condition, directive.name != "cancel")
