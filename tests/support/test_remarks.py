"""Remarks: each is said once, also where it was taken back in between, and many take no square of
their time."""

from time import process_time

from polyopt.support.diagnostics import Span
from polyopt.support.remarks import begin_trial, collect_remarks, remark, withdraw_remarks

PLACE = Span("t.c", 3)


def test_what_is_said_again_is_said_once():
    with collect_remarks() as remarks:
        for _ in range(3):
            remark("applied", "tiled", "tiles of 4", PLACE)
            remark("missed", "tiled", "tiles of 4", PLACE)
    assert [(one.kind, one.id) for one in remarks.items] == [
        ("applied", "tiled"),
        ("missed", "tiled"),
    ]


def test_what_was_taken_back_may_be_said_again():
    with collect_remarks() as remarks:
        begin_trial("rows")
        remark("applied", "tiled", "tiles of 4", PLACE)
        withdraw_remarks("rows", [PLACE])
        for _ in range(2):
            remark("applied", "tiled", "tiles of 4", PLACE)
    assert [(one.kind, one.message) for one in remarks.items] == [
        ("analysis", "tried, and not kept: tiles of 4"),
        ("applied", "tiles of 4"),
    ]


def test_many_take_no_square_of_their_time():
    """4,000 took half a minute where each was compared with all before."""
    start = process_time()
    with collect_remarks() as remarks:
        for line in range(4_000):
            remark("applied", "inlined", "a call is its body", Span("t.c", line + 1))
    assert len(remarks.items) == 4_000
    assert process_time() - start < 5
