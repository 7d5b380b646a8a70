"""`#pragma omp`: programs do what gcc -fopenmp makes of them, and what is wrong is said in place.

Beside each program lies what it writes when gcc compiles it; where there is one it is asked again.
`openmp/errors.txt` holds texts that are refused, with all that is said.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap

FOLDER = Path(__file__).parent / "openmp"
PROGRAMS = sorted(FOLDER.glob("*.c"))
QUIET = {
    "OMP_WAIT_POLICY": "passive",
    "OMP_NUM_THREADS": "3",
    "OMP_CANCELLATION": "true",
    "KMP_WARNINGS": "0",
}
OPENMP = CFrontendOptions(openmp="libgomp")

pytestmark = pytest.mark.usefixtures("tools_on_path")


def has_runtime(family: str) -> bool:
    found = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    return found is not None and bool(found.path)


needs_gomp = pytest.mark.skipif(not has_runtime("libgomp"), reason="there is no libgomp.so.1")
needs_omp = pytest.mark.skipif(not has_runtime("libomp"), reason="there is no libomp")


def output(command: list[str], **environment: str) -> str:
    around = {**os.environ, **QUIET, **environment}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=around)
    return ran.stdout + (f"{ran.stderr}status {ran.returncode}\n" if ran.returncode else "")


def run_by_polyopt(source: Path, *options: str, **environment: str) -> str:
    command = ["polyopt-cc", "-ffp-contract=off"]
    return output([*command, *options, "--run", str(source)], **environment)


@needs_gomp
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_program_runs_as_expected(source: Path):
    expected = source.with_suffix(".expected").read_text()
    assert run_by_polyopt(source, "-fopenmp=libgomp") == expected


@needs_gomp
@pytest.mark.slow
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_program_runs_as_expected_when_loops_are_optimised(source: Path):
    expected = source.with_suffix(".expected").read_text()
    assert run_by_polyopt(source, "-fopenmp=libgomp", "-O3", "--verify-each") == expected


@needs_omp
@pytest.mark.slow
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_program_runs_as_expected_with_the_other_library(source: Path):
    expected = source.with_suffix(".expected").read_text()
    assert run_by_polyopt(source, "-fopenmp=libomp", "-O2") == expected


@pytest.mark.parametrize(
    "family",
    [pytest.param("libgomp", marks=needs_gomp), pytest.param("libomp", marks=needs_omp)],
)
def test_one_thread_waits_for_no_iteration(family: str):
    source = FOLDER / "doacross.c"
    found = run_by_polyopt(source, f"-fopenmp={family}", OMP_NUM_THREADS="1")
    assert found == source.with_suffix(".expected").read_text()


@needs_gomp
def test_linear_follows_a_walk_along_pointers(tmp_path: Path):
    """f is 3 + 2k in iteration k (OpenMP 5.0, 2.19.4.6); gcc 12 does not let it follow."""
    source = tmp_path / "linear.c"
    source.write_text(
        """#include <stdio.h>
        int main(void) {
          int a[40] = {0}, f = 3;
          #pragma omp parallel for linear(f : 2)
          for (int *p = a + 8; p < a + 40; p += 4) *p = f;
          for (int i = 8; i < 40; i += 4) printf("%d ", a[i]);
          printf("| %d\\n", f);
        }
        """
    )
    assert run_by_polyopt(source, "-fopenmp=libgomp") == "3 5 7 9 11 13 15 17 | 17\n"


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_expected_output_is_what_gcc_gives(source: Path, tmp_path: Path):
    gcc = shutil.which("gcc")
    program = str(tmp_path / "program")
    flags = ["-w", "-O0", "-std=gnu17", "-fopenmp", "-ffp-contract=off"]
    if gcc is None or subprocess.run([gcc, *flags, str(source), "-o", program]).returncode:
        pytest.skip("there is no gcc with OpenMP")
    assert output([program]) == source.with_suffix(".expected").read_text()


def read_cases(name: str) -> list[pytest.ParameterSet]:
    cases: list[pytest.ParameterSet] = []
    for block in (FOLDER / name).read_text().split("=== ")[1:]:
        title, _, rest = block.partition("\n")
        text, expected = rest.split("---\n")
        cases.append(pytest.param(text, expected, id=title.replace(" ", "-")))
    return cases


@pytest.mark.parametrize(("text", "expected"), read_cases("errors.txt"))
def test_error(text: str, expected: str):
    sources = SourceMap()
    with pytest.raises(CompileError) as caught:
        parse_c(text, "t.c", OPENMP, sources)
    assert caught.value.render(sources) + "\n" == expected


def warnings_of(text: str, options: CFrontendOptions) -> str:
    sources = SourceMap()
    found: list[Diagnostic] = []
    parse_c(text, "t.c", options, sources, found)
    return "".join(f"{warning.render(sources)}\n" for warning in found)


PRAGMAS = """\
#pragma once
#pragma STDC FP_CONTRACT OFF
void f(int n) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) ;
  _Pragma("ivdep") n++;
}
"""


def test_pragmas_are_ignored_with_a_warning():
    assert warnings_of(PRAGMAS, CFrontendOptions()) == ""
    assert warnings_of(PRAGMAS, CFrontendOptions(warnings=True)) == (
        "t.c:4:3: warning: ignoring '#pragma omp parallel' [-Wunknown-pragmas]\n"
        "    #pragma omp parallel for\n"
        "    ^\n"
        "t.c:6:3: warning: ignoring '#pragma ivdep' [-Wunknown-pragmas]\n"
        '    _Pragma("ivdep") n++;\n'
        "    ^\n"
    )
    silenced = CFrontendOptions(warnings=True, silenced=frozenset(["unknown-pragmas"]))
    assert warnings_of(PRAGMAS, silenced) == ""


def test_pragmas_that_are_obeyed_are_not_warned_of():
    options = CFrontendOptions(warnings=True, openmp="libgomp")
    assert "omp" not in warnings_of(PRAGMAS, options)


def test_the_macro_says_which_version():
    text = "#if _OPENMP == 201511\nint yes;\n#endif\n"
    assert "@yes" in str(parse_c(text, "t.c", OPENMP, SourceMap()))
    assert "@yes" not in str(parse_c(text, "t.c", CFrontendOptions(), SourceMap()))


def test_locks_have_the_size_that_the_library_has():
    """GNU's lock is an int, LLVM's a pointer."""
    text = '#include <omp.h>\n_Static_assert(sizeof(omp_lock_t) == {}, "");\n'
    parse_c(text.format(4), "t.c", OPENMP, SourceMap())
    parse_c(text.format(8), "t.c", CFrontendOptions(openmp="libomp"), SourceMap())


def test_macros_in_pragmas():
    """Their names are replaced as in every other line, and in `_Pragma` too."""
    text = """
#define COUNT 3
#define DO(text) _Pragma(#text)
void f(int n) {
  #pragma omp parallel num_threads(COUNT)
  DO(omp for schedule(static, COUNT))
  for (int i = 0; i < n; i++) ;
}
"""
    module = str(parse_c(text, "t.c", OPENMP, SourceMap()))
    assert '"omp.wsloop"' in module
