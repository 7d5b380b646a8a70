"""ThreadSanitizer sees no race in what parallel loops become, and sees one where there is one.

It is clang's, on our LLVM IR, with LLVM's runtime, which tells it (by archer) who waits for whom.
It does not see inside the runtime: counters of doacross loops and leagues of teams are reported of
clang's own code, too, and are not asked about.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
LLVM = Path("/usr/lib/llvm-19/lib")
ARCHER = LLVM / "libarcher.so"
RACE = 66
AUTOMATIC = ["-ffast-math", "-fparallel", "-fparallel-threshold=0"]
CASES: list[tuple[str, list[str], list[str], int]] = [
    ("kinds", AUTOMATIC, [], 0),
    ("steps", ["-ffp-contract=off", *AUTOMATIC[1:]], [], 0),
    ("factors", ["-ffp-contract=off", *AUTOMATIC[1:]], [], 0),
    ("rows", AUTOMATIC, ["300"], 0),
    ("updates", AUTOMATIC, ["1000"], 0),
    ("racy", ["-w"], [], RACE),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "flags", "arguments", "status"), CASES, ids=[one[0] for one in CASES]
)
def test_threads_do_not_race(
    name: str, flags: list[str], arguments: list[str], status: int, tmp_path: Path
):
    needed = shutil.which("clang-19"), shutil.which("setarch")
    if None in needed or not ARCHER.exists() or not (LLVM / "libomp.so").exists():
        pytest.skip("there is no ThreadSanitizer with archer")
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O3", "-march=haswell"]
    command += ["-fopenmp=libomp", *flags, "--emit=llvm", "--llvm-version=19"]
    command += [str(PROGRAMS / f"{name}.c")]
    made = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    text = re.sub(r"^(define .*\))(.*\{)$", r"\1 sanitize_thread\2", made.stdout, flags=re.M)
    module, program = tmp_path / "program.ll", tmp_path / "program"
    module.write_text(text)
    command = ["clang-19", "-O1", "-fsanitize=thread", "-w", str(module), "-o", str(program)]
    subprocess.run([*command, f"-L{LLVM}", "-lomp", "-lm"], timeout=300, check=True)
    environment = {
        "OMP_NUM_THREADS": "3",
        "OMP_WAIT_POLICY": "passive",
        "OMP_TOOL_LIBRARIES": str(ARCHER),
        "TSAN_OPTIONS": f"ignore_noninstrumented_modules=1 exitcode={RACE}",
    }
    ran = subprocess.run(
        ["setarch", "-R", str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
        check=False,
    )
    assert ran.returncode == status, ran.stderr[-4000:]
