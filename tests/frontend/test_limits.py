"""Programs that are large in one direction."""

from __future__ import annotations

from collections.abc import Callable


def test_long_chains_are_no_deep_nesting(run_c: Callable[..., str]) -> None:
    chain = " else ".join(f"if (x == {i}) y = {i % 7};" for i in range(300))
    total = " + ".join(["x"] * 600)
    nested = "(" * 150 + "x" + ")" * 150
    program = f"""
    #include <stdio.h>
    int main(void) {{
        int x = 299, y = 0;
        {chain}
        printf("%d %d %d\\n", y, {total}, {nested});
        return 0;
    }}
    """
    assert run_c(program) == "5 179400 299\n--- stderr\n--- status 0\n"
