"""What is told to the user, where, and what pragmas say of that: warnings, all the errors of a
file, hints for names that are like another."""

if __name__ != "polyopt.frontend.messages":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.messages'")
