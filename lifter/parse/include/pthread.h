/* Minimal <pthread.h>: threads of Linux. */
#pragma once
#include <sys/types.h>
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned long pthread_t;
typedef union { long words[7]; } pthread_attr_t;
typedef union { void *words[5]; } pthread_mutex_t;
typedef union { int word; } pthread_mutexattr_t;
typedef union { void *words[6]; } pthread_cond_t;
typedef union { int word; } pthread_condattr_t;
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
pthread_t pthread_self(void);
void pthread_exit(void *result) __attribute__((noreturn));
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *how);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *how);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_attr_init(pthread_attr_t *how);
int pthread_attr_destroy(pthread_attr_t *how);
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#ifdef __cplusplus
}
#endif
