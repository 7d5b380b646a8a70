"""Serial loops in pieces: strips in which some of the work is in loops of its own.

isolate_calls       calls that have vector forms, apart from what keeps a loop serial
split_recurrences   what there is beside recurrences, ahead of them and behind
late_choices        what an iteration waits for is compared last
call_pieces         how a loop falls into pieces, in turns with and without calls
recurrence_parts    how it falls into recurrences and what does not wait for them
parts_model         what it costs as it is, and in parts
piece_writer        strips, a loop for each piece, and what one hands on to another
"""

if __name__ != "polyopt.passes.loops.pieces":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.pieces'")
