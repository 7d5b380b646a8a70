// A picture is smoothed along its rows, and the result scaled by a matrix: as other compilers write
// modules, with loops of scf, subscripts by arith, and linalg. docs/mlir.md walks through it.
func.func @smooth(%out: memref<?x?xf32>, %in: memref<?x?xf32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %third = arith.constant 0.333333343 : f32
  %last = arith.subi %columns, %c1 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c1 to %last step %c1 {
      %before = arith.subi %j, %c1 : index
      %after = arith.addi %j, %c1 : index
      %a = memref.load %in[%i, %before] : memref<?x?xf32>
      %b = memref.load %in[%i, %j] : memref<?x?xf32>
      %c = memref.load %in[%i, %after] : memref<?x?xf32>
      %ab = arith.addf %a, %b : f32
      %abc = arith.addf %ab, %c : f32
      %mean = arith.mulf %abc, %third : f32
      memref.store %mean, %out[%i, %j] : memref<?x?xf32>
    }
  }
  func.return
}

func.func @scale(%out: memref<256x256xf32>, %in: memref<256x256xf32>, %by: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<256x256xf32>)
  linalg.matmul ins(%in, %by : memref<256x256xf32>, memref<256x256xf32>) outs(%out : memref<256x256xf32>)
  func.return
}

func.func @gather(%out: memref<?xf32>, %in: memref<?xf32>, %start: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %from = memref.load %start[%i] : memref<?xindex>
    %next = arith.addi %i, %c1 : index
    %to = memref.load %start[%next] : memref<?xindex>
    scf.for %k = %from to %to step %c1 {
      %x = memref.load %in[%k] : memref<?xf32>
      memref.store %x, %out[%i] : memref<?xf32>
    }
  }
  func.return
}
