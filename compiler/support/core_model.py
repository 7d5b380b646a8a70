"""The numbers of all models of what code costs: what a core takes for it, and where to draw lines.

What the passes of the loop stage, the judge and `poly/cost` weigh stands here, in groups by who
asks; sizes of the machine that is compiled for are `Target`'s. All are for a common x86-64 core,
in cycles where nothing else is said. "Tables": A. Fog, Instruction tables (Skylake and later).
"Measured": what it was measured on. All others are fitted to the times of kernels, and have no
other source: two models may have two numbers for one thing, each fitted to code of its own kind.
What a machine can be asked for itself, `polyopt-bench --core-model` measures beside these. What
decides about whole nests is in `nest_models`, how much code is written for a better one in
`code_model`, what stores and places in memory do to others in `memory_models`, what iterations wait
for in `recurrence_models`.
"""

from __future__ import annotations

from dataclasses import replace

from polyopt.support.code_model import CodeModel
from polyopt.support.memory_models import (
    WITHIN_A_LINE,
    PlaceModel,
    StreamModel,
    StridedModel,
)
from polyopt.support.nest_models import (
    AssumedSizes,
    BatchModel,
    ColumnModel,
    CrowdedModel,
    LaneModel,
    MovementModel,
    OrderModel,
    RecordModel,
    SharedSumModel,
    ShiftModel,
    ThreadModel,
    TileModel,
)
from polyopt.support.record import record
from polyopt.support.recurrence_models import PartsModel, ScanModel
from polyopt.support.target import LINE_BYTES, Target

HALF_LINE_BITS = 4 * LINE_BYTES
_SPLIT_HALVES = 1.5
_MASKED_LOAD_OF_HALF = 0.5
"""Beside the load itself (Zen 4: one in a cycle, of `vmaskmov`; tables: two micro-operations)."""
_STORES_OF_ZEN_4 = 1.0
"""In a cycle, of single floating-point numbers and of halves (measured; tables)."""
_MASKED_LOAD_OF_ZEN_4 = 0.0
"""By mask registers: as many in a cycle as without a mask (measured, of lines and of halves)."""
_MOVES_ACROSS_HALVES = 2.0
"""Fitted: products of complex numbers, and groups of four floats, as LLVM writes them (Zen 3)."""
_VERSION_OF_HALF = 2.0
"""Fitted: rows of 99 of a five-point stencil in three versions, beside LLVM's own (Zen 4)."""


_SLOW_MASKED_STORE = 18.0
"""Measured (Zen 3, `vmaskmovps` of 8 lanes): in all elements of 1 KiB, 18 to 19.5; in place 19."""
_NEAR_L1_LINE = 0.7
_NEAR_L2_LINE = 0.8
_NEAR_L3_LINE = 7.0
_NEAR_UNFORESEEN = 2.5
_NEAR_FOLLOWED_LINES = 24.0
"""Where the last level is near. Measured (Zen 3, a[i] -= 0.3f * (b[i] - c[i]) and a count of one
core): 4.5 cycles for a line of each in L1, 7.1 in L2, 10.0 in L3, 35 to 40 in memory; in runs of 1,
4, 16, 64 and 128 lines 17.9, 14.8, 14.7, 13.0, 11.5 in L3, and 113, 75, 57, 46, 40 in memory."""


