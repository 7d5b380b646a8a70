"""What a compilation has asked is noted, and a later change of any answer is seen."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from polyopt.support import noted
from polyopt.support.noted import Present, collect_noted


def test_nothing_is_noted_where_nobody_collects(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"a")
    assert noted.read_noted(str(tmp_path / "a")) == b"a"
    with collect_noted() as found:
        pass
    assert found.facts == ()


def test_facts_hold_as_long_as_nothing_changes(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"a")
    with collect_noted() as found:
        noted.read_noted(str(tmp_path / "a"))
        with pytest.raises(FileNotFoundError):
            noted.read_noted(str(tmp_path / "b"))
        assert noted.is_file(str(tmp_path / "a"))
        assert not noted.exists(str(tmp_path / "b"))
        assert noted.real_path(str(tmp_path)) == os.path.realpath(tmp_path)
        assert noted.matching(f"{tmp_path}/*") == [str(tmp_path / "a")]
        assert noted.current_folder() == os.getcwd()
    assert len(found.facts) == 7
    assert found.unrepeatable is None
    assert Present().agrees(found.facts)


CHANGES: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "other content": (
        lambda at: noted.read_noted(str(at / "a")),
        lambda at: (at / "a").write_bytes(b"b"),
    ),
    "file gone": (lambda at: noted.read_noted(str(at / "a")), lambda at: (at / "a").unlink()),
    "file come": (
        lambda at: os.path.exists(at / "new") or noted.exists(str(at / "new")),
        lambda at: (at / "new").write_bytes(b""),
    ),
    "a folder where a file was": (
        lambda at: noted.is_file(str(at / "a")),
        lambda at: ((at / "a").unlink(), (at / "a").mkdir()),
    ),
    "link leads elsewhere": (
        lambda at: noted.real_path(str(at / "link")),
        lambda at: ((at / "link").unlink(), (at / "link").symlink_to("b")),
    ),
    "one more in the folder": (
        lambda at: noted.matching(f"{at}/*"),
        lambda at: (at / "c").write_bytes(b""),
    ),
    "another folder": (lambda _: noted.current_folder(), lambda at: os.chdir(at)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_is_seen(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "link").symlink_to("a")
    monkeypatch.chdir(tmp_path.parent)
    ask, act = CHANGES[change]
    with collect_noted() as found:
        ask(tmp_path)
    assert len(found.facts) == 1
    assert Present().agrees(found.facts)
    act(tmp_path)
    assert not Present().agrees(found.facts)


def test_absent_file_that_comes_is_seen(tmp_path: Path):
    """A header that is looked for in vain may come to stand before the one that was found."""
    with collect_noted() as found, pytest.raises(FileNotFoundError):
        noted.read_noted(str(tmp_path / "first.h"))
    assert Present().agrees(found.facts)
    (tmp_path / "first.h").write_bytes(b"")
    assert not Present().agrees(found.facts)


def test_file_that_changes_between_two_readings(tmp_path: Path):
    with collect_noted() as found:
        for content in (b"a", b"b"):
            (tmp_path / "a").write_bytes(content)
            noted.read_noted(str(tmp_path / "a"))
    assert found.unrepeatable == f"{tmp_path}/a changed while it was read"


def test_part_tells_the_whole(tmp_path: Path):
    with collect_noted() as whole:
        with collect_noted() as part:
            noted.exists(str(tmp_path))
            noted.write_noted(str(tmp_path / "made"), b"made")
            noted.note_unrepeatable("because")
        noted.exists(str(tmp_path / "b"))
    assert len(part.facts) == 1
    assert len(whole.facts) == 2
    assert whole.unrepeatable == "because"
    assert whole.written == [(str(tmp_path / "made"), b"made")]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        ("é".encode(), "é"),
        (b"\xff\n", "\udcff\n"),
    ],
)
def test_text(content: bytes, text: str, tmp_path: Path):
    assert noted.text_of(content) == text
    (tmp_path / "a").write_bytes(content)
    with open(tmp_path / "a", encoding="utf-8", errors="surrogateescape") as stream:
        assert stream.read() == text


def test_the_text_of_a_file_is_without_its_byte_order_mark():
    assert noted.text_of(b"\xef\xbb\xbfint\r\nx\ry") == "int\nx\ny"
    assert noted.text_of(b"int \xef\xbb\xbf\xff") == "int \ufeff\udcff"


def test_lines_end_as_in_c_and_not_as_in_python():
    assert noted.lines_of("a\fb\v\n\n\x85c\r\nd\re") == ["a\fb\v", "", "\x85c", "d", "e"]
    assert noted.lines_of("a\n") == noted.lines_of("a") == ["a"]
    assert noted.lines_of("") == []
