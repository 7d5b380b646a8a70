// Sums of ever wider parts of an integer are a count of its bits, in each of the usual ways; not where a mask, a shift or an
// operand is another one.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,count-bits | filecheck %s
#include <stdint.h>

// CHECK-LABEL: func.func @product(
// CHECK:         math.ctpop %x : i32
// CHECK-NOT:     arith.muli
int product(uint32_t x) {
  x = x - ((x >> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  return (((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24;
}

// CHECK-LABEL: func.func @masks(
// CHECK:         math.ctpop %x : i32
// CHECK-NOT:     arith.andi
int masks(uint32_t x) {
  x = (x & 0x55555555) + ((x >> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  x = (x & 0x0f0f0f0f) + ((x >> 4) & 0x0f0f0f0f);
  x = (x & 0x00ff00ff) + ((x >> 8) & 0x00ff00ff);
  return (x & 0xffff) + (x >> 16 & 0xffff);
}

// CHECK-LABEL: func.func @bytes(
// CHECK:         math.ctpop %x : i64
// CHECK-NOT:     arith.andi
int bytes(uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555;
  x = ((x >> 2) & 0x3333333333333333) + (x & 0x3333333333333333);
  x = ((x >> 4) + x) & 0x0f0f0f0f0f0f0f0f;
  x += x >> 8;
  x += x >> 16;
  x += x >> 32;
  return x & 0x7f;
}

// CHECK-LABEL: func.func @short_signed(
// CHECK:         math.ctpop {{%\S+}} : i32
// CHECK-NOT:     arith.andi
int short_signed(int x) {
  x -= (x >> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  x += x >> 8;
  x += x >> 16;
  return x & 0x3f;
}

// CHECK-LABEL: func.func @one_byte(
// CHECK:         math.ctpop %b : i8
// CHECK-NOT:     arith.andi
int one_byte(uint8_t b) {
  b = b - ((b >> 1) & 0x55);
  b = (b & 0x33) + ((b >> 2) & 0x33);
  return (b + (b >> 4)) & 0x0f;
}

// CHECK-LABEL: func.func @half(
// CHECK-NOT:     math.ctpop
int half(uint32_t x) {
  x -= (x >> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  x += x >> 8;
  return x & 0x3f;
}

// CHECK-LABEL: func.func @too_few_bits(
// CHECK-NOT:     math.ctpop
int too_few_bits(uint32_t x) {
  x -= (x >> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  x += x >> 8;
  x += x >> 16;
  return x & 0x1f;
}

// CHECK-LABEL: func.func @other_byte(
// CHECK-NOT:     math.ctpop
int other_byte(uint32_t x) {
  x = x - ((x >> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  return (((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 16;
}

// CHECK-LABEL: func.func @two_of_them(
// CHECK-NOT:     math.ctpop
int two_of_them(uint32_t x, uint32_t y) {
  x -= (y >> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
  return (((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24;
}

// CHECK-LABEL: func.func @too_narrow_for_sums(
// CHECK-NOT:     math.ctpop
int too_narrow_for_sums(uint32_t x) {
  x -= (x >> 1) & 0x55555555;
  x = (x + (x >> 2)) & 0x33333333;
  return (((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24;
}

// CHECK-LABEL: func.func @with_a_sign(
// CHECK-NOT:     math.ctpop
int with_a_sign(int8_t b) {
  int x = b - ((b >> 1) & 0x55);
  x = (x & 0x33) + ((x >> 2) & 0x33);
  return (x + (x >> 4)) & 0x0f;
}
