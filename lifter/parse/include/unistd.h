/* Minimal <unistd.h>: calls of Linux. */
#pragma once
#include <lift/host.h>
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
ssize_t read(int file, void *to, size_t count);
ssize_t write(int file, const void *from, size_t count);
int close(int file);
off_t lseek(int file, off_t by, int from);
int unlink(const char *path);
int rmdir(const char *path);
int access(const char *path, int mode);
int ftruncate(int file, off_t size);
int fsync(int file);
int dup(int file);
int dup2(int file, int to);
int pipe(int ends[2]);
int isatty(int file);
int chdir(const char *path);
char *getcwd(char *to, size_t size);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
pid_t fork(void);
int execvp(const char *file, char *const arguments[]);
unsigned int sleep(unsigned int seconds);
int usleep(unsigned int microseconds);
unsigned int alarm(unsigned int seconds);
long sysconf(int name);
void _exit(int status) __attribute__((noreturn));
int getopt(int count, char *const arguments[], const char *options);
extern char *optarg;
extern int optind, opterr, optopt;
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#ifdef __cplusplus
}
#endif
