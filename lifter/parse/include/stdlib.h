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
long atol(const char *text);
long long atoll(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
float strtof(const char *text, char **end);
double strtod(const char *text, char **end);
char *getenv(const char *name);
int system(const char *command);
int atexit(void (*last)(void));
void qsort(void *first, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *first, size_t count, size_t size,
              int (*compare)(const void *, const void *));
int posix_memalign(void **memory, size_t alignment, size_t size);
#ifdef __cplusplus
}
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
