#ifndef _SYS_STAT_H
#define _SYS_STAT_H
#include <sys/types.h>
int mkdir(const char *, mode_t);
int chmod(const char *, mode_t);
#endif
