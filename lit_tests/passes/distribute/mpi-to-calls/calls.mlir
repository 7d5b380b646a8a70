// RUN: polyopt-opt %s --split-input-file --verify-diagnostics -p mpi-to-calls | filecheck %s

// Operations become calls by the standard ABI: 532 is MPI_DOUBLE, 384 MPI_REQUEST_NULL, and a
// status is ignored by a null pointer.

// CHECK-LABEL: func.func @talk
// CHECK-NOT:   mpi.
// CHECK:       %[[place:.*]] = memref.alloca() : memref<i32>
// CHECK:       func.call @MPI_Comm_rank(%{{.*}}, %{{.*}}) : (i64, !llvm.ptr) -> i32
// CHECK:       memref.load %[[place]][] : memref<i32>
// CHECK:       %[[type:.*]] = arith.constant 532 : i64
// CHECK:       %[[room:.*]] = func.call @__polyopt_mpi_requests(%one) : (i32) -> !llvm.ptr
// CHECK:       %[[request:.*]] = cmem.offset %[[room]], %{{.*}} stride 8
// CHECK:       arith.constant 384 : i64
// CHECK:       memref.store
// CHECK:       %[[group:.*]] = func.call @__polyopt_mpi_communicator() : () -> i64
// CHECK:       func.call @MPI_Isend(%p, %one, %[[type]], %zero, %one, %[[group]], %[[request]])
// CHECK:       func.call @MPI_Recv(%p, %one, %[[type]], %zero, %one, %{{.*}}, %{{.*}})
// CHECK:       func.call @MPI_Irecv(%p, %one, %[[type]], %zero, %one, %{{.*}}, %[[request]])
// CHECK:       func.call @MPI_Waitall(%one, %[[room]], %{{.*}})
// CHECK:       func.func private @__polyopt_mpi_communicator() -> i64
// CHECK:       func.func private @MPI_Isend(!llvm.ptr, i32, i64, i32, i32, i64, !llvm.ptr) -> i32
func.func @talk(%p: !llvm.ptr, %zero: i32, %one: i32) -> i32 {
  %rank = "mpi.comm.rank"() : () -> i32
  %type = "mpi.get_dtype"() <{dtype = f64}> : () -> !mpi.datatype
  %all = "mpi.allocate"(%one) <{dtype = !mpi.request}> : (i32) -> !mpi.vector<!mpi.request>
  %request = "mpi.vector_get"(%all, %zero) : (!mpi.vector<!mpi.request>, i32) -> !mpi.request
  "mpi.request_null"(%request) : (!mpi.request) -> ()
  "mpi.isend"(%p, %one, %type, %zero, %one, %request) : (!llvm.ptr, i32, !mpi.datatype, i32, i32, !mpi.request) -> ()
  "mpi.recv"(%p, %one, %type, %zero, %one) : (!llvm.ptr, i32, !mpi.datatype, i32, i32) -> ()
  "mpi.irecv"(%p, %one, %type, %zero, %one, %request) : (!llvm.ptr, i32, !mpi.datatype, i32, i32, !mpi.request) -> ()
  "mpi.waitall"(%all, %one) : (!mpi.vector<!mpi.request>, i32) -> ()
  func.return %rank : i32
}
