/* SSE4.2. */
#pragma once
#include <smmintrin.h>
