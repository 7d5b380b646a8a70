"""Functions that processes of Python share: on any communicator, refused where they cannot be."""

from __future__ import annotations

import inspect
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest
from oracles.processes import needs_mpi, run_processes

import polyopt

SOURCE = """
void relax(int n, int steps, double A[restrict n], double B[restrict n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3.0;
    for (int i = 1; i < n - 1; i++) A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3.0;
  }
}
"""
STRICT = ["-O1", "--poly=identity", "-ffp-contract=off"]


class Done:
    def Wait(self) -> None:
        pass

    def Test(self) -> bool:
        return True


class Coming:
    def __init__(self, buffer: Any, box: Queue[bytes]):
        self.buffer, self.box = buffer, box

    def Wait(self) -> None:
        memoryview(self.buffer).cast("B")[:] = self.box.get(timeout=20)


class Room:
    """A communicator between threads of this process, with the methods that mpi4py's has."""

    def __init__(self, size: int):
        self.boxes = {(a, b): Queue[bytes]() for a in range(size) for b in range(size)}
        self.meeting = threading.Barrier(size)
        self.said = dict[int, Any]()
        self.size = size

    def member(self, rank: int) -> Member:
        return Member(self, rank)


class Member:
    def __init__(self, room: Room, rank: int):
        self.room, self.rank = room, rank

    def Get_rank(self) -> int:
        return self.rank

    def Get_size(self) -> int:
        return self.room.size

    def Isend(self, buffer: Any, whom: int, tag: int) -> Done:
        self.room.boxes[self.rank, whom].put(bytes(buffer))
        return Done()

    def Irecv(self, buffer: Any, whom: int, tag: int) -> Coming:
        return Coming(buffer, self.room.boxes[whom, self.rank])

    def Recv(self, buffer: Any, whom: int, tag: int) -> None:
        self.Irecv(buffer, whom, tag).Wait()

    def Iallgather(self, mine: Any, every: Any) -> Done:
        self.room.said[self.rank] = list(mine)
        self.room.meeting.wait(timeout=20)
        every[:] = [one for rank in range(self.room.size) for one in self.room.said[rank]]
        self.room.meeting.wait(timeout=20)
        return Done()


def shared(grid: str) -> polyopt.Program:
    return polyopt.compile(SOURCE, [*STRICT, f"--distribute={grid}"])


def test_processes_leave_with_the_same_arrays():
    size = 2
    expected, other = np.arange(20.0) ** 2, np.zeros(20)
    polyopt.compile(SOURCE, [*STRICT, "--poly=none"]).relax(20, 4, expected, other)
    room, arrays = Room(size), [np.arange(20.0) ** 2 for _ in range(size)]

    programs = [shared("*") for _ in range(size)]

    def run(rank: int) -> None:
        programs[rank].relax(room.member(rank), 20, 4, A=arrays[rank], B=np.zeros(20))

    members = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for member in members:
        member.start()
    for member in members:
        member.join(timeout=60)
    for array in arrays:
        np.testing.assert_array_equal(array, expected)


def test_what_is_refused():
    program = polyopt.compile(
        "void f(int n, double A[n]) { A[0] = n; }", ["--distribute=2x*", "-O1", "--poly=identity"]
    )
    array = np.zeros(20)
    with pytest.raises(TypeError, match="its first argument is a communicator of mpi4py"):
        program.f(20, array)
    with pytest.raises(ValueError, match=r"is for a multiple of 2 processes, and .* has 3"):
        program.f(Room(3).member(0), 20, array)


def test_what_functions_say():
    source = "void f(int n, double A[n]) { A[0] = n; }"
    program = polyopt.compile(source, ["--distribute=*", "-O1", "--poly=identity"])
    assert list(inspect.signature(program.f).parameters) == ["comm", "n", "A"]
    assert "comm: communicator" in (program.f.__doc__ or "")
    assert "def f(comm: Any, /, n: int, " in program.stubs()


SCRIPT = f"""
import numpy as np, polyopt
from mpi4py import MPI
comm = MPI.COMM_WORLD
program = polyopt.compile('''{SOURCE}''', {[*STRICT, "--distribute=*"]})
A, B = np.arange(20.0) ** 2, np.zeros(20)
program.relax(comm, 20, 4, A, B)
half = comm.Split(comm.rank % 2)
program.relax(half, 20, 4, A, B)
totals = comm.gather(A.sum().hex())
if comm.rank == 0:
    print(*sorted(set(totals)))
"""