@record
class CoreCosts:
    """`issue`, `loads`, `stores` and `arithmetic` are how many operations may start in a cycle;
    one on integers takes `integer_share` of what one on floating-point numbers does. A line that is
    stored across two takes `split_stores` cycles (measured, Golden and Raptor Cove: 1000 doubles in
    63 ns where lines are aligned, in 137 where they are not).
    The `*_line` are what a line costs that the named level does not hold, after what prefetching
    hides; a line that is written costs `written` times as much, and one beyond the second level
    `unforeseen` times as much, the less the more of them beyond `followed_lines` are in a row. A
    vector that is stored by a mask is not there for loads that come soon, such as those of the next
    row; it costs `unread_store` where `many_stores` and more go to an array of which no loop around
    loads (64 products of 3 x 3: 450 cycles in masked rows, 1250 in LLVM's own vectors). Those by
    masks that the data make (`chosen_*`) are of whole loops. What is skipped where such a mask
    chooses no lane of a vector is skipped for `unchosen` of all vectors.

    Strided bytes and shorts are taken into vectors and out of them `singly` (base64's four
    bytes out of a table: 1.7 cycles each as lanes of 32, 1.3 one after the other).

    Of integers, a product of vectors of 32 or 64 bits is so many operations (`long_product`,
    `longest_product`: LLVM's code for AVX2), and a division by a constant `long_division` or
    `longest_division` (where vectors have `converting_bits`, and floats convert such integers;
    elsewhere each lane is `scalarised` for a division of its own: products modulo 998244353 in
    long integers, 1.7 cycles each one by one, 0.8 in vectors), of other sizes `other_division`; by
    what is not known, it keeps the divider busy `integer_divide` times as long as one of
    floating-point numbers. A division in vectors keeps it busy `wide_division` times as long for
    each register (tables: 8 cycles for four f64, 4 for two); of single numbers, where LLVM refines
    an estimate, it is `estimate` operations (its own sequence). Products of numbers of
    `short_product_bits` that are added up need no extension: one instruction multiplies and adds
    pairs. Elements at most `short_moves` apart are taken from
    vectors of all that lies between, by `shuffles` for each of these vectors but one (one in a
    cycle), and each lane, as of bytes and shorts, at most as if it were `interleaved` alone; so are
    `whole_groups` of which nothing is left out, and stores of these take as many rounds as they
    have been doubled (Golden Cove, groups of 8 bytes: stored 0.6 cycles a group, loaded 1.7).
    Where lines are halves, words further apart take `moves_of_halves` times as long (Zen 4: rows
    of 8 doubles divided by their norms, as LLVM has iterations as lanes, 19.5 cycles a row). Where
    shuffles are within halves of vectors, those of words at most `short_moves` apart take
    `moves_across_halves` times as long (Zen 3, products of complex doubles 3.6 cycles each by LLVM,
    floats 1.5).

    The least of two integers in one lane is there after a comparison and a selection (`compared`;
    measured on Zen 5: a row of four of them and a sum 5.6 cycles by gcc; LLVM's branches, where
    they are not foreseen, 17).

    Loops that start over and over, and wait for nothing of the last time, overlap as far as what
    waits for them is `in_flight` cycles of work (256 operations, five in a cycle: four sections of
    a filter for each of 20,000 numbers, 6 cycles a section and not the 9 that it waits for the one
    before; Zen 3).

    The `*_share` are the part of each level that a kernel can count on. Who goes by at most
    `next_lines` lines at a time is followed by the prefetchers. A value that is stored is there for
    a load after `forwarded` cycles. Where fewer than `least_expected`
    cycles come out, the loops do not run for such parameters.

    What is passed for a parameter is looked for in callers, and theirs, `callers` away at most.
    Functions of up to `inlined` operations LLVM makes part of their callers. What it scatters
    and gathers along rows takes `scattered_by_llvm` and `gathered_by_llvm` cycles a lane (measured:
    ten elements of each of a thousand rows of 25, twelve of each of as many of 13); without vectors
    of 512 bits it stores and loads one by one, and takes vectors apart and puts them together for
    that (fitted: sums of ten members, inverses of three by three, divisions).

    Where at most `rings` values come from iterations before, it is asked over how many of them each
    comes back.

    The end of a loop of up to `foreseen` iterations that is as long each time is foreseen, of
    others up to `short` it is `mispredicted` (measured: Zen 4 foresees up to 96). Each time that
    one of several forms of a loop is chosen takes `version`, with what LLVM keeps at hand for the
    others (measured: rows of 1 to 64 elements of eight streams, between calls of `sincos`, each
    time of the same length: 10, 11, 11, 13, 21, 60 cycles as LLVM writes them, 21, 21, 21, 18, 31,
    58 in vectors of a line and, for what is left over, of half as many lanes again and again).

    LLVM makes vectors of `llvm_bits`, runs `llvm_chains` of them at a time, but fewer where those
    are more than `llvm_together` operations (its own rule for small loops), and the iterations that
    are left over one by one, or, where `vector_rests` and more run together, in vectors of half as
    many lanes, of `narrow_lanes` at least (its own rules for epilogues since version 20; 126
    iterations on bytes as lanes of 32 take 1.7 cycles each). Rows that grow or shrink are weighed
    at `lengths` of the numbers that they go through (measured: a factorisation of 120 x 120 floats,
    sums of 0 to 119, takes 0.35 of what rows of the mean length would, which fill no vectors), and
    tiles, where a loop has at most `few_tiles`, one by one: of the first two of a triangle, one has
    nothing on a side. A loop of at most `unrolled` operations, all iterations taken together,
    becomes straight code where their number is known.

    Loops that were made stay where they cost at most `gain` of those that they were made from, and
    `plain` of that if all is left to LLVM and nothing spared of memory: what the model does not
    see is against them, code size and tests in front. Vectors that run once also stay where they
    wait for `as_much` memory and keep the core `less_busy`: that of both may be in a nearer cache
    (waves of eighth order in 21 MB: 74.8 and 74.5 million cycles expected, 12.6 and 14.3 of them of
    the core; 4.1 and 5.2 ms). What runs over and over is asked again for innermost loops that go as
    far as `rungs`; where the code as it was written stays beside them for short runs, at most
    `both` of all runs together: each slows the other one (a Stockham transform in both forms takes
    309 us, as written 296, and in each of its stages alone as long as the quicker one).

    Where vectors are as long as half a line, a product that only a sum takes up is `fused` of an
    operation (`fused_single`, of single numbers), and a load that begins elsewhere than stores do
    takes `split_loads` (every other one goes across lines; Zen 4: seven neighbours, 1.97 ns for
    four, 1.46 with three loads less). Where a line takes as long as two halves, the same goes for
    vectors; of single numbers what LLVM makes of short rows was fitted without (Zen 4: norms of
    rows of 12 doubles, written 26 cycles, 13 if products were free)."""

    issue: float = 5.0
    loads: float = 2.0
    stores: float = 1.5
    split_stores: float = 2.0
    arithmetic: float = 2.0
    add_latency: float = 4.0
    integer_latency: float = 1.0
    compared: float = 2.0
    forwarded: float = 5.0
    integer_share: float = 0.67
    divide: float = 4.0
    divide_latency: float = 13.0
    call: float = 20.0
    gathered: float = 0.7
    scattered: float = 1.0
    scattered_by_llvm: float = 3.0
    gathered_by_llvm: float = 2.0
    scalarised_by_llvm: float = 1.0
    taken_out: float = 0.4
    put_together_by_llvm: float = 1.0
    singly: float = 1.5
    interleaved: float = 0.5
    shuffles: float = 2.0
    start: float = 6.0
    mispredicted: float = 14.0
    foreseen: float = 16.0
    version: float = 6.0
    vector_start: float = 10.0
    allocation: float = 150.0
    masked_load: float = 1.5
    masked_store: float = 10.0
    unread_store: float = 1.5
    many_stores: int = 16
    chosen_load: float = 0.5
    chosen_store: float = 1.0
    unchosen: float = 0.25
    rings: int = 12
    l1_line: float = 1.2
    l2_line: float = 5.0
    l3_line: float = 12.0
    unforeseen: float = 2.0
    followed_lines: float = 2.0
    written: float = 2.0
    short_moves: int = 4
    whole_groups: tuple[int, ...] = (2, 4, 8)
    moves_of_halves: float = 2.0
    moves_across_halves: float = 1.0
    short_product_bits: int = 16
    wide_division: float = 2.0
    estimate: float = 5.0
    long_product: float = 2.0
    longest_product: float = 3.0
    long_division: float = 8.0
    longest_division: float = 16.0
    other_division: float = 3.0
    scalarised: float = 2.0
    converting_bits: int = 512
    product_latency: float = 3.0
    by_constant_latency: float = 5.0
    unknown_division: float = 4.0
    integer_divide: float = 1.5
    l1_share: float = 0.75
    l2_share: float = 0.6
    l3_share: float = 0.4
    in_flight: float = 50.0
    next_lines: float = 4.0
    least_expected: float = 40.0
    llvm_bits: int = 256
    llvm_chains: int = 4
    llvm_together: int = 20
    vector_rests: int = 16
    narrow_lanes: int = 4
    lengths: int = 8
    few_tiles: int = 4
    unrolled: int = 300
    short: float = 48.0
    inlined: int = 80
    callers: int = 4
    gain: float = 0.97
    less_busy: float = 0.9
    as_much: float = 1.05
    plain: float = 0.8
    both: float = 0.93
    overlapped: float = 0.5
    fused: float = 1.0
    fused_single: float = 1.0
    split_loads: float = 1.0
    rungs: tuple[int, ...] = (2, 4, 8, 16, 32, 64)

    @staticmethod
    def of(target: Target, *, fuses: bool = False) -> CoreCosts:
        """`fuses`: a product and a sum may be rounded once."""
        usual = CoreCosts(llvm_bits=min(target.vector_bits, 256))
        if target.slow_masked_stores:
            usual = replace(usual, masked_store=_SLOW_MASKED_STORE)
        if target.near_last:
            usual = replace(
                usual,
                l1_line=_NEAR_L1_LINE,
                l2_line=_NEAR_L2_LINE,
                l3_line=_NEAR_L3_LINE,
                unforeseen=_NEAR_UNFORESEEN,
                followed_lines=_NEAR_FOLLOWED_LINES,
            )
        if target.halves_lines:
            usual = replace(
                usual,
                fused=0.0 if fuses else 1.0,
                stores=_STORES_OF_ZEN_4,
                split_loads=_SPLIT_HALVES,
                masked_load=_MASKED_LOAD_OF_ZEN_4
                if target.has_mask_registers
                else usual.masked_load,
            )
        if target.shuffles_halves:
            usual = replace(usual, moves_across_halves=_MOVES_ACROSS_HALVES)
        if target.vector_bits != HALF_LINE_BITS:
            return usual
        return replace(
            usual,
            fused=0.0 if fuses else 1.0,
            fused_single=0.0 if fuses else 1.0,
            split_loads=_SPLIT_HALVES,
            foreseen=usual.short,
            masked_load=_MASKED_LOAD_OF_HALF,
            version=_VERSION_OF_HALF,
        )


