"""The library that runs threads is found, linked with, loaded; forks do not lose its threads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads import threads_runtime
from polyopt.driver.threads.threads_runtime import ThreadsRuntime, chosen_runtime
from polyopt.driver.units.room_options import backend_options, pipeline_options
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.remarks import collect_remarks

QUIET = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "3"}
HAS_GOMP = chosen_runtime(Settings(openmp=True, openmp_runtime="libgomp"))
needs_gomp = pytest.mark.skipif(
    HAS_GOMP is None or not HAS_GOMP.path, reason="there is no libgomp.so.1"
)


def nothing(*_: str) -> list[str]:
    return []


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine on which only this folder is looked through."""
    monkeypatch.setattr(threads_runtime, "_SYSTEM_FOLDERS", ())
    monkeypatch.setattr(threads_runtime, "loaded_runtime", lambda: None)
    for name in ("_configured", "_wheel_folders", "matching"):
        monkeypatch.setattr(threads_runtime, name, nothing)
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path}")
    return tmp_path


def test_nothing_asked_nothing_chosen():
    assert chosen_runtime(Settings()) is None


def test_first_in_order(bare: Path):
    (bare / "libiomp5.so").touch()
    assert chosen_runtime(Settings(openmp=True)) == ThreadsRuntime(
        "libomp", str(bare / "libiomp5.so")
    )
    (bare / "libomp.so.5").touch()
    assert chosen_runtime(Settings(parallel=2)) == ThreadsRuntime(
        "libomp", str(bare / "libomp.so.5")
    )
    (bare / "libgomp.so.1").touch()
    settings = Settings(openmp=True)
    assert chosen_runtime(settings) == ThreadsRuntime("libgomp", str(bare / "libgomp.so.1"))
    assert backend_options(settings).openmp == "libgomp"
    settings = Settings(openmp=True, openmp_runtime="libomp")
    assert backend_options(settings).openmp == "libomp"


def test_wheel_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """pip puts a wheel's libraries there."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert str(tmp_path / "lib") in threads_runtime.library_folders()


def test_pragmas_without_a_library_are_an_error(bare: Path):
    with pytest.raises(CompileError) as raised:
        chosen_runtime(Settings(openmp=True))
    assert raised.value.render() == (
        "error: there is no library that runs threads: no libgomp.so.1, libomp.so.5, libiomp5.so\n"
        "  hint: Debian's package libgomp1 and `pip install polyopt[openmp]` bring one; "
        "LD_LIBRARY_PATH is searched too"
    )


def test_named_library_may_be_missing_until_it_is_needed(bare: Path):
    """An object file only needs to know the names of its functions."""
    chosen = chosen_runtime(Settings(openmp=True, openmp_runtime="libgomp"))
    assert chosen is not None
    assert chosen == ThreadsRuntime("libgomp", "")
    assert chosen.link_words(["-static"]) == ["-lgomp"]
    for need in (lambda: chosen.link_words([]), chosen.load):
        with pytest.raises(CompileError, match=r"no libgomp\.so\.1$"):
            need()


def test_loops_without_a_library_run_in_one_thread(bare: Path):
    settings = Settings(parallel=0, opt_level=2)
    assert pipeline_options(settings).parallel is None
    unit = parse(Source("a.c", "int f(void) { return 1; }"), settings, SourceMap())
    with collect_remarks() as remarks:
        lower(unit)
    assert [item.id for item in remarks.items] == ["no-threads"]


def test_place_is_written_into_programs_only_where_the_system_does_not_look(tmp_path: Path):
    other = str(tmp_path / "libgomp.so.1")
    assert ThreadsRuntime("libgomp", other).link_words([]) == [other, f"-Wl,-rpath,{tmp_path}"]
    system = "/usr/lib/libgomp.so.1"
    assert ThreadsRuntime("libgomp", system).link_words([]) == [system]


def run_python(script: str) -> str:
    """What a process of its own prints, which has no library of threads yet."""
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, env=QUIET
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@needs_gomp
def test_one_library_for_one_process(tmp_path: Path):
    script = """
from polyopt.driver.threads.threads_runtime import ThreadsRuntime, chosen_runtime
from polyopt.driver.options.settings import Settings
from polyopt.support.diagnostics import CompileError
chosen_runtime(Settings(openmp=True, openmp_runtime="libgomp")).load()
print(chosen_runtime(Settings(openmp=True)).family)
try:
    ThreadsRuntime("libomp", "/nowhere/libomp.so.5").load()
except CompileError as error:
    print(error.diagnostic.message)
"""
    assert run_python(script) == (
        "libgomp\nlibomp cannot run threads in a process that has libgomp already\n"
    )


TEAM = """
import ctypes, os, signal, sys
from polyopt.backend.compiled.codegen import emit_object, parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.driver.threads import threads_runtime
from polyopt.driver.options.settings import Settings

TEXT = '''
target triple = "x86_64-unknown-linux-gnu"
declare void @GOMP_parallel(ptr, ptr, i32, i32)
define internal void @member(ptr %count) {
  %1 = atomicrmw add ptr %count, i32 1 seq_cst
  ret void
}
define i32 @team(i32 %threads) {
  %count = alloca i32
  store i32 0, ptr %count
  call void @GOMP_parallel(ptr @member, ptr %count, i32 %threads, i32 0)
  %n = load i32, ptr %count
  ret i32 %n
}
'''
threads_runtime.chosen_runtime(Settings(openmp=True, openmp_runtime="libgomp")).load()
code = load_objects([target_machine(BackendOptions()).emit_object(parse_ir(TEXT))])
team = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(code.address("team"))
"""

FORKS = """
def child():
    if os.fork() == 0:
        signal.alarm(20)
        print(team(3), team(2), flush=True)
        os._exit(0)
    os.wait()
print(team(3), flush=True)
child()
print(team(3), flush=True)
child()
"""


@needs_gomp
def test_child_has_threads_of_its_own():
    assert run_python(TEAM + FORKS).split() == ["3", "3", "2", "3", "3", "2"]


@needs_gomp
def test_child_runs_alone_where_threads_cannot_be_given_up():
    """Whatever number of threads a region asks for."""
    without = "threads_runtime._give_threads_up = lambda process: False\n"
    header, load = TEAM.split("threads_runtime.chosen_runtime", 1)
    script = f"{header}{without}threads_runtime.chosen_runtime{load}{FORKS}"
    assert run_python(script).split() == ["3", "1", "1", "3", "1", "1"]
