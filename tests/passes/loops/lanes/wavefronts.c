/* Dynamic programming along two words: prints a hash of the whole table for lengths around those of
   strips of lanes. */
#include <stdint.h>
#include <stdio.h>

#define MOST 150
static uint8_t s[MOST], t[MOST];
static int table[MOST + 1][MOST + 1];
static float scores[MOST + 1][MOST + 1];
static int16_t small[MOST + 1][MOST + 1];

static int least(int a, int b) { return a < b ? a : b; }
static int greatest(int a, int b) { return a > b ? a : b; }

void common(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1])
        table[i][j] = table[i - 1][j - 1] + 1;
      else
        table[i][j] = table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
    }
}
void edits(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int c = s[i - 1] != t[j - 1];
      table[i][j] = least(least(table[i - 1][j], table[i][j - 1]) + 1, table[i - 1][j - 1] + c);
    }
}
void edits_in_arms(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1])
        table[i][j] = table[i - 1][j - 1];
      else if (table[i - 1][j] < table[i][j - 1])
        table[i][j] = table[i - 1][j] + 1;
      else
        table[i][j] = table[i][j - 1] + 2;
    }
}
void local(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int c = s[i - 1] == t[j - 1] ? 2 : -1;
      table[i][j] = greatest(greatest(table[i - 1][j - 1] + c, 0),
                             greatest(table[i - 1][j], table[i][j - 1]) - 1);
    }
}
void of_floats(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      scores[i][j] = scores[i - 1][j - 1] * 0.25f + (scores[i - 1][j] - scores[i][j - 1]) * 0.5f;
}
void of_shorts(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      small[i][j] = greatest(small[i - 1][j], small[i][j - 1]) + (s[i - 1] == t[j - 1]);
}
void two_behind(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 2; j <= m; j++)
      table[i][j] = greatest(table[i - 1][j - 2] + 1, table[i][j - 1] - table[i][j - 2]);
}
void backward(int n, int m) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = m - 1; j >= 0; j--) {
      if (s[i] == t[j])
        table[i][j] = table[i + 1][j + 1] + 1;
      else
        table[i][j] = greatest(table[i + 1][j], table[i][j + 1]);
    }
}
void below(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j < i && j <= m; j++)
      table[i][j] = least(table[i - 1][j], table[i][j - 1]) + s[j - 1];
}
static int best;
static unsigned smallest, counts[MOST + 1][MOST + 1];
void local_best(int n, int m) {
  best = n % 3;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int c = s[i - 1] == t[j - 1] ? 2 : -1;
      table[i][j] = greatest(greatest(table[i - 1][j - 1] + c, 0),
                             greatest(table[i - 1][j], table[i][j - 1]) - 1);
      if (table[i][j] > best) best = table[i][j];
    }
}
void least_count(int n, int m) {
  smallest = 2000000000u + n;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      unsigned up = counts[i - 1][j], left = counts[i][j - 1];
      counts[i][j] = (up < left ? up : left) * 3 + s[i - 1] + 1;
      if (counts[i][j] < smallest) smallest = counts[i][j];
    }
}
void best_in_use(int n, int m) {
  best = -5;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      table[i][j] = greatest(table[i - 1][j], table[i][j - 1]) + (best & 1) + s[i - 1];
      if (table[i][j] > best) best = table[i][j];
    }
}
/* One row that is written over and over, and what is greatest with its place. */
static int row[MOST + 1], at[2];
static float line[MOST + 1], peak;
void edits_in_a_row(int n, int m) {
  for (int i = 1; i <= n; i++) {
    int corner = i - 1;
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int up = row[j];
      row[j] = least(least(up, row[j - 1]) + 1, corner + (s[i - 1] != t[j - 1]));
      corner = up;
    }
  }
}
void local_in_a_row(int n, int m) {
  int most = 0, x = -1, y = -1;
  for (int i = 1; i <= n; i++) {
    int corner = 0;
    for (int j = 1; j <= m; j++) {
      int up = row[j], c = corner + (s[i - 1] == t[j - 1] ? 2 : -1);
      c = greatest(c, greatest(up, row[j - 1]) - 1);
      if (c < 0) c = 0;
      if (c > most) { most = c; x = i; y = j; }
      corner = up;
      row[j] = c;
    }
  }
  best = most, at[0] = x, at[1] = y;
}
void least_with_place(int n, int m) {
  int most = n, x = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int c = least(table[i - 1][j], table[i][j - 1]) - (s[i - 1] == t[j - 1]);
      table[i][j] = c;
      if (c < most) { most = c; x = i * 1000 + j; }
    }
  best = most, at[0] = x;
}
void floats_in_a_row(int n, int m) {
  float most = -1;
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) {
      line[j] = line[j] * 0.5f + line[j - 1] * 0.25f + s[i] - t[j];
      if (line[j] > most) most = line[j];
    }
  peak = most;
}
/* Rows that take turns. */
static int other[MOST + 1];
void edits_by_turns(int n, int m) {
  int *before = row, *now = other;
  for (int i = 1; i <= n; i++) {
    now[0] = i;
    for (int j = 1; j <= m; j++)
      now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + (s[i - 1] != t[j - 1]));
    int *last = before;
    before = now;
    now = last;
  }
  best = before[m];
}
void common_by_turns(int n, int m) {
  int *before = row, *now = other;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1])
        now[j] = before[j - 1] + 1;
      else
        now[j] = greatest(before[j], now[j - 1]);
    }
    int *last = before;
    before = now;
    now = last;
  }
  best = now[m] * 1000 + before[m];
}
void row_and_next(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      row[j] = least(row[j + 1], row[j - 1]) + s[i] - t[j];
}
/* Rows that the iteration's number chooses, and rows that are copied back. */
static int turns[2][MOST + 1];
void edits_by_parity(int n, int m) {
  for (int j = 0; j <= m; j++) turns[0][j] = j;
  for (int i = 1; i <= n; i++) {
    turns[i & 1][0] = i;
    for (int j = 1; j <= m; j++)
      turns[i & 1][j] = least(least(turns[(i - 1) & 1][j], turns[i & 1][j - 1]) + 1,
                              turns[(i - 1) & 1][j - 1] + (s[i - 1] != t[j - 1]));
  }
  best = turns[n & 1][m];
}
void common_by_parity(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i] == t[j - 1])
        turns[(i + 1) % 2][j] = turns[i % 2][j - 1] + 1;
      else
        turns[(i + 1) % 2][j] = greatest(turns[i % 2][j], turns[(i + 1) % 2][j - 1]);
    }
}
void edits_copied_back(int n, int m) {
  for (int i = 1; i <= n; i++) {
    other[0] = i;
    for (int j = 1; j <= m; j++)
      other[j] = least(least(row[j], other[j - 1]) + 1, row[j - 1] + (s[i - 1] != t[j - 1]));
    __builtin_memcpy(row, other, sizeof(int) * (m + 1));
  }
}
void common_copied_back(int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      other[j + 1] = s[i] == t[j] ? row[j] + 1 : row[j + 1] > other[j] ? row[j + 1] : other[j];
    for (int j = 1; j <= m; j++) row[j] = other[j];
  }
}
void copied_but_the_last(int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 1; j <= m; j++) other[j] = least(row[j], other[j - 1]) + (s[i] != t[j - 1]);
    for (int j = 1; j < m; j++) row[j] = other[j];
  }
}

