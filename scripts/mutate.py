"""Break one line of a room at a time and see whether its tests notice.

    scripts/mutate.py --room passes/loops --count 40 --seed 1

A mutant lives in the memory of one process and is gone with it: no file of the tree is touched.
At first the tests of the mutant's own room run until one fails (`--near`: those alone). For what
they do not notice it is found out once, and kept (`--cache`), which tests run which line: those
run, the quickest first. What no test notices is printed, to be met by a test, or by a sentence why
it changes nothing in `scripts/mutation/equivalents.toml`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import tomllib
from pathlib import Path
from random import Random

import pytest
from mutation.line_map import Kept
from mutation.mutants import Mutant, mutants_of
from mutation.session import Outcome, Session
from rooms import FLOORS, own_tests_of, settings
from tool_server import PACKAGES

HERE = Path(__file__).resolve().parent
GOOD = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
Key = tuple[str, ...]
KEY = ("file", "function", "line", "before", "after")


def main() -> int:
    sys.dont_write_bytecode = True
    arguments = _arguments()
    root = str(Path(arguments.root).resolve())
    files = [str(path.relative_to(root)) for path in _files(root, arguments.room)]
    texts = {file: (Path(root) / file).read_text(encoding="utf-8") for file in files}
    mutants = [one for file in files for one in mutants_of(file, texts[file])]
    known = _equivalents(arguments.equivalents)
    unlisted = [one for one in mutants if one.key not in known]
    left = [one for one in unlisted if arguments.only in str(one)]
    if arguments.again:
        text = Path(arguments.again).read_text(encoding="utf-8")
        left = [one for one in left if f"SURVIVED  {one}  [" in text]
    count = len(left) if arguments.again else min(arguments.count, len(left))
    chosen = sorted(
        Random(arguments.seed).sample(left, count), key=lambda one: (one.file, one.number)
    )
    if arguments.list:
        print(*chosen, sep="\n")
        return 0
    outcomes = list[Outcome]()
    stream = os.fdopen(os.dup(1), "w", buffering=1)

    def say(text: str) -> None:
        stream.write(f"{text}\n")

    def work(session: Session) -> None:
        left = list[Mutant]()
        for mutant in chosen:
            outcome = session.try_near(mutant, texts[mutant.file], _tests_near(root, mutant))
            if outcome.by is None and not arguments.near:
                left.append(mutant)
                continue
            outcomes.append(outcome)
            say(_line(outcome))
        if left:
            session.look_at_all()
        for mutant in left:
            outcomes.append(session.try_mutant(mutant, texts[mutant.file]))
            say(_line(outcomes[-1]))

    sources = tuple(arguments.sources)
    session = Session(
        root,
        sources,
        Kept(arguments.cache, root, sources),
        say,
        work,
        tuple(arguments.packages),
        arguments.patience,
        arguments.slack,
    )
    os.chdir(root)
    with tempfile.TemporaryDirectory() as folder:
        shown = f"{folder}/shown"
        os.dup2(os.open(shown, os.O_WRONLY | os.O_CREAT), 1)
        options = ["-q", "-m", "not slow", "-p", "no:cacheprovider", f"--basetemp={folder}/tests"]
        tests = arguments.tests or [
            one for one in settings()["mutation"]["tests"] if Path(one).exists()
        ]
        status = pytest.main([*options, "--rootdir", root, *tests], plugins=[session])
        if status not in GOOD:
            say(Path(shown).read_text(encoding="utf-8"))
    if status not in GOOD:
        say(f"pytest: {status!r}, no verdict")
        return 2
    return _summary(outcomes, len(mutants) - len(unlisted), arguments.least, say)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--room", action="append", required=True, help="a folder or file; repeats")
    parser.add_argument("--count", type=int, default=40, help="mutants to try")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", default="", help="only mutants whose line here holds this text")
    parser.add_argument("--again", default="", help="all that survived in the output kept here")
    parser.add_argument("--near", action="store_true", help="only the tests of each one's own room")
    parser.add_argument("--list", action="store_true", help="show the mutants and try none")
    parser.add_argument("--least", type=float, default=90, help="per cent that must be noticed")
    parser.add_argument("--patience", type=float, default=40, help="seconds of tests for each")
    parser.add_argument("--slack", type=float, default=20, help="seconds that tests may be late")
    parser.add_argument("--tests", nargs="+", help="files and folders of tests")
    parser.add_argument("--root", default=str(HERE.parent), help="the tree")
    parser.add_argument("--packages", nargs="*", default=PACKAGES, help="are imported at first")
    parser.add_argument("--sources", nargs="+", default=FLOORS, help="folders whose lines count")
    parser.add_argument("--equivalents", default=str(HERE / "mutation" / "equivalents.toml"))
    parser.add_argument(
        "--cache",
        default=f"{tempfile.gettempdir()}/polyopt-mutate",
        help="what is known of the tests, outside of the tree",
    )
    return parser.parse_args()


def _tests_near(root: str, mutant: Mutant) -> list[str]:
    """Those of the mutant's own room: at first those that have its file's name, then those of lit,
    the shorter ones first."""
    path = Path(mutant.file)
    word = path.stem.replace("_", "-")

    def rank(place: str) -> tuple[bool, bool, int]:
        named = word in place.replace("_", "-")
        return not named, not place.startswith("lit_tests/"), (Path(root) / place).stat().st_size

    return sorted(own_tests_of(str(path.parent), Path(root)), key=rank)


def _files(root: str, rooms: list[str]) -> list[Path]:
    found = list[Path]()
    for room in rooms:
        path = Path(root) / room
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return found


def _equivalents(file: str) -> frozenset[Key]:
    """Mutants that change nothing, each with the sentence that says why."""
    if not Path(file).exists():
        return frozenset()
    entries = tomllib.loads(Path(file).read_text(encoding="utf-8")).get("mutant", [])
    for one in entries:
        assert one["why"].strip(), f"say why: {one}"
    return frozenset(tuple(one[name] for name in KEY) for one in entries)


def _line(outcome: Outcome) -> str:
    if outcome.by is not None:
        return f"noticed   {outcome.mutant}  [{outcome.by}; {outcome.seconds:.1f} s]"
    tests = f"{outcome.tests} tests pass" if outcome.tests else "no test runs it"
    return f"SURVIVED  {outcome.mutant}  [{tests}; {outcome.seconds:.1f} s]"


def _summary(outcomes: list[Outcome], equivalent: int, least: float, say: object) -> int:
    assert callable(say)
    noticed = sum(one.by is not None for one in outcomes)
    survivors: list[Mutant] = [one.mutant for one in outcomes if one.by is None]
    share = 100 * noticed / len(outcomes) if outcomes else 100.0
    say(
        f"{len(outcomes)} mutants, {noticed} noticed ({share:.1f} %), {len(survivors)} survived; "
        f"{equivalent} known to change nothing left out; "
        f"{sum(one.seconds for one in outcomes):.0f} s"
    )
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())
