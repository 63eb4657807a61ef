/* Minimal <stdlib.h>: memory, absolute values, and the ways out of a program. */
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *memory);
int abs(int value);
long labs(long value);
long long llabs(long long value);
int rand(void);
void srand(unsigned int seed);
int atoi(const char *text);
double atof(const char *text);
void exit(int status);
void abort(void);
#ifdef __cplusplus
}
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
