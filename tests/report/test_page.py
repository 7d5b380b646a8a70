"""The page as a reader of HTML sees it: whole, escaped, alone, and true to what was compiled."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import defaultdict
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.contents import CodeLine, Contents, ScopView
from polyopt.report.markup import VOID
from polyopt.report.page import page

SVG = "{http://www.w3.org/2000/svg}"

SMOOTH = """void smooth(int steps, int n, double a[restrict n], double b[restrict n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1]; /* </script><b onclick="x">&amp; é */
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}
"""
NAME = 'a"b<c>&.c'


@cache
def contents(steps: str = "") -> Contents:
    settings = read_settings(["-O3", "-march=x86-64-v3", "--poly=isl+tile", "--tile-sizes=16,64"])
    return observe(Source(NAME, SMOOTH), settings)


class Structure(HTMLParser):
    """Tags balanced; what is met is kept by tag."""

    def __init__(self, text: str):
        super().__init__()
        self.open = list[str]()
        self.met = list[tuple[str, dict[str, str | None]]]()
        self.texts = list[tuple[str, str]]()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.met if name == tag]


@cache
def structure() -> Structure:
    return Structure(page([contents()], NAME))


def test_the_page_is_whole_and_needs_nothing():
    found = structure()
    assert [name for name, _ in found.met[:2]] == ["html", "head"]
    for tag, attributes in found.met:
        for name in ("src", "href", "data", "action", "srcset"):
            target = attributes.get(name)
            assert target is None or target.startswith("#"), (tag, target)
    assert not re.search(r"@import|url\((?!#)", page([contents()], NAME))
    policy = [m for m in found.all("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    assert policy
    assert "default-src 'none'" in (policy[0]["content"] or "")


def test_ids_are_there_once_and_links_lead_somewhere():
    met = structure().met
    ids = [attributes["id"] for _, attributes in met if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in structure().all("a"):
        assert (link["href"] or "").removeprefix("#") in ids


def test_text_of_users_is_text():
    text = page([contents()], NAME)
    assert "<b onclick" not in text
    assert NAME in "".join(data for _, data in structure().texts)
    assert any('</script><b onclick="x">&amp; é' in data for _, data in structure().texts)
    scripts = [tag for tag, _ in structure().met if tag == "script"]
    assert len(scripts) == len(contents().scops) + 1


def test_bytes_that_are_no_text_do_not_stop_the_page():
    odd = replace(contents(), source=("int x; // \udcff\x00",), command="\udc80")
    assert page([odd], "\udcff").encode()


def svgs(text: str, class_: str) -> list[ElementTree.Element]:
    found = [ElementTree.fromstring(one) for one in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]
    return [one for one in found if one.get("class") == class_]


def scop() -> tuple[str, ScopView]:
    (view,) = contents().scops
    return page([contents()], NAME), view


def test_pictures_show_each_iteration_at_its_time():
    text, view = scop()
    assert view.shown is not None
    before, after = svgs(text, "domain")
    for picture, order in ((before, view.shown.before), (after, view.shown.after)):
        points = [g for g in picture.iter(f"{SVG}g") if g.get("class") == "pt"]
        assert [int(g.get("data-t") or -1) for g in points] == list(range(len(order.events)))
        for group, event in zip(points, order.events, strict=True):
            title = group.find(f"{SVG}title")
            assert title is not None
            t, i = event.point
            said = f"{event.statement} at t = {t}, i = {i}"
            assert (title.text or "").endswith(said)
    places = [
        {
            (title.text or "").partition(". ")[2]: (circle.get("cx"), circle.get("cy"))
            for group in picture.iter(f"{SVG}g")
            if (circle := group.find(f"{SVG}circle")) is not None
            if (title := group.find(f"{SVG}title")) is not None
        }
        for picture in (before, after)
    ]
    assert places[0] == places[1]


def test_arrows_go_forward_in_time():
    text, view = scop()
    assert view.shown is not None
    assert view.shown.arrows is not None
    for picture in svgs(text, "domain"):
        arrows = [
            one for one in picture.iter(f"{SVG}path") if (one.get("class") or "")[:5] == "arrow"
        ]
        assert len(arrows) == len(view.shown.arrows) > 0
        for one in arrows:
            assert int(one.get("data-from") or 0) < int(one.get("data-to") or 0)


def test_the_trace_is_of_both_orders_and_of_what_is_touched():
    text, view = scop()
    assert view.shown is not None
    (block,) = re.findall(r'<script type="application/json" class="trace">(.*?)</script>', text)
    trace = json.loads(block)
    count = len(view.shown.before.events)
    assert sorted(trace["before"]) == sorted(trace["after"]) == list(range(count))
    assert len(trace["touched"]) == count
    cells = {
        int(g.get("data-cell") or 0)
        for g in svgs(text, "footprint")[0].iter(f"{SVG}g")
        if g.get("data-cell")
    }
    touched = {cell if cell >= 0 else -1 - cell for mine in trace["touched"] for cell in mine}
    assert touched == cells
    instances = view.shown.instances()
    for number, mine in enumerate(trace["touched"]):
        reads, writes = [c for c in mine if c >= 0], [c for c in mine if c < 0]
        assert (len(reads), len(writes)) == ((2, 1) if instances[number][0] == "S0" else (1, 1))


def test_each_loop_has_a_verdict_in_its_line():
    text, _ = scop()
    rows = re.findall(r'<tr data-line="(\d+)">(.*?)</tr>', text, re.DOTALL)
    told = {int(number) for number, row in rows if "chip" in row}
    assert told == {2, 3, 5}
    assert len(rows) == len(SMOOTH.splitlines())


def test_code_lights_up_with_its_line():
    text, view = scop()
    assert {4, 6} <= {line.source for line in view.loops}
    (function,) = contents().functions
    assert function.name == "smooth"
    assert {4, 6} & {line.source for line in function.lines}
    lit = [attributes.get("data-line") for attributes in Structure(text).all("li")]
    assert {"4", "6"} <= set(lit)


def test_what_is_included_lights_up_nothing_of_this_file(tmp_path: Path):
    header = tmp_path / "fill.h"
    header.write_text(
        "static void fill(int n, double *x) {\n\n  for (int i = 0; i < n; i++)\n    x[i] = 1;\n}\n"
    )
    text = """#include "fill.h"
