"""What is installed is what is on disk: editable installs hide a package that the list forgot."""

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]
FOLDERS: dict[str, str] = {folder: name for name, folder in SETUPTOOLS["package-dir"].items()}


def package_of(folder: Path) -> str:
    first, *inner = folder.relative_to(ROOT).parts
    return ".".join([FOLDERS[first], *inner])


def test_every_package_is_listed():
    found = {package_of(p.parent) for room in FOLDERS for p in (ROOT / room).rglob("__init__.py")}
    assert found == set(SETUPTOOLS["packages"])


def test_every_module_is_in_a_package():
    lost = [
        path
        for room in FOLDERS
        for path in (ROOT / room).rglob("*.py")
        if not (path.parent / "__init__.py").exists()
    ]
    assert lost == []


@pytest.mark.parametrize("package", SETUPTOOLS["packages"])
def test_every_package_guards_its_name(package: str):
    room = max((r for r in FOLDERS.values() if f"{package}.".startswith(f"{r}.")), key=len)
    folder = next(folder for folder, name in FOLDERS.items() if name == room)
    inner = package[len(room) :].strip(".").replace(".", "/")
    text = (ROOT / folder / inner / "__init__.py").read_text(encoding="utf-8")
    assert f'if __name__ != "{package}":' in text


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the files that git would give a stranger (and those not yet added)."""
    if int(version("setuptools").split(".")[0]) < 77:
        pytest.skip("setuptools older than pyproject.toml asks for")
    tree = tmp_path_factory.mktemp("tree")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes((ROOT / name).read_bytes())
    built = subprocess.run(
        [sys.executable, "-c", "from setuptools import build_meta as b; b.build_wheel('dist')"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return next((tree / "dist").glob("*.whl"))


def test_wheel_holds_every_module_and_header(wheel: Path):
    expected = {
        (FOLDERS[room].replace(".", "/") + "/" + str(path.relative_to(ROOT / room)))
        for room in FOLDERS
        for pattern in ("*.py", "*.h", "*.c", "*.css", "*.js", "py.typed")
        for path in (ROOT / room).rglob(pattern)
    }
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == expected


def test_installed_wheel_runs(wheel: Path, tmp_path: Path):
    """Out of the wheel alone, away from the checkout: the tool's own help."""
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "polyopt.tools.polyopt_opt", "--version"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"polyopt-opt {PYPROJECT['project']['version']}")


def test_room_under_its_folder_name_is_refused():
    ran = subprocess.run(
        [sys.executable, "-c", "import dialects"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "use 'polyopt.dialects'" in ran.stderr
