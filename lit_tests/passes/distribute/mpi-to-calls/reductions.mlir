// RUN: polyopt-opt %s -p mpi-to-calls | filecheck %s
// RUN: sed 's/MPI_BXOR/MPI_LAND/' %s > %t.mlir; not polyopt-opt %t.mlir -p mpi-to-calls 2>&1 | filecheck %s --check-prefix=OTHER

// Constants of MPI 5.0, A.1.2: MPI_SUM 0x21, MPI_BXOR 0x2a, MPI_DOUBLE 0x214, MPI_UINT32_T 0x251.

// CHECK-LABEL: func.func @total
// CHECK:       %[[real:.*]] = arith.constant 532 : i64
// CHECK:       %[[sum:.*]] = arith.constant 33 : i64
// CHECK:       %[[group:.*]] = func.call @__polyopt_mpi_communicator() : () -> i64
// CHECK:       func.call @MPI_Allreduce(%p, %q, %one, %[[real]], %[[sum]], %[[group]])
// CHECK:       %[[whole:.*]] = arith.constant 593 : i64
// CHECK:       %[[xor:.*]] = arith.constant 42 : i64
// CHECK:       func.call @MPI_Allreduce(%p, %q, %one, %[[whole]], %[[xor]], %{{.*}})
// CHECK:       func.func private @MPI_Allreduce(!llvm.ptr, !llvm.ptr, i32, i64, i64, i64) -> i32
// OTHER:       mpi.allreduce by MPI_LAND has no lowering here
func.func @total(%p: !llvm.ptr, %q: !llvm.ptr, %one: i32) {
  %real = "mpi.get_dtype"() <{dtype = f64}> : () -> !mpi.datatype
  "mpi.allreduce"(%p, %q, %one, %real) <{operationtype = !mpi.operation<"MPI_SUM">}> : (!llvm.ptr, !llvm.ptr, i32, !mpi.datatype) -> ()
  %whole = "mpi.get_dtype"() <{dtype = ui32}> : () -> !mpi.datatype
  "mpi.allreduce"(%p, %q, %one, %whole) <{operationtype = !mpi.operation<"MPI_BXOR">}> : (!llvm.ptr, !llvm.ptr, i32, !mpi.datatype) -> ()
  func.return
}
