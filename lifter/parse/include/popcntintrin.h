/* How many bits are set. */
#pragma once
#include <lift/numbers.h>
LIFT_FUNCTION int _mm_popcnt_u32(unsigned int v) { return __builtin_popcount(v); }
LIFT_FUNCTION long long _mm_popcnt_u64(unsigned long long v) { return __builtin_popcountll(v); }
LIFT_FUNCTION int _popcnt32(int v) { return __builtin_popcount(v); }
LIFT_FUNCTION int _popcnt64(long long v) { return __builtin_popcountll(v); }
