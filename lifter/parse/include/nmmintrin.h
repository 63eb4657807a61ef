/* SSE4.2, without what reads text. */
#pragma once
#include <smmintrin.h>
#include <popcntintrin.h>
#include <lift/x86_begin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
EACH2(cmpgt_epi64, i64, a[i] > b[i] ? -1 : 0)
#include <lift/x86_width_end.h>
#include <lift/x86_end.h>
