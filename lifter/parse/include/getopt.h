/* Minimal <getopt.h>: options of commands. */
#pragma once
#include <unistd.h>
#ifdef __cplusplus
extern "C" {
#endif
struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};
int getopt_long(int count, char *const arguments[], const char *options,
                const struct option *longer, int *index);
#define no_argument 0
#define required_argument 1
#define optional_argument 2
#ifdef __cplusplus
}
#endif
