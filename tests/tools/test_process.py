"""What ends a tool before its time: an interrupt at any moment, a disk with no room left."""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CC = [sys.executable, "-m", "polyopt.tools.polyopt_cc"]
OPT = [sys.executable, "-m", "polyopt.tools.polyopt_opt"]
SOURCE = """
double a[100];
int main(void) {
    for (int i = 0; i < 100; i++) a[i] = i * 2.0;
    return 0;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "input.c"
    file.write_text(SOURCE)
    return file


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("-E {} >&-", 1, "polyopt-cc: error: cannot write: Bad file descriptor\n"),
        ("--help >&-", 1, "polyopt-cc: error: cannot write: Bad file descriptor\n"),
        ("-c {} -o {}.o >&-", 0, ""),
        ("-c {} -o {}.o <&- >&- 2>&-", 0, ""),
        ("-c {}.none 2>&-", 1, ""),
        ("--run {} <&- >&-", 0, ""),
        ("{} -o {}.program >&- <&-", 0, ""),
    ],
)
def test_streams_that_are_closed(source: Path, words: str, status: int, said: str) -> None:
    """The caller has closed them: what goes there is lost, and told of; no file takes their
    numbers."""
    if "program" in words and shutil.which("cc") is None:
        pytest.skip("there is no linker")
    command = f"exec {shlex.join(CC)} {words.replace('{}', shlex.quote(str(source)))}"
    ended = subprocess.run(
        ["sh", "-c", command], stderr=subprocess.PIPE, text=True, timeout=100, check=False
    )
    assert (ended.returncode, ended.stderr) == (status, said)


@pytest.mark.parametrize("tool", [CC, OPT], ids=["cc", "opt"])
def test_interrupt_is_the_end(tool: list[str], source: Path) -> None:
    """At many moments from our first line on: no word, no file but the one that is whole."""
    folder = source.parent / "made"
    folder.mkdir()
    for moment in range(8):
        script = (
            "import polyopt.tools.process as process, sys, os; process.begin(); os.write(1, b'x'); "
            f"from {tool[2]} import main; sys.argv = ['tool', {str(source)!r}, '-o', "
            f"{str(folder / 'out')!r}]; main()"
        )
        running = subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert running.stdout is not None
        assert running.stdout.read(1) == b"x"
        time.sleep(moment * 0.06)
        running.send_signal(signal.SIGINT)
        said = running.communicate()[1]
        assert (running.returncode, said) in ((-signal.SIGINT, b""), (0, b""))
        assert set(os.listdir(folder)) <= {"out"}


@pytest.mark.parametrize(
    "command",
    [
        [*CC, "-c", "{}", "-o", "/dev/full"],
        [*CC, "{}", "-o", "/dev/full"],
        [*OPT, "{}", "-o", "/dev/full"],
        [*CC, "--emit=poly", "{}"],
        [*CC, "--help"],
    ],
)
def test_no_room(command: list[str], source: Path) -> None:
    words = [word.format(source) for word in command]
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(("polyopt-cc: error: ", "polyopt-opt: error: "))
    assert ended.stderr.endswith(": No space left on device\n")
    assert not Path("/dev/full").is_file()


def test_file_that_grows_too_large(source: Path) -> None:
    """What cannot be written as a whole is not there, and what was there before still is."""
    output = source.with_name("out.o")
    output.write_text("before")
    ended = subprocess.run(
        [*CC, "-c", str(source), "-o", str(output)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (1, f"polyopt-cc: error: {output}: File too large\n")
    assert output.read_text() == "before"
    assert sorted(os.listdir(source.parent)) == ["input.c", "out.o"]