@record
class RowModel:
    """Rows of a loop that run together, and vectors of a row."""

    rows: int = 4
    streams: int = 6
    """So many rows of arrays are followed by the prefetchers at once."""
    least_shared: float = 0.5
    """Loads or stores for each row's step."""
    least_part: float = 0.15
    few_bytes: int = 448
    """The part of all loads and stores of the step where these go along more than `streams`, or how
    short rows are that share less (Zen 5, in four rows: root mean square norms of rows of 500
    floats in 2.4 MB share an eighth, and take 1.07 of the time; FDTD in three dimensions a tenth,
    in rows of 64 floats, 0.81; heat a fifth, 50 doubles, 0.87; depthwise filters 0.5; Zen 4: FDTD
    0.95, horizontal diffusion in 40 MB a tenth, 64 doubles, 1.22). Longer rows whose stores lie
    across lines run by themselves (Sapphire Rapids, the norms above in four rows: 1.8 times as
    long, 100 rows 1.25, 60 rows of 250 floats 1.3, of 60 floats in L2 0.9, of 64 0.8)."""
    least_saved: int = 2
    """Instructions, in a step of two vectors of the widest values and not one, where narrower ones
    fill a vector then: their second half has to be brought to its place."""
    short_step: int = 24
    short_steps: int = 4
    long_row: int = 12
    """A step of so few operations takes several vectors of rows that may be `long_row` times as
    long (24 MB in the last cache: 0.8 of the time; rows of 64 doubles: 1.1 of it)."""
    little_divided: int = 10
    """Of more operations that wait for a division one vector goes in a step (Zen 5, remainders of
    products, converted and divided, 18 in all: 300 rows of 1000 doubles take 1.00 to 1.04
    of the time, 40 of 40 1.00 to 1.03, a third of the code; of 8 operations, rows of 30: 1.10)."""
    filled: int = 4
    mask: float = 2.0
    """Of so many whole vectors, rows are of halves where these are filled and a line takes two of
    them; a mask is as much as so many halves (Zen 4: root mean square norms of 24 floats 23.4 us,
    in halves 18.1, of 12 doubles 19.2 and 10.7)."""
    chains: int = 4
    """Accumulators of one sum: as many as an addition takes cycles (tables: 4)."""
    chains_of_many: int = 2
    """Whole vectors of each row in a step where there are more values that are the same in all
    lanes than registers: each is loaded once for them."""
    searched: int = 4
    """Vectors of a row that is searched for its best element, at least, where its length is known:
    the lanes that meet behind it take as long as two or three of them (counted by their operations,
    not measured)."""
    spilled_squares: float = 2.0
    """So many times the registers may be in use: what a square of 16 x 16 bytes and another one for
    the way back (in-place rotations) spill takes a tenth of what bytes one by one do."""
    narrow_square_bytes: int = 16
    """Of a vector of bytes or shorts in a square: one register of the oldest kind, whose lanes are
    interleaved by one instruction in each of the steps."""
    least_square: int = 4
    """Rows of a square, or as many as a vector has elements where these are fewer."""
    held_of_l1: float = 0.25
    """Of the first level, that a row may take which the loop in front has gone over: others go
    along with it (chosen, not measured)."""


