"""`__builtin_object_size` of members behind a pointer of which nothing is known: gcc's numbers at
-O2, by hand (-O0 asks less)."""

from __future__ import annotations

from collections.abc import Callable

UNKNOWN = 2**64 - 1
TYPES = """
struct with_end {
    char name[10];
    struct { int x[2], mark; } parts[3];
    union { char few[3], many[5]; } either;
    char end[6];
} ends[3];
union choice { char few[3], many[9]; struct { char head[4]; char tail[4]; } both; } choice;
struct grows { int n; char data[]; } *grown;
"""
SIZES = {
    "p": UNKNOWN,
    "p->name": 10,
    "&p->name[3]": 7,
    "&p->name[12]": 0,
    "&p->name[n]": UNKNOWN,
    "p->parts[1].x": 8,
    "p->parts[n].x": 8,
    "&p->parts[1]": 24,
    "&p->parts[n]": UNKNOWN,
    "p->either.few": 3,
    "p[-1].name": 10,
    "p[n].name": 10,
    "p->end": UNKNOWN,
    "&p->end[2]": UNKNOWN,
    "(ends + n)->end": 6,
    "ends[1].end": 6,
    "(n ? p->name : ends[0].end)": 10,
    "(n ? p->end : ends[0].end)": UNKNOWN,
    "c->many": UNKNOWN,
    "c->both.head": 4,
    "c->both.tail": UNKNOWN,
    "&grown->n": 4,
    "grown->data": UNKNOWN,
    "rows[1]": UNKNOWN,
}


def test_members_behind_pointers_are_as_large_as_they_are(run_c: Callable[..., str]) -> None:
    numbers = "".join(f'printf("%lu\\n", __builtin_object_size({at}, 1));\n' for at in SIZES)
    whole = "".join(
        f'printf("%lu\\n", __builtin_object_size({at}, 0));\n' for at in SIZES if "ends" not in at
    )
    least = 'printf("%lu %lu\\n", __builtin_object_size(p->name, 3),'
    program = (
        f"#include <stdio.h>\n{TYPES}\n"
        "static void sizes(struct with_end *p, union choice *c, char (*rows)[7], int n) {\n"
        f"{numbers}{whole}{least} __builtin_object_size(p->end, 3));\n}}\n"
        "int main(void) { sizes(ends + 1, &choice, 0, 1); return 0; }\n"
    )
    found = run_c(program).split()
    assert dict(zip(SIZES, map(int, found), strict=False)) == SIZES
    rest = [*[str(UNKNOWN)] * whole.count("printf"), "10", "0"]
    assert found[len(SIZES) : len(SIZES) + len(rest)] == rest
