/* What a program whose loops are shared among processes runs besides (docs/mpi.md), on MPI's standard
   ABI: handles are pointers, their constants those of MPI 5.0, appendix A.

   Every process runs all of the program. The one of rank 0 speaks for all: the standard output of
   the others goes nowhere. At each SCoP, and at the end, all say where they are: processes that do
   not run the same program in step end with a message, where they would wait for ever. */

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void *Handle;

int MPI_Initialized(int *);
int MPI_Finalized(int *);
int MPI_Init_thread(int *, char ***, int, int *);
int MPI_Finalize(void);
int MPI_Abort(Handle, int);
int MPI_Comm_rank(Handle, int *);
int MPI_Comm_size(Handle, int *);
int MPI_Barrier(Handle);
int MPI_Ibarrier(Handle, Handle *);
int MPI_Test(Handle *, int *, void *);
int MPI_Type_size(Handle, int *);
int PMPI_Allreduce(const void *, void *, int, Handle, Handle, Handle);
int MPI_Reduce(const void *, void *, int, Handle, Handle, int, Handle);
int PMPI_Isend(const void *, int, Handle, int, int, Handle, Handle *);

#define WORLD ((Handle)0x101)
#define INT64 ((Handle)0x258)
#define SUM ((Handle)0x21)
#define MINIMUM ((Handle)0x22)
#define FUNNELED 1024
#define LAST_TAG 16384 /* tags from here on: what everybody needs at the end of a SCoP */

int open(const char *, int, ...);
int dup2(int, int);
int on_exit(void (*)(int, void *), void *);
int pause(void);
#define WRITE_ONLY 1

static Handle communicator = WORLD;

/* All processes end. What this one has said is on its way through mpiexec, which forgets what it has
   not passed on by then. */
static void end_all(int status) {
  usleep(300000);
  MPI_Abort(communicator, status);
}

static int64_t sent[4]; /* messages and bytes, within SCoPs and at their ends */

