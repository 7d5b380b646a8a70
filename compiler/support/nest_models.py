"""The numbers of the models that decide about whole nests: tiles and orders of loops in the
polyhedral middle, rows in lanes, and what threads and processes run. Said and sourced as in
`core_model`, which puts them together with those of the loop stage and the judge.
"""

from __future__ import annotations

from polyopt.support.record import record


@record
class TileModel:
    """Sizes of tiles in the polyhedral middle."""

    start: float = 8.0
    scalar_start: float = 20.0
    """What starting an innermost loop costs, in vectors or not."""
    l1_line: float = 1.2
    scalar_l1_line: float = 0.6
    l2_line: float = 5.0
    """What a line costs that the level does not hold, after what prefetching hides."""
    short_l1_line: float = 2.0
    """A line of the second level where stores under a mask are slow (Zen 3), of which each row then
    takes one more than its start: rows of 1 to 8 lines come at 1.3 to 1.9 cycles a line. Measured:
    heat in cubes of 120 doubles in tiles of 16 x 16 x 16 x 32, of rows that are not cut, and as it
    is written, 1.6, 1.14 and 3.1 s; four neighbours in squares of 1300 in tiles of 64 x 16 x 64 and
    of 64 x 64 x 256, 0.57 and 0.82 s."""
    write: float = 2.0
    """A line that is written costs that many times a line that is read."""
    l1_share: float = 0.75
    l2_share: float = 0.5
    """The part of a cache that the model counts on: less of the one whose working sets have extents
    that are only guessed."""
    gain: float = 0.7
    """Tiles must cost at most this part of what no tiles cost."""
    outer_sizes: tuple[int, ...] = (8, 16, 32, 64)
    innermost_sizes: tuple[int, ...] = (32, 64, 128, 256, 512, 1)
    """Those that are tried; 1 leaves the loop untiled."""
    unrolled_copies: int = 8
    """Of a body: half of AVX2's registers, one sum for each copy and one loaded value."""


@record
class AssumedSizes:
    """Of loops and arrays of which nothing is known. Arrays of more dimensions have shorter rows:
    nobody has cubes as long as vectors."""

    extent: int = 1000
    cube: int = 128
    """Of an array of three dimensions."""
    many: int = 64
    """Of one of more."""
    largest: int = 1_000_000
    row: int = 32
    """Of a loop from one unknown place to another that looks elements up: a row of a sparse
    matrix."""

    def of_rank(self, dimensions: int) -> int:
        if dimensions < 3:
            return self.extent
        return self.cube if dimensions == 3 else self.many


@record
class CrowdedModel:
    """Rows that meet in few sets of a cache (`poly/changes/crowded_rows`)."""

    set_bytes: int = 4096
    """What all sets of L1 hold of lines side by side, where it has 64."""
    ways: int = 16
    """Of L2."""
    uses: float = 32.0
    """Of each element, so that copies in and out pay (Gram-Schmidt, strict, of 512 x 512: 512 uses,
    48 ms as it is, 25.4 padded; of 1024 x 1024, A alone padded by hand: 590 and 382; at 500 and 528
    as it is 22 and 26)."""
    limit: int = 1 << 28
    """Bytes of the new arrays together."""


@record
class RecordModel:
    """Records of which a few members are used (`poly/changes/records`)."""

    largest: int = 64
    """Numbers that a record may have."""
    share: int = 2
    """What comes with the members is at least so many times as much as they are (measured on Zen 4,
    stencils over one to four members of two to sixteen: 16 sweeps take 0.07 to 0.41 of the time
    where it is four times as much or more, and 8 sweeps 0.31 to 0.94 where it is twice or three
    times, once 1.37)."""
    uses: int = 16
    """Of each record, so that copies in and out pay."""
    limit: int = 1 << 28
    """Bytes of the new arrays together."""


@record
class ColumnModel:
    """Columns that become rows for the time of some loops (`poly/changes/columns`)."""

    uses: int = 32
    """Of each element by lanes that lie in rows of their own: a copy takes 2 to 7 cycles an
    element, what is gathered half a cycle for a lane more than a row."""
    serial_uses: int = 4
    """Of each element, one after the other, down a column whose rows meet in few sets (measured on
    Zen 4, a recurrence through all of a matrix of doubles: 8 cycles an element where rows lie 2 KiB
    apart, 12 where they lie 8, and 4 along rows, as where they lie 8000 bytes apart)."""
    set_bytes: int = 1024
    rows: int = 128
    """How many rows meet then, at least."""
    limit: int = 1 << 28
    """Bytes of the new arrays together."""


