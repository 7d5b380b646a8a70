"""-mNAME and -mno-NAME: single instruction sets, with gcc's meaning.

The machine is one word for the whole compiler, `CPU{+FEATURE|~FEATURE}`: what -march= names, and
the features in the order in which they were asked for. -mavx2 alone is an x86-64 with AVX2, which
cannot fuse products and sums; -mno-avx2 alone takes AVX2 from the machine that is the default.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.driver.options.flag_reading import Collected, Setter
from polyopt.support.vector_features import CPU_FEATURES


def set_feature(sign: str, name: str) -> Setter:
    feature = CPU_FEATURES[name]
    if name == "sse4" and sign == "-":
        feature = "sse4.1"

    def set_field(collected: Collected, _: str) -> None:
        others = [one for one in collected.get("cpu_features", ()) if one[1:] != feature]
        collected["cpu_features"] = (*others, sign + feature)

    return set_field


def machine(march: str | None, features: Sequence[str], default: str) -> str:
    """The machine in one word; `default` is what it is where nothing is said."""
    asks_for_more = any(feature.startswith("+") for feature in features)
    cpu = march or ("x86-64" if asks_for_more else default)
    return cpu + "".join(features).replace("-", "~")
