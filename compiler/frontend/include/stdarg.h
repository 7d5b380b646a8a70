#ifndef _STDARG_H
#define _STDARG_H
typedef struct {
    unsigned int __gp_offset;
    unsigned int __fp_offset;
    void *__overflow_arg_area;
    void *__reg_save_area;
} va_list[1];
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) __builtin_va_arg(list, type)
#endif
