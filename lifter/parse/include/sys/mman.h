/* Minimal <sys/mman.h>: memory of files. */
#pragma once
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
void *mmap(void *where, size_t bytes, int protection, int flags, int file, off_t offset);
int munmap(void *memory, size_t bytes);
int mprotect(void *memory, size_t bytes, int protection);
int msync(void *memory, size_t bytes, int flags);
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON 32
#define MAP_FAILED ((void *)-1)
#ifdef __cplusplus
}
#endif
