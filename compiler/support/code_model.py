"""How much code is written for a better one: numbers beyond which code grows faster than it gets
better. Said and sourced as in `core_model`, where they stand with those of cost."""

from __future__ import annotations

from polyopt.support.record import record


@record
class CodeModel:
    """How much code is written for a better one, in operations where nothing else is said. None of
    these is a time: beyond them code grows faster than it gets better."""

    copies: int = 128
    """Of a body, in a tile that is unrolled."""
    halved: int = 96
    """Operations of all copies of a step for what whole vectors leave, in ever fewer lanes (two
    rows rotated in place over and over, 1 to 20 doubles: 2.5 to 4.5 ns, with a mask 7.5 to 8; other
    rows each time: the same time within 0.7 ns)."""
    spread_elements: int = 8
    """Elements spread to all lanes in one round of a loop over rows that vectors have filled, from
    which on the loop stays one (two products of 8 x 8: floats 107 and 97 cycles, doubles 144 and
    118)."""
    plain_accesses: int = 6
    """Of a loop with so many LLVM's code generator looks for no better counters (Zen 5, 15 kernels
    at MEDIUM: 0.89 to 1.01 of the time, geometric mean 0.98, but for 1.04 and 1.06 of two that take
    19 and 8 us; the code generator takes 0.45 of its time. If nothing is looked for in any loop:
    0.3, but two loops of three accesses with a stride of three take 1.3 and 1.5 times as long)."""
    address_operands: int = 2
    address_registers: int = 12
    """Of operands of arithmetic behind one address that is a sum, so many make it one register, as
    long as so many registers are enough for all addresses (Intel with AVX-512, an equation of state
    of nine operands in 16 KB: 0.78 of the time; 16 registers, less the stack and two counters)."""
    store_pairs: int = 2
    operations_of_a_store: int = 6
    """Pairs of stores of doubles at least, in a loop in which no more operations come on a store
    than a core does while one goes to its cache."""
    lanes_apart: int = 4
    steps_on_their_way: int = 4
    """A vector of at most so many lanes is loaded lane by lane, if one of so many steps before has
    stored a part of it (Intel, errors of 200 x 320 pixels diffused: 0.62 of the time)."""
    moved_at_once: int = 16
    """Bytes of a copy under a condition that stays a call."""
    short: int = 12
    """Sizes that are never greater show that loops are short, and are taken from the declared
    extents of arrays. From longer rows on panels pay, and other orders, which what is known of
    sizes speaks against: blocks of a network, 14 x 14 x 16, took 1.4 times as long, products of 60
    columns 1.1 times."""
    small_block: int = 4096
    """Bytes of a temporary of two dimensions or more that is not expanded: it is in L1, with all
    that works on it, and loops around gain nothing from another order (two products of 8 x 8 in
    five loops: the judge expects 444,000 cycles where the blocks stay, and 838,000 where all are
    kept)."""
    small_array: int = 512
    """Elements of a temporary that takes its greatest place, whatever the sizes are."""
    guards: int = 2
    """Conditions that a loop is split at."""
    apart: int = 4
    """So many times the statements, where loops are written for each combination that runs."""
    residue_copies: int = 4
    residue_operations: int = 160
    """Copies of a body for its residues, and all of them: LLVM has shuffles for groups of so many
    stores."""
    arm: int = 64
    """A side of a branch that becomes part of a statement."""
    forwarded: int = 3
    """Operations that are done again in inner loops, in front of which LLVM does them."""
    selected: int = 16
    """Both sides of a branch that runs without one."""
    branched: int = 3
    """Operations of both sides, with a choice by data among them, at least, for which LLVM keeps
    the branch (Zen 4, distances of points in a periodic box: 0.52 ms with LLVM's branches, 0.22
    with selections; an edit distance by nested macros 2.8 and 1.1)."""
    counted: int = 32
    """The same where all they do is to add integers to variables, which lanes do (Zen 5, four kinds
    of 100,000 letters: 10.7 us as branches, which LLVM selects 16 lanes for, 3.6 as selections)."""
    cases: int = 16
    """Of a switch that becomes a chain of branches."""
    pointer_turn: int = 3
    unrolled_turns: int = 400
    """After so many iterations pointers are where they were, and a loop that is unrolled so."""
    states_apart: int = 4
    """So many numbers that a loop carries through one another stay numbers: of less LLVM's vectors
    are small (six filters of second order in a cascade, floats, Zen 3: 222 us for 20,000 samples
    with its vectors, 117 without, gcc 128)."""
    doubled_least: int = 16
    doubled_copies: int = 3
    doubled_body: int = 150
    """Counters that double are numbers while they are less than this, in so many copies of the loop
    at most, of so many operations (eight Walsh-Hadamard transforms of 4096 doubles, Zen 3: 43 us,
    83 without copies; one of 65,536 ints 72 and 160; sums in pairs of 65,536 floats 35 and 50)."""
    even_ratio: int = 3001
    """Of the weights of branches that are to stay branches, and have none in machine code: as no
    other pair has."""
    window_row: int = 16
    """Stores that move by less than this many elements from iteration to iteration fill a row."""
    flat_row: int = 128
    """Bytes of a row that is made one loop with the one around: longer ones have vectors."""
    window_borders: int = 16
    """Copies of what a branch at the border of an image decides on, each with a domain of its own:
    dependences of 9 are found in time, those of 25 are not."""
    window_iterations: int = 9
    window: int = 256
    """Iterations and operations of a window that is unrolled."""
    inlined: int = 40
    """A function that is inlined wherever it is called."""
    inlined_in_loops: int = 200
    inlined_growth: int = 1000
    """One that is taken into loops, and all that a function grows by."""
    specialised: int = 400
    specialised_copies: int = 2
    specialised_number: int = 64
    """Operations of a function that is copied for numbers that calls pass, how many such copies,
    and the greatest number that only bounds loops: longer ones are as good without it."""
    specialised_repeats: int = 400
    """Operations of all copies in a module for numbers that only say how often loops run: a tenth
    of the time (two grids over 4 to 6 steps: 9 and 11 %, six others: none), for the whole price of
    another function."""
    object_bytes: int = 256
    """Of a local object that is taken to pieces: larger ones are arrays."""
    power: int = 32
    """The greatest exponent of powers that become products; LLVM's choice too."""
    calls_in_a_row: int = 16
    """Calls of the mathematical library that may be made of a loop of known length: more stay a
    loop, whose own time theirs hides (gates of 16 x 96 floats: 96 calls for vectors in a row).
    Loops around one that stays a loop do so, too, where sums in vectors go through it."""
    small_buffer: int = 2048
    """Bytes of a buffer that is in the frame of its function rather than allocated. Measured (the
    greatest of 0 to 13 rows of 16 f32, 3000 times, in vectors): 44 ns for each with the C library's
    memory for 64 bytes, 5 in the frame."""
