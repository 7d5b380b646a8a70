"""The search with a machine that computes instead of running: what is tried, kept, and told."""

from dataclasses import replace
from math import prod
from pathlib import Path

import pytest

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source, read_source
from polyopt.tools.bench.contest import Failure
from polyopt.tools.bench.programs import default_directory
from polyopt.tools.tune.ahead import Ahead, Trial
from polyopt.tools.tune.journal import Journal
from polyopt.tools.tune.plans import Change, Plan, Shape
from polyopt.tools.tune.search import Budget, Tally, search
from polyopt.tools.tune.space import Point, Space
from polyopt.tools.tune.treatment import MOST_COPIES, TreatedNest, Treatment
from polyopt.tools.tune.trials import Outcome, Run, Trials, read_run, result_difference
from polyopt.tools.tune.turns import in_proportion, in_turns

TRANSPOSE = """
void transpose(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[j][i] + 1.0;
}
"""
SWEEP = """
void sweep(int n, double a[n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            a[i][j] = a[i - 1][j + 1];
}
"""
BASES = ("identity",)


class FakeMachine:
    """A program is its script; `seconds` says how long it takes, `prints` what it says."""

    def __init__(self):
        self.built = list[str]()
        self.runs = list[str]()

    def build(self, base: str, script: str) -> str:
        self.built.append(script)
        return script

    def seconds(self, script: str) -> float:
        fast = 1.0 if "permute S0.j S0.i" in script else 2.0
        return fast - (0.25 if "tile" in script else 0.0)

    def prints(self, script: str) -> str:
        return "x = 1.0\n"

    def run(self, program: str, limit: float) -> Run:
        self.runs.append(program)
        return Run(self.seconds(program), self.prints(program))


class Here:
    """A crew of one, in this process."""

    size = 1

    def __init__(self, trials: Trials):
        self.trials, self.baseline_seconds = trials, trials.baseline_seconds
        self.under_way = dict[Trial, float]()

    def begin(self, trial: Trial, best: float, repeat: int | None = None) -> None:
        self.under_way[trial] = best

    def end(self, trial: Trial) -> None:
        del self.under_way[trial]

    def finished(self, seconds: float | None = None) -> dict[Trial, Outcome]:
        trial, best = self.under_way.popitem()
        return {trial: self.trials.measure(*trial, best)}

    def close(self) -> None: ...


def space_of(text: str) -> Space:
    return Space(Source("t.c", text), read_settings(["-O3"]), BASES)


def nothing(tally: Tally, point: Point, outcome: Outcome) -> None:
    pass


@pytest.fixture(scope="module")
def transpose() -> Space:
    return space_of(TRANSPOSE)


def test_it_descends_to_what_is_fastest(transpose: Space):
    trials = Trials(FakeMachine(), "identity", 2, exact=True, timeout=9.0)
    found = search(transpose, trials.measure, Budget(trials=20), nothing)
    script = transpose.script(found.best)
    assert script.startswith("scop transpose\npermute S0.j S0.i\n")
    assert "tile" in script
    assert found.score == 0.75 / 2.0
    assert found.measured <= 20


def test_the_same_loops_are_measured_once(transpose: Space):
    machine = FakeMachine()
    trials = Trials(machine, "identity", 1, exact=True, timeout=9.0)
    found = search(transpose, trials.measure, Budget(trials=12), nothing)
    points = [transpose.starts()[0]]
    assert found.measured == len(machine.built) - 1
    assert transpose.loops(points[0]) == transpose.loops(replace(points[0], plans=(Plan(),)))


def test_two_ways_to_one_program():
    """A plan and the same plan written otherwise: the second is not built."""
    space = space_of(TRANSPOSE)
    start = space.starts()[0]
    nest = TreatedNest(("S0.i", "S0.j"))
    idle = replace(start, plans=(Plan((), (Treatment.nothing(nest),)),))
    space.neighbours = lambda point: iter([idle])  # pyright: ignore[reportAttributeAccessIssue]
    trials = Trials(FakeMachine(), "identity", 1, exact=True, timeout=9.0)
    found = search(space, trials.measure, Budget(trials=5), nothing)
    assert (found.same, found.measured, found.best) == (1, 0, start)


def test_illegal_orders_are_never_built():
    """a[i][j] = a[i-1][j+1]: distance (1, -1) forbids the interchange, and tiles without a skew."""
    space = space_of(SWEEP)
    machine = FakeMachine()
    trials = Trials(machine, "identity", 1, exact=True, timeout=9.0)
    found = search(space, trials.measure, Budget(trials=12), nothing)
    assert found.illegal > 0
    assert not any("permute" in script for script in machine.built)
    assert all("skew" in one for one in machine.built if "tile S0.i S0.j" in one)
    assert any("skew" in one for one in machine.built)


