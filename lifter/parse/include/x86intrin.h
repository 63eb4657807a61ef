/* All of x86's vectors. */
#pragma once
#include <immintrin.h>
