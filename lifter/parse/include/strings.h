/* Minimal <strings.h>: comparisons without regard to case, and the names of old. */
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t most);
int bcmp(const void *a, const void *b, size_t bytes);
void bcopy(const void *from, void *to, size_t bytes);
void bzero(void *to, size_t bytes);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
#ifdef __cplusplus
}
#endif
