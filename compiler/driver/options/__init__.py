"""Command-line options, read into settings."""

if __name__ != "polyopt.driver.options":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.options'")
