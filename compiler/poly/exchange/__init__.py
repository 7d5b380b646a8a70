"""SCoPs and schedules in the formats of other polyhedral tools, and as graphs to look at.

Data and text only: no file is opened here, and no schedule that was read is believed before
`polyopt.poly.legality` has seen it.
"""

if __name__ != "polyopt.poly.exchange":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.exchange'")
