"""What a corpus shows beside what is known of it; and the lists themselves."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

from corpus_lists import Corpus, Result, read_lists

HERE = Path("corpus")
KNOWN = Corpus(("*.c",), 50, refused={"no vectors": ("v.c",)}, differs={"d.c": "it is undefined"})


def beside(*results: tuple[str, str, str]) -> list[str]:
    named = (Result(str(HERE / file), "O3", outcome, why) for file, outcome, why in results)
    return list(KNOWN.beside(named, HERE))


def test_what_is_listed_is_expected():
    assert beside(("a.c", "right", ""), ("v.c", "refused", "error: no vectors here")) == []
    assert beside(("a.c", "right", ""), ("d.c", "wrong", "status 1")) == []
    assert beside(("d.c", "right", "")) == []


def test_what_is_not_listed_is_told():
    assert beside(("v.c", "right", ""))[0] == "v.c at O3 is listed as refused, and is right"
    (other, _) = beside(("v.c", "refused", "error: no shape"))
    assert other == "v.c at O3 is refused for another reason: error: no shape"
    (new, share) = beside(("a.c", "refused", "error: no vectors"))
    assert new == "a.c at O3 is refused, and not listed: error: no vectors"
    assert share == "0 of 1 are right at O3, not 50 in 100"
    assert beside(("a.c", "slow", ""), ("b.c", "right", "")) == ["a.c at O3 is slow: "]


def test_each_program_has_one_reason():
    for name, corpus in read_lists().items():
        listed = [one for names in corpus.refused.values() for one in names]
        assert len(set(listed)) == len(listed), name
        assert all(corpus.differs.values()), name
        patterns = corpus.programs
        for one in (*listed, *corpus.differs):
            assert any(fnmatch(one, pattern.replace("**/", "")) for pattern in patterns), one


def test_the_table_says_what_the_lists_do():
    page = (Path(__file__).parents[2] / "benchmarks" / "README.md").read_text(encoding="utf-8")
    part = page.partition("## Programs that others wrote")[2]
    rows = re.findall(r"^\| ([\w-]+) \| (\d+) \| (\d+) \| (\d+) \|$", part, re.M)
    assert [(name, *map(int, counts)) for name, *counts in rows] == [
        (name, one.share, sum(map(len, one.refused.values())), len(one.differs))
        for name, one in read_lists().items()
    ]