@record
class RegisterModel:
    """Tiles of registers around serial loops. Loads and vector operations that begin in a cycle,
    operations that end in one, and how long an addition or a fused product takes: of a core of the
    last ten years."""

    loads: float = 2.0
    pipes: float = 2.0
    issue: float = 4.0
    latency: float = 4.0
    assumed: int = 256
    """The trip count of a loop of which nothing is known."""
    most_apart: int = 4
    """Sums that one is taken apart to where it may have any order: as many as an addition takes
    cycles (tables: 4)."""
    standing: int = 16
    """Iterations of a serial loop beside which what is computed once for all of them is nothing."""
    rows: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14)
    vectors: tuple[int, ...] = (1, 2, 3, 4)
    """The tiles that are tried."""
    crowded: float = 2.4
    """A lane that is gathered costs so many times as much where lanes lie a multiple of
    `LaneModel.set_bytes` apart (strict sums of products of two rows of 64 x 64 floats: 0.95 cycles
    a lane, of 60 x 60 floats 0.43, which is `StridedModel.gathered`)."""
    gathered_gain: float = 0.4
    """Tiles whose columns are gathered must take at most this part of one iteration at a time: some
    cores add in half of `latency` (measured on Sapphire Rapids: the sums above take 1.4 cycles an
    iteration as they are, 0.87 in lanes, 1.9 in crowded ones)."""
    largest: int = 640
    """Operations in the innermost loop of a tile: more code costs more than its loads save."""
    largest_of_rests: int = 128
    """The same of a tile whose rows left over go in tiles of half as many, not one by one."""
    least_bits: int = 128
    steps_across: float = 1.5
    """Shuffles that put an element of less than `long` bytes into all lanes of its row, where that
    is two parts of a register: eight of a row take four and eight (measured on Rocket Lake: 8 x 8
    floats 52 cycles in vectors of two rows, 37 in vectors of one)."""
    long: int = 8
    wide_bytes: int = 32
    wide_pipes: float = 1.0
    """Vectors of more bytes are computed by so many pipes, beside that for shuffles (many cores
    with AVX-512; the same products with an addition for each product 67 and 52 cycles)."""


