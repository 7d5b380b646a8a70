"""Modules that are found quickly are those that Python finds, under the same conditions."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

import pytest

from polyopt.support import quick_modules

FINDER = getattr(quick_modules, "_Finder")
NAME = "polyopt.found_for_a_test"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "found_for_a_test.py").write_text("said = 1\n")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "__init__.py").write_text("")
    (tmp_path / "no_package").mkdir()
    yield tmp_path
    sys.modules.pop(NAME, None)


def found(name: str, folder: Path) -> ModuleSpec | None:
    return FINDER.find_spec(f"polyopt.{name}", [str(folder)])


def loaded(folder: Path) -> ModuleType:
    spec = found("found_for_a_test", folder)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["found_for_a_test", "inside"])
def test_a_module_is_described_as_python_does(folder: Path, name: str) -> None:
    ours = found(name, folder)
    theirs = PathFinder.find_spec(f"polyopt.{name}", [str(folder)])
    assert ours is not None
    assert theirs is not None
    for what in (
        "name",
        "origin",
        "cached",
        "has_location",
        "parent",
        "submodule_search_locations",
    ):
        assert getattr(ours, what) == getattr(theirs, what), what


@pytest.mark.parametrize("package", ["polyopt", "xdsl"])
@pytest.mark.parametrize("is_both", [False, True])
def test_of_two_files_the_one_is_taken_that_python_takes(
    folder: Path, package: str, is_both: bool
) -> None:
    """A folder comes before a file of the same name; polyopt has no such pair."""
    if is_both:
        (folder / "inside.py").write_text("")
    name = f"{package}.inside"
    ours, theirs = FINDER.find_spec(name, [str(folder)]), PathFinder.find_spec(name, [str(folder)])
    assert theirs is not None
    assert ours.origin == theirs.origin or (is_both and package == "polyopt")


@pytest.mark.parametrize(
    ("name", "path"),
    [("polyopt.missing", True), ("polyopt.no_package", True), (NAME, False), ("json", True)],
)
def test_all_others_are_left_to_python(folder: Path, name: str, path: bool) -> None:
    assert FINDER.find_spec(name, [str(folder)] if path else None) is None


def test_bytecode_of_an_older_source_is_not_taken(folder: Path) -> None:
    source = folder / "found_for_a_test.py"
    py_compile.compile(str(source))
    assert loaded(folder).said == 1
    source.write_text("said = 2  # longer\n")
    assert loaded(folder).said == 2
    py_compile.compile(str(source))
    source.write_text("said = 3  # longer\n")
    os.utime(source, (1, 1))
    assert loaded(folder).said == 3


def test_bytecode_is_taken_and_names_the_source_where_it_is(folder: Path) -> None:
    source = folder / "found_for_a_test.py"
    cached = Path(py_compile.compile(str(source), dfile="elsewhere.py") or "")
    before = source.stat()
    source.write_text("said = 9\n")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    module = loaded(folder)
    assert module.said == 1, "the bytecode is of a source of this time and size"
    assert module.__cached__ == str(cached)
    spec = module.__spec__
    assert spec is not None
    assert spec.loader is not None
    code = getattr(spec.loader, "get_code")(NAME)
    assert code.co_filename == str(source)


def test_bytecode_of_another_kind_is_left_to_python(folder: Path) -> None:
    """What is checked by its source's hash, and what is cut off."""
    source = folder / "found_for_a_test.py"
    checked = py_compile.PycInvalidationMode.CHECKED_HASH
    cached = Path(py_compile.compile(str(source), invalidation_mode=checked) or "")
    before = source.stat()
    source.write_text("said = 9\n")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert loaded(folder).said == 9, "its hash is another"
    cached.write_bytes(cached.read_bytes()[:8])
    assert loaded(folder).said == 9


def test_long_files_are_read_to_their_ends(folder: Path) -> None:
    piece = 1 << 16
    for size in (0, 1, piece - 1, piece, piece + 1, 3 * piece):
        file = folder / f"of_{size}"
        file.write_bytes(os.urandom(size))
        spec = found("found_for_a_test", folder)
        assert spec is not None
        assert getattr(spec.loader, "get_data")(str(file)) == file.read_bytes()


def test_a_tool_finds_its_modules_so() -> None:
    """In a process of its own: this one is left as it is."""
    import subprocess

    text = (
        "import sys; from polyopt.tools import process; process.begin(); process.begin()\n"
        "from polyopt.poly import scop as names\n"
        "print(type(names.__spec__.loader).__module__, names.__file__, len(sys.meta_path))\n"
        "import inspect; print(inspect.getsource(names) == open(names.__file__).read())\n"
        "import polyopt.dialects.inside as inside; print(inside.__name__)\n"
    )
    plain = "import sys, polyopt; print(len(sys.meta_path))"
    said = [
        subprocess.run([sys.executable, "-c", one], capture_output=True, text=True, check=True)
        for one in (text, plain)
    ]
    first, same, inside = said[0].stdout.splitlines()
    loader, _, count = first.split()
    assert loader == "polyopt.support.quick_modules"
    assert int(count) == int(said[1].stdout) + 1, "it is there once"
    assert (same, inside) == ("True", "polyopt.dialects.inside")
