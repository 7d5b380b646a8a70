/* MPI for programs, by the library of whoever has started them. Programs are written for the standard
   ABI (handles are pointers, their constants those of MPI 5.0, appendix A), which MPICH 4.3 and newer
   and Open MPI 6 have in `libmpi_abi`. Open MPI 4 and 5 have another one, `libmpi.so.40`: there handles
   are addresses of objects that the library exports, by which the constants are replaced on their way.

   What is in the process already is taken; else what `mpiexec` has set in the environment decides
   (Open MPI's says so), and else the standard ABI comes first. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *Handle;

void *dlopen(const char *, int);
void *dlsym(void *, const char *);
#define NOW_FOR_ALL 0x102 /* Open MPI's own parts ask for its names */
#define IF_THERE 4

#define OWN __attribute__((visibility("hidden")))

static const char *const standard[] = {"libmpi_abi.so.0", "libmpi_abi.so.1", "libmpi_abi.so", NULL};
static const char *const open_mpi[] = {"libmpi.so.40", NULL};

static void *library;
static int is_open_mpi;

static int take(const char *const *names, int how) {
  for (; *names != NULL && library == NULL; names++)
    library = dlopen(*names, NOW_FOR_ALL | how);
  is_open_mpi = library != NULL && dlsym(library, "ompi_mpi_comm_world") != NULL;
  return library != NULL;
}

/* Open MPI's where it says that it is: what is moved from where it was built has this set. */
static int take_from_prefix(void) {
  const char *prefix = getenv("OPAL_PREFIX");
  char path[4096];
  const char *const names[] = {path, NULL};
  return prefix != NULL && snprintf(path, sizeof path, "%s/lib/libmpi.so.40", prefix) < sizeof path &&
         take(names, 0);
}

static void load(void) {
  if (take(open_mpi, IF_THERE) || take(standard, IF_THERE))
    return;
  if (dlsym(NULL, "MPI_Init") != NULL) {
    fprintf(stderr, "polyopt: the library of MPI in this process has neither MPI's standard ABI "
            "(libmpi_abi: link with mpicc_abi) nor Open MPI's\n");
    _exit(1);
  }
  if (getenv("OMPI_COMM_WORLD_SIZE") != NULL && (take_from_prefix() || take(open_mpi, 0)))
    return;
  if (take(standard, 0) || take(open_mpi, 0))
    return;
  fprintf(stderr, "polyopt: there is no library of MPI: neither libmpi_abi.so (MPI's standard ABI) "
          "nor libmpi.so.40 (Open MPI 4 and 5); LD_LIBRARY_PATH says where one is\n");
  _exit(1);
}

/* Objects may have been copied into the program that the library has been linked with: those are
   found as everybody finds them. */
static void *find(const char *name, int is_object) {
  if (library == NULL)
    load();
  void *found = dlsym(is_object ? NULL : library, name);
  if (found == NULL) {
    fprintf(stderr, "polyopt: the library of MPI has no %s\n", name);
    _exit(1);
  }
  return found;
}

/* Handles of the standard ABI, and Open MPI's objects. */
static struct {
  intptr_t handle;
  const char *name;
  Handle object;
} objects[] = {
  {0x21, "ompi_mpi_op_sum"},     {0x22, "ompi_mpi_op_min"},      {0x23, "ompi_mpi_op_max"},
  {0x24, "ompi_mpi_op_prod"},    {0x28, "ompi_mpi_op_band"},     {0x29, "ompi_mpi_op_bor"},
  {0x2a, "ompi_mpi_op_bxor"},    {0x101, "ompi_mpi_comm_world"}, {0x180, "ompi_request_null"},
  {0x210, "ompi_mpi_float"},     {0x214, "ompi_mpi_double"},     {0x240, "ompi_mpi_int8_t"},
  {0x241, "ompi_mpi_uint8_t"},   {0x248, "ompi_mpi_int16_t"},    {0x249, "ompi_mpi_uint16_t"},
  {0x250, "ompi_mpi_int32_t"},   {0x251, "ompi_mpi_uint32_t"},   {0x258, "ompi_mpi_int64_t"},
  {0x259, "ompi_mpi_uint64_t"},
};

