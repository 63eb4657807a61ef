/* Minimal <wchar.h>: wide characters. */
#pragma once
#include <stddef.h>
#include <stdarg.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned int wint_t;
typedef struct { int count; unsigned int value; } mbstate_t;
#ifndef __cplusplus
typedef int lift_wchar;
#else
typedef wchar_t lift_wchar;
#endif
size_t wcslen(const lift_wchar *text);
int wcscmp(const lift_wchar *a, const lift_wchar *b);
int wcsncmp(const lift_wchar *a, const lift_wchar *b, size_t most);
lift_wchar *wcscpy(lift_wchar *to, const lift_wchar *from);
lift_wchar *wcsncpy(lift_wchar *to, const lift_wchar *from, size_t most);
lift_wchar *wcscat(lift_wchar *to, const lift_wchar *from);
long wcstol(const lift_wchar *text, lift_wchar **end, int base);
double wcstod(const lift_wchar *text, lift_wchar **end);
int wprintf(const lift_wchar *format, ...);
int swprintf(lift_wchar *to, size_t size, const lift_wchar *format, ...);
#define WEOF 4294967295U
#ifdef __cplusplus
}
#endif
