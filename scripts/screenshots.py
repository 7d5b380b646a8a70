"""The pictures of the report in `docs/images`, taken anew in a browser without a screen (chromium).

python scripts/screenshots.py [NAME ...]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
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
document.querySelector("td.verdict details").open = true;
const slider = document.querySelector('input[type="range"]');
slider.value = 83;
slider.dispatchEvent(new Event("input"));
"""

ONLY = """
const panel = [...document.querySelectorAll("div.panel")]
  .find((one) => one.textContent.includes("%s"));
document.body.replaceChildren(panel);
"""
CODE = """
const line = document.querySelector('ul[aria-label="source"] li[data-line="11"]');
const section = line.closest("section");
section.querySelectorAll("ul[aria-label=source] li").forEach((one) => {
  if (one.dataset.line < 7 || one.dataset.line > 15) one.remove();
});
for (let one = section; one !== document.body; one = one.parentElement) {
  for (const other of [...one.parentElement.children]) if (other !== one) other.hidden = true;
}
line.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
line.dispatchEvent(new MouseEvent("click", { bubbles: true }));
"""

ONCE = (
    ONLY % "What runs at once"
    + """
document.body.style.padding = "0 1rem";
for (const one of document.querySelectorAll(".pt")) {
  const step = Number(one.dataset.t);
  one.classList.toggle("done", step < 15);
  one.classList.toggle("now", step === 15);
}
"""
)

SHOTS = {
    "report": ("", REPORT, 1240, 1500),
    "speed": ("--run", ONLY % "How fast it ran", 700, 480),
    "once": ("-fparallel", ONCE, 620, 500),
    "memory": ("", ONLY % "How often memory is asked", 760, 320),
    "tree": ("", ONLY % "The order as a tree", 1240, 400),
    "code": ("", CODE, 1240, 600),
}
"""By the name of the image: the option that makes its page, what is done there, width, height."""

PLAIN = ("once",)
"""Those of the program as the compiler takes it, without the steps."""


def browser() -> str:
    for name in ("chromium", "chromium-browser", "chrome"):
        found = shutil.which(name)
        if found is not None:
            return found
    sys.exit("there is no chromium")


def shoot(name: str, folder: Path) -> None:
    option, script, width, height = SHOTS[name]
    page = folder / f"{name}.html"
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O3"]
    command += [f"--schedule={STEPS}"] if name not in PLAIN else []
    how = ["--run"] if option == "--run" else [option, "-c", "-o", str(folder / "out.o")]
    how = [word for word in how if word]
    words = [*how, "-march=x86-64-v3", "--cache=off", f"--report={page}", PROGRAM]
    subprocess.run([*command, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    text = page.read_text(encoding="utf-8").replace('<html lang="en"', '<html data-theme="light"')
    page.write_text(text.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    size, home = f"--window-size={width},{height}", f"--user-data-dir={folder / 'home'}"
    image = f"--screenshot={IMAGES / f'{name}.png'}"
    shot = [browser(), *flags, size, home, image, page.as_uri()]
    subprocess.run(shot, check=True, stderr=subprocess.DEVNULL)


def main(names: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            shoot(name, Path(folder))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*SHOTS, []], help="of images; else all")
    main(parser.parse_args().names or list(SHOTS))
