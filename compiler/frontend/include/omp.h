#ifndef _OMP_H
#define _OMP_H
typedef struct { unsigned char _x[4]; } omp_lock_t;
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_num_threads(int);
#endif
