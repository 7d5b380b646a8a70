"""Exported schedules in another order, as text: what somebody might send back.

The importer refuses what is illegal, so several changes are offered one after the other, and the
file as it was exported at last, which has to be accepted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

CHANGES = 3


def permute_files(folder: Path, form: str, seed: int) -> Iterator[str]:
    """Write changed files into the folder, once for each step of the iteration, which says what
    they hold; without a seed only what was exported."""
    exported = {path: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    random = Random(f"permutation {seed}")
    for _ in range(CHANGES if seed else 0):
        changed = {path: _changed(text, form, random) for path, text in exported.items()}
        if changed == exported:
            continue
        yield _write(changed)
    yield _write(exported)


def _write(files: dict[Path, str]) -> str:
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return "\n".join(f"// {path.name}\n{text}" for path, text in files.items())


def _changed(text: str, form: str, random: Random) -> str:
    match form:
        case "jscop":
            return _jscop(text, random)
        case "schedule":
            return _tree(text, random)
        case "scoplib":
            return _scoplib(text, random)
        case _:
            return _openscop(text, random)


def _jscop(text: str, random: Random) -> str:
    """The dates of all statements permuted alike, or one dimension negated."""
    data = json.loads(text)
    statements = data.get("statements", [])
    ranges = [re.search(r"-> \[(.*)\] }", one["schedule"]) for one in statements]
    lengths = {len(_parts(found[1])) for found in ranges if found}
    if len(lengths) != 1 or None in ranges:
        return text
    change = _change_of(lengths.pop(), random)
    for one in statements:
        one["schedule"] = re.sub(
            r"-> \[(.*)\] }",
            lambda m: f"-> [{', '.join(change(_parts(m[1])))}] }}",
            one["schedule"],
        )
    return json.dumps(data, indent=2)


def _parts(text: str) -> list[str]:
    """What stands between the commas that are in no brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _change_of(length: int, random: Random) -> Callable[[list[str]], list[str]]:
    order = list(range(length))
    first, second = random.randrange(length), random.randrange(length)
    order[first], order[second] = order[second], order[first]
    negated = random.randrange(length) if random.random() < 0.4 else None

    def change(parts: list[str]) -> list[str]:
        moved = [parts[place] for place in order]
        if negated is not None:
            moved[negated] = f"-({moved[negated]})"
        return moved

    return change


def _tree(text: str, random: Random) -> str:
    """The order of a band's members, or their signs."""

    def member(found: re.Match[str]) -> str:
        parts = _parts(found[2])
        if len(parts) > 1:
            random.shuffle(parts)
        return f"{found[1]}[{', '.join(parts)}]{found[3]}"

    changed = re.sub(r'(schedule: "(?:\[[^\]]*\] -> )?)\[(.*)\](")', member, text)
    return re.sub(r"\n *(permutable|coincident): .*", "", changed)


def _openscop(text: str, random: Random) -> str:
    """Two output rows of every scattering exchanged: as dates."""
    lines = text.splitlines()
    result = list[str]()
    place = 0
    which = random.random()
    while place < len(lines):
        result.append(lines[place])
        if lines[place].strip() == "SCATTERING":
            while not lines[place + 1].strip()[:1].isdecimal():
                place += 1
                result.append(lines[place])
            head = lines[place + 1].split()
            if len(head) < 3:
                return text  # a union of relations
            rows, outputs = int(head[0]), int(head[2])
            body = list(lines[place + 2 : place + 2 + rows + 1])
            rows_at = [k for k, line in enumerate(body) if line.strip() and line.strip()[0] in "01"]
            odd = [k for k in range(1, outputs, 2) if k < len(rows_at)]
            if len(odd) >= 2:
                a, b = odd[0], odd[1 + int(which * (len(odd) - 1))]
                _exchange(body, rows_at[a], rows_at[b], a + 1, b + 1)
            result += [lines[place + 1], *body]
            place += 2 + rows
        place += 1
    return "\n".join([*result, ""])


def _scoplib(text: str, random: Random) -> str:
    """Two dates of every scattering exchanged, counters for counters: all statements alike."""
    lines = text.splitlines()
    which = random.random()
    for place, line in enumerate(lines):
        if line.strip() == "# Scattering function":
            rows = int(lines[place + 1].split()[0])
            dates = range(place + 3, place + 2 + rows, 2)
            if len(dates) >= 2:
                a, b = dates[0], dates[1 + int(which * (len(dates) - 1))]
                lines[a], lines[b] = lines[b], lines[a]
    return "\n".join([*lines, ""])


def _exchange(body: list[str], a: int, b: int, first: int, second: int) -> None:
    """The right sides of two rows change places: the columns of the outputs stay."""
    one, other = body[a].split("#")[0].split(), body[b].split("#")[0].split()
    if second >= min(len(one), len(other)):
        return  # of another statement, with fewer dates
    one[first], one[second] = one[second], one[first]
    other[first], other[second] = other[second], other[first]
    body[a], body[b] = " ".join(other), " ".join(one)
