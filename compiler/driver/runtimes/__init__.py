"""What is compiled into a program beside the user's code."""

if __name__ != "polyopt.driver.runtimes":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver.runtimes'")
