"""lit tests as items of pytest, in one process: their tools run in its children, none is started
from its file (`tool_server`). So start-up is paid once, and a mutant in memory is in them too.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lit_features import ROUNDTRIP, SUFFIXES, features, missing
from tool_server import ToolServer, load

NOT = 'not() { if [ "$1" = --crash ]; then shift; fi; ! "$@"; }; set -o pipefail; '


def run_lines(text: str) -> list[str]:
    lines, joined = list[str](), ""
    for found in re.findall(r"RUN: *(.*)", text):
        joined += found
        if joined.endswith("\\"):
            joined = joined[:-1]
            continue
        lines.append(joined)
        joined = ""
    return lines


def lit_file(path: Path, parent: pytest.Collector) -> LitFile | None:
    """What pytest is told of a file that it finds: a lit test, if it is one."""
    if "lit_tests" not in path.parts or "Inputs" in path.parts or path.suffix not in SUFFIXES:
        return None
    return LitFile.from_parent(parent, path=path)  # pyright: ignore[reportUnknownMemberType]


class LitFile(pytest.File):
    after_fork: Callable[[], Callable[[], None]] = staticmethod(lambda: lambda: None)
    """What a tool's process does before its work, and what it does behind it."""

    def collect(self) -> Iterator[LitItem]:
        yield LitItem.from_parent(self, name="lit")  # pyright: ignore[reportUnknownMemberType]


class LitItem(pytest.Item):
    def runtest(self) -> None:
        file = self.parent
        assert isinstance(file, LitFile)
        text = self.path.read_text(encoding="utf-8")
        if lacking := missing(text, features()):
            pytest.skip(f"there is no {', '.join(lacking)}")
        with tempfile.TemporaryDirectory() as folder:
            script = " && ".join(f"{{ {line}; }}" for line in run_lines(text))
            for old, new in (
                ("ROUNDTRIP", ROUNDTRIP),
                ("%S", str(self.path.parent)),
                ("%s", str(self.path)),
                ("%T", folder),
                ("%t", f"{folder}/t"),
            ):
                script = script.replace(old, new)
            load(for_tools=all(isinstance(one, LitItem) for one in self.session.items))
            status = _run(NOT + script, folder, file.after_fork)
            assert status == 0, f"to see why: lit -v {self.path}"


def _run(line: str, folder: str, after_fork: Callable[[], Callable[[], None]]) -> int:
    """The exit status of the shell's line."""
    os.mkdir(f"{folder}/bin")
    server = ToolServer(f"{folder}/bin", after_fork)
    shell = subprocess.Popen(
        ["bash", "-c", line],
        env={**os.environ, "PATH": f"{server.folder}:{os.environ['PATH']}"},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end_of_shell = os.pidfd_open(shell.pid)
    server.serve(end_of_shell)
    os.close(end_of_shell)
    return shell.wait()
