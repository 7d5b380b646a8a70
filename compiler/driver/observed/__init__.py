"""What is told of a compilation, and measured of its run."""

if __name__ != "polyopt.driver.observed":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.observed'")
