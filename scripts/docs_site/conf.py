"""How Sphinx reads the staged pages: Markdown, no network, the same on every machine."""

from functools import cache
from typing import Any

project = "polyopt"
author = "the polyopt authors"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
source_suffix = {".md": "markdown"}
root_doc = "README"
html_theme = "furo"
html_title = "polyopt"
html_copy_source = False
html_show_copyright = False
highlight_language = "text"
myst_heading_anchors = 4
toc_object_entries_show_parents = "hide"


def setup(app: Any) -> None:
    """Of four hundred pages that show a file each would have the list of all pages made for it
    alone: it is the same for those in folders of one depth."""
    lists = dict[int, Any]()

    def listed_once(_: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
        if page.startswith("files/") and "toctree" in context:
            context["toctree"] = lists.setdefault(page.count("/"), cache(context["toctree"]))

    app.connect("html-page-context", listed_once, priority=400)