void f(int n, double x[restrict n], double y[restrict n])
{
  for (int i = 0; i < n; i++) y[i] = x[i];
  fill(n, x);
}
"""
    source = Source(str(tmp_path / "k.c"), text)
    found = observe(source, read_settings(["-O3", "--poly=identity"]))
    mine, other = found.scops
    assert [one.line for one in mine.statements] == [4]
    assert [one.line for one in other.statements] == [None]
    assert {line.source for line in other.loops} == {None}
    assert f"{header}:4" in other.statements[0].place
    assert [loop.start.line for loop in found.loops] == [4]
    Structure(page([found], "k.c"))


def test_what_cannot_be_drawn_is_said():
    (view,) = contents().scops
    bare = replace(view, shown=None, why_not="it never runs", loops=(CodeLine("x"),))
    text = page([replace(contents(), scops=(bare,))], NAME)
    assert "There is no picture of it: it never runs." in text
    Structure(text)


def test_a_file_without_loops_has_a_page():
    settings = read_settings(["-O3"])
    text = page([observe(Source("x.c", "int f(int x) { return x; }"), settings)], "x")
    assert not Structure(text).all("section")[1:]


BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no browser")
def test_the_slider_runs_through_time(tmp_path: Path):
    play = """<script>
      const slider = document.querySelector('input[type="range"]');
      slider.value = 7;
      slider.dispatchEvent(new Event("input"));
    </script></body>"""
    file = tmp_path / "page.html"
    file.write_text(page([contents()], NAME).replace("</body>", play), encoding="utf-8")
    assert BROWSER is not None
    ran = subprocess.run(
        [
            BROWSER,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
            f"file://{file}",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert re.findall(r'<g class="pt now" data-t="(\d+)"', ran.stdout) == ["6", "6"]
    assert len(re.findall(r'<g class="pt done"', ran.stdout)) == 12
    assert "step 7 of" in ran.stdout


def test_an_order_that_stays_is_shown_once():
    """And the lines that a cache fetches are told once, too."""
    settings = read_settings(["-O3", "-march=x86-64-v3", "--poly=identity"])
    text = page([observe(Source(NAME, SMOOTH), settings)], NAME)
    titles = [words for tag, words in Structure(text).texts if tag == "h3"]
    kept = "In the order of the source, as it runs now"
    assert titles.count(kept) == 2, "the iterations, and the tree"
    assert "As it runs now" not in titles
    assert re.findall(r'data-order="(\w+)"', text) == ["before", "once"], "LLVM makes vectors"
    assert 'class="bar before"' in text
    assert 'class="bar after"' not in text


PARALLEL = """void smooth(int steps, int n, double a[restrict n], double b[restrict n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}
"""


@cache
def in_threads() -> Contents:
    options = ["-O3", "-march=x86-64-v3", "-fparallel"]
    return observe(Source("k.c", PARALLEL), read_settings(options))


def test_what_runs_at_once_is_drawn_with_its_step():
    """Each thread has a stretch of i: a vector of `b` takes one step, and all meet in between."""
    text = page([in_threads()], "k.c")
    (picture,) = svgs(text, "once")
    points = [g for g in picture.iter(f"{SVG}g") if (g.get("class") or "").startswith("pt")]
    (view,) = in_threads().scops
    assert view.shown is not None
    titles = [g.findtext(f"{SVG}title") or "" for g in points]
    assert len(set(titles)) == len(titles) == len(view.shown.after.events)
    words = re.compile(r"step (\d+), thread (\d+): (S\d) at t = (\d+), i = (\d+)")
    found = [words.match(one) for one in titles]
    steps = [tuple(map(int, one.group(1, 2, 4, 5))) for one in found if one and one[3] == "S0"]
    per_time = defaultdict[int, set[int]](set)
    for step, thread, t, i in steps:
        per_time[t].add(step)
        together = {h for s, other, _, h in steps if (s, other) == (step, thread)}
        assert i in together
        assert len(together) == 2
    assert all(max(per_time[t]) < min(per_time[t + 1]) for t in range(len(per_time) - 1))
    (block,) = re.findall(r'<script type="application/json" class="trace">(.*?)</script>', text)
    once = json.loads(block)["once"]
    assert sorted(k for runs in once for k in runs) == list(range(len(titles)))
    assert "What runs at once: vectors and threads" in text
    assert f"{len(titles)} runs take {len(once)} steps." in text


def test_vectors_that_llvm_makes_are_drawn_too():
    source = """void f(int n, double *restrict y, const double *restrict x) {
        for (int i = 0; i < n; i++) y[i] += 2 * x[i];
    }"""
    alone = ["-O3", "-march=x86-64-v3", "--skip-pass=affine-vectorize"]
    text = page([observe(Source("k.c", source), read_settings(alone))], "k.c")
    assert "What runs at once: vectors" in text
    (picture,) = svgs(text, "once")
    bands = [g for g in picture.iter() if (g.get("class") or "").startswith("band ")]
    assert len(bands) == 24 // 4


def test_what_runs_alone_has_no_picture_of_what_runs_at_once():
    source = "void f(int n, double x[n]) { for (int i = 1; i < n; i++) x[i] += x[i - 1] * x[i]; }"
    settings = read_settings(["-O3", "-march=x86-64-v3", "--poly=identity"])
    assert "What runs at once" not in page([observe(Source("k.c", source), settings)], "k.c")


def test_the_key_counts_the_loops():
    found = structure()
    counts = [words for tag, words in found.texts if tag == "b" and words.isdigit()]
    assert len(counts) == 5
    assert sum(map(int, counts)) == len(contents().loops) == 3
