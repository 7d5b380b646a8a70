// At the edges: a loop that runs never and does not advance from zero, quarters up to one, and a
// number so large that adding one does not change it.
// RUN: polyopt-opt %s -p 'count-float-loops' | filecheck %s

// Doubling zero is no step.
func.func @never() {
  %zero = arith.constant 0.000000e+00 : f64
  cf.br ^head(%zero : f64)
^head(%x : f64):
  %c = arith.cmpf olt, %x, %zero : f64
  cf.cond_br %c, ^body, ^exit
^body:
  %y = arith.addf %x, %x : f64
  cf.br ^head(%y : f64)
^exit:
  func.return
}

// CHECK-LABEL: func.func @never(
// CHECK-NEXT:    %zero = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    cf.br ^head(%zero : f64)
// CHECK-NEXT:  ^head(%x: f64):
// CHECK-NEXT:    %c = arith.cmpf olt, %x, %zero : f64
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %y = arith.addf %x, %x : f64
// CHECK-NEXT:    cf.br ^head(%y : f64)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

// Quarters are exact: four iterations.
func.func @quarters(%A : memref<?xf64>) {
  %zero = arith.constant 0.000000e+00 : f64
  %step = arith.constant 2.500000e-01 : f64
  %end = arith.constant 1.000000e+00 : f64
  %c0 = arith.constant 0 : index
  cf.br ^head(%zero : f64)
^head(%x : f64):
  %c = arith.cmpf olt, %x, %end : f64
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %x, %A[%c0] : memref<?xf64>
  %y = arith.addf %x, %step : f64
  cf.br ^head(%y : f64)
^exit:
  func.return
}

// CHECK-LABEL: func.func @quarters(
// CHECK-NEXT:    %zero = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %step = arith.constant 2.500000e-01 : f64
// CHECK-NEXT:    %end = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    [[V0:%\d+]] = arith.constant 0 : i32
// CHECK-NEXT:    cf.br ^head([[V0]] : i32)
// CHECK-NEXT:  ^head(%x: i32):
// CHECK-NEXT:    [[V1:%\d+]] = arith.sitofp %x : i32 to f64
// CHECK-NEXT:    [[V2:%\d+]] = arith.constant 2.500000e-01 : f64
// CHECK-NEXT:    [[V3:%\d+]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    %x_1 = arith.mulf [[V1]], [[V2]] : f64
// CHECK-NEXT:    [[V4:%\d+]] = arith.constant 4 : i32
// CHECK-NEXT:    [[V5:%\d+]] = arith.cmpi slt, %x, [[V4]] : i32
// CHECK-NEXT:    cf.cond_br [[V5]], ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    memref.store %x_1, %A[%c0] : memref<?xf64>
// CHECK-NEXT:    %y = arith.addf %x_1, %step : f64
// CHECK-NEXT:    [[V6:%\d+]] = arith.constant 1 : i32
// CHECK-NEXT:    [[V7:%\d+]] = arith.addi %x, [[V6]] overflow<nsw> : i32
// CHECK-NEXT:    cf.br ^head([[V7]] : i32)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

// 1e20 + 1 is 1e20: the loop does not end, and stays.
func.func @stands(%A : memref<?xf64>) {
  %big = arith.constant 1.000000e+20 : f64
  %step = arith.constant 1.000000e+00 : f64
  %end = arith.constant 2.000000e+20 : f64
  %c0 = arith.constant 0 : index
  cf.br ^head(%big : f64)
^head(%x : f64):
  %c = arith.cmpf olt, %x, %end : f64
  cf.cond_br %c, ^body, ^exit
^body:
  memref.store %x, %A[%c0] : memref<?xf64>
  %y = arith.addf %x, %step : f64
  cf.br ^head(%y : f64)
^exit:
  func.return
}

// CHECK-LABEL: func.func @stands(
// CHECK-NEXT:    %big = arith.constant 1.000000e+20 : f64
// CHECK-NEXT:    %step = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:    %end = arith.constant 2.000000e+20 : f64
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    cf.br ^head(%big : f64)
// CHECK-NEXT:  ^head(%x: f64):
// CHECK-NEXT:    %c = arith.cmpf olt, %x, %end : f64
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    memref.store %x, %A[%c0] : memref<?xf64>
// CHECK-NEXT:    %y = arith.addf %x, %step : f64
// CHECK-NEXT:    cf.br ^head(%y : f64)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return
