/* Minimal <malloc.h>: memory. */
#pragma once
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memalign(size_t alignment, size_t bytes);
void *valloc(size_t bytes);
size_t malloc_usable_size(void *memory);
#ifdef __cplusplus
}
#endif
