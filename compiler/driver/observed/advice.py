"""What an advice is worth: the model's cycles as the source is compiled, and as it would be."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from polyopt.driver.options.flag_values import UNSAFE
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.support.diagnostics import SourceMap, Span
from polyopt.support.remarks import Remark, collect_remarks

JUDGED = "loops"
"""The level at which the judge has weighed all loops."""


def gains_of_sums(
    source: Source, settings: Settings, remarks: Iterable[Remark], places: Collection[Span]
) -> Mapping[Span, float]:
    """How many times as fast static control parts at these places would be where sums may be
    reordered, by the model; `remarks` are those of the source as it is."""
    if settings.associative_math:
        return {}
    free = replace(settings, associative_math=True, signed_zeros=False)
    return _gains(source, free, remarks, places)


def gains_of_order(
    source: Source, settings: Settings, remarks: Iterable[Remark], places: Collection[Span]
) -> Mapping[Span, float]:
    """The same where -ffast-math is given: any floating-point operations may be reordered."""
    if settings.associative_math:
        return {}
    free = replace(settings, finite_math=True, limited_range=True, **UNSAFE)
    return _gains(source, free, remarks, places)


def _gains(
    source: Source, free: Settings, remarks: Iterable[Remark], places: Collection[Span]
) -> Mapping[Span, float]:
    now = _cycles(remarks)
    asked = [span for span in places if now.get(span)]
    if not asked:
        return {}
    free = replace(free, exports=())
    with collect_remarks() as told, contextlib.redirect_stderr(io.StringIO()):
        lower(parse(source, free, SourceMap()), JUDGED)
    then = _cycles(told.items)
    return {span: now[span] / then[span] for span in asked if then.get(span)}


def _cycles(remarks: Iterable[Remark]) -> dict[Span, float]:
    """Of what runs: the loops that were made, or the code that they were made from."""
    chosen = {"pays": "cycles", "does-not-pay": "source_cycles"}
    return {
        one.span: dict(one.numbers)[chosen[one.id]]
        for one in remarks
        if one.id in chosen and one.span is not None and one.numbers
    }
