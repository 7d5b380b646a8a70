/* What every kernel program shares: sizes, memory, the clock, and the printing of results.

   A kernel program is one C file: it fills its arrays, calls kernel_<name> once between
   bench_start() and bench_stop(), and hands its results to bench_doubles() and its kin.

       ./kernel         a line for each result: name, type, count, two sums, a hash of the bits
       ./kernel -d      a line for each result, then its elements, exactly (hexadecimal)
       ./kernel -t      before the results, the kernel's seconds: by the clock, of the processor

   -D{MINI,SMALL,MEDIUM,LARGE,EXTRALARGE}_DATASET picks the sizes; LARGE is the default.
   -DBENCH_ROUNDS=n runs the kernel n times, on what it leaves; the fastest counts.
   -DBENCH_KNOWN_SIZES lets the compiler see that the sizes passed to a kernel are constants. */

#ifndef BENCH_H
#define BENCH_H

#define _POSIX_C_SOURCE 200809L /* clock_gettime; so include this file first */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined BY_SIZE
/* -D'BY_SIZE(mini,small,medium,large,extralarge)=...' gives sizes of another kind */
#elif defined MINI_DATASET
#define BY_SIZE(mini, small, medium, large, extralarge) mini
#elif defined SMALL_DATASET
#define BY_SIZE(mini, small, medium, large, extralarge) small
#elif defined MEDIUM_DATASET
#define BY_SIZE(mini, small, medium, large, extralarge) medium
#elif defined EXTRALARGE_DATASET
#define BY_SIZE(mini, small, medium, large, extralarge) extralarge
#else
#define BY_SIZE(mini, small, medium, large, extralarge) large
#endif

static int bench_dumps;
static int bench_tells_time;
static struct timespec bench_clock;
static struct timespec bench_processor;

static inline void bench_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-d") == 0) {
            bench_dumps = 1;
        } else if (strcmp(argv[i], "-t") == 0) {
            bench_tells_time = 1;
        } else {
            fprintf(stderr, "usage: %s [-d] [-t]\n", argv[0]);
            exit(2);
        }
    }
}

/* `n`, in a way that no compiler can see: a kernel is not specialised for its size. */
static inline int bench_size(int n)
{
#ifndef BENCH_KNOWN_SIZES
    volatile int hidden = n;
    n = hidden;
#endif
    return n;
}

/* `count` elements of `size` bytes, zero, touched, and aligned to a page. */
#ifdef BENCH_GUARDED
void *bench_guarded(size_t bytes); /* ends where nobody may touch */

static inline void *bench_alloc(size_t count, size_t size)
{
    return bench_guarded(count * size);
}
#else
static inline void *bench_alloc(size_t count, size_t size)
{
    size_t page = 4096;
    size_t bytes = (count * size + page - 1) / page * page;
    void *memory = aligned_alloc(page, bytes);
    if (memory == NULL) {
        fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        exit(1);
    }
    memset(memory, 0, bytes);
    return memory;
}
#endif

static inline double bench_between(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static inline void bench_start(void)
{
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &bench_processor);
    clock_gettime(CLOCK_MONOTONIC, &bench_clock);
}

/* `last`: after this round the time is told. */
static inline void bench_end(int last)
{
    static double fastest[2] = { 1e30, 1e30 };
    struct timespec clock, processor;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
    double seconds[2] = { bench_between(&bench_clock, &clock),
                          bench_between(&bench_processor, &processor) };
    for (int i = 0; i < 2; i++)
        if (seconds[i] < fastest[i])
            fastest[i] = seconds[i];
    if (last && bench_tells_time)
        printf("seconds %.9f %.9f\n", fastest[0], fastest[1]);
}

#ifdef BENCH_ROUNDS
#define bench_start() for (int bench_round = 1; bench_round <= BENCH_ROUNDS; bench_round++) { bench_start()
#define bench_stop() bench_end(bench_round == BENCH_ROUNDS); }
#else
#define bench_stop() bench_end(1)
#endif

enum bench_kind { BENCH_DOUBLE, BENCH_FLOAT, BENCH_INT };
static const char *const bench_types[] = { "double", "float", "int" };

static inline double bench_value(const void *values, enum bench_kind kind, long i)
{
    switch (kind) {
    case BENCH_FLOAT:
        return ((const float *)values)[i];
    case BENCH_INT:
        return ((const int *)values)[i];
    default:
        return ((const double *)values)[i];
    }
}

static inline void bench_print(const char *name, const void *values, enum bench_kind kind,
                               long count)
{
    printf("%s %s %ld\n", name, bench_types[kind], count);
    for (long i = 0; i < count; i++) {
        if (kind == BENCH_INT)
            printf("%d\n", ((const int *)values)[i]);
        else
            printf("%a\n", bench_value(values, kind, i));
    }
}

/* The sums (of absolute values, plain and weighted by place) compare within a tolerance, the
   hash (FNV-1a over the bytes) compares bit for bit. */
static inline void bench_summary(const char *name, const void *values, enum bench_kind kind,
                                 long count)
{
    double sum = 0.0, weighted = 0.0;
    for (long i = 0; i < count; i++) {
        double value = bench_value(values, kind, i);
        double size = value < 0.0 ? -value : value;
        sum += size;
        weighted += size * (double)(1 + i % 31);
    }

    const unsigned char *bytes = values;
    long length = count * (kind == BENCH_DOUBLE ? 8 : 4);
    unsigned long hash = 14695981039346656037UL;
    for (long i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 1099511628211UL;

    printf("%s %s %ld %.17g %.17g %016lx\n", name, bench_types[kind], count, sum, weighted, hash);
}

static inline void bench_output(const char *name, const void *values, enum bench_kind kind,
                                long count)
{
    if (bench_dumps)
        bench_print(name, values, kind, count);
    else
        bench_summary(name, values, kind, count);
}

static inline void bench_doubles(const char *name, const void *values, long count)
{
    bench_output(name, values, BENCH_DOUBLE, count);
}

static inline void bench_floats(const char *name, const void *values, long count)
{
    bench_output(name, values, BENCH_FLOAT, count);
}

static inline void bench_ints(const char *name, const void *values, long count)
{
    bench_output(name, values, BENCH_INT, count);
}

/* Narrow integers are told by their values, as int. */
static inline void bench_bytes(const char *name, const void *values, long count)
{
    const unsigned char *narrow = values;
    int *wide = bench_alloc((size_t)count, sizeof *wide);
    for (long i = 0; i < count; i++)
        wide[i] = narrow[i];
    bench_ints(name, wide, count);
    free(wide);
}

static inline void bench_shorts(const char *name, const void *values, long count)
{
    const short *narrow = values;
    int *wide = bench_alloc((size_t)count, sizeof *wide);
    for (long i = 0; i < count; i++)
        wide[i] = narrow[i];
    bench_ints(name, wide, count);
    free(wide);
}

#endif
