// RUN: polyopt-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @lanes(%m : vector<8xi1>, %a : vector<4xf64>) {
  // CHECK: expected as many lanes in the mask as in the values
  %s = pvec.select %m, %a, %a : vector<8xi1>, vector<4xf64>
  func.return
}

// -----

func.func @predicate(%a : vector<4xf64>) {
  // CHECK: unknown predicate 'lt'
  %m = pvec.cmpf "lt", %a, %a : vector<4xf64> -> vector<4xi1>
  func.return
}

// -----

func.func @mask(%a : vector<4xf64>) {
  // CHECK: expected as many lanes in the mask as in the values
  %m = pvec.cmpf "olt", %a, %a : vector<4xf64> -> vector<8xi1>
  func.return
}

// -----

func.func @conversion(%a : vector<4xf64>) {
  // CHECK: unknown conversion 'extf'
  %m = pvec.convert "extf", %a : vector<4xf64> -> vector<4xf64>
  func.return
}

// -----

func.func @lanes_of_a_conversion(%a : vector<4xf64>) {
  // CHECK: expected as many lanes in the result as in the source
  %m = pvec.convert "fptosi", %a : vector<4xf64> -> vector<8xi32>
  func.return
}

// -----

func.func @floats(%a : vector<4xf64>) {
  // CHECK: expected vectors of integers
  %q = pvec.quotient %a, %a through f64 : vector<4xf64>
  func.return
}

// -----

func.func @indices(%A : memref<?x?xf64>, %i : index) {
  // CHECK: expected an index for each dimension
  pvec.prefetch %A[%i] : memref<?x?xf64>
  func.return
}

// -----

func.func @steps(%A : memref<?x?xf64>, %i : index) {
  // CHECK: expected an index and a step for each dimension
  %v = pvec.strided_load %A[%i, %i] by [1] : memref<?x?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @mask_of_a_store(%A : memref<?xf64>, %i : index, %v : vector<4xf64>, %m : vector<8xi1>) {
  // CHECK: expected as many lanes in the mask as in the values
  pvec.strided_store %v, %A[%i] by [2] masked %m : vector<8xi1> : memref<?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @index_of_an_address(%A : memref<?x?xf64>, %i : index) {
  // CHECK: expected an index for each dimension
  %m = pvec.misalignment %A[%i] of 4 : memref<?x?xf64>
  func.return
}

// -----

func.func @odd_lanes(%A : memref<?xf64>, %i : index) {
  // CHECK: expected a power of two of lanes
  %m = pvec.misalignment %A[%i] of 6 : memref<?xf64>
  func.return
}

// -----

func.func @indices_of_a_gather(%A : memref<?x?xf64>, %k : vector<4xi32>) {
  // CHECK: expected an index for each dimension
  %v = pvec.gather %A[%k] : memref<?x?xf64>, vector<4xi32> -> vector<4xf64>
  func.return
}

// -----

func.func @lanes_of_a_gather(%A : memref<?xf64>, %k : vector<4xi32>) {
  // CHECK: expected as many lanes in indices and mask as in the result
  %v = pvec.gather %A[%k] : memref<?xf64>, vector<4xi32> -> vector<8xf64>
  func.return
}

// -----

func.func @tables_are_small(%T : memref<257xi8>, %k : vector<64xi8>) {
  // CHECK: expected a table of at most 256 bytes
  %v = pvec.look_up %T[%k] : memref<257xi8>, vector<64xi8> -> vector<64xi8>
  func.return
}

// -----

func.func @numbers_are_bytes(%T : memref<64xi8>, %k : vector<16xi32>) {
  // CHECK: expected bytes
  %v = pvec.look_up %T[%k] : memref<64xi8>, vector<16xi32> -> vector<16xi32>
  func.return
}

// -----

func.func @pairs_of_halves(%x : vector<16xi16>, %s : vector<4xi32>) {
  // CHECK: expected two factors of 16 bits or four of 8 in each lane
  %t = pvec.group_dot "extsi" %x, "extsi" %x to %s : vector<16xi16> -> vector<4xi32>
  func.return
}

// -----

func.func @halves_have_signs(%x : vector<8xi16>, %s : vector<4xi32>) {
  // CHECK: expected factors of 16 bits to have signs
  %t = pvec.group_dot "extui" %x, "extsi" %x to %s : vector<8xi16> -> vector<4xi32>
  func.return
}

// -----

func.func @extensions(%x : vector<16xi8>, %s : vector<4xi32>) {
  // CHECK: expected 'extsi' or 'extui'
  %t = pvec.group_dot "trunci" %x, "extsi" %x to %s : vector<16xi8> -> vector<4xi32>
  func.return
}

// -----

func.func @whole_registers(%x : vector<8xi8>, %s : vector<2xi32>) {
  // CHECK: expected whole registers
  %t = pvec.group_distance %x, %x to %s : vector<8xi8> -> vector<2xi32>
  func.return
}

// -----

func.func @bytes_of_a_lane(%x : vector<16xi8>, %s : vector<4xi64>) {
  // CHECK: expected four bytes for each lane of 32 bits, or eight for 64
  %t = pvec.group_distance %x, %x to %s : vector<16xi8> -> vector<4xi64>
  func.return
}
