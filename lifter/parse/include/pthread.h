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
typedef union { long words[7]; } pthread_rwlock_t;
typedef union { long word; } pthread_rwlockattr_t;
typedef union { long words[4]; } pthread_barrier_t;
typedef union { int word; } pthread_barrierattr_t;
typedef volatile int pthread_spinlock_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
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
int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int pthread_condattr_init(pthread_condattr_t *how);
int pthread_condattr_destroy(pthread_condattr_t *how);
int pthread_condattr_setclock(pthread_condattr_t *how, clockid_t clock);
int pthread_attr_init(pthread_attr_t *how);
int pthread_attr_destroy(pthread_attr_t *how);
int pthread_attr_setdetachstate(pthread_attr_t *how, int state);
int pthread_attr_setstacksize(pthread_attr_t *how, size_t size);
int pthread_attr_setschedpolicy(pthread_attr_t *how, int policy);
int pthread_mutexattr_init(pthread_mutexattr_t *how);
int pthread_mutexattr_destroy(pthread_mutexattr_t *how);
int pthread_mutexattr_settype(pthread_mutexattr_t *how, int type);
int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *how);
int pthread_rwlock_destroy(pthread_rwlock_t *lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);
int pthread_spin_init(pthread_spinlock_t *lock, int shared);
int pthread_spin_destroy(pthread_spinlock_t *lock);
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
int pthread_barrier_init(
    pthread_barrier_t *barrier, const pthread_barrierattr_t *how, unsigned count);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrier_wait(pthread_barrier_t *barrier);
int pthread_once(pthread_once_t *once, void (*run)(void));
int pthread_key_create(pthread_key_t *key, void (*end)(void *));
int pthread_key_delete(pthread_key_t key);
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
int pthread_equal(pthread_t one, pthread_t other);
int pthread_cancel(pthread_t thread);
int pthread_setcancelstate(int state, int *before);
void pthread_testcancel(void);
int pthread_kill(pthread_t thread, int signal);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define PTHREAD_RWLOCK_INITIALIZER {{0}}
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#ifdef __cplusplus
}
#endif
