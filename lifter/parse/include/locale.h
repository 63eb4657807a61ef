/* Minimal <locale.h>: what differs between languages. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
struct lconv { char *decimal_point, *thousands_sep; };
char *setlocale(int category, const char *name);
struct lconv *localeconv(void);
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
#ifdef __cplusplus
}
#endif