/* Three rows: what ends in a pair, in a gap of one word, in a gap of the other. */
static void gaps_in_rows(int n, int m) {
  for (int i = 1; i <= n; i++) {
    int pair = row[0], gap = other[0], from_above = turns[0][0];
    row[0] = -50, other[0] = -50, turns[0][0] = -3 - i;
    for (int j = 1; j <= m; j++) {
      int up = row[j], up_gap = other[j], up_above = turns[0][j];
      row[j] = greatest(pair, greatest(gap, from_above)) + (s[i - 1] == t[j - 1] ? 3 : -2);
      turns[0][j] = greatest(up - 4, up_above - 1);
      other[j] = greatest(row[j - 1] - 4, other[j - 1] - 1);
      pair = up, gap = up_gap, from_above = up_above;
    }
  }
}

/* The first row and column in the same loops as the rest. */
static void common_with_borders(int n, int m) {
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++) {
      if (i == 0 || j == 0)
        table[i][j] = 0;
      else if (s[i - 1] == t[j - 1])
        table[i][j] = table[i - 1][j - 1] + 1;
      else
        table[i][j] = greatest(table[i - 1][j], table[i][j - 1]);
    }
}
static void edits_with_exchanges(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int least_yet = least(table[i - 1][j], table[i][j - 1]) + 1;
      least_yet = least(least_yet, table[i - 1][j - 1] + (s[i - 1] != t[j - 1]));
      if (i > 1 && j > 1 && s[i - 1] == t[j - 2] && s[i - 2] == t[j - 1] && table[i - 2][j - 2] + 1 < least_yet)
        least_yet = table[i - 2][j - 2] + 1;
      table[i][j] = least_yet;
    }
}
static void borders_that_are_read_ahead(int n, int m) {
  for (int i = 1; i < n; i++) {
    table[i][0] = table[i - 1][0] + s[i];
    for (int j = 1; j <= m; j++) table[i][j] = least(table[i - 1][j], table[i][j - 1]) + table[i + 1][0];
  }
}

