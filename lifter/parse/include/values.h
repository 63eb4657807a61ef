/* Minimal <values.h>: the old name of two headers. */
#pragma once
#include <float.h>
#include <limits.h>
#define MAXINT INT_MAX
#define MININT INT_MIN
#define MAXSHORT SHRT_MAX
#define MINSHORT SHRT_MIN
#define MAXLONG LONG_MAX
#define MAXDOUBLE DBL_MAX
#define MAXFLOAT FLT_MAX
