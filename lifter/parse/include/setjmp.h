/* Minimal <setjmp.h>: jumps out of functions. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef long jmp_buf[25];
typedef long sigjmp_buf[25];
int setjmp(jmp_buf where) __attribute__((returns_twice));
int sigsetjmp(sigjmp_buf where, int mask) __attribute__((returns_twice));
void longjmp(jmp_buf where, int value) __attribute__((noreturn));
void siglongjmp(sigjmp_buf where, int value) __attribute__((noreturn));
#ifdef __cplusplus
}
#endif
