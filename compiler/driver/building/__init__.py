"""Command lines: inputs to objects and programs."""

if __name__ != "polyopt.driver.building":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.building'")
