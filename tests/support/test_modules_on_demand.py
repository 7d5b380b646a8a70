"""A module that is put off is the module that it would be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from polyopt.support.modules_on_demand import put_modules_off

NAME = "seldom_needed"
TEXT = """
from pathlib import Path
(Path(__file__).parent / "loaded").touch()

class Kind:
    said = "what it says"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / f"{NAME}.py").write_text(TEXT)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield tmp_path
    for name in (NAME, "keeper"):
        sys.modules.pop(name, None)


def is_loaded(folder: Path) -> bool:
    return (folder / "loaded").exists()


def test_importing_loads_nothing(folder: Path):
    put_modules_off([NAME])
    module = __import__(NAME)
    assert isinstance(module, ModuleType)
    assert module.__name__ == NAME
    assert not is_loaded(folder)


def test_looking_loads(folder: Path):
    put_modules_off([NAME])
    module = __import__(NAME)
    assert module.Kind.said == "what it says"
    assert is_loaded(folder)
    real = sys.modules[NAME]
    assert real.__spec__ is not None
    assert module.Kind is real.Kind
    assert "Kind" in dir(module)
    with pytest.raises(AttributeError, match=NAME):
        _ = module.nothing


def test_names_are_taken_from_the_module(folder: Path):
    put_modules_off([NAME])
    names: dict[str, type] = {}
    exec(f"from {NAME} import Kind", names)
    assert names["Kind"] is sys.modules[NAME].Kind
    assert is_loaded(folder)


def test_what_is_kept_is_loaded_when_it_is_used(folder: Path):
    (folder / "keeper.py").write_text(f"import {NAME}\nKINDS = [{NAME}.Kind]\n")
    put_modules_off([NAME], kept_by="keeper")
    [kept] = __import__("keeper").KINDS
    assert not is_loaded(folder)
    assert kept.said == "what it says"
    assert is_loaded(folder)


def test_what_is_taken_by_name_is_loaded_when_it_is_called(folder: Path):
    (folder / "keeper.py").write_text(f"from {NAME} import Kind as KIND\n")
    put_modules_off([NAME], kept_by="keeper")
    kind = __import__("keeper").KIND
    assert not is_loaded(folder)
    made = kind()
    assert is_loaded(folder)
    assert isinstance(made, sys.modules[NAME].Kind)


def test_a_module_that_is_there_stays():
    before = sys.modules["sys"]
    put_modules_off(["sys"])
    assert sys.modules["sys"] is before
