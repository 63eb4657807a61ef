/* Minimal <semaphore.h>: semaphores of Linux. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef union { long words[4]; } sem_t;
int sem_init(sem_t *what, int shared, unsigned int value);
int sem_destroy(sem_t *what);
int sem_wait(sem_t *what);
int sem_trywait(sem_t *what);
int sem_post(sem_t *what);
#ifdef __cplusplus
}
#endif