@record
class OrderModel:
    """Orders of loops, by what an iteration of the innermost one touches (`poly/cost/locality`), in
    elements that are loaded from near."""

    near: float = 1.0
    far: float = 4.0
    """An element of a line of its own, near the last one's or anywhere."""
    transposed: float = 0.75
    across: float = 2.0
    """An access whose lanes lie in rows of their own, taken as squares or one by one."""
    latency: float = 4.0
    """The least that an iteration of a serial loop takes."""
    extent: float = 100.0
    """Of each loop: the deepest statements decide."""
    gain: float = 0.6
    """Another order replaces that of the source if its innermost loops cost at most this part."""
    row_vectors: int = 6
    """Vectors in a row for which loops of a nest are interchanged (optimal search trees, vectors of
    8 f64, Zen 5: of 24 keys 1.9 of the time, 40 keys 1.2, 120 keys 0.2)."""
    jammed: float = 0.75
    """Iterations run side by side if one loads and stores at most this part of what it does alone,
    where data say how long loops inside are."""
    tolerance: float = 1.05
    """How much the innermost loops may lose where memory wins."""


@record
class ShiftModel:
    """Nests that share their outermost loop, the second some iterations late
    (`poly/changes/shifted_nests`)."""

    gain: float = 0.9
    """Bytes that are moved then, at most, of those that the nests move by themselves."""
    latest: int = 8
    """Iterations that the last one may be late."""
    rows: int = 2
    """Of each array that are there besides those between."""
    least_element: int = 4
    """Bytes: narrower ones keep the core busy for longer than memory."""


@record
class MovementModel:
    """Data that tiles move between the levels of memory (`poly/cost/memory_cost`)."""

    nominal: int = 32
    """The tile size at which derivatives are taken: that of the paper's experiments."""
    extent: float = 1000.0
    """How long a loop is taken to run where nests of different depth are compared."""
    largest: float = 1024.0
    grid: float = 1.5
    """The ratio of the sizes tried for outer loops."""
    precision: float = 1.01
    """That to which those of inner ones are found."""


@record
class ThreadModel:
    """Loops that run in threads: cycles of one operation on one element, where nothing else is
    said."""

    written_tiles: tuple[int, int] = (32, 128)
    written_instances: int = 1 << 22
    """Tiles of what is written, where loops do not commute, and instances up to which a nest is
    better off without (chains of 1200 matrices in two threads: 1.42 with these, no more with 256,
    512 and 1024 columns)."""
    lane_bytes: int = 8
    """Of elements that vectors are counted in."""
    load: float = 0.5
    store: float = 1.0
    arithmetic: float = 0.5
    float_division: float = 5.0
    divisions_at_once: float = 2.5
    """At most, however many lanes there are: a core's divider does two cycles an element."""
    integer_division: float = 20.0
    call: float = 20.0
    function: float = 15.0
    """Of `math`."""
    other: float = 1.0
    unknown_trips: int = 32
    """Of a loop whose bounds are computed within the nest."""
    least: int = 60_000
    """Cycles of a nest that is worth starting a team for."""
    least_step: float = 2_000.0
    """Of a pipeline's step: to post and to see a post takes some hundreds."""
    meeting: float = 1_000.0
    """All of a team's members wait for each other; `meeting_each` more for each of them (two:
    0.3 to 0.7 microseconds while they spin, 1.4 where they sleep)."""
    meeting_each: float = 250.0
    worth_meeting: float = 4.0
    """How many times what members wait for each other threads have to save."""
    segments: int = 8
    """Of a range whose iterations take different times: what is quadratic is off by less than a
    hundredth."""
    few_at_ends: int = 4
    """Iterations at an end of a range that may be left out by a condition, all others being alike:
    the border of a stencil."""
    lines_together: int = 2
    """Of a row, that one thread writes: a line is fetched with the one beside it."""
    fixed_parts: int = 32
    """Of a reduction whose bits are to be the same for any number of threads: as many of them as
    that have something to do."""
    moved_line: float = 25.0
    """That another core has written, among others in a row; half of all are another core's, where
    loops behind each other share out their data otherwise."""
    fetched_ahead: float = 20.0
    """Lines that a core fetches behind the end of a part of a row: what two threads lose on rows of
    120 to 4000 doubles that are updated in place is 0.07 to 0.2 microseconds a row (AVX-512 Xeon,
    2 MiB of L2 each), which is that many lines, or all of the part where it has fewer."""
    columns: int = 512
    """Of a product by a triangle, that are shared out instead of rows: at 16 threads 32 for each,
    which is what a register tile has."""
    apart: float = 1 / 32
    """Which part of a pipeline's time its last thread may wait for rows to be further apart (a QR
    factorisation of 1000 x 1200 doubles, tiles of 32 columns, two threads: 101 ms right behind the
    row before, 71 two tiles further, 72 four; Zen 5)."""
    apart_in_row: int = 8
    """Which part of its row: rows of a triangle get shorter than what they stay apart."""
    overfilled: float = 1.5
    """How many times what its caches hold a thread's part, and as much that it fetches, has to be
    for nothing of it to be there still. Two threads on rows that are updated in place break even
    at 31,000 to 34,000 lines in all (rows of 1000 and 500 doubles) and at 43,000 to 50,000 (of 300
    and 120), of which 32,768 fill one core's caches."""
    line_from_afar: float = 8.0
    """That no cache of a core's own holds, among others in a row: 6 where the last cache has it, 11
    from memory."""
    own_lines: int = 32_768
    """That a core's own caches hold."""
    last_lines: int = 393_216
    """That the last cache holds, of all that is touched: 24 of 32 MiB."""
    rows_as_lanes: float = 0.5
    """Of the lanes that rows have, for those that follow recurrences: they are transposed."""
    parts_each: int = 4
    """That a thread takes of a range that moves with the loops around it, in turns: where all of
    them go through what grows evenly, the last one to end takes an eighth longer."""
    dealt_parts: int = 64
    """Of a range whose iterations take as long as data say: a runtime takes a tenth of a
    microsecond to give one away, and the last one to end is a hundredth of all."""
    bin: int = 16
    """For each element of an array that threads have copies of: to clear the copies, and to put
    them together."""
    bin_bits: int = 16
    """Of a type all of whose numbers may be bins."""
    copied_bytes: int = 65_536
    """What a thread's copy of an array may take that is no variable of the function."""
    in_registers: int = 16
    """Elements of a small array that a region has the place of a copy of, for LLVM to keep in
    registers."""
    scratch_elements: int = 16_384
    """Of a local array of which each thread is to have its own: a few of them fit any stack."""


