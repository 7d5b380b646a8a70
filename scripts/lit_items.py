"""lit tests as items of pytest, in one process: their tools run in its children, none is started
from its file. So start-up is paid once, and a mutant in memory is in them too.

The shell lines find small programs on their PATH under the names of the tools. Each sends its
arguments, folder, input and output over a socket to the process that runs the test, which does
the work in a fork of itself and answers with the exit status.
"""

from __future__ import annotations

import array
import gc
import importlib
import os
import pkgutil
import re
import select
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from lit_features import ROUNDTRIP, SUFFIXES, features, missing

CLIENT = """#!{python} -SEI
import posix, sys
from _socket import AF_UNIX, SCM_RIGHTS, SOL_SOCKET, socket
link = socket(AF_UNIX)
link.connect({address!r})
text = chr(0).join([sys.argv[0].rpartition("/")[2], posix.getcwd(), *sys.argv[1:]])
text = text.encode("utf-8", "surrogateescape")
files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
link.sendmsg([len(text).to_bytes(4, "big")], [(SOL_SOCKET, SCM_RIGHTS, files)])
link.sendall(text)
posix._exit(link.recv(1)[0])
"""
"""Started twice a line: what it would import besides takes twice as long as all that it does."""
NOT = 'not() { if [ "$1" = --crash ]; then shift; fi; ! "$@"; }; set -o pipefail; '

PACKAGES = ("polyopt", "polyopt.dialects", "polyopt.passes", "polyopt.tools")

ONCE = """
void scale(int n, double a[restrict n][n], const double *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (a[i][j] > 0) a[i][j] = 2 * a[i][j] + x[j];
}
"""

Tool = Callable[[list[str]], int]


@cache
def load(packages: tuple[str, ...] = PACKAGES, *, for_tools: bool = False) -> None:
    """Import every module of the packages: what is there is there in every fork. With `for_tools`
    the process is for nothing else, and xDSL's operations are quick, as in the process of a tool
    (`driver/units/loading`), and what a process makes when it compiles for the first time is made:
    a third of what a small file takes. Nobody looks for garbage in what is there: its pages stay
    shared."""
    for package in packages:
        found = importlib.import_module(package)
        for one in pkgutil.walk_packages(found.__path__, f"{package}."):
            if not one.name.endswith("__main__"):
                importlib.import_module(one.name)
    if for_tools:
        from polyopt.dialects.quick_operations import quicken_operations
        from polyopt.support.plain_classes import make_plain

        make_plain("xdsl")
        quicken_operations()
        _compile_once()
    gc.collect()
    gc.freeze()


def _compile_once() -> None:
    from polyopt.tools.polyopt_cc import main

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "once.c"
        source.write_text(ONCE, encoding="utf-8")
        command = ["-O3", "-ffast-math", "-march=x86-64-v3", "-c", str(source)]
        assert main([*command, "-o", f"{folder}/once.o"]) == 0


def tools() -> dict[str, Tool]:
    """By name; each gives its exit status."""
    from filecheck.main import main as filecheck

    from polyopt.tools import polyopt_cc, polyopt_opt

    def check(arguments: list[str]) -> int:
        return filecheck(["filecheck", *arguments]) or 0

    return {"polyopt-opt": polyopt_opt.main, "polyopt-cc": polyopt_cc.main, "filecheck": check}


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
            status = _Server(folder, file.after_fork).run(NOT + script)
            assert status == 0, f"to see why: lit -v {self.path}"


class _Server:
    def __init__(self, folder: str, after_fork: Callable[[], Callable[[], None]]):
        self.tools = tools()
        self.after_fork = after_fork
        self.home = folder
        self.folder = f"{folder}/bin"
        os.mkdir(self.folder)
        address = f"{folder}/socket"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(address)
        self.listener.listen()
        for name in self.tools:
            path = Path(self.folder) / name
            path.write_text(CLIENT.format(python=sys.executable, address=address))
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run(self, line: str) -> int:
        path = f"{self.folder}:{os.environ['PATH']}"
        shell = subprocess.Popen(
            ["bash", "-c", line],
            env={**os.environ, "PATH": path},
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        at_work = dict[int, tuple[socket.socket, int]]()
        asked, end_of_shell = self.listener.fileno(), os.pidfd_open(shell.pid)
        while shell.poll() is None:
            ready, _, _ = select.select([asked, end_of_shell, *at_work], [], [])
            for one in ready:
                if one == end_of_shell:
                    continue
                if one == asked:
                    link, _ = self.listener.accept()
                    pid, end = self._start(link)
                    at_work[end] = link, pid
                else:
                    link, pid = at_work.pop(one)
                    os.close(one)
                    _, status = os.waitpid(pid, 0)
                    link.sendall(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))
                    link.close()
        os.close(end_of_shell)
        return shell.returncode

    def _start(self, link: socket.socket) -> tuple[int, int]:
        """The tool's process, and a pipe that ends with it."""
        head, ancillary, _, _ = link.recvmsg(4, socket.CMSG_LEN(3 * 4))
        files = array.array("i", ancillary[0][2])
        size, text = int.from_bytes(head, "big"), b""
        while len(text) < size:
            text += link.recv(size - len(text))
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._work(os.fsdecode(text).split("\0"), list(files))
        os.close(write)
        for one in files:
            os.close(one)
        return pid, read

    def _work(self, request: list[str], files: list[int]) -> None:
        status = 70
        try:
            name, folder, *arguments = request
            sys.stdout.flush()
            for number, file in enumerate(files):
                os.dup2(file, number)
            sys.stdin = open(0, encoding="utf-8", closefd=False)
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
            sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)
            os.chdir(folder)
            sys.argv = [name, *arguments]
            gc.disable()
            finish = self.after_fork()
            try:
                status = self.tools[name](arguments)
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
            sys.stdout.flush()
            sys.stderr.flush()
            finish()
        finally:
            os._exit(status)
