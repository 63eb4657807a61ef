/* Minimal <poll.h>: waiting for files. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned long nfds_t;
struct pollfd { int fd; short events, revents; };
int poll(struct pollfd *files, nfds_t count, int milliseconds);
#define POLLIN 1
#define POLLOUT 4
#ifdef __cplusplus
}
#endif
