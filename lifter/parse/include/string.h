/* Minimal <string.h>: blocks of memory, and the string functions that tools' main() use. */
#pragma once
#include <lift/host.h>
#include <stddef.h>
#if defined __cplusplus || !defined __STRICT_ANSI__
#include <strings.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t most);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t most);
int strncmp(const char *a, const char *b, size_t most);
size_t strnlen(const char *text, size_t most);
size_t strspn(const char *text, const char *of);
size_t strcspn(const char *text, const char *of);
char *strtok(char *text, const char *between);
char *strtok_r(char *text, const char *between, char **rest);
char *strdup(const char *text);
char *strerror(int error);
#ifndef __cplusplus
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *what);
char *strpbrk(const char *text, const char *of);
void *memchr(const void *from, int byte, size_t bytes);
#endif
#ifdef __cplusplus
}
#endif
#ifdef __cplusplus
extern "C++" {
char *strchr(char *text, int character);
const char *strchr(const char *text, int character);
char *strrchr(char *text, int character);
const char *strrchr(const char *text, int character);
char *strstr(char *text, const char *what);
const char *strstr(const char *text, const char *what);
char *strpbrk(char *text, const char *of);
const char *strpbrk(const char *text, const char *of);
void *memchr(void *from, int byte, size_t bytes);
const void *memchr(const void *from, int byte, size_t bytes);
}
#endif
