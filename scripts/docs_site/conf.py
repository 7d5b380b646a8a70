"""How Sphinx reads the staged pages: Markdown, no network, the same on every machine."""

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
