"use strict";
// Runs through time in the pictures, and shows together what was made of one line. Without it the
// page shows everything at once.

function light(root, line, on) {
  for (const one of root.querySelectorAll('[data-line="' + line + '"]')) {
    one.classList.toggle("lit", on);
  }
}

function linkLines(root) {
  let current = null;
  const choose = (line) => {
    if (line === current) return;
    if (current !== null) light(root, current, false);
    current = line;
    if (current !== null) light(root, current, true);
  };
  const lineOf = (event) => {
    const found = event.target.closest && event.target.closest("[data-line]");
    return found ? found.dataset.line : null;
  };
  root.addEventListener("mouseover", (event) => choose(lineOf(event)));
  root.addEventListener("focusin", (event) => choose(lineOf(event)));
  root.addEventListener("keydown", (event) => {
    const list = event.target.closest(".lines");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!list || !step) return;
    const items = [...list.querySelectorAll("[data-line]")];
    const now = items.findLastIndex((item) => item.classList.contains("here"));
    const next = items[Math.min(Math.max(now + step, 0), items.length - 1)];
    if (!next) return;
    for (const item of items) item.classList.toggle("here", item === next);
    choose(next.dataset.line);
    next.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  });
  root.addEventListener("click", (event) => {
    const line = lineOf(event);
    if (line === null) return;
    for (const list of root.querySelectorAll(".lines")) {
      const first = list.querySelector('[data-line="' + line + '"]');
      if (first && !list.contains(event.target)) {
        list.scrollTop = first.offsetTop - list.offsetTop - list.clientHeight / 3;
      }
    }
  });
}

function bindScop(section) {
  const block = section.querySelector("script.trace");
  const slider = section.querySelector('input[type="range"]');
  if (!block || !slider) return;
  const trace = JSON.parse(block.textContent);
  const said = section.querySelector("output");
  const play = section.querySelector("button.play");
  const choice = section.querySelector("select");
  const pictures = [...section.querySelectorAll("[data-order]")].map((box) => ({
    order: trace[box.dataset.order],
    name: box.dataset.order,
    points: [...box.querySelectorAll(".pt")],
    arrows: [...box.querySelectorAll(".arrow")],
    ways: [...box.querySelectorAll(".way")].map((way) => ({
      times: way.dataset.ts.split(" ").map(Number),
      places: way.getAttribute("points").split(" "),
      gone: way.nextElementSibling,
    })),
    cells: new Map([...box.querySelectorAll(".cell")].map((c) => [Number(c.dataset.cell), c])),
  }));
  const RECENT = 6;

  function show(step) {
    const words = [];
    for (const picture of pictures) {
      const now = step - 1;
      for (const point of picture.points) {
        const t = Number(point.dataset.t);
        point.classList.toggle("done", t < now);
        point.classList.toggle("now", t === now);
        if (t === now && picture.name !== "once") {
          const title = point.querySelector("title").textContent.replace(/^\d+\. /, "");
          const which = picture.name === "before" ? "source: " : "now: ";
          words.push((pictures.length > 1 ? which : "") + title);
        }
      }
      if (picture.name === "once") {
        const count = [].concat(picture.order[now] ?? []).length;
        words.push("at once: " + (now < 0 ? "nothing" : count ? count + " runs" : "all is done"));
      }
      for (const way of picture.ways) {
        const count = way.times.filter((t) => t < step).length;
        way.gone.setAttribute("points", way.places.slice(0, count).join(" "));
      }
      for (const arrow of picture.arrows) {
        const from = Number(arrow.dataset.from), to = Number(arrow.dataset.to);
        arrow.classList.toggle("lit", from === now || to === now);
      }
      for (const cell of picture.cells.values()) cell.classList.remove("read", "write", "recent");
      for (let t = Math.max(0, now - RECENT); t <= now && now >= 0; t++) {
        const runs = [].concat(picture.order[t] ?? []);
        for (const touch of runs.flatMap((one) => trace.touched[one] || [])) {
          const cell = picture.cells.get(touch < 0 ? -1 - touch : touch);
          if (!cell) continue;
          if (t < now) cell.classList.add("recent");
          else cell.classList.add(touch < 0 ? "write" : "read");
        }
      }
    }
    said.textContent = step ? "step " + step + " of " + slider.max + " — " + words.join("; ")
                            : "move the slider to run through time";
  }

  let timer = null;
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ play";
  }
  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (slider.value === slider.max) slider.value = 0;
    play.textContent = "❚❚ pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      show(Number(slider.value));
      if (slider.value === slider.max) stop();
    }, 160);
  });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  choice.addEventListener("change", () => {
    section.classList.remove("arrows-none", "arrows-step", "arrows-all");
    section.classList.add("arrows-" + choice.value);
  });
  section.classList.add("arrows-" + choice.value);
  section.addEventListener("click", (event) => {
    const point = event.target.closest(".pt");
    if (!point) return;
    slider.value = Number(point.dataset.t) + 1;
    stop();
    show(Number(slider.value));
  });
  show(Number(slider.value));
}

function bindTheme(button) {
  const root = document.documentElement;
  const isDark = () => root.dataset.theme === "dark"
    || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  button.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; });
}

for (const unit of document.querySelectorAll(".unit")) linkLines(unit);
for (const section of document.querySelectorAll(".scop")) bindScop(section);
for (const button of document.querySelectorAll("button.theme")) bindTheme(button);
