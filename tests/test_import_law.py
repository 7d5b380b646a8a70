"""The import law of ARCHITECTURE.md, read from the sources: who may import whom."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from room_arrows import PICTURES, TARGET, arrows, floors, renewed
from rooms_at import counted

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "compiler": "polyopt",
    "dialects": "polyopt.dialects",
    "passes": "polyopt.passes",
    "tools": "polyopt.tools",
}
RANKS = {
    "polyopt.support": 0,
    "polyopt.poly": 1,
    "polyopt.dialects": 2,
    "polyopt.ir": 3,
    "polyopt.frontend": 4,
    "polyopt.passes": 4,
    "polyopt.backend": 4,
    "polyopt.report": 4,
    "polyopt.pass_specs": 5,
    "polyopt.pipeline_options": 5,
    "polyopt.pipeline_order": 5,
    "polyopt.universe": 5,
    "polyopt.pass_help": 6,
    "polyopt.pipeline": 6,
    "polyopt.pass_needs": 6,
    "polyopt.pass_runs": 7,
    "polyopt.driver": 8,
    "polyopt.api": 9,
    "polyopt.tools": 9,
    # The package's head and `python -m polyopt` are doors: they lead to the driver and the tools.
    "polyopt": 10,
    "polyopt.__main__": 10,
}
FORBIDDEN = {
    # Which room may not see which library.
    "xdsl": {"polyopt.support", "polyopt.poly", "polyopt.report"},
    "islpy": {"polyopt.support", "polyopt.frontend", "polyopt.backend", "polyopt.report"},
    "llvmlite": {
        "polyopt.support",
        "polyopt.poly",
        "polyopt.dialects",
        "polyopt.ir",
        "polyopt.frontend",
        "polyopt.passes",
        "polyopt.report",
    },
}


FREE_OF_CIRCLES = (
    "polyopt.support",
    "polyopt.poly",
    "polyopt.dialects",
    "polyopt.ir",
    "polyopt.frontend",
    "polyopt.passes",
    "polyopt.backend",
    "polyopt.report",
    "polyopt.tools",
    "polyopt.driver",
)


def module_of(path: Path) -> str:
    folder, *inner = path.relative_to(ROOT).with_suffix("").parts
    parts = [FOLDERS[folder], *inner]
    return ".".join(parts).removesuffix(".__init__")


def room_of(module: str) -> str:
    """The entry of RANKS that a module belongs to: the first two parts of its name."""
    return ".".join(module.split(".")[:2])


SOURCES = {
    module_of(path): path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))
}


@cache
def imports(module: str, text: str) -> Sequence[str]:
    """Every module that the text imports: at its head, in functions, and for types only."""
    return tuple(_imports(module, text))


def _imports(module: str, text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(level=0, module=str(name)):
                for alias in node.names:
                    inner = f"{name}.{alias.name}"
                    yield inner if inner in SOURCES else name
            case ast.ImportFrom():
                yield f"a relative import in {module}"
            case _:
                pass


def offences(module: str, text: str) -> list[str]:
    room = room_of(module)
    found: list[str] = []
    for imported in imports(module, text):
        library = imported.split(".")[0]
        if room in FORBIDDEN.get(library, ()):
            found.append(f"{module} imports {imported}: {room} knows no {library}")
        if library in FOLDERS or imported.startswith("a relative"):
            found.append(f"{module} imports {imported}: say polyopt.…")
        if library != "polyopt":
            continue
        other = room_of(imported)
        if other not in RANKS:
            found.append(f"{module} imports {imported}, a room without a rank")
        elif other != room and RANKS[other] >= RANKS[room]:
            found.append(f"{module} imports {imported}: {other} is not below {room}")
    return found


@pytest.mark.parametrize("module", SOURCES)
def test_imports_go_down(module: str):
    assert offences(module, SOURCES[module].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("top", PICTURES)
def test_no_circle_joins_rooms(top: str):
    uses, size = arrows(top)
    for floor in floors(sorted(size), uses):
        for room in floor:
            assert not uses[room] & set(floor), f"{room} of {top} is in a circle with {floor}"


def file_arrows(room: str) -> dict[str, set[str]]:
    """Of the files of a room: which others of it each imports, at its head, in functions, and for
    types only."""
    files = {module for module in SOURCES if f"{module}.".startswith(f"{room}.")}
    return {
        module: {
            other
            for other in imports(module, SOURCES[module].read_text(encoding="utf-8"))
            if other in files and other != module
        }
        for module in files
    }


@pytest.mark.parametrize("room", FREE_OF_CIRCLES)
def test_no_circle_joins_files(room: str):
    """So that each file can be read with what it imports, and nothing else."""
    uses = file_arrows(room)
    circles = [
        floor
        for floor in floors(sorted(uses), uses)
        if any(uses[one] & set(floor) for one in floor)
    ]
    assert circles == []


def test_a_door_stands_above_the_rooms(tmp_path: Path):
    """What of a folder's own files begins is told from what all its rooms use."""
    for name, text in (
        ("top/options.py", ""),
        ("top/begin.py", "from polyopt.top.room import work\n"),
        ("top/room/work.py", "from polyopt.top import options\n"),
    ):
        path = tmp_path / "compiler" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    uses, size = arrows("compiler/top", tmp_path)
    assert uses == {"doors": {"room"}, "room": {"."}, ".": set()}
    assert size == {"doors": 1, "room": 1, ".": 1}
    uses, size = arrows("compiler/top", tmp_path, of_files=True)
    assert uses == {"begin": {"room"}, "room": {"options"}, "options": set()}
    assert counted("compiler/top", tmp_path, of_files=True) == "3 in 3 floors, 2 arrows, 0 circles"


