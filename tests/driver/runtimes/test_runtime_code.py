"""What is compiled into programs beside the user's code is compiled once, and then found."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyopt.driver.cache.folder import OFF
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes import runtime_code
from polyopt.driver.units import unit
from polyopt.driver.units.source import Source

SETTINGS = Settings(opt_level=0, poly="none")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are compiled, which takes no compiler here."""
    files = list[str]()

    def produce(source: Source, *_: object) -> bytes:
        files.append(source.name)
        return f"code {len(files)}".encode()

    monkeypatch.setattr(unit, "produce", produce)
    return files


def test_the_second_process_finds_it(tmp_path: Path, made: list[str]):
    folder = str(tmp_path / "kept")
    assert runtime_code.kept_code("mpi_hosted.c", SETTINGS, folder) is None
    for _ in range(2):
        assert runtime_code.runtime_code("mpi_hosted.c", SETTINGS, folder, "it") == b"code 1"
    assert runtime_code.kept_code("mpi_hosted.c", SETTINGS, folder) == b"code 1"
    assert made == ["mpi_hosted.c"]


def test_other_options_and_other_files_are_others(tmp_path: Path, made: list[str]):
    folder = str(tmp_path / "kept")
    other = Settings(opt_level=0, poly="none", pic=True)
    for file, settings in (
        ("mpi_hosted.c", SETTINGS),
        ("mpi_hosted.c", other),
        ("mpi_runtime.c", other),
    ):
        runtime_code.runtime_code(file, settings, folder, "it")
    assert made == ["mpi_hosted.c", "mpi_hosted.c", "mpi_runtime.c"]


def test_nothing_is_kept_where_nothing_is_to_be(made: list[str]):
    for _ in range(2):
        runtime_code.runtime_code("mpi_hosted.c", SETTINGS, OFF, "it")
    assert len(made) == 2
