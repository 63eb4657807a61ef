/* Minimal <sys/resource.h>: what processes use. */
#pragma once
#include <sys/time.h>
#ifdef __cplusplus
extern "C" {
#endif
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss; long lift_others[13]; };
int getrusage(int who, struct rusage *to);
#define RUSAGE_SELF 0
#ifdef __cplusplus
}
#endif
