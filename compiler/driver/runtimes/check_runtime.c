/* What a program that checks itself runs (docs/checking.md). For each execution of a SCoP:

       if (begin(site, frame)) {      keeps the memory that the SCoP may write
         the source's order
         turn(frame);                 keeps its results, and puts the memory back
       }
       the optimised SCoP
       if (compare(frame)) {          a difference that rounding may explain: puts it back again
         the source's order           rounding upwards
         conclude(frame);             the difference that rounding makes, and the verdict
       }

   A site is eight bytes for us, then one line of text for the SCoP and one for each thing that is
   compared (`passes/check/runtime_calls.py` writes them); what is only known at run time stands in
   the frame, of which word 0 is ours: the execution under way.

   Where a difference is found, the source's results are what the program goes on with. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fesetround(int);
#define UPWARDS 0x800
#define TO_NEAREST 0

#define MAX_RANK 16
#define SHOWN 5 /* differences of a site that are told one by one */
#define ROUNDED 16 /* so many times what rounding upwards changes is within the bound */
#define NOISE 256  /* values of which rounding upwards changes this part mean nothing */

enum { BOX, NOTED, VALUE };

typedef struct {
  int kind, is_compared, rank, bytes, word; /* word: where in the frame its numbers start */
  char type;                                /* 'f', 'i', 'p' */
  const char *name, *lines, *place;         /* lines: others that write it, "-" if there are none */
} Item;

typedef struct {
  const char *name;
  int is_bounded; /* rounding may differ */
  int is_finite;  /* neither NaN nor infinity has to be kept */
  int count;
  Item *items;
  long executions, differences;
  void *next;
} Site;

typedef struct { /* an element that is written, found when it is */
  char *address;
  long item;
  uint64_t input, source, optimised;
} Note;

typedef struct {
  Site *site;
  int64_t *frame;
  char *inputs, *source, *optimised;
  size_t room[3];
  size_t bytes;
  Note *notes;
  size_t noted, note_room, first_noted;
  uint32_t *table; /* numbers of notes plus one, by their address */
  size_t table_size;
  uint64_t *values; /* of the source, for things of kind VALUE */
} State;

static Site *sites;
static State spare;
static int spare_is_used;
static long unchecked;

/* Where reports go: to standard error with the line of the source, unless somebody takes them. */
void (*__polyopt_check_reporter)(const char *place, const char *message);

static void out_of_memory(void) {
  fputs("polyopt: check: not enough memory\n", stderr);
  exit(3);
}

static void *obtain(void *old, size_t bytes) {
  void *result = realloc(old, bytes ? bytes : 1);
  if (!result) out_of_memory();
  return result;
}

/* Reports */

