"""What `scripts/mutate.py` is made of: mutants, the tests that run each line, and their runs."""