static int rank_of(void) {
  int rank;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

static int size_of(void) {
  int size;
  MPI_Comm_size(communicator, &size);
  return size;
}

static int is_ready(void) {
  int started, ended;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started && !ended;
}

/* MPI in the process, and its communicator. */
Handle __polyopt_mpi_communicator(void) {
  return communicator;
}

/* Another one than all processes: what a program in another language says. */
void __polyopt_mpi_use(Handle other) {
  communicator = other;
}

/* All processes are at one place: `line` of the source, with the same `values`; line 0 is the end. */
int __polyopt_mpi_agree(int64_t line, int64_t values) {
  int64_t mine[4] = {line, -line, values, -values}, least[4];
  PMPI_Allreduce(mine, least, 4, INT64, MINIMUM, communicator);
  if (least[0] == -least[1] && least[2] == -least[3])
    return 0;
  if (rank_of() == 0) {
    if (least[0] != -least[1])
      fprintf(stderr, "polyopt: processes are at lines %ld and %ld of the program (0: its end); ",
              (long)least[0], (long)-least[1]);
    else
      fprintf(stderr, "polyopt: processes run the loops at line %ld with different sizes; ",
              (long)line);
    fprintf(stderr, "all have to run the same program on the same input\n");
    end_all(1);
  }
  for (;;)
    pause();
}

/* How many processes there are on the axis that is open, in a grid that has `given` on the others;
   no process goes on where they do not fill the grid. */
int __polyopt_mpi_rest(int given, int is_open) {
  int size = size_of();
  if (is_open ? size % given == 0 : size == given)
    return size / given;
  if (rank_of() == 0) {
    const char *all = is_open ? "a multiple of " : "";
    fprintf(stderr, "polyopt: the program was compiled for %s%d process%s, and %d run%s it: start it "
            "with mpiexec -n %d\n", all, given, given == 1 ? "" : "es", size, size == 1 ? "s" : "",
            given);
  }
  exit(1);
}

/* This process has come to where it would read or write what only some process has. */
int __polyopt_mpi_owned(int64_t line) {
  fprintf(stderr, "polyopt: line %ld accesses an array of which each process has its part, outside of "
          "the loops that processes share\n", (long)line);
  end_all(1);
  return 0;
}

int __polyopt_mpi_count(int64_t count) {
  if (count <= INT_MAX)
    return (int)count;
  fprintf(stderr, "polyopt: a message of %ld elements is more than MPI takes\n", (long)count);
  end_all(1);
  return 0;
}

/* Room for so many requests; it is used by one exchange at a time. */
Handle *__polyopt_mpi_requests(int count) {
  static Handle *room;
  static int had;
  if (count > had) {
    room = realloc(room, count * sizeof *room);
    if (room == NULL) {
      fprintf(stderr, "polyopt: there is no memory for %d requests\n", count);
      end_all(1);
    }
    had = count;
  }
  return room;
}

/* MPI's own, counted: this is what its profiling interface is for. */
int MPI_Isend(const void *buffer, int count, Handle type, int whom, int tag, Handle group,
              Handle *request) {
  int bytes, last = tag >= LAST_TAG;
  MPI_Type_size(type, &bytes);
  sent[2 * last] += 1;
  sent[2 * last + 1] += (int64_t)count * bytes;
  return PMPI_Isend(buffer, count, type, whom, tag, group, request);
}

/* Of a reduction each process has its part to send, if it is not alone. */
int MPI_Allreduce(const void *mine, void *all, int count, Handle type, Handle how, Handle group) {
  int bytes;
  MPI_Type_size(type, &bytes);
  if (size_of() > 1) {
    sent[0] += 1;
    sent[1] += (int64_t)count * bytes;
  }
  return PMPI_Allreduce(mine, all, count, type, how, group);
}

/* What this process has sent. */
int64_t __polyopt_mpi_sent(int which) {
  return sent[which];
}

#ifdef PROGRAM

#define PATIENCE 500 /* hundredths of a second that a process which fails waits for others */

static void report(void) {
  int64_t all[4];
  MPI_Reduce(sent, all, 4, INT64, SUM, 0, communicator);
  if (rank_of() == 0)
    fprintf(stderr, "polyopt: %d processes sent %ld messages, %ld bytes, and %ld, %ld to tell all "
            "the results\n", size_of(), (long)all[0], (long)all[1], (long)all[2], (long)all[3]);
}

/* Do all processes come here? A process that fails alone must not leave others waiting. */
static int all_fail(void) {
  Handle request;
  int done = 0;
  MPI_Ibarrier(communicator, &request);
  for (int tries = 0; tries < PATIENCE; tries++) {
    MPI_Test(&request, &done, NULL);
    if (done)
      return 1;
    usleep(10000);
  }
  return 0;
}

static void finish(int status, void *unused) {
  (void)unused;
  if (!is_ready())
    return;
  if (status == 0) {
    __polyopt_mpi_agree(0, 0);
    if (getenv("POLYOPT_MPI_REPORT"))
      report();
  } else if (!all_fail()) {
    fprintf(stderr, "polyopt: process %d ends with status %d, and others go on\n", rank_of(), status);
    end_all(status);
  }
  MPI_Finalize();
}

/* Nobody runs everything as often as processes were asked for: where the library is not that of the
   mpiexec, it sees one process. */
static void refuse_alone(void) {
  const char *asked = getenv("OMPI_COMM_WORLD_SIZE");
  if (asked == NULL)
    asked = getenv("PMI_SIZE");
  if (asked == NULL || atoi(asked) < 2 || size_of() > 1)
    return;
  fprintf(stderr, "polyopt: mpiexec has started %s processes, and the library of MPI that this one has "
          "loaded knows of one: it is another MPI's; LD_LIBRARY_PATH says where that of mpiexec is\n",
          asked);
  end_all(1);
}

__attribute__((constructor)) static void start(void) {
  int had;
  MPI_Initialized(&had);
  if (had)
    return;
  MPI_Init_thread(NULL, NULL, FUNNELED, &had);
  refuse_alone();
  on_exit(finish, NULL);
  if (rank_of() != 0 && getenv("POLYOPT_MPI_OUTPUT") == NULL) {
    int nowhere = open("/dev/null", WRITE_ONLY);
    if (nowhere >= 0)
      dup2(nowhere, 1);
  }
}

#endif
