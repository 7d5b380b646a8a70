"""Loops that run in several threads: which, as `omp` operations, and as functions of a team."""
