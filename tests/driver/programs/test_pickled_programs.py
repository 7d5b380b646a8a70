"""Programs and their functions go to other processes as their text and options."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import polyopt

TEXT = """\
static int calls;
int counted(void) { return ++calls; }
double scaled(int n, double x[n]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += FACTOR * x[i];
  return s;
}
"""


def test_program_again():
    program = polyopt.compile(TEXT, "-O2 -DFACTOR=3")
    other = pickle.loads(pickle.dumps(program))
    assert other is not program
    assert list(other) == list(program)
    assert other.scaled(4, np.ones(4)) == 12
    assert [str(item) for item in other.remarks] == [str(item) for item in program.remarks]


def test_options_go_along():
    two, three = (polyopt.compile(TEXT, f"-O2 -DFACTOR={factor}") for factor in (2, 3))
    values = [pickle.loads(pickle.dumps(each)).scaled(1, np.ones(1)) for each in (two, three)]
    assert values == [2, 3]


def test_function_and_program_come_to_the_same():
    """What comes twice is one program, with one state."""
    program = polyopt.compile(TEXT, "-O1 -DFACTOR=5")
    function, other = pickle.loads(pickle.dumps((program.counted, program)))
    first = function()
    assert other.counted() == first + 1
    assert pickle.loads(pickle.dumps(program.counted))() == first + 2


def test_copy_is_the_thing_itself():
    program = polyopt.compile(TEXT, "-O1 -DFACTOR=1")
    assert copy.copy(program) is program
    assert copy.deepcopy({"f": program.scaled})["f"] is program.scaled


def test_text_of_a_file(tmp_path: Path):
    """The text is that of the time when it was compiled."""
    path = tmp_path / "a.c"
    path.write_text(TEXT.replace("FACTOR", "7"))
    data = pickle.dumps(polyopt.compile(path, "-O1"))
    path.unlink()
    assert pickle.loads(data).scaled(1, np.ones(1)) == 7


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_function_in_other_processes(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("POLYOPT_CACHE_DIR", str(tmp_path))
    program = polyopt.compile(TEXT, "-O2 -DFACTOR=2")
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        sums = list(pool.map(program.scaled, [1, 2, 3], [np.ones(n) for n in (1, 2, 3)]))
    assert sums == [2, 4, 6]


def test_what_belongs_to_this_process_only():
    """Without its text, code cannot be made again."""
    from polyopt.backend.called.bind import Library

    library = Library({})
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(library)
