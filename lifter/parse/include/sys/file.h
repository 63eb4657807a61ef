/* Minimal <sys/file.h>: locks of files. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int flock(int file, int how);
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_UN 8
#ifdef __cplusplus
}
#endif
