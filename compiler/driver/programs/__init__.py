"""Compiled files in this process: what Python's users hold."""

if __name__ != "polyopt.driver.programs":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.programs'")
