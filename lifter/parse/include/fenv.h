/* Minimal <fenv.h>: modes of floating-point arithmetic. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned short fexcept_t;
typedef struct { unsigned int words[8]; } fenv_t;
int feclearexcept(int which);
int feraiseexcept(int which);
int fetestexcept(int which);
int fegetround(void);
int fesetround(int mode);
int fegetenv(fenv_t *to);
int fesetenv(const fenv_t *from);
int feholdexcept(fenv_t *to);
int feupdateenv(const fenv_t *from);
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 1024
#define FE_UPWARD 2048
#define FE_TOWARDZERO 3072
#ifdef __cplusplus
}
#endif
