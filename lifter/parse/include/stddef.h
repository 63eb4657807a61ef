/* Minimal <stddef.h> for x86-64. */
#pragma once
typedef unsigned long size_t;
typedef long ptrdiff_t;
#ifdef __cplusplus
typedef decltype(nullptr) nullptr_t;
#define NULL __null
#else
typedef int wchar_t;
#define NULL ((void *)0)
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
