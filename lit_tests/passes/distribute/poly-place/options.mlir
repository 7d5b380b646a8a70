// RUN: not polyopt-opt %s -p 'poly-place{grid="2by2"}' 2>&1 | filecheck %s --check-prefix=GRID
// RUN: not polyopt-opt %s -p 'poly-place{grid="*" map=cyclic}' 2>&1 | filecheck %s --check-prefix=OPEN
// RUN: not polyopt-opt %s -p 'poly-place{grid="*x*"}' 2>&1 | filecheck %s --check-prefix=TWO
// RUN: not polyopt-opt %s -p 'poly-place{grid="2" size=3}' 2>&1 | filecheck %s --check-prefix=SIZE
// RUN: not polyopt-opt %s -p 'poly-place{map=lattice generators=1,2,3}' 2>&1 | filecheck %s --check-prefix=THREE
// RUN: not polyopt-opt %s -p 'poly-place{map=lattice generators=1,2,2,4}' 2>&1 | filecheck %s --check-prefix=FLAT
// RUN: not polyopt-opt %s -p 'poly-place{map=lattice grid="4" generators=1,2,0,5}' 2>&1 | filecheck %s --check-prefix=FIVE
// RUN: not polyopt-opt %s -p 'poly-place{map=lattice generators=3 owned=true}' 2>&1 | filecheck %s --check-prefix=OWNED
// RUN: not polyopt-opt %s -p 'poly-place{map=block generators=3}' 2>&1 | filecheck %s --check-prefix=BLOCK

// Options that mean nothing are refused.

// GRID: '2by2' is no grid of processes
// OPEN: parts in turns are for a number of processes that is known
// TWO:  how many processes are left is said of one dimension only
// SIZE: a size of 3 means nothing to parts that are block
// THREE: a lattice has as many vectors as they have numbers
// FLAT: the lattice is for 0 processes, its determinant, and there may be 1 to 1048576
// FIVE: the lattice is for 5 processes, its determinant, not 4
// OWNED: parts along a lattice are no rows, so nobody can own them
// BLOCK: generators mean nothing to parts that are block
builtin.module {}
