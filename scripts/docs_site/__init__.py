"""What `scripts/build_docs.py` is made of: how the pages become those of a site."""