@needs_mpi
@pytest.mark.slow
@pytest.mark.skipif(find_spec("mpi4py") is None, reason="there is no mpi4py: polyopt[mpi]")
def test_on_communicators_of_mpi4py(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = run_processes(3, sys.executable, str(script))
    A, B = np.arange(20.0) ** 2, np.zeros(20)
    serial = polyopt.compile(SOURCE, [*STRICT, "--poly=none"])
    for _ in range(2):
        serial.relax(20, 4, A, B)
    assert (ran.returncode, ran.stdout.split()) == (0, [A.sum().hex()]), ran.stderr


FAILING = f"""
import numpy as np, polyopt
from mpi4py import MPI
comm = MPI.COMM_WORLD
program = polyopt.compile('''{SOURCE}''', {[*STRICT, "--distribute=*"]})
A, B = np.arange(20.0) ** 2, np.zeros(20)
FAIL
program.relax(comm, 20, 4, A, B)
"""


@needs_mpi
@pytest.mark.slow
@pytest.mark.skipif(find_spec("mpi4py") is None, reason="there is no mpi4py: polyopt[mpi]")
@pytest.mark.parametrize(
    ("fail", "error"),
    [
        ("if comm.rank == 1: raise KeyError('mine')", "KeyError"),
        ("if comm.rank == 1: A = A.astype('f4')", "TypeError"),
    ],
)
def test_an_exception_in_one_process_ends_all(tmp_path: Path, fail: str, error: str):
    """The other one waits in the loops."""
    script = tmp_path / "script.py"
    script.write_text(FAILING.replace("FAIL", fail))
    ran = run_processes(2, sys.executable, str(script), timeout=30)
    assert ran.returncode != 0
    assert f"polyopt: process 1 ends with {error}, and with it all of them" in ran.stderr


@needs_mpi
@pytest.mark.slow
@pytest.mark.skipif(find_spec("mpi4py") is None, reason="there is no mpi4py: polyopt[mpi]")
def test_an_exception_that_is_caught_ends_nothing(tmp_path: Path):
    script = tmp_path / "script.py"
    fail = """
try: raise KeyError('mine')
except KeyError: pass
"""
    script.write_text(FAILING.replace("FAIL", fail))
    ran = run_processes(2, sys.executable, str(script), timeout=30)
    assert (ran.returncode, "process" in ran.stderr) == (0, False), ran.stderr


AT_END = "processes are at lines 0 and 3 of the program (0: its end)"


@needs_mpi
@pytest.mark.slow
@pytest.mark.skipif(find_spec("mpi4py") is None, reason="there is no mpi4py: polyopt[mpi]")
@pytest.mark.parametrize(
    ("leave", "message"),
    [
        ("if comm.rank == 1: sys.exit(3)", "process 1 has ended, and others share loops with it"),
        ("if comm.rank == 1: sys.exit()", "process 1 has ended, and others share loops with it"),
        ("if comm.rank == 0: sys.exit(3)", "process 0 has ended, and others share loops with it"),
        ("relax(); comm.rank == 1 and sys.exit(3)", AT_END),
        ("relax(); comm.rank == 0 and sys.exit()", AT_END),
        (
            "half = comm.Split(0); half.rank == 1 and sys.exit(1); comm = half",
            "process 1 has ended",
        ),
    ],
)
def test_a_process_that_leaves_ends_all(tmp_path: Path, leave: str, message: str):
    script = tmp_path / "script.py"
    prelude = "import sys\nrelax = lambda: program.relax(comm, 20, 4, A, B)\n"
    script.write_text(FAILING.replace("FAIL", prelude + leave))
    ran = run_processes(3, sys.executable, str(script), timeout=30)
    assert ran.returncode != 0
    assert message in ran.stderr


@needs_mpi
@pytest.mark.slow
@pytest.mark.skipif(find_spec("mpi4py") is None, reason="there is no mpi4py: polyopt[mpi]")
@pytest.mark.parametrize(
    "leave",
    [
        "relax(); sys.exit(0)",
        "sys.exit(0)",
        "pair = comm.Split(comm.rank < 1)\nif comm.rank == 0: sys.exit()\ncomm = pair",
        "pair = comm.Dup(); program.relax(pair, 20, 4, A, B); pair.Free()",
        "relax(); pair = comm.Split(comm.rank < 1); program.relax(pair, 20, 4, A, B); sys.exit()",
    ],
)
def test_processes_that_nobody_waits_for_may_leave(tmp_path: Path, leave: str):
    """All at once, or those of another communicator, or after its end."""
    script = tmp_path / "script.py"
    prelude = "import sys\nrelax = lambda: program.relax(comm, 20, 4, A, B)\n"
    script.write_text(FAILING.replace("FAIL", prelude + leave))
    ran = run_processes(3, sys.executable, str(script), timeout=30)
    assert (ran.returncode, ran.stderr) == (0, "")
