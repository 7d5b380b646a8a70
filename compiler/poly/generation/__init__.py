"""Loops from schedules, and the proof that they run what they should, in its order."""

if __name__ != "polyopt.poly.generation":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.generation'")