def test_another_result_is_a_defect_and_never_best(transpose: Space):
    class Wrong(FakeMachine):
        def prints(self, script: str) -> str:
            return "x = 2.0\n" if "permute" in script else "x = 1.0\n"

    trials = Trials(Wrong(), "identity", 1, exact=True, timeout=9.0)
    outcomes = dict[str, Outcome]()

    def note(tally: Tally, point: Point, outcome: Outcome) -> None:
        outcomes[transpose.script(point)] = outcome

    found = search(transpose, trials.measure, Budget(trials=10), note)
    wrong = outcomes["scop transpose\npermute S0.j S0.i\n"]
    assert (wrong.status, wrong.detail) == ("wrong", "line 1 is 'x = 2.0', not 'x = 1.0'")
    assert "permute" not in transpose.script(found.best)


def test_a_hopeless_program_runs_once():
    class Slow(FakeMachine):
        def seconds(self, script: str) -> float:
            return 5.0 if script == "slow" else 2.0

    machine = Slow()
    trials = Trials(machine, "identity", 4, exact=True, timeout=9.0)
    assert trials.measure("identity", "slow", 1.0).status == "slow"
    assert machine.runs.count("slow") == 1
    assert trials.measure("identity", "other", 1.0).status == "ok"
    assert machine.runs.count("other") == 4


def test_an_interrupted_search_goes_on(transpose: Space, tmp_path: Path):
    def run(machine: FakeMachine, count: int) -> Tally:
        journal = Journal(tmp_path / "t.tune.json", {"source": "1"})
        trials = Trials(machine, "identity", 1, exact=True, timeout=9.0)

        budget = Budget(trials=count)
        measure = Ahead(Here(trials), transpose, budget, journal).measure
        return search(transpose, measure, budget, nothing)

    first, second, whole = FakeMachine(), FakeMachine(), FakeMachine()
    run(first, 4)
    resumed = run(second, 9)
    (tmp_path / "t.tune.json").unlink()
    assert run(whole, 9).best == resumed.best
    assert first.built + second.built[1:] == whole.built


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"key": {"format": 2, "source": "2"}}'])
def test_what_is_no_journal_of_this_search_is_ignored(text: str, tmp_path: Path):
    (tmp_path / "j").write_text(text)
    assert Journal(tmp_path / "j", {"source": "1"}).outcomes == {}


def test_time_is_a_budget(transpose: Space):
    times = iter(range(100))
    trials = Trials(FakeMachine(), "identity", 1, exact=True, timeout=9.0)
    found = search(
        transpose, trials.measure, Budget(seconds=3.0), nothing, clock=lambda: next(times)
    )
    assert found.measured <= 3


def test_the_budget_is_that_of_all():
    """What was spent before the search is gone, and what comes behind it is kept, up to a half."""
    assert Budget(seconds=60.0).left(10.0, 20.0) == Budget(seconds=30.0)
    assert Budget(seconds=60.0).left(40.0, 20.0) == Budget(seconds=10.0)
    assert Budget(seconds=60.0, trials=3).left(70.0, 20.0) == Budget(seconds=0.0, trials=3)
    assert Budget(trials=3).left(70.0, 20.0) == Budget(trials=3)


def test_a_failing_baseline_is_an_error():
    class Broken(FakeMachine):
        def run(self, program: str, limit: float) -> Run:
            raise Failure("crash", "SIGSEGV")

    with pytest.raises(Exception, match="the baseline, --poly=auto: crash: SIGSEGV"):
        Trials(Broken(), "auto", 1, exact=True, timeout=9.0)


def test_neighbours_differ_in_one_choice():
    shape = Shape((TreatedNest(("S0.i", "S0.j")),), (Change("fuse S0.i S1.i"),))
    scripts = [plan.lines(shape) for plan in Plan().neighbours(shape)]
    assert ("fuse S0.i S1.i",) in scripts
    assert ("permute S0.j S0.i",) in scripts
    assert ("tile S0.i S0.j 32 32",) in scripts
    assert ("skew S0.j S0.i 1; tile S0.i S0.j 32 32",) in scripts
    assert ("unroll S0.j 4",) in scripts
    tiled = Plan((), (Treatment((1, 0), (32, 64), (1, 4)),))
    assert tiled.lines(shape) == (
        "permute S0.j S0.i",
        "tile S0.j S0.i 64 32",
        "unroll S0.j 4",
    )


def scripts_next_to(treatment: Treatment, nest: TreatedNest) -> list[tuple[str, ...]]:
    return [tuple(other.lines(nest)) for other in treatment.neighbours()]


def test_register_tiles_of_two_loops():
    nest = TreatedNest(("i", "j", "k"))
    first = scripts_next_to(Treatment.nothing(nest), nest)
    for one, other in (("i", "j"), ("i", "k"), ("j", "k")):
        assert (f"unroll {one} 4", f"unroll {other} 2") in first
        assert (f"unroll {one} 2", f"unroll {other} 4") in first
    further = scripts_next_to(Treatment((0, 1, 2), (0, 0, 0), (4, 2, 1)), nest)
    assert ("unroll i 2", "unroll j 4") in further
    assert ("unroll i 8",) in further
    wide = Treatment((0, 1, 2), (0, 0, 0), (8, 4, 1))
    assert all(prod(other.copies) <= MOST_COPIES for other in wide.neighbours())


