/* Minimal <sys/time.h>: times of Linux. */
#pragma once
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
int gettimeofday(struct timeval *into, void *zone);
#ifdef __cplusplus
}
#endif