/* What a handle that the program says is in the library; others are the library's own. */
static Handle known(Handle handle) {
  if (!is_open_mpi)
    return handle;
  for (size_t k = 0; k < sizeof objects / sizeof *objects; k++)
    if (objects[k].handle == (intptr_t)handle) {
      if (objects[k].object == NULL)
        objects[k].object = find(objects[k].name, 1);
      return objects[k].object;
    }
  return handle;
}

/* A function of the library, looked for once. */
#define FUNCTION(name, ...)                                                                          \
  static int (*function)(__VA_ARGS__);                                                               \
  if (function == NULL)                                                                              \
    function = (int (*)(__VA_ARGS__))find(name, 0)

OWN int MPI_Initialized(int *answer) {
  FUNCTION("MPI_Initialized", int *);
  return function(answer);
}

OWN int MPI_Finalized(int *answer) {
  FUNCTION("MPI_Finalized", int *);
  return function(answer);
}

OWN int MPI_Init_thread(int *count, char ***words, int required, int *provided) {
  FUNCTION("MPI_Init_thread", int *, char ***, int, int *);
  return function(count, words, is_open_mpi ? 1 : required, provided); /* funneled, in either ABI */
}

OWN int MPI_Finalize(void) {
  FUNCTION("MPI_Finalize", void);
  return function();
}

OWN int MPI_Abort(Handle group, int status) {
  FUNCTION("MPI_Abort", Handle, int);
  return function(known(group), status);
}

OWN int MPI_Comm_rank(Handle group, int *rank) {
  FUNCTION("MPI_Comm_rank", Handle, int *);
  return function(known(group), rank);
}

OWN int MPI_Comm_size(Handle group, int *size) {
  FUNCTION("MPI_Comm_size", Handle, int *);
  return function(known(group), size);
}

OWN int MPI_Ibarrier(Handle group, Handle *request) {
  FUNCTION("MPI_Ibarrier", Handle, Handle *);
  return function(known(group), request);
}

OWN int MPI_Test(Handle *request, int *answer, void *status) {
  FUNCTION("MPI_Test", Handle *, int *, void *);
  *request = known(*request);
  return function(request, answer, status);
}

OWN int MPI_Type_size(Handle type, int *bytes) {
  FUNCTION("MPI_Type_size", Handle, int *);
  return function(known(type), bytes);
}

OWN int PMPI_Allreduce(const void *mine, void *all, int count, Handle type, Handle how, Handle group) {
  FUNCTION("MPI_Allreduce", const void *, void *, int, Handle, Handle, Handle);
  return function(mine, all, count, known(type), known(how), known(group));
}

OWN int MPI_Reduce(const void *mine, void *all, int count, Handle type, Handle how, int whom,
                   Handle group) {
  FUNCTION("MPI_Reduce", const void *, void *, int, Handle, Handle, int, Handle);
  return function(mine, all, count, known(type), known(how), whom, known(group));
}

OWN int PMPI_Isend(const void *buffer, int count, Handle type, int whom, int tag, Handle group,
                   Handle *request) {
  FUNCTION("MPI_Isend", const void *, int, Handle, int, int, Handle, Handle *);
  return function(buffer, count, known(type), whom, tag, known(group), request);
}

OWN int MPI_Irecv(void *buffer, int count, Handle type, int whom, int tag, Handle group,
                  Handle *request) {
  FUNCTION("MPI_Irecv", void *, int, Handle, int, int, Handle, Handle *);
  return function(buffer, count, known(type), whom, tag, known(group), request);
}

OWN int MPI_Recv(void *buffer, int count, Handle type, int whom, int tag, Handle group, void *status) {
  FUNCTION("MPI_Recv", void *, int, Handle, int, int, Handle, void *);
  return function(buffer, count, known(type), whom, tag, known(group), status);
}

OWN int MPI_Waitall(int count, Handle *requests, void *statuses) {
  FUNCTION("MPI_Waitall", int, Handle *, void *);
  for (int k = 0; k < count; k++)
    requests[k] = known(requests[k]);
  return function(count, requests, statuses);
}
