/* Minimal <fcntl.h>: opening files of Linux. */
#pragma once
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
int open(const char *path, int flags, ...);
int creat(const char *path, mode_t mode);
int fcntl(int file, int command, ...);
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_EXCL 128
#define O_TRUNC 512
#define O_APPEND 1024
#define O_NONBLOCK 2048
#define O_CLOEXEC 524288
#define O_SYNC 1052672
#define F_GETFL 3
#define F_SETFL 4
#ifdef __cplusplus
}
#endif
