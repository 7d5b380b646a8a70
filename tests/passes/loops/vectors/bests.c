// Searches for the best value and what goes with it, of elements that are alike, NaN, zeros of both
// signs and infinities, over rows of 0 to 70. test_bests.py says which are vectors.
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ARGUMENTS(T) int n, const T *restrict v, const int *restrict a, T from, T *restrict best, long *restrict at

void greatest_allowed(ARGUMENTS(int)) { int l = from, f = -1; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] > l) { l = v[j]; f = j; } *best = l; *at = f; }
void least_allowed(ARGUMENTS(int)) { int l = from, f = -1; for (int j = 0; j < n; j++) if (a[j] > 2 && l > v[j] + 1) { l = v[j] + 1; f = j; } *best = l; *at = f; }
void of_doubles(ARGUMENTS(double)) { double l = from; int f = -1; for (int j = 0; j < n; j++) if (a[j] != 3 && v[j] > l) { l = v[j]; f = j + 5; } *best = l; *at = f; }
void place_only(ARGUMENTS(double)) { double l = from; int f = -1; for (int j = 0; j < n; j++) if (a[j] != 3 && v[j] > l) { l = v[j]; f = j; } *best = 0; *at = f; }
void of_floats(ARGUMENTS(float)) { float l = from; int f = -1; for (int j = 0; j < n; j++) if (a[j] & 1) { if (v[j] < l) { l = v[j]; f = j; } } *best = l; *at = f; }
void with_an_element(ARGUMENTS(int)) { int l = from, f = -1, g = 9; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] > l) { l = v[j]; f = j; g = a[j]; } *best = l; *at = f * 16 + g; }
void number_only(ARGUMENTS(int)) { int l = from; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] * 2 > l) l = v[j] * 2; *best = l; *at = 0; }
void of_words(ARGUMENTS(unsigned)) { unsigned l = from; int f = -1; for (int j = 0; j < n; j++) if (a[j] && v[j] > l) { l = v[j]; f = j; } *best = l; *at = f; }
void two_at_once(ARGUMENTS(int)) { int l = from, h = from, f = -1, g = -1; for (int j = 0; j < n; j++) if (a[j] < 5) { if (v[j] > l) { l = v[j]; f = j; } if (v[j] < h) { h = v[j]; g = j; } } *best = l - h; *at = f * 128 + g; }
void over_the_middle(ARGUMENTS(unsigned)) { unsigned l = 0, f = 7; for (unsigned j = from; j < from + n; j++) if (a[j - from] && v[j - from] > l) { l = v[j - from]; f = j; } *best = l; *at = f; }
void left_by_continue(ARGUMENTS(int)) { int l = from, f = -1; for (int j = 0; j < n; j++) { if (a[j] <= 1) continue; if (!(v[j] > l)) continue; l = v[j]; f = j; } *best = l; *at = f; }
void last_one(ARGUMENTS(int)) { int l = from, f = -1; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] >= l) { l = v[j]; f = j; } *best = l; *at = f; }
void counts_records(ARGUMENTS(int)) { int l = from, f = 0; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] > l) { l = v[j]; f++; } *best = l; *at = f; }
void further_back(ARGUMENTS(int)) { int l = from, f = -1; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] > l) { l = v[j]; f = -j; } *best = l; *at = f; }
void zeros_have_signs(ARGUMENTS(double)) { double l = from; for (int j = 0; j < n; j++) if (a[j] && v[j] > l) l = v[j]; *best = l; *at = 0; }
void by_another_value(ARGUMENTS(int)) { int l = from, f = -1; for (int j = 0; j < n; j++) if (a[j] < l && v[j] > l) { l = v[j]; f = j; } *best = l; *at = f; }
void other_conditions(ARGUMENTS(int)) { int l = from, f = -1; for (int j = 0; j < n; j++) if (v[j] > l) { l = v[j]; if (a[j] < 4) f = j; } *best = l; *at = f; }
void with_a_sum(ARGUMENTS(int)) { int l = from; long f = 0; for (int j = 0; j < n; j++) if (v[j] % 3) { f += v[j]; if (v[j] > l) l = v[j]; } *best = l; *at = f; }
void least_of_some(ARGUMENTS(unsigned)) { unsigned l = from; long f = 0; for (int j = 0; j < n; j++) if (v[j] % 3) { f++; if (v[j] & 1) l = v[j] < l ? v[j] : l; } *best = l; *at = f; }
void sum_of_reals(ARGUMENTS(double)) { double l = from; long f = 0; for (int j = 0; j < n; j++) if (v[j] < 2) { f++; if (l < v[j]) l = v[j]; } *best = l; *at = f; }
void seen_by_others(ARGUMENTS(int)) { *best = from; *at = -1; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] > *best) { *best = v[j]; *at = j; } }
void where_it_is_read(int n, int *v, const int *restrict a, int *best, long *restrict at) { int f = -1; for (int j = 0; j < n; j++) if (a[j] < 4 && v[j] > *best) { *best = v[j]; f = j; } *at = f; }

static unsigned state = 1;
static unsigned next(unsigned below) { state = state * 1103515245u + 12345u; return (state >> 12) % below; }

#define TRY(T, FUNCTION, ...) do { \
    T v[80], best, starts[3] = {0, __VA_ARGS__}; long at; \
    for (int s = 0; s < 3; s++) for (int n = 0; n < 71; n++) { \
        for (int k = 0; k < 80; k++) { v[k] = (T)((int)next(n & 1 ? 7 : 4000) - 3); if (sizeof(T) == 8 || (T)0.5) v[k] = odd(v[k]); a[k] = next(7); } \
        FUNCTION(n, v, a, starts[s], &best, &at); \
        double shown = best; printf("%a %ld ", shown != shown ? 77.0 : shown, at); } \
    puts(#FUNCTION); } while (0)

static double odd(double usual) { switch (next(16)) { case 0: return NAN; case 1: return -0.0; case 2: return 0.0; case 3: return INFINITY; case 4: return -INFINITY; } return usual; }

int main(void)
{
    int a[80], v[80];
    TRY(int, greatest_allowed, 2, -2); TRY(int, least_allowed, 2, 5000); TRY(double, of_doubles, NAN, -0.0); TRY(double, place_only, NAN, -0.0); TRY(float, of_floats, NAN, INFINITY);
    TRY(int, with_an_element, 2, -2); TRY(int, number_only, 2, -2); TRY(unsigned, of_words, 2, 3000000000u); TRY(int, two_at_once, 2, -2);
    TRY(unsigned, over_the_middle, 2147483620u, 4294967200u); TRY(int, left_by_continue, 2, -2); TRY(int, last_one, 2, -2); TRY(int, counts_records, 2, -2);
    TRY(int, further_back, 2, -2); TRY(double, zeros_have_signs, NAN, -0.0); TRY(int, by_another_value, 2, 5); TRY(int, other_conditions, 2, -2);
    TRY(int, seen_by_others, 2, -2); TRY(int, with_a_sum, 2, -2); TRY(unsigned, least_of_some, 2, 5000); TRY(double, sum_of_reals, NAN, -0.0);
    for (int n = 0; n < 71; n++) {
        long at;
        for (int k = 0; k < 80; k++) { v[k] = (int)next(9); a[k] = next(7); }
        where_it_is_read(n, v, a, v + n / 2, &at);
        printf("%d %ld ", v[n / 2], at);
    }
    return 0;
}
