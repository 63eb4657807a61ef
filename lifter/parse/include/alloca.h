/* Minimal <alloca.h>: memory on the stack. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void *alloca(unsigned long bytes);
#define alloca(bytes) __builtin_alloca(bytes)
#ifdef __cplusplus
}
#endif
