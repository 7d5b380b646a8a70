// RUN: not polyopt-opt %s -p 'poly-place{grid="2by2"}' 2>&1 | filecheck %s --check-prefix=GRID
// RUN: not polyopt-opt %s -p 'poly-place{grid="*" map=cyclic}' 2>&1 | filecheck %s --check-prefix=OPEN
// RUN: not polyopt-opt %s -p 'poly-place{grid="*x*"}' 2>&1 | filecheck %s --check-prefix=TWO
// RUN: not polyopt-opt %s -p 'poly-place{grid="2" size=3}' 2>&1 | filecheck %s --check-prefix=SIZE

// Options that mean nothing are refused.

// GRID: '2by2' is no grid of processes
// OPEN: parts in turns are for a number of processes that is known
// TWO:  how many processes are left is said of one dimension only
// SIZE: a size of 3 means nothing to parts that are block
builtin.module {}
