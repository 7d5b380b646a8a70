// RUN: not polyopt-opt %s -p mpi-to-calls 2>&1 | filecheck %s

// Elements that have no type in MPI.

// CHECK: elements of type !llvm.ptr cannot be sent
func.func @pointers() {
  %type = "mpi.get_dtype"() <{dtype = !llvm.ptr}> : () -> !mpi.datatype
  func.return
}
