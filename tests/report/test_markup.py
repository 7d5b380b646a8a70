"""Text into markup: everything is escaped once, everything is closed."""

import json
from xml.etree import ElementTree

import pytest

from polyopt.report.markup import Markup, data_block, element, join

ODD = "<b a=\"1\" c='2'>&amp;</b></script>\x00\x1b[0m\udcff ]]> é \u2028 -->"


def test_text_comes_out_as_it_went_in():
    tree = ElementTree.fromstring(element("p", ODD, title=ODD))
    readable = ODD.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace("\udcff", "\ufffd")
    assert tree.text == readable
    assert tree.get("title") == readable
    assert len(list(tree)) == 0


def test_markup_is_not_escaped_again():
    inner = element("i", "x < y")
    assert element("b", inner, ["&", inner]) == f"<b>{inner}&amp;{inner}</b>"
    assert join("<", inner, None) == f"&lt;{inner}"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"class_": "a", "data_t": 3}, '<g class="a" data-t="3"></g>'),
        ({"r": 2.5, "x": 1e6}, '<g r="2.5" x="1e+06"></g>'),
        ({"open": True, "hidden": False, "id": None}, '<g open=""></g>'),
    ],
)
def test_attributes(attributes: dict[str, str | int | float | bool | None], expected: str):
    assert element("g", **attributes) == expected


def test_void_elements_have_no_end():
    assert element("br") == "<br/>"
    assert isinstance(element("br"), Markup)


def test_data_cannot_end_its_element():
    block = data_block({"text": ODD, "n": [1, 2]})
    inner = block.partition(">")[2].rpartition("<")[0]
    assert not set(inner) & set("<>&")
    assert json.loads(inner) == {"text": ODD, "n": [1, 2]}
