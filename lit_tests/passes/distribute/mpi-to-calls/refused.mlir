// RUN: not polyopt-opt %s --split-input-file -p mpi-to-calls 2>&1 | filecheck %s

// An operation that polyopt does not make, and elements that MPI has no type for.

// CHECK: mpi.init has no lowering here
func.func @start() {
  "mpi.init"() : () -> ()
  func.return
}
