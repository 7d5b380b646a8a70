"""What an advice is worth: the model's cycles as the source is compiled, and as it would be."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from polyopt.driver.options.settings import Settings
from polyopt.driver.units.unit import Source, lower, parse
from polyopt.support.diagnostics import SourceMap, Span
from polyopt.support.remarks import Remark, collect_remarks

JUDGED = "loops"
"""The level at which the judge has weighed all loops."""


def gains_of_sums(
    source: Source, settings: Settings, remarks: Iterable[Remark], places: Collection[Span]
) -> Mapping[Span, float]:
    """How many times as fast static control parts at these places would be where sums may be
    reordered, by the model; `remarks` are those of the source as it is."""
    if not places or settings.associative_math:
        return {}
    free = replace(settings, associative_math=True, signed_zeros=False, exports=())
    with collect_remarks() as told, contextlib.redirect_stderr(io.StringIO()):
        lower(parse(source, free, SourceMap()), JUDGED)
    now, then = _cycles(remarks), _cycles(told.items)
    return {span: now[span] / then[span] for span in places if now.get(span) and then.get(span)}


def _cycles(remarks: Iterable[Remark]) -> dict[Span, float]:
    """Of what runs: the loops that were made, or the code that they were made from."""
    chosen = {"pays": "cycles", "does-not-pay": "source_cycles"}
    return {
        one.span: dict(one.numbers)[chosen[one.id]]
        for one in remarks
        if one.id in chosen and one.span is not None and one.numbers
    }
