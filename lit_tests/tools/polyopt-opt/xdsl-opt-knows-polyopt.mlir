// RUN: xdsl-opt %s | filecheck %s

// The dialects of polyopt are there in xDSL's own tool.

func.func @row(%p: !llvm.ptr, %m: index) {
  %A = cmem.view %p [%m] : memref<?x?xf64>
  func.return
}

// CHECK: cmem.view %p[%m] : memref<?x?xf64>