static int scored[24][24], in_a_row[24 * 24];
static signed char short_scores[24][24];

static void scored_letters(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int best = table[i - 1][j - 1] + scored[s[i - 1]][t[j - 1]];
      if (table[i - 1][j] - 4 > best) best = table[i - 1][j] - 4;
      if (table[i][j - 1] - 4 > best) best = table[i][j - 1] - 4;
      table[i][j] = best;
    }
}

static void scored_in_one_dimension(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int up = table[i - 1][j] - 1, left = table[i][j - 1] + in_a_row[s[i - 1] * 24 + t[j - 1]];
      table[i][j] = up > left ? up : left;
    }
}

static void scored_in_bytes(int n, int m) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int up = table[i - 1][j], left = table[i][j - 1] + short_scores[s[i - 1]][t[j - 1]];
      table[i][j] = up > left ? up : left;
    }
}

int main(void) {
  for (int i = 0; i < 24 * 24; i++)
    scored[i / 24][i % 24] = in_a_row[i] = short_scores[i / 24][i % 24] = i * 7 % 17 - 8;
  static const int lengths[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 80, 97, 150};
  const int count = sizeof lengths / sizeof *lengths;
  void (*all[])(int, int) = {common,    edits,     edits_in_arms, local, of_floats,
                             of_shorts, two_behind, backward,      below, local_best, least_count, best_in_use,
                             edits_in_a_row, local_in_a_row, least_with_place, floats_in_a_row, row_and_next,
                             edits_by_turns, common_by_turns, edits_by_parity, common_by_parity,
                             edits_copied_back, common_copied_back, copied_but_the_last, gaps_in_rows,
                             common_with_borders, edits_with_exchanges, borders_that_are_read_ahead,
                             scored_letters, scored_in_one_dimension, scored_in_bytes};
  for (int one = 0; one < count; one++)
    for (int k = 0; k < sizeof all / sizeof *all; k++)
      for (int turn = 0; turn < 2; turn++) {
        const int n = lengths[one], m = lengths[turn ? one : (one * 5 + k) % count];
        unsigned state = 7 + n;
        for (int p = 0; p < MOST; p++) {
          state = state * 1664525u + 1013904223u;
          s[p] = state >> 20 & 3, t[p] = state >> 25 & 3;
        }
        for (int i = 0; i <= MOST; i++)
          for (int j = 0; j <= MOST; j++)
            table[i][j] = (i * 7 + j * 3) % 11, scores[i][j] = (i * 5 + j) % 13, small[i][j] = i ^ j,
            counts[i][j] = i * 1000003u + j * 77u;
        for (int j = 0; j <= MOST; j++) row[j] = j * 7 % 5, line[j] = j % 7, other[j] = j * 3 % 8, turns[0][j] = j % 6, turns[1][j] = j % 9;
        all[k](n, m);
        unsigned long hash = 0;
        const uint8_t *bytes[] = {(uint8_t *)table, (uint8_t *)scores, (uint8_t *)small, (uint8_t *)counts,
                                  (uint8_t *)row, (uint8_t *)line, (uint8_t *)at, (uint8_t *)&peak,
                                  (uint8_t *)other, (uint8_t *)turns};
        const unsigned long sizes[] = {sizeof table, sizeof scores, sizeof small, sizeof counts,
                                       sizeof row, sizeof line, sizeof at, sizeof peak, sizeof other, sizeof turns};
        for (int which = 0; which < 10; which++)
          for (unsigned long p = 0; p < sizes[which]; p++)
            hash = (hash ^ bytes[which][p]) * 1099511628211ul;
        printf("%d: %d %d %lx %d %u\n", k, n, m, hash, best, smallest);
      }
  return 0;
}
