"""Programs that say what they cost, from a compiler that reads it off the script: searches for a
schedule without a clock. A file `deadly` beside the compiler holds a text; who compiles a script
with that text is killed, `once` among the flags: the first one only. All runs go to `log`."""

from pathlib import Path

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.tools.tune.ahead import Ahead, Crew
from polyopt.tools.tune.forks import Forks
from polyopt.tools.tune.job import Job
from polyopt.tools.tune.journal import Journal
from polyopt.tools.tune.search import Budget, Tally, search
from polyopt.tools.tune.space import Point, Space
from polyopt.tools.tune.trials import Outcome

TRANSPOSE = """
void transpose(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[j][i] + 1.0;
}
"""
COMPILER = r"""
import os, signal, sys, zlib
from pathlib import Path

scripts = [word for word in sys.argv if word.startswith("--schedule=")]
script = Path(scripts[0].partition("=")[2]).read_text() if scripts else ""
target = Path(sys.argv[sys.argv.index("-o") + 1])
here = Path(__file__).parent
deadly = here / "deadly"
if deadly.exists() and script and deadly.read_text() in script:
    with open(here / "deaths", "a") as stream:
        stream.write("x")
    if "once" in sys.argv:
        deadly.unlink()
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit(1)
cost = 2.0 - (0.5 if "permute S0.j S0.i" in script else 0.0) - (0.25 if "tile" in script else 0.0)
cost += zlib.crc32(script.encode()) % 97 / 1000
log = here / "log"
target.write_text(
    f"#!/bin/sh\necho begin >> {log}\n[ -e {here / 'slow'} ] && sleep 0.02\n"
    f"echo end >> {log}\necho seconds {cost} {cost}\necho x = 1.0\n"
)
target.chmod(0o755)
"""


def transpose_space() -> Space:
    return Space(Source("t.c", TRANSPOSE), read_settings(["-O3"]), ("identity",))


def job_in(folder: Path, *flags: str) -> Job:
    compiler = folder / "compiler.py"
    compiler.write_text(COMPILER)
    here = str(folder)
    return Job("t.c", TRANSPOSE, here, here, flags, "identity", (), 1, True, 20.0, (str(compiler),))


def searched(
    space: Space, crew: Crew, folder: Path, trials: int = 16
) -> tuple[list[tuple[str, Outcome]], str, Journal]:
    """What was reported, the winner, and the journal."""
    journal = Journal(folder / f"journal-{crew.size}.json", {})
    budget = Budget(trials=trials)
    told = list[tuple[str, Outcome]]()

    def report(tally: Tally, point: Point, outcome: Outcome) -> None:
        told.append((space.script(point), outcome))

    try:
        tally = search(space, Ahead(crew, space, budget, journal).measure, budget, report)
    finally:
        crew.close()
    return told, space.script(tally.best), journal


def forks(job: Job, folder: Path, size: int) -> Forks:
    place = folder / f"{size}"
    place.mkdir()
    return Forks(job.begin(place), size)
