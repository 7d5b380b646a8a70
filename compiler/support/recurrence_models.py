"""Iterations that wait for the one before: taken together in vectors, or apart from what does not
wait. Said and sourced as in `core_model`, where these stand with the others."""

from __future__ import annotations

from polyopt.support.record import record


@record
class ScanModel:
    """Recurrences that vectors take together in steps, against one iteration after the other."""

    float_latency: float = 4.0
    integer_product_latency: float = 3.0
    division_latency: float = 13.0
    negation_latency: float = 1.0
    """Tables."""
    issue: float = 5.0
    step_under_mask: float = 1.0
    step: float = 2.0
    """Operations that move lanes, for each step of a scan: one with AVX-512, two without."""
    carry: float = 2.0
    """Operations for what goes from one vector to the next."""
    linear: float = 2.0
    """So many times the steps where lanes have factors too."""
    per_cycle: float = 2.0
    gain: float = 0.8
    """A scan must take at most this part of the time of one iteration after the other."""
    call_strip: int = 256
    call_least: int = 16
    call_buffers: int = 8
    call_body: int = 120
    """Iterations whose calls are made together, and how many a loop has to have: the results of a
    strip are a sixteenth of the nearest cache, and what is left over by whole vectors is little.
    How many results there may be, and operations, of which the time to cut them is the cube."""


@record
class PartsModel:
    """What a serial loop does beside its recurrences, in loops of its own."""

    issue: float = 5.0
    """Operations of one iteration after the other that begin in a cycle."""
    per_cycle: float = 2.0
    """The same of vectors."""
    divided: float = 4.5
    divided_lanes: float = 0.3
    """Cycles of a division, and the part of it that one of a vector takes in each lane (tables)."""
    start: float = 12.0
    """Cycles of a loop over vectors that do not depend on its length."""
    gain: float = 0.75
    """The pieces must take at most this part of the time of the loop."""
    strip: int = 256
    least: int = 48
    buffers: int = 4
    body: int = 120
    """Iterations of which a piece is done at once, and how many a loop has to have; how many values
    pieces hand on, and operations there may be, of which the time to cut them is the cube."""
