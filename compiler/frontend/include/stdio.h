#ifndef _STDIO_H
#define _STDIO_H
#include <stddef.h>
typedef struct _IO_FILE FILE;
typedef long ssize_t;
typedef __builtin_va_list va_list;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
int printf(const char *restrict, ...);
int fprintf(FILE *restrict, const char *restrict, ...);
int sprintf(char *restrict, const char *restrict, ...);
int snprintf(char *restrict, size_t, const char *restrict, ...);
int scanf(const char *restrict, ...);
int fscanf(FILE *restrict, const char *restrict, ...);
int sscanf(const char *restrict, const char *restrict, ...);
int vprintf(const char *restrict, __builtin_va_list);
int vfprintf(FILE *restrict, const char *restrict, __builtin_va_list);
int vsprintf(char *restrict, const char *restrict, __builtin_va_list);
int vsnprintf(char *restrict, size_t, const char *restrict, __builtin_va_list);
int vscanf(const char *restrict, __builtin_va_list);
int vfscanf(FILE *restrict, const char *restrict, __builtin_va_list);
int vsscanf(const char *restrict, const char *restrict, __builtin_va_list);
int puts(const char *);
int putchar(int);
int putc(int, FILE *);
int fputc(int, FILE *);
int fputs(const char *restrict, FILE *restrict);
int getchar(void);
int getc(FILE *);
int fgetc(FILE *);
int ungetc(int, FILE *);
char *fgets(char *restrict, int, FILE *restrict);
FILE *fopen(const char *restrict, const char *restrict);
FILE *freopen(const char *restrict, const char *restrict, FILE *restrict);
int fclose(FILE *);
int fflush(FILE *);
int feof(FILE *);
int ferror(FILE *);
void clearerr(FILE *);
void rewind(FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
size_t fread(void *restrict, size_t, size_t, FILE *restrict);
size_t fwrite(const void *restrict, size_t, size_t, FILE *restrict);
int setvbuf(FILE *restrict, char *restrict, int, size_t);
void setbuf(FILE *restrict, char *restrict);
void perror(const char *);
int remove(const char *);
int rename(const char *, const char *);
FILE *tmpfile(void);
int fileno(FILE *);
ssize_t getline(char **restrict, size_t *restrict, FILE *restrict);
#endif