@record
class SharedSumModel:
    """Sums that processes share: `chunk` terms of a single loop are added up by one process, or
    `rows` rows of a nest; below `least` chunks the messages cost as much as the sum (fitted: 73
    chunks of a scalar product, two processes of one machine: 0.8 of the time of one)."""

    chunk: int = 4096
    rows: int = 16
    least: int = 64


@record
class BatchModel:
    """Small problems side by side, as many at once as a vector has lanes, on copies."""

    most_instances: int = 8192
    """Of one problem: all are looked at."""
    most_bytes: int = 131072
    """Of the copies: a part of L2 (Zen 5: 512 tridiagonal systems of 128, copies of 56 KiB beside
    an L1 of 48, take 0.24 of the time of one after the other)."""
    per_cycle: float = 2.0
    run: float = 2.0
    """For each time that a loop inside is run: its end is not foreseen, its vectors are short."""
    division: float = 4.0
    lane_division: float = 2.0
    moved: float = 4.0
    """For each vector that comes or goes: loads, shuffles and stores of a square."""
    gain: float = 0.8


@record
class LaneModel:
    """Iterations of a loop around recurrences in lanes."""

    vectors: int = 2
    """At a time."""
    strided: float = 1.25
    """For each lane of an access whose lanes are strided."""
    looked_up_singly: float = 3.0
    """For each lane of a byte or a short that its number looks up: it goes out of a vector, and
    what is there into one (Sapphire Rapids, distances of 64 bytes by a table of bits set: 2.3
    cycles in lanes, 1.2 as they are, 0.2 in vectors of 64 along the bytes)."""
    crowded: float = 3.0
    """The same where lanes lie a multiple of `set_bytes` apart: they share a few sets of L1, and
    stores seem to overlap loads (measured at rows of 256 floats)."""
    set_bytes: int = 1024
    transposed: float = 0.5
    """The same where stretches of rows are transposed."""
    latency: float = 4.0
    division_latency: float = 13.0
    divisions: float = 2.0
    """For each lane of a division."""
    per_cycle: float = 2.0
    gain: float = 0.8
    """Lanes must cost at most this part of what the loops cost."""
    masked: float = 2.0
    """For each lane of a step with too few rows on cores without mask registers, where it is asked
    for each element whether it is there (measured on Zen 4: a plane of 99 x 5 doubles, eight rows
    together, 2.1 cycles for each lane of an access)."""
    rows: int = 512
    """Of what is found row by row, so many rows at a time, which stay in L1."""
    greatest_skew: int = 4
    """Iterations by which each lane is behind its neighbour: so many more steps at the ends."""
