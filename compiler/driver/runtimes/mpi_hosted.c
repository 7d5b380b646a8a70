/* MPI for code that runs in a process of Python: what `mpi_runtime.c` and the code ask of MPI is done
   by whoever has filled the table, with the library and the communicator that it has
   (`hosted_messages.py`). Messages are bytes. */

#include <stdint.h>

typedef void *Handle;

#define NO_REQUEST ((Handle)0x180)

struct {
  int (*rank)(void);
  int (*size)(void);
  int64_t (*send)(const void *buffer, int64_t bytes, int whom, int tag); /* a number above 0 */
  void (*receive)(void *buffer, int64_t bytes, int whom, int tag);
  int64_t (*ask)(void *buffer, int64_t bytes, int whom, int tag); /* a number above 0 */
  void (*wait)(int64_t number);
  void (*combine)(const void *mine, void *all, int count, int type, int how);
  void (*abort)(int status);
} __polyopt_mpi_host;

static int bytes_of(Handle type) {
  switch ((intptr_t)type) {
  case 0x240: case 0x241: return 1;
  case 0x248: case 0x249: return 2;
  case 0x210: case 0x250: case 0x251: return 4;
  default: return 8;
  }
}

int MPI_Initialized(int *answer) { return *answer = 1, 0; }
int MPI_Finalized(int *answer) { return *answer = 0, 0; }
int MPI_Type_size(Handle type, int *bytes) { return *bytes = bytes_of(type), 0; }
int MPI_Comm_rank(Handle group, int *rank) { return *rank = __polyopt_mpi_host.rank(), 0; }
int MPI_Comm_size(Handle group, int *size) { return *size = __polyopt_mpi_host.size(), 0; }
int MPI_Abort(Handle group, int status) { return __polyopt_mpi_host.abort(status), 0; }

int PMPI_Allreduce(const void *mine, void *all, int count, Handle type, Handle how, Handle group) {
  __polyopt_mpi_host.combine(mine, all, count, (int)(intptr_t)type, (int)(intptr_t)how);
  return 0;
}

int PMPI_Isend(const void *buffer, int count, Handle type, int whom, int tag, Handle group,
               Handle *request) {
  int64_t bytes = (int64_t)count * bytes_of(type);
  *request = (Handle)(intptr_t)(0x1000 + __polyopt_mpi_host.send(buffer, bytes, whom, tag));
  return 0;
}

int MPI_Recv(void *buffer, int count, Handle type, int whom, int tag, Handle group, void *status) {
  __polyopt_mpi_host.receive(buffer, (int64_t)count * bytes_of(type), whom, tag);
  return 0;
}

int MPI_Irecv(void *buffer, int count, Handle type, int whom, int tag, Handle group,
              Handle *request) {
  int64_t bytes = (int64_t)count * bytes_of(type);
  *request = (Handle)(intptr_t)(0x1000 + __polyopt_mpi_host.ask(buffer, bytes, whom, tag));
  return 0;
}

int MPI_Waitall(int count, Handle *requests, void *statuses) {
  for (int i = 0; i < count; i++)
    if (requests[i] != NO_REQUEST) {
      __polyopt_mpi_host.wait((intptr_t)requests[i] - 0x1000);
      requests[i] = NO_REQUEST;
    }
  return 0;
}
