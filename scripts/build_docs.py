"""Build the documentation as a site: python scripts/build_docs.py [FOLDER, or build/site]

Needs `pip install polyopt[docs]`. A warning is an error. The site is folders of HTML that need no
server and no network: open FOLDER/README.html.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from docs_site.api_pages import reference_page
from docs_site.staging import Section, Staging, contents_list

ROOT = Path(__file__).resolve().parent.parent
SITE = Path(__file__).resolve().parent / "docs_site"
FIRST = "README.md"
NEEDED = ("sphinx", "myst_parser", "furo")
IN_POLYOPT = """compile Program CheckFailed schedule Schedule stubs threads out Out cache.folder
cache.stats cache.clear load_ipython_extension""".split()


def sections() -> list[Section]:
    listed = tomllib.loads((SITE / "contents.toml").read_text(encoding="utf-8"))["section"]
    return [(one["title"], one["pages"]) for one in listed]


def made_pages() -> dict[str, str]:
    """The pages that no file holds."""
    import polyopt
    from polyopt import api

    return {
        "reference/api.md": reference_page(api, api.__all__, told=polyopt),
        "reference/python.md": reference_page(polyopt, IN_POLYOPT),
    }


def stage(folder: Path) -> None:
    """All pages, as Sphinx reads them."""
    listed = [page for _, pages in sections() for page in pages]
    made = made_pages()
    staging = Staging(ROOT, folder, [FIRST, *listed])
    for page in listed:
        staging.add_page(page, made.get(page) or (ROOT / page).read_text(encoding="utf-8"))
    first = (ROOT / FIRST).read_text(encoding="utf-8") + contents_list(sections())
    staging.add_page(FIRST, first)
    staging.add_shown_files()
    shutil.copy(SITE / "conf.py", folder)


def build(target: Path) -> int:
    """The exit status of Sphinx."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "pages"
        stage(folder)
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-j",
            "auto",
            "-b",
            "html",
        ]
        trees = ["-d", str(Path(name) / "trees")]
        return subprocess.run([*command, *trees, str(folder), str(target)], check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("target", nargs="?", type=Path, default=ROOT / "build" / "site")
    target = parser.parse_args().target
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(f"not here: {', '.join(missing)}; pip install 'polyopt[docs]'", file=sys.stderr)
        return 2
    status = build(target)
    if status == 0:
        print(target / "README.html")
    return status


if __name__ == "__main__":
    sys.exit(main())
