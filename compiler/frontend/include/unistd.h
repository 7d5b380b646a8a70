#ifndef _UNISTD_H
#define _UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
off_t lseek(int, off_t, int);
int unlink(const char *);
int access(const char *, int);
int isatty(int);
char *getcwd(char *, size_t);
pid_t getpid(void);
long sysconf(int);
unsigned int sleep(unsigned int);
int usleep(unsigned int);
int getopt(int, char *const[], const char *);
extern char *optarg;
extern int optind, opterr, optopt;
_Noreturn void _exit(int);
#endif
