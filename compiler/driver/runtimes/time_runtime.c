/* What a program runs that tells how long its SCoPs take (`passes/judge/time_nests.py` puts the calls
   there): for each SCoP and each list of its parameters' values how often it ran, and for how many
   seconds. At the end of the program they are written to the file RESULTS, a line for each:

       entries <tab> seconds <tab> values, with commas <tab> unit <tab> SCoP

   Only what the thread of `main` does is measured: others may run the same SCoP at the same time. What it
   runs of a loop that threads share has its own bounds among the values. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int getpid(void);
int gettid(void);

#define MOST 12       /* parameters of a SCoP */
#define ROWS 16384    /* a power of two; what finds no room is counted with other values */

typedef struct {
  long long start; /* in nanoseconds, 0 where it is not running */
  long long row;
  char name[1];
} Site;

typedef struct {
  Site *site;
  long long values[MOST], entries, nanoseconds;
  int count;
} Row;

static Row rows[ROWS];
static long long values[MOST];
static int given, is_at_end;

static int is_measured(void) { return gettid() == getpid(); }

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void at_end(void) {
  FILE *out = fopen(RESULTS, "w");
  if (!out) return;
  for (int k = 0; k < ROWS; k++) {
    Row *row = &rows[k];
    if (!row->site) continue;
    fprintf(out, "%lld\t%.9f\t", row->entries, row->nanoseconds * 1e-9);
    for (int p = 0; p < row->count; p++) fprintf(out, p ? ",%lld" : "%lld", row->values[p]);
    fprintf(out, "\t%s\n", row->site->name);
  }
  fclose(out);
}

void __polyopt_time_parameter(long long value) {
  if (is_measured() && given < MOST) values[given++] = value;
}

void __polyopt_time_begin(Site *site) {
  if (!is_measured()) return;
  if (!is_at_end) {
    is_at_end = 1;
    atexit(at_end);
  }
  unsigned long long hash = (unsigned long long)site;
  for (int p = 0; p < given; p++) hash = (hash ^ (unsigned long long)values[p]) * 0x9e3779b97f4a7c15ULL;
  long long place = (long long)(hash >> 50);
  for (int tries = 0; tries < 64; tries++, place = (place + 1) & (ROWS - 1)) {
    Row *row = &rows[place];
    if (!row->site) {
      row->site = site;
      row->count = given;
      memcpy(row->values, values, sizeof values);
    }
    if (row->site == site && !memcmp(row->values, values, given * sizeof *values)) break;
  }
  given = 0;
  site->row = rows[place].site == site ? place : -1;
  site->start = now();
}

void __polyopt_time_end(Site *site) {
  if (!is_measured() || !site->start) return;
  long long took = now() - site->start;
  site->start = 0;
  if (site->row < 0) return;
  rows[site->row].entries++;
  rows[site->row].nanoseconds += took;
}
