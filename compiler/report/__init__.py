"""What a compilation shows of itself to people: one page, and pictures for notebooks.

contents   what there is to show, as data: `polyopt.driver.observed.observation` collects it
verdicts   each loop of the source in a sentence; new_order: its place, tiles and unrolling
markup     text into HTML and SVG, and nowhere else
*_picture  one kind of picture each, SVG from the data of `polyopt.poly.picture`
page       all of it on one page that needs no network
"""

if __name__ != "polyopt.report":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.report'")
