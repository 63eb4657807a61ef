/* What <stdlib.h> of C declares: memory, absolute values, and the ways out of a program. */
#pragma once
#include <lift/host.h>
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
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int over, int under);
ldiv_t ldiv(long over, long under);
lldiv_t lldiv(long long over, long long under);
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
void _Exit(int status);
void quick_exit(int status);
int at_quick_exit(void (*last)(void));
int atexit(void (*last)(void));
void qsort(void *first, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *first, size_t count, size_t size,
              int (*compare)(const void *, const void *));
int mblen(const char *text, size_t most);
int mbtowc(wchar_t *to, const char *text, size_t most);
int wctomb(char *to, wchar_t character);
size_t mbstowcs(wchar_t *to, const char *text, size_t most);
size_t wcstombs(char *to, const wchar_t *text, size_t most);
long double strtold(const char *text, char **end);
#if defined __cplusplus || !defined __STRICT_ANSI__
int posix_memalign(void **memory, size_t alignment, size_t size);
void *valloc(size_t size);
void *reallocarray(void *memory, size_t count, size_t size);
long random(void);
void srandom(unsigned int seed);
int rand_r(unsigned int *seed);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
int mkstemp(char *name);
char *realpath(const char *path, char *to);
char *l64a(long value);
long a64l(const char *text);
#endif
#ifdef __cplusplus
}
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
