"""Tools that are run without being started: in forks of a process in which everything is loaded.

Small programs stand on a PATH under the names of the tools. Each sends its arguments, folder,
environment, input and output over a socket to the process that serves, which does the work in a
fork of itself and answers with the exit status.

    python scripts/tool_server.py FOLDER     serves until its standard input ends; says so in a line
                                             when the programs stand in FOLDER
"""

from __future__ import annotations

import array
import gc
import importlib
import os
import pkgutil
import select
import socket
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

CLIENT = """#!{python} -SEI
import posix, sys
from _socket import AF_UNIX, SCM_RIGHTS, SOL_SOCKET, socket
link = socket(AF_UNIX)
link.connect({address!r})
given = [sys.argv[0].rpartition("/")[2], posix.getcwd(), str(len(sys.argv) - 1), *sys.argv[1:]]
text = chr(0).join(given).encode("utf-8", "surrogateescape")
for name, value in posix.environ.items():
    text += bytes(1) + name + b"=" + value
files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
link.sendmsg([len(text).to_bytes(4, "big")], [(SOL_SOCKET, SCM_RIGHTS, files)])
link.sendall(text)
posix._exit(link.recv(1)[0])
"""
"""Started for each command: what it would import besides takes twice as long as it all."""

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
        from polyopt.dialects.quick_attributes import quicken_attributes
        from polyopt.dialects.quick_operations import quicken_operations
        from polyopt.dialects.quick_verification import quicken_verification
        from polyopt.support.plain_classes import make_plain

        make_plain("xdsl")
        quicken_operations()
        quicken_verification()
        quicken_attributes()
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


class ToolServer:
    """The programs stand in the folder as long as they are served. `after_fork`: what a tool's
    process does before its work, and what it does behind it."""

    def __init__(self, folder: str, after_fork: Callable[[], Callable[[], None]]):
        self.tools = tools()
        self.after_fork = after_fork
        self.folder = folder
        address = f"{folder}/socket"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(address)
        self.listener.listen()
        for name in self.tools:
            path = Path(folder) / name
            path.write_text(CLIENT.format(python=sys.executable, address=address))
            path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def serve(self, end: int) -> None:
        """Until there is something to read at `end`."""
        at_work = dict[int, tuple[socket.socket, int]]()
        asked = self.listener.fileno()
        while True:
            ready, _, _ = select.select([asked, end, *at_work], [], [])
            for one in ready:
                if one == end:
                    continue
                if one == asked:
                    link, _ = self.listener.accept()
                    pid, ended = self._start(link)
                    at_work[ended] = link, pid
                else:
                    link, pid = at_work.pop(one)
                    os.close(one)
                    _, status = os.waitpid(pid, 0)
                    link.sendall(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))
                    link.close()
            if end in ready:
                return

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
            name, folder, count, *rest = request
            arguments, environment = rest[: int(count)], rest[int(count) :]
            sys.stdout.flush()
            for number, file in enumerate(files):
                os.dup2(file, number)
            sys.stdin = open(0, encoding="utf-8", closefd=False)
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
            sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)
            os.chdir(folder)
            os.environ.clear()
            for variable in environment:
                key, _, value = variable.partition("=")
                os.environ[key] = value
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


def main(folder: str) -> None:
    load(for_tools=True)
    server = ToolServer(folder, lambda: lambda: None)
    print("serving", flush=True)
    server.serve(sys.stdin.fileno())


if __name__ == "__main__":
    main(*sys.argv[1:])
