/* Times what a driver names: `TIME(name, call)` prints the name and nanoseconds a call. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { W = 1024, H = 1024 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* the same bytes in each process */
static void noise(void *p, size_t n)
{
    uint32_t state = 12345;
    unsigned char *b = p;
    while (n--) {
        state = state * 1664525u + 1013904223u;
        *b++ = state >> 24;
    }
}

/* the least of some runs, each of 3 ms at least */
#define TIME(name, call)                                                        \
    do {                                                                        \
        double least = 1e30;                                                    \
        call;                                                                   \
        for (int run = 0; run < 5; run++) {                                     \
            double begin = now(), end = begin;                                  \
            int count = 0;                                                      \
            for (; end - begin < 3e6; end = now(), count++)                     \
                call;                                                           \
            if ((end - begin) / count < least)                                  \
                least = (end - begin) / count;                                  \
        }                                                                       \
        printf("%s %.0f\n", name, least);                                       \
    } while (0)

/* the same of a call that gives 0 where it has done its work */
#define TIME_DONE(name, call)                                                   \
    do {                                                                        \
        if (call) {                                                             \
            fprintf(stderr, "%s failed\n", name);                               \
            return 1;                                                           \
        }                                                                       \
        TIME(name, call);                                                       \
    } while (0)