def test_a_circle_is_seen():
    assert floors(["a", "b", "c"], {"a": {"b"}, "b": {"a"}, "c": {"a"}}) == [["a", "b"], ["c"]]


def test_files_of_the_loop_stage_are_short():
    """One idea each: what grows beyond has become two."""
    files = sorted((ROOT / "passes" / "loops").rglob("*.py"))
    lengths = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert {name for name, length in lengths.items() if length > 300} == set()


MAPPED = (
    "passes",
    "passes/loops",
    "passes/loops/contract",
    "passes/loops/groups",
    "passes/loops/narrow",
    "passes/loops/pieces",
    "passes/loops/vectors",
    "passes/parallel",
    "passes/parallel/irregular",
    "passes/prepare",
    "passes/scop",
    "compiler/backend",
    "compiler/driver",
    "compiler/frontend",
    "compiler/frontend/checking",
    "compiler/frontend/emission",
    "compiler/ir",
    "compiler/poly",
    "tools/bench",
)
"""Folders with many rooms or files, whose head is a map of them."""


@pytest.mark.parametrize("folder", MAPPED)
def test_maps_name_all_that_is_there(folder: str):
    """Whoever opens a folder reads first what is in it, and of nothing that is not."""
    text = (ROOT / folder / "__init__.py").read_text(encoding="utf-8")
    head = ast.get_docstring(ast.parse(text)) or ""
    rooms = {one.parent.name for one in (ROOT / folder).glob("*/__init__.py")}
    files = {one.stem for one in (ROOT / folder).glob("*.py")} - {"__init__"}
    assert rooms | files <= set(re.findall(r"\w+", head))
    assert {one for one in re.findall(r"\w+", head) if "_" in one[:-1]} <= rooms | files


def test_picture_of_rooms_is_current():
    assert TARGET.read_text(encoding="utf-8") == renewed(), "run: python scripts/room_arrows.py"


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("polyopt.support.remarks", "from polyopt.poly.scop import Scop"),
        ("polyopt.poly.scop", "import xdsl"),
        ("polyopt.passes.scop.detect", "def f():\n    from polyopt.frontend import parse_c"),
        ("polyopt.backend.emit", "from polyopt.passes import lower"),
        ("polyopt.universe", "import polyopt.driver"),
        ("polyopt.dialects.poly", "from dialects.cmem import ViewOp"),
        ("polyopt.ir.control.loops", "from . import cfg"),
        ("polyopt.ir.control.loops", "import llvmlite.binding"),
    ],
)
def test_offence_is_seen(module: str, text: str):
    assert len(offences(module, text)) == 1
