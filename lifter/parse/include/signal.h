/* Minimal <signal.h>: signals of Linux. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef int sig_atomic_t;
typedef void (*lift_handler)(int);
lift_handler signal(int number, lift_handler handler);
int raise(int number);
int kill(int process, int number);
#define SIG_DFL ((lift_handler)0)
#define SIG_IGN ((lift_handler)1)
#define SIG_ERR ((lift_handler)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#ifdef __cplusplus
}
#endif
