"""The pictures of the report in `docs/images`, taken anew in a browser without a screen (chromium).

python scripts/screenshots.py
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
PROGRAM, STEPS = "examples/smooth.c", "examples/smooth.steps"

# What is done on the page before it is seen.
REPORT = """
document.querySelectorAll("tr[data-line]").forEach((row) => {
  const line = Number(row.dataset.line);
  if (line < 7 || line > 14) row.remove();
});
document.querySelector("details").open = true;
const slider = document.querySelector('input[type="range"]');
slider.value = 83;
slider.dispatchEvent(new Event("input"));
"""
SPEED = """
const panel = [...document.querySelectorAll("div.panel")]
  .find((one) => one.textContent.includes("How fast it ran"));
document.body.replaceChildren(panel);
"""

SHOTS = {"report": ("", REPORT, 1240, 1500), "speed": ("--run", SPEED, 700, 480)}
"""By the name of the image: the option that makes its page, what is done there, width, height."""


def browser() -> str:
    for name in ("chromium", "chromium-browser", "chrome"):
        found = shutil.which(name)
        if found is not None:
            return found
    sys.exit("there is no chromium")


def shoot(name: str, folder: Path) -> None:
    option, script, width, height = SHOTS[name]
    page = folder / f"{name}.html"
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O3", f"--schedule={STEPS}"]
    how = [option] if option else ["-c", "-o", str(folder / "out.o")]
    words = [*how, "-march=x86-64-v3", "--cache=off", f"--report={page}", PROGRAM]
    subprocess.run([*command, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    text = page.read_text(encoding="utf-8").replace('<html lang="en"', '<html data-theme="light"')
    page.write_text(text.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    size, home = f"--window-size={width},{height}", f"--user-data-dir={folder / 'home'}"
    image = f"--screenshot={IMAGES / f'{name}.png'}"
    subprocess.run([browser(), *flags, size, home, image, page.as_uri()], check=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in SHOTS:
            shoot(name, Path(folder))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