@record
class BlockModel:
    """Blocked contractions, beside what Goto's analysis says."""

    most_vectors: int = 4
    rows_unit: int = 4
    deepest: int = 384
    depth_unit: int = 8
    l1_share: float = 1.5
    """So many times L1 is the part of a column panel that a tile reads: it is read in order."""
    l2_share: float = 0.5
    """Of the row panels."""
    column_block_bytes: int = 4 * 1024 * 1024
    least_depth: int = 16
    smallest: int = 8
    """Iterations of each loop of a contraction that is packed."""
    smallest_grouped: int = 12
    """The same where several steps are done at once, beside tiles of registers that do not pack
    (measured with run-time sizes on Zen 5: 17 x 17 bytes 0.75 of these, 24 x 24 1.0)."""
    smallest_scaled: int = 20
    """The same of a product with a factor that is multiplied once for each row (alpha * A), beside
    tiles of registers that multiply it in each strip (measured on Zen 5, in doubles: 32 x 32 82
    and 63 GFLOP/s, 40 x 40 as fast, 48 x 48 67 and 80)."""
    unpacked_l2_share: float = 0.5
    """The part of L2 that a panel may fill which is read where it lies, in tiles of registers
    (measured: from 256 x 256 doubles and 400 x 400 floats on packing pays, with 1 MiB)."""
    unpacked_skew: int = 8
    """A panel that is so many times longer or shorter than a square one of that size is still
    worth packing."""
    few_registers: int = 16
    """With more of them, a product that is not fused needs no account."""
    fused_bits: int = 256
    """x86 has fused operations where it has vectors of this width."""
    on_stack_bytes: int = 16 * 1024
    """Larger buffers are allocated."""


