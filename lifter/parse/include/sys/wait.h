/* Minimal <sys/wait.h>: ends of processes. */
#pragma once
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int how);
#define WNOHANG 1
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WIFEXITED(status) (((status) & 0x7f) == 0)
#ifdef __cplusplus
}
#endif
