"""A random program: one C function that works on arrays, and the calls that it is tried with.

    Program(text, function, sizes, parameters, buffers, runs)

The same seed gives the same program. The text is C without a `main`; `harness` fills the buffers
and calls it, in this process or from a `main` of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager

from polyopt.support.record import record
from polyopt.tools.fuzz.programs import data_decided, kernels, pieces, rows, tables, walks
from polyopt.tools.fuzz.programs.batches import batch
from polyopt.tools.fuzz.programs.bits import bits
from polyopt.tools.fuzz.programs.choices import Choices, table
from polyopt.tools.fuzz.programs.in_place import moved_in_place
from polyopt.tools.fuzz.programs.loops import Bounds, loop
from polyopt.tools.fuzz.programs.memory import Argument, Buffer, Iterator, Size
from polyopt.tools.fuzz.programs.narrow_products import narrow_product
from polyopt.tools.fuzz.programs.pointer_rows import rows_of_pointers
from polyopt.tools.fuzz.programs.records import records
from polyopt.tools.fuzz.programs.states import kept_state, listed_work
from polyopt.tools.fuzz.programs.ways_back import exchange, way_back
from polyopt.tools.fuzz.programs.writer import RUNS, SIZES, Writer

PIECES: dict[str, Callable[[Writer], None]] = {
    "nest": pieces.random_nest,
    "reduction": pieces.reduction,
    "search": pieces.search,
    "recurrence": kernels.recurrence,
    "stencil": kernels.stencil,
    "product": kernels.product,
    "solver": kernels.solver,
    "scatter": kernels.scatter,
    "pointer walk": walks.pointer_walk,
    "aliasing": walks.aliasing,
    "loop that data end": walks.data_ended,
    "odd counter": walks.odd_counter,
    "call with arrays": walks.call,
    "rows of pointers": rows_of_pointers,
    "narrow product": narrow_product,
    "rows by turns": tables.rows_by_turns,
    "scratch": tables.scratch,
    "load under a condition": data_decided.load_under_condition,
    "sum under a condition": data_decided.sum_under_condition,
    "cursor": data_decided.cursor,
    "irregular sum": data_decided.irregular_sum,
    "middle of an array": data_decided.middle,
    "records": records,
    "batch": batch,
    "rows concluded": rows.rows_concluded,
    "bordered window": rows.bordered_window,
    "left looking": rows.left_looking,
    "interval table": rows.interval_table,
    "kept state": kept_state,
    "listed work": listed_work,
    "way back": way_back,
    "exchange": exchange,
    "moved in place": moved_in_place,
    "bits of numbers": bits,
}
KINDS = table(
    "piece",
    nest=35,
    reduction=12,
    search=9,
    recurrence=10,
    stencil=12,
    product=9,
    solver=6,
    scatter=9,
    pointer_walk=7,
    aliasing=6,
    loop_that_data_end=6,
    odd_counter=4,
    call_with_arrays=5,
    rows_of_pointers=5,
    narrow_product=6,
    rows_by_turns=8,
    scratch=6,
    load_under_a_condition=8,
    sum_under_a_condition=7,
    cursor=5,
    irregular_sum=6,
    middle_of_an_array=7,
    records=6,
    batch=9,
    rows_concluded=8,
    bordered_window=6,
    left_looking=6,
    interval_table=5,
    kept_state=6,
    listed_work=6,
    way_back=6,
    exchange=7,
    moved_in_place=8,
    bits_of_numbers=6,
)
COUNT = table("pieces of a program", one=40, two=35, three=18, around_a_loop=12)
LARGEST = table("largest size", **{"100": 40, "48": 35, "16": 25})
FUNCTION = "kernel"


@record
class Program:
    """`arguments` follow the sizes, in the order of the parameters; `runs` are values of the
    sizes; `drawn` counts the features."""

    seed: int
    text: str
    sizes: tuple[Size, ...]
    parameters: tuple[str, ...]
    arguments: tuple[Argument, ...]
    buffers: tuple[Buffer, ...]
    runs: tuple[tuple[int, ...], ...]
    drawn: Counter[tuple[str, str]]


def random_program(seed: int) -> Program:
    choices = Choices(f"program {seed}")
    most = int(choices.pick(LARGEST))
    writer = Writer(choices, most)
    kind = choices.pick(COUNT)
    if kind == "around a loop":
        t = writer.fresh("t")
        with loop_of_few(writer, t):
            for _ in range(choices.number(1, 2)):
                _piece(writer)
    else:
        for _ in range({"one": 1, "two": 2, "three": 3}[kind]):
            _piece(writer)
    sizes = tuple(writer.sizes)
    parameters = (
        *(f"{one.scalar.c} {one.name}" for one in sizes),
        *(text for text, _ in writer.parameters),
    )
    head = [*writer.globals, *writer.functions]
    signature = f"void {FUNCTION}({', '.join(parameters)})"
    text = "\n".join(["#include <math.h>", "", *head, "", signature, "{", *writer.lines, "}", ""])
    return Program(
        seed,
        text,
        sizes,
        parameters,
        tuple(argument for _, argument in writer.parameters),
        tuple(writer.buffers),
        tuple(_sizes_of_run(choices, run, most) for run in range(RUNS)),
        choices.drawn,
    )


def loop_of_few(writer: Writer, name: str) -> AbstractContextManager[Iterator]:
    """A loop of time steps."""
    steps = writer.choices.number(2, 4)
    return loop(writer, bounds=Bounds("0", str(steps), 0, steps - 1), form="for up", name=name)


def _piece(writer: Writer) -> None:
    PIECES[writer.choices.pick(KINDS)](writer)


def _sizes_of_run(choices: Choices, run: int, most: int) -> tuple[int, ...]:
    """The first run is of a good size, others are of any, 0 included."""
    known = [size for size in SIZES if size <= most]
    if run == 0:
        known = known[len(known) // 2 :]
    return tuple(choices.one(known) for _ in range(3))
