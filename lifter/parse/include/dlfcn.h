/* Minimal <dlfcn.h>: shared libraries of Linux. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void *dlopen(const char *path, int how);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror(void);
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 256
#define RTLD_LOCAL 0
#ifdef __cplusplus
}
#endif
