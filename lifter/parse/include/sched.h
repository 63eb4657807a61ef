/* Minimal <sched.h>: what runs when. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
struct sched_param { int sched_priority; };
int sched_yield(void);
#ifdef __cplusplus
}
#endif
