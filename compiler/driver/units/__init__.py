"""One file through all levels: read, the passes' options, modules as text."""

if __name__ != "polyopt.driver.units":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.units'")
