"""Programs of the oracle's memory stop where they touch what lies behind an array."""

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

MEMORY = Path(__file__).parents[1] / "oracles" / "guarded_memory.c"
PROGRAM = r"""
#include <stdlib.h>
char *bench_guarded(unsigned long bytes);
int main(int count, char **words)
{
    char *array = bench_guarded((unsigned long)atol(words[1]));
    array[atol(words[2])]++;
    free(array);
    return count != 3;
}
"""

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc compiles the memory")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guarded")
    source, target = folder / "touch.c", folder / "touch"
    source.write_text(PROGRAM)
    subprocess.run(["gcc", "-O0", str(source), str(MEMORY), "-o", str(target)], check=True)
    return target


@pytest.mark.parametrize("size", [1, 4096, 4097])
def test_the_last_byte_is_the_last(program: Path, size: int):
    def touch(place: int) -> int:
        return subprocess.run([str(program), str(size), str(place)]).returncode

    assert [touch(0), touch(size - 1)] == [0, 0]
    assert [touch(size), touch(size + 4000)] == [-signal.SIGSEGV] * 2
    assert touch(size - -(-size // 4096) * 4096 - 1) == -signal.SIGSEGV