@record
class CarriedModel:
    """Vectors that go from step to step, against loads that go across lines: measured on five and
    nine points and waves of fourth order, in and beyond L1."""

    waiting: float = 1.25
    """What a load's turn counts where L1 may not hold the line."""
    overlap: float = 0.5
    """The part of arithmetic that is done while loads run."""
    start: float = 24.0
    """Cycles of a load under a mask in front of the loop, with its mask: of what has been stored
    by whole vectors just before, it waits for the store."""
    unstored_start: float = 4.0
    """Of what no loop nearby has stored."""
    assumed: float = 32.0
    """Steps of a loop of which nothing is known."""
    least_bytes: int = 4
    """Of an element: smaller ones take three operations to go from two vectors to one (tables)."""
    handed_values: int = 8
    """Elements that serial loops hand on from iteration to iteration, at most: half of the
    registers that there are without AVX-512, beside what the loop computes."""
    handed_by_several: int = 4
    """Of one array that has several stores in the loop. (Zen 3, errors of a dithered image: three
    by Floyd and Steinberg 271 us, 178 in registers, rounded after each step 263 and 234; eight by
    Sierra 332 and 329, rounded 376 and 401.)"""
    registers_part: int = 4
    """One in so many registers may hold what is carried."""
    aligned_start: float = 24.0
    """Cycles of the vector under a mask with which a row begins so that its stores are aligned."""
    short_rows: int = 16
    """Rows of fewer vectors begin and end without masks where what they store is soon read again: a
    load waits 5 ns for what was stored under a mask, but not where the row has so many others. Long
    ones lose by it: a step on no line takes 0.4 ns more, and of what is left in ever fewer lanes a
    branch is guessed wrong where rows grow by one (Levinson-Durbin with 600 coefficients: 1.06 of
    the time)."""
    split_store: float = 0.3
    """Cycles of a store across two lines, above one within a line."""
    crowded: float = 1.1
    """Times as long as all loads as arithmetic may take with what lanes are moved, where one port
    does both (Intel, 1.17: an equation of state loses a quarter; 1.04: a mask of unsharpness gains
    0.04)."""
    narrow_load: float = 0.5
    split_line: float = 0.5
    line_store: float = 2.0
    """Cycles of a line beside one for a load, where lines take as long as two halves (Zen 4: a load
    across two lines 1.5 cycles, of half a line 0.5 and 1; stores 2, and of halves 1)."""
    aligned_rows: float = 0.25
    """Of rows whose distance is not known, the part that begins where the stored one does, as far
    as lines go: distances are even more often than not."""


@record
class CoreModel:
    nests: CoreCosts = CoreCosts()
    strided: StridedModel = StridedModel()
    rows: RowModel = RowModel()
    scans: ScanModel = ScanModel()
    parts: PartsModel = PartsModel()
    lanes: LaneModel = LaneModel()
    batches: BatchModel = BatchModel()
    registers: RegisterModel = RegisterModel()
    blocks: BlockModel = BlockModel()
    carried: CarriedModel = CarriedModel()
    streams: StreamModel = StreamModel()
    tiles: TileModel = TileModel()
    assumed: AssumedSizes = AssumedSizes()
    orders: OrderModel = OrderModel()
    crowded: CrowdedModel = CrowdedModel()
    records: RecordModel = RecordModel()
    columns: ColumnModel = ColumnModel()
    shifts: ShiftModel = ShiftModel()
    movement: MovementModel = MovementModel()
    threads: ThreadModel = ThreadModel()
    code: CodeModel = CodeModel()
    places: PlaceModel = PlaceModel()
    places_within_a_line: PlaceModel = WITHIN_A_LINE
    shared_sums: SharedSumModel = SharedSumModel()


CORE = CoreModel()
