/* Minimal <time.h>: times and clocks. */
#pragma once
#include <lift/host.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
#ifndef _STRUCT_TIMESPEC /* as the C library marks it */
#define _STRUCT_TIMESPEC 1
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
time_t time(time_t *into);
clock_t clock(void);
double difftime(time_t end, time_t start);
time_t mktime(struct tm *parts);
struct tm *localtime(const time_t *time);
struct tm *gmtime(const time_t *time);
struct tm *localtime_r(const time_t *time, struct tm *into);
struct tm *gmtime_r(const time_t *time, struct tm *into);
char *asctime(const struct tm *parts);
char *ctime(const time_t *time);
size_t strftime(char *to, size_t size, const char *format, const struct tm *parts);
int clock_gettime(clockid_t clock, struct timespec *into);
int nanosleep(const struct timespec *time, struct timespec *left);
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#ifdef __cplusplus
}
#endif
