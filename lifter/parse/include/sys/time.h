/* Minimal <sys/time.h>: times of Linux. */
#pragma once
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
#ifndef __timeval_defined /* as the C library marks it */
#define __timeval_defined 1
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
#endif
int gettimeofday(struct timeval *into, void *zone);
#ifdef __cplusplus
}
#endif
