/* Minimal <sys/select.h>: waiting for files. */
#pragma once
#include <sys/time.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct { long bits[16]; } fd_set;
int select(int count, fd_set *in, fd_set *out, fd_set *odd, struct timeval *most);
#ifdef __cplusplus
}
#endif
