"""Finished work on disk: what was compiled is not compiled again while nothing changes."""

if __name__ != "polyopt.driver.cache":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.cache'")
