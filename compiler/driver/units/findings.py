"""What was found of a translation unit beside its code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from polyopt.support.diagnostics import Diagnostic, SourceMap
from polyopt.support.record import record

if TYPE_CHECKING:
    from polyopt.frontend.preprocessing.header_search import Header


@record
class Findings:
    """What the front end has to say of a text: `warnings`, with what they quote, and the files that
    it includes."""

    warnings: Sequence[Diagnostic]
    sources: SourceMap
    included: Sequence[Header]


def together(found: Sequence[Findings]) -> Findings:
    """All that was found of one unit, as it was told."""
    warnings = [warning for one in found for warning in one.warnings]
    return replace(found[0], warnings=warnings)
