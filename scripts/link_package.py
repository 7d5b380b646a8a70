"""Mirror `package-dir` of pyproject.toml as `.links/polyopt/`, for static tools only.

Type checkers do not follow the import hook of an editable install; they do follow links.
Folders are links, so a new file inside a room is seen at once; run this again only for a
new child directly in `compiler/`.
"""

import argparse
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("dialects", "passes", "tools")


def link_package(root: Path = ROOT) -> None:
    package = root / ".links" / "polyopt"
    if package.exists():
        shutil.rmtree(package)
    package.mkdir(parents=True)
    for child in sorted((root / "compiler").iterdir()):
        if child.name != "__pycache__":
            (package / child.name).symlink_to(child)
    for room in ROOMS:
        (package / room).symlink_to(root / room)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    link_package()
