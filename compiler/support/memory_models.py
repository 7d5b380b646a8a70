"""The numbers of models of memory: when stores go past the caches, and how loads wait for stores to
other places (`core_model` says what such numbers are)."""

from __future__ import annotations

from polyopt.support.record import record


@record
class StreamModel:
    """Non-temporal stores: what a nest writes must be more than all of these."""

    least_bytes: int = 64 << 20
    least_row: int = 1024
    """Bytes of each row."""
    least_of_l2: int = 32
    """So many times L2."""
    least_vector_bytes: int = 16
    """Bytes of the narrowest vector that is stored non-temporally."""
    greatest_nest: int = 150
    """Operations of a nest of which there are two versions where sizes are not known."""


@record
class PlaceModel:
    """What loads wait that are a distance behind stores, counted round a `page`: longest up to
    `worst` bytes behind, then less and less for `reach` bytes; up to `near` bytes in front
    `near_wait` of that. Of an array at most `planes` places are told apart. Objects of `least`
    bytes and more are moved, away from the last `others` in front of them, where that takes away
    `gain` of a longest wait, or `gain_of_planes` where several places of one are gone through.
    Measured (Zen 5, three-point sums of 2000 f64 into another array): 228 ns at 256 bytes behind,
    176 at 1024, 124 at 2048, 114 from 128 in front on, 132 at no distance; five planes of 90 x 90
    f64 into five others: 3.38 us where loads wait 0.76 of the longest wait in the mean, 3.56 at
    0.91, 4.16 at 1.0."""

    page: int = 4096
    worst: int = 256
    reach: int = 2048
    near: int = 128
    near_wait: float = 0.15
    gain: float = 0.2
    gain_of_planes: float = 0.1
    least: int = 4096
    others: int = 4
    planes: int = 12


WITHIN_A_LINE = PlaceModel(worst=4, reach=64, near=64, near_wait=0.4)
"""Where only stores to the same bytes of another page hold a load up. Measured (Intel with AVX-512,
GNU's code for a[i] = b[i-1] + c[i]; b[i] = a[i+1] * d[i], 32000 f32 in L2): 0.80 ns at no distance,
0.64 at 32 bytes in front, 0.67 behind, 0.57 from 64 on either way; in L1 at most a quarter, within
64 bytes too."""
