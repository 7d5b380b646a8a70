// Functions that MLIR's tools and polyopt are to understand alike, in the words of several dialects.

func.func @product(%a: memref<12x20xf64>, %b: memref<20x17xf64>, %c: memref<12x17xf64>) {
  linalg.matmul ins(%a, %b : memref<12x20xf64>, memref<20x17xf64>) outs(%c : memref<12x17xf64>)
  return
}

func.func @largest_of_rows(%a: memref<?x?xi32>, %largest: memref<?xi32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<?x?xi32>) outs(%largest : memref<?xi32>) {
  ^bb0(%x: i32, %so_far: i32):
    %y = arith.maxsi %x, %so_far : i32
    linalg.yield %y : i32
  }
  return
}

func.func @blurred(%images: memref<2x1x14x19xf32>, %weights: memref<3x1x3x3xf32>, %out: memref<2x3x12x17xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x3x12x17xf32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%images, %weights : memref<2x1x14x19xf32>, memref<3x1x3x3xf32>) outs(%out : memref<2x3x12x17xf32>)
  return
}

func.func @turned_and_shifted(%a: memref<9x13xf64>, %shift: memref<13xf64>, %b: memref<13x9xf64>) {
  %rows = memref.alloc() : memref<13x9xf64>
  linalg.broadcast ins(%shift : memref<13xf64>) outs(%rows : memref<13x9xf64>) dimensions = [1]
  linalg.transpose ins(%a : memref<9x13xf64>) outs(%b : memref<13x9xf64>) permutation = [1, 0]
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<13x9xf64>) outs(%b : memref<13x9xf64>) {
  ^bb0(%x: f64, %y: f64):
    %sum = arith.addf %x, %y : f64
    linalg.yield %sum : f64
  }
  memref.dealloc %rows : memref<13x9xf64>
  return
}

func.func @triangle(%a: memref<?x?xf64>, %x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  affine.for %i = 0 to %n {
    %start = affine.load %x[%i] : memref<?xf64>
    %rest = affine.for %j = 0 to affine_map<(i) -> (i)>(%i) iter_args(%so_far = %start) -> (f64) {
      %l = affine.load %a[%i, %j] : memref<?x?xf64>
      %y = affine.load %x[%j] : memref<?xf64>
      %p = arith.mulf %l, %y : f64
      %s = arith.subf %so_far, %p : f64
      affine.yield %s : f64
    }
    affine.store %rest, %x[%i] : memref<?xf64>
  }
  return
}

func.func @remainders(%a: memref<40xi64>, %b: memref<40xi64>) {
  affine.for %i = 0 to 40 {
    affine.if affine_set<(i) : (i mod 3 - 1 >= 0)>(%i) {
      %x = affine.load %a[(%i + 5) mod 8 + 8 * (%i floordiv 16)] : memref<40xi64>
      affine.store %x, %b[39 - %i] : memref<40xi64>
    } else {
      %y = affine.load %b[%i ceildiv 2] : memref<40xi64>
      affine.store %y, %b[%i] : memref<40xi64>
    }
  }
  return
}

func.func @window(%a: memref<?xf64>, %b: memref<?xf64>, %from: index, %to: index) {
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %inner = memref.subview %b[2] [20] [1] : memref<?xf64> to memref<20xf64, strided<[1], offset: 2>>
  scf.for %i = %from to %to step %c1 {
    %before = arith.subi %i, %c1 : index
    %behind = arith.addi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf64>
    %y = memref.load %a[%behind] : memref<?xf64>
    %s = arith.addf %x, %y : f64
    %m = arith.mulf %s, %half : f64
    memref.store %m, %inner[%i] : memref<20xf64, strided<[1], offset: 2>>
  }
  return
}

func.func @clipped(%a: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %limit = arith.constant 10 : i32
  scf.for %i = %c0 to %n step %c2 {
    %x = memref.load %a[%i] : memref<?xi32>
    %is_large = arith.cmpi sgt, %x, %limit : i32
    scf.if %is_large {
      memref.store %limit, %a[%i] : memref<?xi32>
    }
    %in_front = arith.cmpi ult, %i, %c2 : index
    %y = scf.if %in_front -> (i32) {
      scf.yield %x : i32
    } else {
      %before = arith.subi %i, %c2 : index
      %z = memref.load %a[%before] : memref<?xi32>
      scf.yield %z : i32
    }
    %c1 = arith.constant 1 : index
    %next = arith.addi %i, %c1 : index
    %has_next = arith.cmpi ult, %next, %n : index
    scf.if %has_next {
      memref.store %y, %a[%next] : memref<?xi32>
    }
  }
  return
}

func.func @by_parts(%a: memref<16x16xf64>, %b: memref<16x16xf64>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c16) step (%c4, %c4) {
    %part = memref.subview %a[%i, %j] [4, 4] [1, 1] : memref<16x16xf64> to memref<4x4xf64, strided<[16, 1], offset: ?>>
    %other = memref.subview %b[%j, %i] [4, 4] [1, 1] : memref<16x16xf64> to memref<4x4xf64, strided<[16, 1], offset: ?>>
    affine.parallel (%k, %l) = (0, 0) to (4, 4) {
      %x = affine.load %part[%k, %l] : memref<4x4xf64, strided<[16, 1], offset: ?>>
      affine.store %x, %other[%l, %k] : memref<4x4xf64, strided<[16, 1], offset: ?>>
    }
    scf.reduce
  }
  return
}

func.func @smoothed_twice(%a: memref<30xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c29 = arith.constant 29 : index
  %third = arith.constant 0.25 : f64
  %b = memref.alloc() : memref<30xf64>
  memref.copy %a, %b : memref<30xf64> to memref<30xf64>
  %last:2 = scf.for %t = %c0 to %c2 step %c1 iter_args(%from = %a, %to = %b) -> (memref<30xf64>, memref<30xf64>) {
    scf.for %i = %c1 to %c29 step %c1 {
      %before = arith.subi %i, %c1 : index
      %behind = arith.addi %i, %c1 : index
      %x = memref.load %from[%before] : memref<30xf64>
      %y = memref.load %from[%i] : memref<30xf64>
      %z = memref.load %from[%behind] : memref<30xf64>
      %xy = arith.addf %x, %y : f64
      %xyz = arith.addf %xy, %z : f64
      %m = arith.mulf %xyz, %third : f64
      memref.store %m, %to[%i] : memref<30xf64>
    }
    scf.yield %to, %from : memref<30xf64>, memref<30xf64>
  }
  memref.dealloc %b : memref<30xf64>
  return
}

func.func @dot(%a: memref<25xi64>, %b: memref<25xi64>, %out: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c25 = arith.constant 25 : index
  %zero = arith.constant 0 : i64
  %sum = scf.parallel (%i) = (%c0) to (%c25) step (%c1) init (%zero) -> i64 {
    %x = memref.load %a[%i] : memref<25xi64>
    %y = memref.load %b[%i] : memref<25xi64>
    %p = arith.muli %x, %y : i64
    scf.reduce(%p : i64) {
    ^bb0(%one: i64, %other: i64):
      %s = arith.addi %one, %other : i64
      scf.reduce.return %s : i64
    }
  }
  memref.store %sum, %out[%c0] : memref<1xi64>
  return
}
