"""Pluto as a scheduler: what goes to the program, and what is done with whatever comes back. The
programs here are small ones that edit the scatterings, as Pluto does, or fail."""

import sys
from collections.abc import Callable
from pathlib import Path

import islpy as isl
import pytest

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import check_schedule
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import bands, read_tree
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.names import scheduler_named
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError

COPY = "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = B[j, i]"

# Rows of a scattering are [0, dates, iterators, parameters, 1]: the loops are at the second and
# the fourth date.
EXCHANGE = """
import sys
assert sys.argv[1:] == ["--readscop", "--notile", "--noparallel", "--silent", "stdin"], sys.argv
lines, at = sys.stdin.read().split("\\n"), None
print("[pluto] a line that is no SCoP")
for line in lines:
    at = 0 if line == "SCATTERING" else at
    row = line.split()
    if at is not None and len(row) == 10 and row[0] == "0":
        at += 1
        if at in (2, 4):
            row[6], row[7] = row[7], row[6]
            line = " ".join(row)
        if at == 5:
            at = None
    print(line)
"""


Put = Callable[..., None]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Puts a Python program on the PATH under this name, and nothing else."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def put(text: str, name: str = "pluto") -> None:
        file = tmp_path / name
        file.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
        file.chmod(0o755)

    return put


def scheduled(scop: Scop) -> isl.Schedule:
    dependences = compute_dependences(scop)
    return scheduler_named("pluto")(scop, dependences, SchedulerOptions())


@pytest.mark.parametrize("name", ["pluto", "polycc"])
def test_its_order_is_taken(program: Put, name: str):
    program(EXCHANGE, name)
    scop = parse_scop(COPY)
    found = scheduled(scop)
    wanted = isl.UnionMap("{ S[i, j] -> [j, i] }").intersect_domain(scop.domain)
    assert found.get_map().intersect_domain(scop.domain).is_equal(wanted)
    (band,) = bands(read_tree(found))
    assert band.permutable
    assert all(member.coincident for member in band.members)


def test_an_illegal_order_is_for_the_pass_to_refuse(program: Put):
    program(EXCHANGE)
    text = "[n]\nfor i : 1 <= i < n\n  for j : 0 <= j < n - 1\n    S: A[i, j] = A[i - 1, j + 1]"
    scop = parse_scop(text)
    assert check_schedule(scop, compute_dependences(scop), scheduled(scop))


def test_no_program(program: Put):
    with pytest.raises(CompileError, match="no pluto and no polycc on the PATH") as raised:
        scheduled(parse_scop(COPY))
    assert "isl.tile" in (raised.value.diagnostic.hint or "").replace("+", ".")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys; sys.exit('no memory')", "ends with status 1 for SCoP .*: no memory"),
        ("print('done')", "ends without a SCoP for SCoP .*: done"),
        ("import sys; print(sys.stdin.read().replace('DOMAIN\\n4', 'DOMAIN\\n3'))", "."),
        (
            "import sys; t = sys.stdin.read(); print(t.replace('-1    0    1   -1', '-1 0 1 -2'))",
            "gives another SCoP than",
        ),
    ],
)
def test_what_is_no_answer(program: Put, text: str, message: str):
    program(text)
    with pytest.raises(CompileError, match=message):
        scheduled(parse_scop(COPY))
