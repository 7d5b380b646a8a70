"""Integers of innermost loops, no wider than elements and results need.

narrow                the pass: from what is stored back to what is loaded
integer_width         which bits are needed of a value, and which it can have
shifted_comparisons   comparisons that need fewer bits on another number
narrow_writer         the loop's code once more, in fewer bits
"""

if __name__ != "polyopt.passes.loops.narrow":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.narrow'")
