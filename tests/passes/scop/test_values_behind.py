"""What is used behind loops that are optimised behind a check, where what is checked does not hold:
the values are those of the code that has run, which is the source's."""

from __future__ import annotations

import numpy as np
import pytest

import polyopt

WRITTEN_BEFORE = """
int f(int n, int *a, const int *p)
{
    for (int i = 0; i < n; i++)
        a[i] = i * 2;
    int x = *p;
    for (int i = 0; i < n; i++)
        a[i] += x;
    return x;
}
"""

COMPUTED_FROM_IT = """
int f(int n, int *a, const int *p)
{
    for (int i = 0; i < n; i++)
        a[i] = i + 3;
    int x = 5 * *p - 1;
    for (int i = 0; i < n; i++)
        a[i] ^= x;
    return x / 3 + (x < 0 ? -n : n);
}
"""

COUNTED_TO_IT = """
int f(int n, int *a, const int *p)
{
    for (int i = 0; i < n; i++)
        a[i] = 1 + i % 5;
    int k = 0;
    for (; k < *p; k++)
        a[k] += 7;
    return k;
}
"""

IN_A_LOOP = """
int f(int n, int *a, const int *p)
{
    int last = 0;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            a[i] += t + 1;
        int x = p[1];
        for (int i = 0; i < n; i++)
            a[i] += x & 15;
        last = last * 31 + x;
    }
    return last;
}
"""


BEHIND_A_LOAD_THAT_MAY_NOT_BE_DONE = """
int f(int n, int *a, const int *p)
{
    for (int i = 0; i < n; i++)
        a[i] += p[1];
    int x = p[0];
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 + x;
    return x;
}
"""

TEXTS = [
    WRITTEN_BEFORE,
    COMPUTED_FROM_IT,
    COUNTED_TO_IT,
    IN_A_LOOP,
    BEHIND_A_LOAD_THAT_MAY_NOT_BE_DONE,
]


def in_order(text: str, n: int, memory: list[int], p: int) -> int:
    """What the source does, said in Python; `a` begins at 0."""
    match text:
        case _ if text is WRITTEN_BEFORE:
            memory[:n] = [2 * i for i in range(n)]
            x = memory[p]
            memory[:n] = [one + x for one in memory[:n]]
            return x
        case _ if text is COMPUTED_FROM_IT:
            memory[:n] = [i + 3 for i in range(n)]
            x = 5 * memory[p] - 1
            memory[:n] = [one ^ x for one in memory[:n]]
            return int(x / 3) + (-n if x < 0 else n)
        case _ if text is COUNTED_TO_IT:
            memory[:n] = [1 + i % 5 for i in range(n)]
            k = 0
            while k < memory[p]:
                memory[k] += 7
                k += 1
            return k
        case _ if text is BEHIND_A_LOAD_THAT_MAY_NOT_BE_DONE:
            for i in range(n):
                memory[i] += memory[p + 1]
            x = memory[p]
            for i in range(n):
                memory[i] = memory[i] * 3 + x
            return x
        case _:
            last = 0
            for t in range(3):
                memory[:n] = [one + t + 1 for one in memory[:n]]
                x = memory[p + 1]
                memory[:n] = [one + (x & 15) for one in memory[:n]]
                last = last * 31 + x
            return last


@pytest.mark.parametrize("options", ["-O3", "-O3 --skip-pass=keep-what-pays", "-O3 -fno-poly"])
@pytest.mark.parametrize(
    "text", TEXTS, ids=["loaded", "computed", "counted", "in a loop", "guarded"]
)
def test_wherever_the_pointer_leads(text: str, options: str):
    run = polyopt.compile(text, options=options).f
    for n in (0, 1, 5, 33):
        for p in (0, 2, 30, 40):
            expected = [i % 9 for i in range(64)]
            wanted = in_order(text, n, expected, p)
            memory = np.array([i % 9 for i in range(64)], dtype=np.int32)
            assert run(n, memory, memory[p:]) == wanted, (n, p)
            assert memory.tolist() == expected, (n, p)
