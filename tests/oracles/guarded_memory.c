/* Memory for programs of `benchmarks` that ends with its last byte: what is behind it, and what is in front of its first
   page, stops the program. It is never given back. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

void *bench_guarded(size_t bytes)
{
    size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    char *memory = mmap(NULL, whole + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + PAGE, whole, PROT_READ | PROT_WRITE) != 0) {
        perror("bench_guarded");
        exit(1);
    }
    return memory + PAGE + whole - bytes;
}

void free(void *memory)
{
    (void)memory;
}
