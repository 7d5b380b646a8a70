"""What build systems ask of a compiler before they use it: CMake, without a toolchain file, and the
parts that meson and configure scripts read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.tools import polyopt_cc

LISTS = """cmake_minimum_required(VERSION 3.16)
project(parts C)
include(CheckFunctionExists)
include(CheckCCompilerFlag)
check_function_exists(memcpy HAS_MEMCPY)
check_function_exists(no_such_function HAS_NOTHING)
check_c_compiler_flag(-Wall HAS_WALL)
check_c_compiler_flag(-Wno-such-warning-anywhere HAS_OTHER)
check_c_compiler_flag(-fno-such-flag-anywhere HAS_FLAG)
check_c_compiler_flag(-Wsuch-a-warning HAS_WARNING)
file(WRITE found.txt "${CMAKE_C_COMPILER_ID}|${CMAKE_C_FLAGS_RELEASE}|${HAS_MEMCPY}|"
  "${HAS_NOTHING}|${HAS_WALL}|${HAS_FLAG}|${HAS_WARNING}")
add_library(part SHARED part.c)
set_property(TARGET part PROPERTY C_STANDARD 11)
add_executable(whole whole.c)
target_link_libraries(whole part)
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    write(folder, "CMakeLists.txt", LISTS)
    write(folder, "part.c", "int part(void) { return 1; }\n")
    write(folder, "number.h", "#define NUMBER 41\n")
    write(
        folder,
        "whole.c",
        '#include <stdio.h>\n#include "number.h"\nint part(void);\n'
        'int main(void) { printf("%d\\n", NUMBER + part()); return 0; }\n',
    )
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("generator", "tool"), [("Ninja", "ninja"), ("Unix Makefiles", "make")])
def test_cmake_finds_out_by_itself(project: Path, generator: str, tool: str) -> None:
    """The identification, its checks, levels and standards; what is built is built again when a
    header changes."""
    if shutil.which("cmake") is None or shutil.which(tool) is None:
        pytest.skip(f"there is no cmake with {tool}")
    compiler = Path(sys.executable).parent / "polyopt-cc"
    environment = {**os.environ, "CC": str(compiler)}
    folder = project.parent / "build"

    def run(*words: str) -> str:
        done = subprocess.run(
            words, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    told = run(
        *("cmake", "-G", generator, "-DCMAKE_BUILD_TYPE=Release"),
        *("-S", str(project), "-B", str(folder)),
    )
    assert "The C compiler identification is GNU" in told
    assert (project / "found.txt").read_text() == "GNU|-O3 -DNDEBUG|1||1||"
    run("cmake", "--build", str(folder))
    assert run(str(folder / "whole")) == "42\n"
    write(project, "number.h", "#define NUMBER 42\n")
    run("cmake", "--build", str(folder))
    assert run(str(folder / "whole")) == "43\n"


def test_only_the_question_of_cmake_is_answered_as_by_gcc_12(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "#ifdef __GNUC__\n__GNUC__\n#else\nplain\n#endif\n"
    asked = write(tmp_path, "CMakeCCompilerId.c", text)
    other = write(tmp_path, "other.c", text)
    answers: list[str] = []
    for words in (
        [str(asked)],
        [str(other)],
        [str(other), str(asked)],
        ["-fgnuc-version=0", str(asked)],
        ["-fgnuc-version=4.2.1", str(asked)],
    ):
        assert polyopt_cc.main(["-E", "-P", *words]) == 0
        answers.append(capsys.readouterr().out.split()[0])
    assert answers == ["12", "4", "4", "plain", "4"]


def test_folders_of_headers_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As gcc's -v has it, which CMake and meson read."""
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
    source = write(tmp_path, "a.c", "int x;\n")
    one, two, three = (str(tmp_path / name) for name in ("one", "two", "three"))
    words = ["-v", "-E", "-iquote", one, "-I", two, "-isystem", three, "-I", f"{two}/none"]
    assert polyopt_cc.main([*words, str(source)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[:5] == [
        '#include "..." search starts here:',
        f" {one}",
        "#include <...> search starts here:",
        f" {two}",
        f" {three}",
    ]
    assert lines[-1] == "End of search list."
    assert all(Path(line[1:]).is_dir() for line in lines[3:-1])


@pytest.mark.parametrize(
    ("words", "severity"),
    [
        (["-Wno-such"], None),
        (["-Wsuch"], "warning"),
        (["-Wsuch", "-Wno-unknown-warning-option"], None),
        (["-w", "-Wsuch", "-Werror"], None),
        (["-Wsuch", "-Werror"], "error"),
        (["-Werror=unknown-warning-option", "-Wsuch"], "error"),
        (["-Wsuch", "-Werror", "-Wno-error=unknown-warning-option"], "warning"),
    ],
)
def test_unknown_warnings_are_errors_where_warnings_are(
    words: list[str], severity: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path, "a.c", "int x;\n")
    status = polyopt_cc.main([*words, "-fsyntax-only", str(source)])
    told = capsys.readouterr().err
    assert status == (severity == "error")
    if severity is None:
        assert told == ""
    else:
        assert told.startswith(f"polyopt-cc: {severity}: unknown warning option '-Wsuch'")
