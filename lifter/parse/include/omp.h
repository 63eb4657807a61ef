/* Minimal <omp.h>: calls of OpenMP. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef struct { void *word; } omp_lock_t;
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_num_threads(int count);
double omp_get_wtime(void);
void omp_init_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
#ifdef __cplusplus
}
#endif
