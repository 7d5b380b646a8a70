"""The folder of finished work: what is in it is right or gone, whoever else is at it."""

import multiprocessing
import os
import time
from pathlib import Path

import pytest

from polyopt.driver.cache.store import Store
from polyopt.support.digest import digest
from polyopt.support.noted import Fact, Present

KEY = digest(b"a question")
ALWAYS: tuple[Fact, ...] = ()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(str(tmp_path / "kept"))
    assert made.is_usable()
    return made


def files(store: Store) -> list[Path]:
    return [path for path in Path(store.folder).rglob("*.*") if path.is_file()]


def test_content_comes_back(store: Store):
    name = store.put(b"\0code")
    assert store.put(b"\0code") == name
    assert store.content(name) == b"\0code"
    assert store.content(digest(b"other")) is None


def test_answer_comes_back(store: Store):
    answer = {"text": "é\udcff", "number": 3, "parts": (b"x", ["a", None, True])}
    assert store.find(KEY, Present()) is None
    store.keep(KEY, ALWAYS, answer)
    assert store.find(KEY, Present()) == (ALWAYS, answer)


def test_answer_of_these_circumstances(store: Store, tmp_path: Path):
    """Going back and forth between two versions of a header finds both."""
    header = tmp_path / "a.h"
    for text in ("one", "two"):
        header.write_text(text)
        facts = (("content", str(header), digest(text.encode())),)
        assert store.find(KEY, Present()) is None
        store.keep(KEY, facts, text)
    for text in ("one", "two"):
        header.write_text(text)
        found = store.find(KEY, Present())
        assert found is not None
        assert found[1] == text


def test_as_many_circumstances_as_are_worth_it(store: Store):
    for number in range(30):
        store.keep(KEY, (("file", f"/no/{number}", None),), number)
    assert len(files(store)) == 1
    assert store.find(KEY, Present()) == ((("file", "/no/29", None),), 29)
    assert files(store)[0].stat().st_size < 1000


@pytest.mark.parametrize("damage", ["cut", "changed", "emptied", "longer"])
@pytest.mark.parametrize("kind", ["blob", "cases"])
def test_damaged_file_is_no_file(store: Store, damage: str, kind: str):
    name = store.put(b"some object code")
    store.keep(KEY, ALWAYS, name)
    path = next(path for path in files(store) if path.suffix == f".{kind}")
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(
        {
            "cut": content[:-1],
            "changed": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "emptied": b"",
            "longer": content + b"\0",
        }[damage]
    )
    assert (store.content(name) if kind == "blob" else store.find(KEY, Present())) is None
    assert not path.exists()
    assert store.content(store.put(b"some object code")) == b"some object code"


def test_no_larger_than_its_bound(tmp_path: Path):
    store = Store(str(tmp_path), bound=16 * 1000)
    assert store.is_usable()
    for number in range(300):
        store.put(number.to_bytes(4, "little") * 50)
    count, size = store.size()
    assert size <= 16 * 1000
    assert count > 30


def test_what_was_used_longest_ago_goes(tmp_path: Path):
    """All contents are in the shard of the first, so that they share one bound."""
    contents = [number.to_bytes(4, "little") * 100 for number in range(400)]
    shard = digest(contents[0])[0]
    contents = [content for content in contents if digest(content)[0] == shard][:8]
    store = Store(str(tmp_path), bound=16 * 5 * 400)
    assert store.is_usable()
    names: list[str] = []
    for age, content in enumerate(contents[:5]):
        names.append(store.put(content))
        path = next(path for path in files(store) if path.stem == names[-1])
        os.utime(path, (1000.0 + age, 1000.0 + age))
    assert store.content(names[0]) is not None
    names += [store.put(content) for content in contents[5:7]]
    kept = {path.stem for path in files(store)}
    assert kept == set(names) - {names[1], names[2]}


def test_unfinished_files_go(store: Store):
    name = store.put(b"one")
    folder = files(store)[0].parent
    old, young = folder / f"{name}.blob.1.1.1", folder / f"{name}.blob.2.2.2"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 10_000, time.time() - 10_000))
    store.keep(name, ALWAYS, 1)
    assert not old.exists()
    assert young.exists()


def test_clear(store: Store):
    store.put(b"one")
    store.keep(KEY, ALWAYS, 1)
    store.count("hits")
    assert store.counted("hits") == 1
    store.clear()
    assert store.size() == (0, 0)
    assert store.counted("hits") == 0
    assert store.find(KEY, Present()) is None
    store.put(b"one")
    assert store.size()[0] == 1


def test_folder_of_others_is_not_used(tmp_path: Path):
    """Code from a folder that others may write to would be run."""
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    assert not Store(str(folder)).is_usable()
    folder.chmod(0o755)
    assert Store(str(folder)).is_usable()


def test_no_folder_at_all(tmp_path: Path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        assert not Store(str(folder)).is_usable()


def test_what_cannot_be_written_is_not_kept(store: Store, tmp_path: Path):
    """As on a full disk: nobody is told, and nothing is found."""
    shard = Path(store.folder, "v1", digest(b"lost")[0])
    shard.write_bytes(b"")
    assert store.content(store.put(b"lost")) is None


def _work(folder: str, number: int, failures: list[str]) -> None:
    store = Store(folder, bound=200_000)
    for turn in range(150):
        content = str((number + turn) % 7).encode() * 4000
        name = store.put(content)
        key = digest(str(turn % 5).encode())
        store.keep(key, (("file", f"/no/{turn % 3}", None),), name)
        if store.content(name) not in (content, None):
            failures.append("another content")
        found = store.find(key, Present())
        if found is not None and len(found[1]) != len(name):
            failures.append("another answer")
        if turn % 40 == number:
            store.clear()
        store.count("hits")


def test_many_processes_at_once(tmp_path: Path):
    """Some write, some read, some remove everything, and none ever sees half of anything."""
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        failures = manager.list()
        workers = [
            context.Process(target=_work, args=(str(tmp_path), number, failures))
            for number in range(6)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert [worker.exitcode for worker in workers] == [0] * 6
        assert list(failures) == []
    store = Store(str(tmp_path))
    assert all(len(path.name.split(".")) == 2 for path in files(store))