def test_two_levels_of_tiles():
    nest = TreatedNest(("i", "j"))
    assert not any(other.blocks for other in Treatment.nothing(nest).neighbours())
    tiled = Treatment((1, 0), (32, 64), (1, 1), skew=1)
    both = ("permute j i", "skew i j 1; tile j i 256 128", "tile j i 64 32")
    assert both in scripts_next_to(tiled, nest)
    blocked = replace(tiled, blocks=(4, 4))
    assert tiled in blocked.neighbours()
    assert replace(blocked, blocks=(8, 4)) in blocked.neighbours()
    assert replace(blocked, tiles=(16, 64)) in blocked.neighbours()
    only_i = replace(blocked, tiles=(32, 0))
    assert tuple(only_i.lines(nest))[1:] == (
        "skew i j 1; tile i 128; permute i_tile j",
        "tile i 32; permute i_tile2 j",
    )
    assert Treatment((1, 0), (0, 0), (1, 1)) in replace(only_i, tiles=(4, 0)).neighbours()


def test_tiles_of_some_loops_are_outside_of_all():
    nest = TreatedNest(("i", "k", "j"))
    tiled = Treatment((0, 1, 2), (0, 32, 64), (1, 1, 1))
    assert tuple(tiled.lines(nest)) == ("tile k j 32 64; permute k_tile j_tile i",)
    outer = Treatment((0, 1, 2), (16, 0, 64), (1, 1, 1))
    assert tuple(outer.lines(nest)) == ("tile i j 16 64",)
    assert not any(other.tiles == (32, 0, 0) for other in Treatment.nothing(nest).neighbours()), (
        "strips of the outermost loop change no order"
    )
    assert not any(any(o.tiles) for o in Treatment.nothing(TreatedNest(("i",))).neighbours())


def test_every_neighbour_of_a_neighbour_can_be_written():
    """The sizes that one comes to are sizes that one can go on from."""
    nest = TreatedNest(("i", "j"))
    seen = {Treatment.nothing(nest)}
    for _ in range(4):
        seen |= {other for one in seen for other in one.neighbours()}
    lines = [tuple(one.lines(nest)) for one in seen]
    assert len(set(lines)) > 500
    assert max(map(len, lines)) == 5


@pytest.mark.parametrize("tiles", [(32, 64), (0, 64), (32, 0)])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_steps_at_two_levels_are_understood(
    transpose: Space, order: tuple[int, int], tiles: tuple[int, int]
):
    treatment = Treatment(order, tiles, (4, 2), blocks=(4, 8))
    point = replace(transpose.starts()[0], plans=(Plan((), (treatment,)),))
    assert transpose.loops(point) is not None


def test_scops_have_the_addresses_that_a_script_finds():
    """--poly=auto keeps a second version of doitgen's for small sizes, but not after a script."""
    source = read_source(str(default_directory() / "doitgen.c"))
    space = Space(source, read_settings(["-O3"]), ["auto"], ["kernel_doitgen"])
    assert list(space.bases["auto"].scops) == ["scop kernel_doitgen"]


def test_turns():
    heavy, light = (iter([name] * 4) for name in "hl")
    assert "".join(in_proportion((1.0, light), (3.0, heavy))) == "hhlhhlll"
    assert "".join(in_turns(iter("abc"), iter(""), iter("xy"))) == "axbyc"


UNEVEN = """
void rare(double a[8]) {
    for (int i = 0; i < 8; i++)
        a[i] = a[i] + 1.0;
}
void often(int n, double a[n], double b[n][n], double c[n][n][n]) {
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = b[i][j] * 2.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j][k] = c[i][j][k] * 2.0;
}
"""


def test_where_most_of_the_work_is_first():
    space = space_of(UNEVEN)
    scripts = [space.script(one) for one in space.neighbours(space.starts()[0])]
    places = [
        next(k for k, one in enumerate(scripts) if statement in one)
        for statement in ("often\nunroll S2.", "often\nunroll S1.", "often\nunroll S0.")
    ]
    assert places == sorted(places)
    assert places[1] > 20
    assert any(one.startswith("scop rare\n") for one in scripts)
    assert not any(one.startswith("scop rare\n") for one in scripts[: places[2]])


def test_times_are_no_results():
    assert read_run("seconds 0.5 0.4\nx = 1\n", 3.0) == Run(0.5, "x = 1\n")
    assert read_run("x = 1\n", 3.0) == Run(3.0, "x = 1\n")


@pytest.mark.parametrize(
    ("expected", "actual", "exact", "same"),
    [
        ("x = 1.5\n", "x = 1.5\n", True, True),
        ("x = 1.5\n", "x = 1.5000001\n", True, False),
        ("x = 1.5\n", "x = 1.5000001\n", False, True),
        ("x = 1.5\n", "x = 1.6\n", False, False),
        ("x = 1.5\n", "y = 1.5\n", False, False),
        ("x = 1.5\n", "", False, False),
    ],
)
def test_results_are_compared(expected: str, actual: str, exact: bool, same: bool):
    assert (result_difference(expected, actual, exact=exact) is None) == same