static void quote(const char *place) {
  char file[1024], text[512];
  const char *end = place + strlen(place);
  long numbers[2] = {0, 0};
  for (int k = 1; k >= 0; k--) {
    while (end > place && *end != ':') end--;
    if (end == place) return;
    numbers[k] = atol(end + 1);
    if (k) end--;
  }
  size_t length = (size_t)(end - place);
  if (length >= sizeof file) return;
  memcpy(file, place, length);
  file[length] = 0;
  FILE *stream = fopen(file, "r");
  if (!stream) return;
  long line = 0;
  while (line < numbers[0] && fgets(text, sizeof text, stream))
    if (strchr(text, '\n')) line++;
  fclose(stream);
  if (line < numbers[0]) return;
  text[strcspn(text, "\r\n")] = 0;
  fprintf(stderr, "  %s\n", text);
  if (numbers[1] < 1 || (size_t)numbers[1] > strlen(text)) return;
  fputs("  ", stderr);
  for (long k = 0; k + 1 < numbers[1]; k++) fputc(text[k] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
}

static void report(const char *place, const char *message) {
  if (__polyopt_check_reporter) {
    __polyopt_check_reporter(place, message);
    return;
  }
  fflush(stdout);
  fprintf(stderr, "%s: check: %s\n", place, message);
  quote(place);
}

#ifdef PROGRAM
/* Behind what the program has printed. Leaving again from a handler runs the handlers that are left,
   and ends with this status. */
static void at_end(void) {
  long executions = 0, differences = 0;
  int number = 0, differing = 0;
  fflush(stdout);
  for (Site *site = sites; site; site = site->next) {
    number++;
    executions += site->executions;
    differences += site->differences;
    differing += site->differences != 0;
    if (site->differences > SHOWN)
      fprintf(stderr, "polyopt: check: %ld elements differ in %s\n", site->differences, site->name);
  }
  fprintf(stderr, "polyopt: check: %d SCoP%s compared, %ld execution%s: ", number,
          number == 1 ? "" : "s", executions, executions == 1 ? "" : "s");
  if (differences)
    fprintf(stderr, "%ld difference%s in %d of them\n", differences, differences == 1 ? "" : "s",
            differing);
  else
    fputs("no difference\n", stderr);
  if (unchecked)
    fprintf(stderr, "polyopt: check: %ld executions were not compared: %s\n", unchecked,
            "another was under way, in another thread or around a call");
  fflush(stderr);
  if (differences) exit(3);
}
#endif

/* For a library: how many elements differed since the last time it was asked. */
long __polyopt_check_taken(void) {
  long result = 0;
  for (Site *site = sites; site; site = site->next) {
    result += site->differences;
    site->differences = 0;
  }
  return result;
}

static void print_value(char *text, const Item *item, uint64_t bits) {
  if (item->type == 'f' && item->bytes == 8) {
    double value;
    memcpy(&value, &bits, 8);
    sprintf(text, "%.17g", value);
  } else if (item->type == 'f') {
    float value;
    memcpy(&value, &bits, 4);
    sprintf(text, "%.9g", value);
  } else if (item->type == 'p') {
    sprintf(text, "0x%lx", (unsigned long)bits);
  } else {
    int shift = 64 - 8 * item->bytes;
    sprintf(text, "%ld", (long)((int64_t)(bits << shift) >> shift));
  }
}

static void subscripts_of(char *text, const State *state, const Item *item, const char *address) {
  const int64_t *words = state->frame + item->word;
  const int64_t *strides = words + (item->kind == BOX ? 2 : 1);
  int64_t offset = address - (char *)words[0];
  *text = 0;
  for (int k = 0; k < item->rank; k++) {
    int64_t index = strides[k] ? offset / strides[k] : 0;
    if (offset - index * strides[k] < 0) index--;
    offset -= index * strides[k];
    text += sprintf(text, "[%ld]", (long)index);
  }
}

static void tell(State *state, const Item *item, const char *address, uint64_t source,
                 uint64_t optimised, double bound) {
  Site *site = state->site;
  char message[1024], where[32 * MAX_RANK], left[64], right[64], limit[64], others[128];
  if (++site->differences > SHOWN) return;
  *where = *limit = *others = 0;
  if (strcmp(item->lines, "-")) snprintf(others, sizeof others, "; lines %.100s write it too", item->lines);
  if (item->kind != VALUE) subscripts_of(where, state, item, address);
  print_value(left, item, source);
  print_value(right, item, optimised);
  if (bound >= 0) sprintf(limit, " (may differ by %.3g)", bound);
  snprintf(message, sizeof message, "%s %.200s%s: %s in the source's order, %s as optimised%s [%.200s%s]",
           item->rank ? "array" : "variable", item->name, where, left, right, limit, site->name,
           others);
  report(item->place, message);
}

/* Sites */

static char *next_word(char **text, char end) {
  char *start = *text;
  while (**text && **text != end) ++*text;
  if (**text) *(*text)++ = 0;
  return start;
}

/* "name is_bounded is_finite count\n", then
   "kind is_compared type bytes rank word name lines place\n" */
static Site *read_site(char *memory) {
  Site *site;
  memcpy(&site, memory, sizeof site);
  if (site) return site;
  site = obtain(0, sizeof *site);
  memset(site, 0, sizeof *site);
  char *text = memory + 8;
  site->name = next_word(&text, ' ');
  site->is_bounded = atoi(next_word(&text, ' '));
  site->is_finite = atoi(next_word(&text, ' '));
  site->count = atoi(next_word(&text, '\n'));
  site->items = obtain(0, (size_t)site->count * sizeof(Item));
  for (int k = 0; k < site->count; k++) {
    Item *item = &site->items[k];
    item->kind = atoi(next_word(&text, ' '));
    item->is_compared = atoi(next_word(&text, ' '));
    item->type = *next_word(&text, ' ');
    item->bytes = atoi(next_word(&text, ' '));
    item->rank = atoi(next_word(&text, ' '));
    item->word = atoi(next_word(&text, ' '));
    item->name = next_word(&text, ' ');
    item->lines = next_word(&text, ' ');
    item->place = next_word(&text, '\n');
  }
  memcpy(memory, &site, sizeof site);
#ifdef PROGRAM
  if (!sites) atexit(at_end);
#endif
  site->next = sites;
  sites = site;
  return site;
}

/* Boxes as rows of consecutive bytes */

typedef struct {
  char *start;    /* of the row at hand */
  size_t bytes;   /* of a row */
  char *low, *high; /* the elements that are there: what lies outside is left alone */
  int rank;
  int64_t number[MAX_RANK], extent[MAX_RANK], stride[MAX_RANK];
} Rows;

static int first_row(Rows *rows, const State *state, const Item *item) {
  const int64_t *words = state->frame + item->word;
  const int64_t *strides = words + 2, *lower = strides + item->rank, *upper = lower + item->rank;
  const int64_t *first = upper + item->rank, *last = first + item->rank;
  if (!words[1]) return 0;
  char *base = (char *)words[0];
  rows->start = rows->low = rows->high = base;
  rows->bytes = (size_t)item->bytes;
  for (int k = 0; k < item->rank; k++) {
    rows->extent[k] = upper[k] - lower[k] + 1;
    rows->stride[k] = strides[k];
    rows->number[k] = 0;
    if (rows->extent[k] <= 0) return 0;
    rows->start += lower[k] * strides[k];
    rows->low += first[k] * strides[k];
    rows->high += last[k] * strides[k];
  }
  rows->high += item->bytes;
  rows->rank = item->rank;
  while (rows->rank && rows->stride[rows->rank - 1] == (int64_t)rows->bytes)
    rows->bytes *= (size_t)rows->extent[--rows->rank];
  return 1;
}

static int next_row(Rows *rows) {
  for (int k = rows->rank - 1; k >= 0; k--) {
    rows->start += rows->stride[k];
    if (++rows->number[k] < rows->extent[k]) return 1;
    rows->start -= rows->stride[k] * rows->extent[k];
    rows->number[k] = 0;
  }
  return 0;
}

/* The part of the row that is there; 0 if there is none. */
static size_t clip(const Rows *rows, char **start) {
  char *end = rows->start + rows->bytes;
  *start = rows->start < rows->low ? rows->low : rows->start;
  if (end > rows->high) end = rows->high;
  return *start < end ? (size_t)(end - *start) : 0;
}

static size_t size_of(const State *state, const Item *item) {
  Rows rows;
  if (item->kind != BOX || !first_row(&rows, state, item)) return 0;
  size_t result = rows.bytes;
  for (int k = 0; k < rows.rank; k++) result *= (size_t)rows.extent[k];
  return result;
}

static void swap_bytes(char *a, char *b, size_t bytes) {
  char kept[4096];
  while (bytes) {
    size_t part = bytes < sizeof kept ? bytes : sizeof kept;
    memcpy(kept, a, part);
    memcpy(a, b, part);
    memcpy(b, kept, part);
    a += part, b += part, bytes -= part;
  }
}

enum { KEEP, RESTORE, SWAP };

/* Each box begins at a multiple of eight in a copy. */
static size_t aligned(size_t offset) { return (offset + 7) & ~(size_t)7; }

/* Between memory and a copy of all boxes. */
static void move_boxes(State *state, char *copies, int what) {
  size_t offset = 0;
  for (int k = 0; k < state->site->count; k++) {
    Item *item = &state->site->items[k];
    Rows rows;
    if (item->kind != BOX || !first_row(&rows, state, item)) continue;
    offset = aligned(offset);
    do {
      char *start, *copy = copies + offset;
      size_t bytes = clip(&rows, &start);
      if (bytes && what == KEEP) memcpy(copy, start, bytes);
      if (bytes && what == RESTORE) memcpy(start, copy, bytes);
      if (bytes && what == SWAP) swap_bytes(start, copy, bytes);
      offset += bytes;
    } while (next_row(&rows));
  }
}

static char *with_room(State *state, char *buffer, int number) {
  if (state->room[number] < state->bytes || !buffer) {
    free(buffer);
    buffer = obtain(0, state->bytes);
    state->room[number] = state->bytes;
  }
  return buffer;
}

/* Elements that are noted when they are written */

static size_t slot_of(const State *state, const char *address) {
  uint64_t hash = (uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15u;
  size_t slot = (size_t)(hash >> 20) & (state->table_size - 1);
  while (state->table[slot] && state->notes[state->table[slot] - 1].address != address)
    slot = (slot + 1) & (state->table_size - 1);
  return slot;
}

static void grow_table(State *state) {
  state->table_size = state->table_size ? 2 * state->table_size : 1024;
  state->table = obtain(state->table, state->table_size * sizeof *state->table);
  memset(state->table, 0, state->table_size * sizeof *state->table);
  for (size_t k = 0; k < state->noted; k++)
    state->table[slot_of(state, state->notes[k].address)] = (uint32_t)(k + 1);
}

static uint64_t load(const char *address, int bytes) {
  uint64_t value = 0;
  memcpy(&value, address, (size_t)bytes);
  return value;
}

/* The source's order is about to write an element. */
void __polyopt_check_note(int64_t *frame, int64_t item, char *address) {
  State *state = (State *)frame[0];
  if (!state) return;
  if (2 * (state->noted + 1) > state->table_size) grow_table(state);
  size_t slot = slot_of(state, address);
  if (state->table[slot]) return;
  if (state->noted == state->note_room) {
    state->note_room = state->note_room ? 2 * state->note_room : 512;
    state->notes = obtain(state->notes, state->note_room * sizeof *state->notes);
  }
  Note *note = &state->notes[state->noted++];
  state->table[slot] = (uint32_t)state->noted;
  note->address = address;
  note->item = item;
  note->input = load(address, state->site->items[item].bytes);
}

static int bytes_of(const State *state, const Note *note) {
  return state->site->items[note->item].bytes;
}

/* The execution */

int32_t __polyopt_check_begin(char *memory, int64_t *frame) {
  Site *site = read_site(memory);
  State *state = &spare;
  frame[0] = 0;
  if (spare_is_used) { /* another thread, a handler of signals, or a function that a SCoP calls */
    unchecked++;
    return 0;
  }
  spare_is_used = 1;
  state->site = site;
  state->frame = frame;
  state->noted = 0;
  state->bytes = 0;
  if (state->table_size) memset(state->table, 0, state->table_size * sizeof *state->table);
  for (int k = 0; k < site->count; k++)
    state->bytes = aligned(state->bytes) + size_of(state, &site->items[k]);
  state->inputs = with_room(state, state->inputs, 0);
  move_boxes(state, state->inputs, KEEP);
  site->executions++;
  frame[0] = (int64_t)state;
  return 1;
}

void __polyopt_check_turn(int64_t *frame) {
  State *state = (State *)frame[0];
  if (!state->site->is_bounded) { /* the inputs are not needed again */
    move_boxes(state, state->inputs, SWAP);
    char *buffer = state->source;
    size_t room = state->room[1];
    state->source = state->inputs, state->room[1] = state->room[0];
    state->inputs = buffer, state->room[0] = room;
  } else {
    state->source = with_room(state, state->source, 1);
    move_boxes(state, state->source, KEEP);
    move_boxes(state, state->inputs, RESTORE);
  }
  for (size_t k = 0; k < state->noted; k++) {
    Note *note = &state->notes[k];
    note->source = load(note->address, bytes_of(state, note));
    memcpy(note->address, &note->input, (size_t)bytes_of(state, note));
  }
}

/* Differences */

static double as_double(const Item *item, uint64_t bits) {
  float narrow;
  double wide;
  if (item->bytes == 4) {
    memcpy(&narrow, &bits, 4);
    return narrow;
  }
  memcpy(&wide, &bits, 8);
  return wide;
}

static double magnitude(double value) { return value < 0 ? -value : value; }

/* The part of a value's magnitude that reassociation may change in any case. */
static double quick_bound(const Item *item) {
  return item->bytes == 4 ? 0x1p-19 : 0x1p-43;
}

/* Whether what the optimised code gave stands for what the source's order gave, at first sight.
   `scale` is a magnitude whose rounding errors the value may carry. */
static int agree(const Site *site, const Item *item, uint64_t source, uint64_t optimised,
                 double scale, double allowed) {
  if (source == optimised) return 1;
  if (item->type != 'f') return 0;
  double a = as_double(item, source), b = as_double(item, optimised);
  if (a != a && b != b) return 1;
  if (!site->is_bounded) return 0;
  if (site->is_finite && !(a - a == 0)) return 1;
  if (a == b) return 1;
  if (magnitude(a) > scale) scale = magnitude(a);
  if (magnitude(b) > scale) scale = magnitude(b);
  return magnitude(a - b) <= quick_bound(item) * scale + allowed;
}

static void put(char *address, const Item *item, uint64_t bits) {
  memcpy(address, &bits, (size_t)item->bytes);
}

/* Whether all numbers of `a` and `b` are as near as `part` of their magnitudes and `bound`. NaN is
   near to nothing here. */
#define ALL_NEAR(NAME, TYPE)                                                               \
  static int NAME(const TYPE *a, const TYPE *b, size_t count, TYPE part, TYPE bound) {      \
    int far = 0;                                                                           \
    for (size_t k = 0; k < count; k++) {                                                   \
      TYPE x = a[k], y = b[k], d = x - y;                                                   \
      TYPE p = x < 0 ? -x : x, q = y < 0 ? -y : y, limit = part * (p > q ? p : q) + bound;  \
      far |= !((d < 0 ? -d : d) <= limit);                                                 \
    }                                                                                      \
    return !far;                                                                           \
  }
ALL_NEAR(doubles_near, double)
ALL_NEAR(floats_near, float)

/* Whether nothing in a row has to be looked at one by one. */
static int are_near(const Item *item, const char *source, const char *optimised, size_t bytes,
                    double part, double bound) {
  if (item->type != 'f') return !memcmp(source, optimised, bytes);
  if (item->bytes == 8)
    return doubles_near((const double *)source, (const double *)optimised, bytes / 8, part, bound);
  return floats_near((const float *)source, (const float *)optimised, bytes / 4, (float)part,
                     (float)bound);
}

/* How many elements disagree in the boxes: reported, or only whether there are any. */
static long compare_boxes(State *state, int is_told) {
  Site *site = state->site;
  size_t offset = 0;
  long result = 0;
  for (int k = 0; k < site->count; k++) {
    Item *item = &site->items[k];
    Rows rows;
    if (item->kind != BOX || !first_row(&rows, state, item)) continue;
    offset = aligned(offset);
    double part = site->is_bounded ? quick_bound(item) : 0;
    do {
      char *start;
      size_t bytes = clip(&rows, &start);
      const char *copy = state->source + offset;
      offset += bytes;
      if (!bytes || !item->is_compared) continue;
      if (!memcmp(start, copy, bytes)) continue;
      if (site->is_bounded && are_near(item, copy, start, bytes, part, 0)) continue;
      for (size_t at = 0; at < bytes; at += (size_t)item->bytes) {
        uint64_t source = load(copy + at, item->bytes);
        uint64_t optimised = load(start + at, item->bytes);
        if (agree(site, item, source, optimised, 0, 0)) continue;
        result++;
        if (!is_told) return result;
        tell(state, item, start + at, source, optimised, -1);
      }
    } while (next_row(&rows));
  }
  return result;
}

static long compare_notes(State *state, int is_told) {
  long result = 0;
  for (size_t k = 0; k < state->noted; k++) {
    Note *note = &state->notes[k];
    Item *item = &state->site->items[note->item];
    note->optimised = load(note->address, item->bytes);
    if (!item->is_compared || agree(state->site, item, note->source, note->optimised, 0, 0))
      continue;
    result++;
    if (is_told) tell(state, item, note->address, note->source, note->optimised, -1);
  }
  return result;
}

static long compare_values(State *state, int is_told) {
  long result = 0;
  for (int k = 0; k < state->site->count; k++) {
    Item *item = &state->site->items[k];
    if (item->kind != VALUE) continue;
    char *const *words = (char *const *)(state->frame + item->word);
    uint64_t source = load(words[0], item->bytes), optimised = load(words[1], item->bytes);
    if (agree(state->site, item, source, optimised, 0, 0)) continue;
    result++;
    if (is_told) tell(state, item, 0, source, optimised, -1);
  }
  return result;
}

static void take_source(State *state) {
  move_boxes(state, state->source, RESTORE);
  for (size_t k = 0; k < state->noted; k++)
    memcpy(state->notes[k].address, &state->notes[k].source,
           (size_t)bytes_of(state, &state->notes[k]));
}

static void end(State *state) {
  state->frame[0] = 0;
  spare_is_used = 0;
}

int32_t __polyopt_check_compare(int64_t *frame) {
  State *state = (State *)frame[0];
  if (!state) return 0;
  Site *site = state->site;
  int is_told = !site->is_bounded;
  long found = compare_boxes(state, is_told);
  found += compare_notes(state, is_told);
  found += compare_values(state, is_told);
  if (!found) {
    end(state);
    return 0;
  }
  if (!site->is_bounded) {
    take_source(state);
    for (int k = 0; k < site->count; k++) {
      Item *item = &site->items[k];
      char *const *words = (char *const *)(frame + item->word);
      if (item->kind == VALUE) memcpy(words[1], words[0], (size_t)item->bytes);
    }
    end(state);
    return 0;
  }
  state->optimised = with_room(state, state->optimised, 2);
  move_boxes(state, state->optimised, KEEP);
  move_boxes(state, state->inputs, RESTORE);
  for (size_t k = 0; k < state->noted; k++)
    put(state->notes[k].address, &site->items[state->notes[k].item], state->notes[k].input);
  state->first_noted = state->noted;
  state->values = obtain(state->values, (size_t)site->count * sizeof *state->values);
  for (int k = 0; k < site->count; k++) {
    Item *item = &site->items[k];
    char *const *words = (char *const *)(frame + item->word);
    if (item->kind == VALUE) state->values[k] = load(words[0], item->bytes);
  }
  fesetround(UPWARDS);
  return 1;
}

/* What rounding upwards has changed of one thing: its greatest magnitude, before and after, and the
   greatest change of an element. */

typedef struct {
  double scale, change;
} Effect;

static double finite_part(double value) { return value - value == 0 ? magnitude(value) : 0; }

static void see(Effect *effect, const Item *item, uint64_t input, uint64_t source,
                uint64_t upwards) {
  double before = finite_part(as_double(item, input)), after = finite_part(as_double(item, source));
  double change = finite_part(as_double(item, upwards) - as_double(item, source));
  if (before > effect->scale) effect->scale = before;
  if (after > effect->scale) effect->scale = after;
  if (change > effect->change) effect->change = change;
}

#define SEE_ALL(NAME, TYPE)                                                                 \
  static void NAME(Effect *effect, const TYPE *input, const TYPE *source,                  \
                   const TYPE *upwards, size_t count) {                                    \
    double scale = effect->scale, change = effect->change;                                 \
    for (size_t k = 0; k < count; k++) {                                                   \
      double before = finite_part(input[k]), after = finite_part(source[k]);               \
      double changed = finite_part((double)upwards[k] - source[k]);                        \
      scale = before > scale ? before : scale;                                             \
      scale = after > scale ? after : scale;                                               \
      change = changed > change ? changed : change;                                        \
    }                                                                                      \
    effect->scale = scale;                                                                 \
    effect->change = change;                                                               \
  }
SEE_ALL(see_doubles, double)
SEE_ALL(see_floats, float)

/* Of all things; returns whether there is noise among them: so much has changed. */
static int see_all(State *state, Effect *effects) {
  Site *site = state->site;
  int result = 0;
  size_t offset = 0;
  memset(effects, 0, (size_t)site->count * sizeof *effects);
  for (int k = 0; k < site->count; k++) {
    Item *item = &site->items[k];
    char *const *words = (char *const *)(state->frame + item->word);
    Rows rows;
    if (item->kind == VALUE && item->type == 'f')
      see(&effects[k], item, state->values[k], state->values[k], load(words[0], item->bytes));
    if (item->kind != BOX || !first_row(&rows, state, item)) continue;
    offset = aligned(offset);
    do {
      char *start;
      size_t bytes = clip(&rows, &start);
      const char *input = state->inputs + offset, *source = state->source + offset;
      if (item->type == 'f' && item->bytes == 8)
        see_doubles(&effects[k], (const double *)input, (const double *)source,
                    (const double *)start, bytes / 8);
      else if (item->type == 'f')
        see_floats(&effects[k], (const float *)input, (const float *)source,
                   (const float *)start, bytes / 4);
      offset += bytes;
    } while (next_row(&rows));
  }
  for (size_t k = 0; k < state->first_noted; k++) {
    Note *note = &state->notes[k];
    Item *item = &site->items[note->item];
    if (item->type == 'f')
      see(&effects[note->item], item, note->input, note->source, load(note->address, item->bytes));
  }
  for (int k = 0; k < site->count; k++)
    result |= NOISE * effects[k].change > effects[k].scale;
  return result;
}

/* Whether the difference is within the bound, now that it is known what rounding does. */
static int conclude_one(State *state, Item *item, const Effect *effect, int has_noise,
                        const char *address, uint64_t source, uint64_t optimised,
                        uint64_t upwards) {
  double bound = -1;
  if (!item->is_compared || source == optimised) return 1;
  if (item->type == 'f') {
    double a = as_double(item, source), change = as_double(item, upwards) - a;
    if (change - change != 0 && a - a == 0) return 1; /* rounding alone makes it infinite */
    if (agree(state->site, item, source, optimised, effect->scale, ROUNDED * effect->change))
      return 1;
    bound = quick_bound(item) * effect->scale + ROUNDED * effect->change;
  } else if (has_noise || source != upwards) {
    return 1; /* an integer that depends on how a comparison of rounded values ends */
  }
  tell(state, item, address, source, optimised, bound);
  return 0;
}

void __polyopt_check_conclude(int64_t *frame) {
  State *state = (State *)frame[0];
  Site *site = state->site;
  int is_fine = 1;
  size_t offset = 0;
  fesetround(TO_NEAREST);
  Effect *effects = obtain(0, (size_t)site->count * sizeof *effects);
  int has_noise = see_all(state, effects);
  for (int k = 0; k < site->count; k++) {
    Item *item = &site->items[k];
    char *const *words = (char *const *)(frame + item->word);
    Rows rows;
    if (item->kind == VALUE)
      is_fine &= conclude_one(state, item, &effects[k], has_noise, 0, state->values[k],
                              load(words[1], item->bytes), load(words[0], item->bytes));
    if (item->kind != BOX || !first_row(&rows, state, item)) continue;
    offset = aligned(offset);
    double bound = quick_bound(item) * effects[k].scale + ROUNDED * effects[k].change;
    do {
      char *start;
      size_t bytes = clip(&rows, &start);
      int is_near = !item->is_compared || are_near(item, state->source + offset,
                                                   state->optimised + offset, bytes, 0, bound);
      for (size_t at = 0; !is_near && at < bytes; at += (size_t)item->bytes)
        is_fine &= conclude_one(state, item, &effects[k], has_noise, start + at,
                                load(state->source + offset + at, item->bytes),
                                load(state->optimised + offset + at, item->bytes),
                                load(start + at, item->bytes));
      offset += bytes;
    } while (next_row(&rows));
  }
  for (size_t k = 0; k < state->noted; k++) {
    Note *note = &state->notes[k];
    Item *item = &site->items[note->item];
    if (k < state->first_noted)
      is_fine &= conclude_one(state, item, &effects[note->item], has_noise, note->address,
                              note->source, note->optimised, load(note->address, item->bytes));
    else /* only rounding upwards has written it */
      put(note->address, item, note->input);
  }
  free(effects);
  state->noted = state->first_noted;
  if (is_fine) {
    move_boxes(state, state->optimised, RESTORE);
    for (size_t k = 0; k < state->noted; k++)
      put(state->notes[k].address, &site->items[state->notes[k].item], state->notes[k].optimised);
  } else {
    take_source(state);
    for (int k = 0; k < site->count; k++)
      if (site->items[k].kind == VALUE)
        put(((char **)(frame + site->items[k].word))[1], &site->items[k], state->values[k]);
  }
  end(state);
}
