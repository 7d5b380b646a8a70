"""The numbers of models of memory: when stores are non-temporal, how loads wait for stores to
other places, and what lanes cost that are strided (`core_model` says what such numbers are)."""

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


@record
class StridedModel:
    """Vectors whose lanes are strided in memory, against one iteration at a time: measured on loops
    of one to five such accesses and one to twelve operations."""

    one_by_one: int = 16
    """Of a loop that goes less far, beside one for long runs, LLVM makes no copies."""
    window_places: float = 2.0
    """Of a window: places beside the first one, in each row, for which halves of a line pay."""
    window_slack: float = 1.75
    """Loads of a window take so many times what is computed, at least."""

    issue: float = 6.0
    slow: float = 4.0
    """A division or root, one at a time."""
    slow_in_vectors: float = 2.0
    """The same for each lane."""
    per_cycle: float = 2.0
    """Vector operations."""
    gathered: float = 0.42
    scattered: float = 0.5
    """For each lane, with AVX-512."""
    narrow_gathered: float = 0.65
    narrow_scattered: float = 0.8
    """The same without."""
    singly_gathered: float = 0.7
    singly_masked: float = 2.0
    singly_to_one: float = 2.0
    """Where a CPU gathers no faster than element by element (AMD): for each lane of whole vectors,
    and under a mask by one instruction; and `lanes_to_one` there (Zen 4, rows of 9 and 64 doubles
    of a sparse matrix: gathered 10.2 and 32 ns, loaded one by one into vectors 4.0 and 21, without
    vectors 4.3 and 35; rows of 3 gathered under a mask 4.9, without vectors 1.7)."""
    loop: float = 0.15
    """What is the same for each iteration."""
    gain: float = 0.9
    """Vectors must cost at most this part."""
    near_stride: int = 4
    """So many vectors are loaded for the elements of one rather than each element alone."""
    llvm_stride: int = 4
    """Stores up to this far apart LLVM puts together by shuffles."""
    many_bytes: int = 3
    """From so many bytes side by side on, ours are better, where bytes are shuffled across all of a
    register (`is_for_llvm`)."""
    lanes_to_one: float = 10.0
    """What it takes to add up the lanes of a vector: three shuffles and three additions, and what
    comes before and behind the loop (tables)."""
    least_staged: int = 192
    """Iterations that look bytes up, for which these are brought into registers: the places are
    gone through twice, and 256 bytes copied."""
    vectors_of_sum: int = 4
    """So many vectors are enough for any sum of gathered elements."""
    unforeseen_end: float = 0.33
    """The part of rows whose length data say that end where it is not foreseen. Measured (Intel
    with AVX-512, sparse rows, in one vector under a mask, and one by one): 16 lanes of floats 4.4
    ns, rows of 5 2.6, of 7 3.4, of 0 to 16 at random 11; 8 of doubles 4.2, 3.3, 4.2, 12."""
    wide_bits: int = 512
    """From this width on all operations may have masks, and there are scatters."""
    handed_on: float = 36.0
    """From the store of a vector until a load that takes parts of two of them has both (measured:
    w[i] += w[i - v] takes 12.5 / v ns in vectors for v up to 65, 0.35 one by one from 12 on)."""
    masked_bytes: tuple[int, ...] = (4, 8)
    """Elements that narrower vectors have masked loads and stores for."""
    across_halves: int = 2
    """Instructions for a shuffle of two vectors across their halves, at least (AVX2)."""
    word_bytes: int = 4
    """Elements that a gather takes as they are."""
