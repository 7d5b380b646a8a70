"""What is tested is the compiler of now, not what it made before. Tests of the cache say where."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
import tool_server

os.environ["POLYOPT_CACHE_DIR"] = "off"


def pytest_collection_finish() -> None:
    """Garbage is looked for seldom, and never in what collecting the tests has made: looking takes
    a twelfth of the suite's time. Tests of what is freed ask for it.

    xDSL's operations are quick, as in a process of ours (`driver/units/loading`): an eighth of what
    is compiled here. `scripts/test --all` leaves them as they are in somebody else's process."""
    if not os.environ.get("POLYOPT_TEST_PLAIN_OPERATIONS"):
        from polyopt.dialects.quick_attributes import quicken_attributes
        from polyopt.dialects.quick_operations import quicken_operations
        from polyopt.dialects.quick_verification import quicken_verification
        from polyopt.support.plain_classes import make_plain

        make_plain("xdsl")
        quicken_operations()
        quicken_verification()
        quicken_attributes()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture(scope="session")
def with_tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment for commands: `polyopt-cc` and `polyopt-opt` of this interpreter stand on its
    PATH, and run in forks of a process that has loaded all there is."""
    folder = str(tmp_path_factory.mktemp("tools"))
    command = [sys.executable, tool_server.__file__, folder]
    path = os.pathsep.join(
        [folder, os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    )
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stdout.readline() == b"serving\n"
        yield {**os.environ, "PATH": path}
        server.stdin.close()


@pytest.fixture
def tools_on_path(with_tools: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", with_tools["PATH"])
