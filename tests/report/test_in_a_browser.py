"""The page in a browser without a screen, where there is one: every verdict is in sight, and text
stands out from what is behind it, in light and in dark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.page import page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)

LONG_LINE = (
    "double f(int n, const double *restrict a, const double *restrict b, double *restrict c) "
    "{ double s = 0; for (int i = 0; i < n; i++) { c[i] = a[i] + b[i]; s += a[i] * b[i]; } "
    "for (int i = 1; i < n; i++) c[i] += c[i - 1] * a[i] + 0.5 * (b[i] - a[i - 1]) / 3.0; "
    "return s; }"
)

MEASURE = """<script>
  const numbers = (text) => text.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const cells = [...document.querySelectorAll("td.verdict")].filter((one) => one.textContent);
  const colour = (one, what) => numbers(getComputedStyle(one)[what]);
  const result = {
    width: document.documentElement.clientWidth,
    right: cells.map((one) => one.getBoundingClientRect().right),
    left: cells.map((one) => one.getBoundingClientRect().left),
    ink: colour(document.body, "color"),
    paper: colour(document.body, "backgroundColor"),
  };
  const out = document.createElement("pre");
  out.id = "measured";
  out.textContent = JSON.stringify(result);
  document.body.append(out);
</script>"""


def seen(folder: Path, theme: str, width: int = 1200) -> dict[str, Any]:
    assert BROWSER is not None
    contents = observe(Source("k.c", LONG_LINE), read_settings(["-O3", "-march=x86-64-v3"]))
    text = page([contents], "k.c").replace("</body>", f"{MEASURE}</body>")
    text = text.replace('<html lang="en"', f'<html lang="en" data-theme="{theme}"')
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900"]
    home = f"--user-data-dir={folder / 'home'}"
    command = [BROWSER, *flags, home, "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'<pre id="measured">(.*?)</pre>', done.stdout)
    assert found is not None
    return json.loads(unescape(found[1]))


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no browser")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_verdicts_are_in_sight(tmp_path: Path, theme: str):
    found = seen(tmp_path, theme)
    assert len(found["right"]) > 0
    assert max(found["right"]) <= found["width"]
    ink, paper = (sum(found[name]) / 3 for name in ("ink", "paper"))
    assert (ink < 100 < 200 < paper) if theme == "light" else (paper < 60 < 180 < ink)


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no browser")
def test_in_a_narrow_window_verdicts_stand_below_their_lines(tmp_path: Path):
    """As wide as the window but for the numbers of lines."""
    found = seen(tmp_path, "light", width=500)
    assert found["width"] <= 500
    assert max(found["right"]) <= found["width"]
    assert max(found["left"]) < 100
