"""What a script says, and what is said about a script that is none."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Mark, build_schedule, marks, read_tree
from polyopt.poly.transform import by_hand
from polyopt.poly.transform.by_hand import run_section, schedule_by_hand
from polyopt.poly.transform.script import parse_script
from polyopt.poly.transform.steps import STEPS
from polyopt.poly.transform.tiling import JAM, UNROLL
from polyopt.support.diagnostics import CompileError

RECURRENCE = """
[n]
for i : 1 <= i < n
  for j : 1 <= j < n
    S: A[i, j] = A[i - 1, j] A[i, j - 1]
"""
DIAGONAL = """
[n]
for i : 1 <= i < n
  for j : 1 <= j < n
    S: A[i, j] = A[i - 1, j + 1]
"""
LATER = """
[n]
for i : 0 <= i < n
  S: A[i] =
for i : 0 <= i < n - 1
  T: B[i] = A[i + 1]
"""
CYCLE = """
[n]
for i : 1 <= i < n
  S: A[i] = B[i - 1]
  T: B[i] = A[i]
"""


def test_sections_lines_and_steps():
    text = """
    # by hand
    scop f         # the first
      tile S.i S.j 8 4 ; reverse S.k   # two at once
      split S.i where i < n and j > 2  # a condition

    scop g:2
      print
    """
    first, second = parse_script(text, "steps.txt").sections
    assert first.scop is not None
    assert second.scop is not None
    assert (first.scop.text, second.scop.address) == ("f", ("g", None, 2))
    assert [[step.text for step in line] for line in first.lines] == [
        ["tile S.i S.j 8 4", "reverse S.k"],
        ["split S.i where i < n and j > 2"],
    ]
    assert str(first.lines[0][1].words[0].span) == "steps.txt:4:34"
    assert [[step.text for step in line] for line in second.lines] == [["print"]]


def test_nothing_is_a_script():
    assert parse_script("\n # only words\n", "steps.txt").sections == ()


def error_of(text: str) -> CompileError:
    with pytest.raises(CompileError) as raised:
        schedule_by_hand(parse_scop(RECURRENCE), None, text)
    return raised.value


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("tilt S.i 4", "1:1", "unknown step 'tilt'", "did you mean 'tile'?"),
        ("blow up", "1:1", "unknown step 'blow'", "there are interchange,"),
        ("tile S.i S.j", "1:1", "'tile' does not take these words", "usage: tile LOOP... SIZE..."),
        ("interchange S.i 4", "1:1", "does not take these words", "usage: interchange LOOP LOOP"),
        ("strip S.i four", "1:1", "does not take these words", "usage: strip LOOP SIZE"),
        ("strip S.i 4.5", "1:11", "'4.5' is no loop, statement or integer", "usage: strip"),
        ("strip S.i 1000001", "1:11", "integers are at most 1000000", None),
        ("\n strip S.l 4", "2:8", "no loop 'l' around S", "there are i, j"),
        ("strip T.i 4", "1:7", "no statement 'T'", "there is S"),
        ("strip S:2.i 4", "1:7", "no S:2: S stands in one place", None),
        ("peel S.i middle 1", "1:10", "'middle' is neither 'first' nor 'last'", None),
        ("split S.i", "1:1", "'split' needs a condition", "split LOOP where CONDITION"),
        ("split S.i where", "1:11", "no condition after 'where'", None),
        ("split S.i where i <", "1:17", "no condition on the loops around S: i <", "loops i, j"),
        ("split S.i where k < 3", "1:17", "no condition on the loops around S", "parameters n"),
        ("split S.i where i < 3 }", "1:17", "no condition on the loops around S", None),
        ("reverse S.i where i < 3", "1:19", "'reverse' takes no condition", "usage: reverse"),
        ("print S", "1:1", "'print' stands alone", None),
        ("scop", "1:1", "'scop' needs one name", "scop FUNCTION, or"),
        ("scop f g", "1:1", "'scop' needs one name", None),
        ("distribute S.i T", "1:1", "'distribute S.i T' cannot be done", "loop inside"),
        ("peel S.i first 1\nreverse S.i", "2:9", "S stands in 2 places", "say S:1 for the first"),
        ("strip S.i 4; strop S.i 4", "1:14", "unknown step 'strop'", "did you mean 'strip'?"),
    ],
)
def test_mistakes(text: str, place: str, message: str, hint: str | None):
    diagnostic = error_of(text).diagnostic
    assert str(diagnostic.span) == f"<steps>:{place}"
    assert message in diagnostic.message
    assert (hint or "") in (diagnostic.hint or "")


def test_a_mistake_further_down_is_found_before_anything_is_done():
    assert "no such" not in error_of("reverse S.i\nno such step").diagnostic.message
    assert "unknown step 'no'" in error_of("reverse S.i\nno such step").diagnostic.message


def test_a_message_quotes_its_line():
    assert error_of("  strip S.l 4").render().splitlines() == [
        "<steps>:1:9: error: no loop 'l' around S",
        "    strip S.l 4",
        "          ^",
        "  hint: there are i, j",
    ]


ILLEGAL = {
    "interchange": (DIAGONAL, "interchange S.i S.j"),
    "permute": (DIAGONAL, "permute S.j S.i"),
    "strip": None,
    "tile": (DIAGONAL, "tile S.i S.j 4 4"),
    "unroll": (DIAGONAL, "unroll S.i 2"),
    "skew": (RECURRENCE, "skew S.i S.j -2"),
    "shift": ("[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  T: B[i] = A[i]", "shift S.i 1"),
    "reverse": (RECURRENCE, "reverse S.j"),
    "scale": None,
    "fuse": (LATER, "fuse S T"),
    "distribute": (CYCLE, "distribute S.i"),
    "reorder": ("[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  T: B[i] = A[i]", "reorder T S"),
    "peel": None,
    "localize": None,
    "split": ("[n]\nfor i : 1 <= i < n\n  S: A[i] = A[i - 1]", "split S.i where 2 i > n"),
    "vectorize": (RECURRENCE, "vectorize S.j"),
    "parallel": ("[n]\nfor i : 1 <= i < n\n  S: A[i] = A[i - 1]", "parallel S.i"),
    "hexagons": (RECURRENCE, "hexagons S.i S.j 2 1 dual"),
    "hyperplanes": (RECURRENCE, "hyperplanes S.i S.j 2 -1 3"),
    "lattice": (RECURRENCE, "lattice S.i S.j 3 0 0 3 dual"),
}  # fmt: skip
"""For each step a case that a dependence forbids; None where the order never changes."""


def test_every_step_has_an_illegal_case_or_none():
    assert set(ILLEGAL) == set(STEPS)


@pytest.mark.parametrize("name", [name for name, case in ILLEGAL.items() if case is not None])
def test_illegal_steps_are_refused(name: str):
    case = ILLEGAL[name]
    assert case is not None
    text, step = case
    with pytest.raises(CompileError) as raised:
        schedule_by_hand(parse_scop(text), None, f"# first\n{step}")
    diagnostic = raised.value.diagnostic
    assert str(diagnostic.span) == "<steps>:2:1"
    first, *reasons = diagnostic.message.splitlines()
    assert first == f"'{step}' is illegal:"
    assert reasons
    assert all("dependence from" in reason for reason in reasons)


def test_what_is_on_one_line_is_checked_together():
    """Fusing is illegal until the second loop is shifted: in two lines it is refused."""
    scop = parse_scop(LATER)
    together = schedule_by_hand(scop, None, "fuse S T; shift T.i 1")
    other_way = schedule_by_hand(scop, None, "shift T.i 1\nfuse S T")
    assert together.get_map().is_equal(other_way.get_map())
    with pytest.raises(CompileError, match="'fuse S T' is illegal"):
        schedule_by_hand(scop, None, "fuse S T\nshift T.i 1")


def test_the_result_says_what_is_known_of_its_bands():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: x[i] = x[i] A[i, j]")
    schedule = schedule_by_hand(scop, None, "tile S.j S.i 4 4")
    tiles = schedule.get_root().child(0).child(0)
    assert tiles.band_get_permutable()
    assert [tiles.band_member_get_coincident(k) for k in range(2)] == [False, True]


def test_print_shows_the_loops_as_they_are():
    shown = list[str]()
    script = parse_script("print\nstrip S.j 4\nprint", "steps.txt")
    scop = parse_scop(RECURRENCE)
    run_section(scop, compute_dependences(scop), script.sections[0], shown.append)
    before, after = (text.split() for text in shown)
    assert "S.j_tile" not in before
    assert "S.j_tile" in after


def test_a_mark_that_promises_an_order_does_not_outlive_its_tree():
    """ "jam" says that the loop may be moved into its body, which was true of the old body."""
    scop = parse_scop(DIAGONAL.replace("A[i - 1, j + 1]", ""))
    tree = read_tree(scop.schedule)
    marked = build_schedule(scop.domain, Mark(JAM, Mark(UNROLL, tree)))
    dependences = compute_dependences(scop)

    def marks_after(steps: str) -> list[str]:
        schedule = schedule_by_hand(scop.with_schedule(marked), dependences, steps)
        return sorted(set(marks(read_tree(schedule))))

    assert marks_after("# nothing") == [JAM, UNROLL]
    assert marks_after("scop f") == [JAM, UNROLL]
    assert marks_after("reverse S.j") == [UNROLL]


def test_spent_budgets(monkeypatch: pytest.MonkeyPatch):
    """A step that costs too much is refused; what is only known of the bands may be left out."""
    scop = parse_scop(RECURRENCE)
    dependences = compute_dependences(scop)

    @contextmanager
    def spent(what: str, operations: int) -> Generator[None]:
        if what == refused:
            raise BudgetExceeded(what, operations)
        yield

    monkeypatch.setattr(by_hand, "budget", spent)
    refused = "step"
    with pytest.raises(CompileError, match="costs too much"):
        schedule_by_hand(scop, dependences, "strip S.j 4")
    refused = "bands"
    schedule = schedule_by_hand(scop, dependences, "interchange S.i S.j")
    band = schedule.get_root().child(0)
    assert (band.band_n_member(), band.band_get_permutable()) == (1, False)
