"""Output files appear whole or not at all."""

import os
from pathlib import Path

import pytest

from polyopt.support.files import write_whole

as_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


def test_new_file(tmp_path: Path):
    previous = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "text")
    finally:
        os.umask(previous)
    assert (tmp_path / "new").read_text() == "text"
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["new"]


def test_replaced_file_keeps_its_mode(tmp_path: Path):
    old = tmp_path / "old"
    old.write_text("before")
    old.chmod(0o600)
    write_whole(old, b"after")
    assert old.read_bytes() == b"after"
    assert old.stat().st_mode & 0o777 == 0o600


def test_link_stays_a_link(tmp_path: Path):
    (tmp_path / "file").write_text("before")
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", "after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "after"


def test_device_is_written_to():
    write_whole("/dev/null", "gone")
    assert not Path("/dev/null").is_file()


def test_folder_that_is_not_there(tmp_path: Path):
    with pytest.raises(FileNotFoundError) as raised:
        write_whole(tmp_path / "no" / "file", "text")
    assert raised.value.filename == str(tmp_path / "no" / "file")


def test_folder_is_no_file(tmp_path: Path):
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "text")


@as_user
def test_file_that_may_not_be_written(tmp_path: Path):
    kept = tmp_path / "kept"
    kept.write_text("before")
    kept.chmod(0o400)
    with pytest.raises(PermissionError):
        write_whole(kept, "after")
    assert kept.read_text() == "before"


def test_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(source: str, target: str) -> None:
        raise OSError(28, "No space left on device", target)

    (tmp_path / "kept").write_text("before")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "kept", "after")
    assert os.listdir(tmp_path) == ["kept"]
    assert (tmp_path / "kept").read_text() == "before"
