"""The runtime of threads on this machine, and what a fork costs."""

if __name__ != "polyopt.driver.threads":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.threads'")
