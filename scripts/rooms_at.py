"""The rooms of an earlier commit, and who used whom: `python scripts/rooms_at.py 53aefe9 passes`.

With `--files` each file of a folder is a room of its own, for folders that had none; the last line
counts files, floors, arrows and circles.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from room_arrows import arrows, floors, picture
from rooms import FLOORS, ROOT


def counted(top: str, root: Path, *, of_files: bool) -> str:
    uses, size = arrows(top, root, of_files=of_files)
    found = floors(sorted(size), uses)
    circles = [floor for floor in found if any(uses[one] & set(floor) for one in floor)]
    between = sum(len(uses[one]) for one in size)
    return f"{len(size)} in {len(found)} floors, {between} arrows, {len(circles)} circles"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", action="store_true", help="each file is a room")
    asked = parser.parse_args()
    tree = subprocess.run(
        ["git", "archive", asked.commit, *FLOORS], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(tree)) as archive:
        root = Path(folder)
        archive.extractall(root, filter="data")
        for top in asked.folders:
            print(picture(top, root, of_files=asked.files))
            print(f"\n  {counted(top, root, of_files=asked.files)}\n")


if __name__ == "__main__":
    main()
