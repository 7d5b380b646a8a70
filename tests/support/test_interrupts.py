"""An interrupt leaves neither half-made files nor programs that make them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polyopt.support.interrupts import removed_by_interrupt, run_until_interrupt


def test_interrupt_leaves_nothing_half_written(tmp_path: Path):
    """Where interrupts end the process at once, files and folders in the making are removed."""
    script = f"""
import os, signal
from pathlib import Path
from polyopt.support.interrupts import removed_by_interrupt
signal.signal(signal.SIGINT, signal.SIG_DFL)
folder, file = Path({str(tmp_path)!r}, "folder"), Path({str(tmp_path)!r}, "file")
folder.mkdir()
file.write_text("half")
with removed_by_interrupt(Path({str(tmp_path)!r}, "done")):
    pass
with removed_by_interrupt(folder), removed_by_interrupt(file):
    os.kill(os.getpid(), signal.SIGINT)
print("alive")
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")
    assert os.listdir(tmp_path) == []


def test_interrupt_that_is_an_exception(tmp_path: Path):
    # What was started in the background ignores interrupts until it says otherwise.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), removed_by_interrupt(tmp_path):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert tmp_path.exists()


MAKER = """#!/bin/sh
# A driver with a child of its own, as gcc has collect2 and ld; it makes its folder anew.
sh -c 'echo begun; sleep 0.4; mkdir -p "$0"; echo lost >> "$0"/file || echo complaint >&2' "$1"
"""


def test_interrupt_ends_the_programs_first(tmp_path: Path):
    folder, maker = tmp_path / "made", tmp_path / "maker"
    maker.write_text(MAKER)
    maker.chmod(0o755)
    folder.mkdir()
    script = f"""
import os, signal
from polyopt.support.interrupts import removed_by_interrupt, run_until_interrupt
signal.signal(signal.SIGINT, signal.SIG_DFL)
with removed_by_interrupt({str(folder)!r}):
    run_until_interrupt([{str(maker)!r}, {str(folder)!r}], dict(os.environ))
"""
    running = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stdout is not None
    assert running.stdout.readline() == b"begun\n"
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=60)[1]
    assert (running.returncode, said) == (-signal.SIGINT, b"")
    time.sleep(0.6)
    assert os.listdir(tmp_path) == ["maker"]


def test_status_of_programs(tmp_path: Path):
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        assert run_until_interrupt(["false"], dict(os.environ)) == 1
        with removed_by_interrupt(tmp_path):
            assert run_until_interrupt(["sh", "-c", "exit 7"], dict(os.environ)) == 7
    finally:
        signal.signal(signal.SIGINT, before)
