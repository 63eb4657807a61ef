/* MMX: its types; code that still uses its functions is refused. */
#pragma once
#include <lift/x86_vectors.h>
LIFT_FUNCTION void _mm_empty(void) {}
