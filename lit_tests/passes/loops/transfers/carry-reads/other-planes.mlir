// Rows of few vectors are carried where the loop around does not write them: not what is stored in the other
// one of two planes, by turns, but in rows around. What has just been stored would be waited for.
// RUN: polyopt-opt %s -p 'carry-reads{march=x86-64-v4}' | filecheck %s

func.func @turns(%A : memref<2x66x66xf64>, %t : index) {
  %from = affine.apply affine_map<(d0) -> (d0 floordiv 2)> (%t)
  affine.for %i = 1 to 65 {
    affine.for %v = 1 to 65 step 8 {
      %x = pvec.read %A[%t + %from * -2, %i, %v + -1] : memref<2x66x66xf64>, vector<8xf64>
      %y = pvec.read %A[%t + %from * -2, %i, %v + 1] : memref<2x66x66xf64>, vector<8xf64>
      %s = arith.addf %x, %y : vector<8xf64>
      pvec.write %s, %A[%from * 2 - %t + 1, %i, %v] : memref<2x66x66xf64>, vector<8xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @turns(
// CHECK:         affine.for %v = 1 to 65 step 8 iter_args

func.func @rows_around(%A : memref<66x66xf64>) {
  affine.for %i = 1 to 65 {
    affine.for %v = 1 to 65 step 8 {
      %x = pvec.read %A[%i + -1, %v + -1] : memref<66x66xf64>, vector<8xf64>
      %y = pvec.read %A[%i + -1, %v + 1] : memref<66x66xf64>, vector<8xf64>
      %s = arith.addf %x, %y : vector<8xf64>
      pvec.write %s, %A[%i, %v] : memref<66x66xf64>, vector<8xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @rows_around(
// CHECK:         affine.for %v = 1 to 65 step 8 {
