/* Bits of numbers: LZCNT, BMI and BMI2. */
#pragma once
#include <lift/numbers.h>
#define BITS(T, N, w, ll)                                                                            \
    LIFT_FUNCTION N _lzcnt_u##w(N v) { return v ? (N)__builtin_clz##ll(v) : w; }                     \
    LIFT_FUNCTION N _tzcnt_u##w(N v) { return v ? (N)__builtin_ctz##ll(v) : w; }                     \
    LIFT_FUNCTION N __tzcnt_u##w(N v) { return _tzcnt_u##w(v); }                                     \
    LIFT_FUNCTION N __lzcnt##w(N v) { return _lzcnt_u##w(v); }                                       \
    LIFT_FUNCTION N _blsi_u##w(N v) { return v & (0 - v); }                                          \
    LIFT_FUNCTION N _blsr_u##w(N v) { return v & (v - 1); }                                          \
    LIFT_FUNCTION N _blsmsk_u##w(N v) { return v ^ (v - 1); }                                        \
    LIFT_FUNCTION N __andn_u##w(N a, N b) { return ~a & b; }                                         \
    LIFT_FUNCTION N _andn_u##w(N a, N b) { return ~a & b; }                                          \
    LIFT_FUNCTION N _bextr_u##w(N v, unsigned int start, unsigned int length)                        \
    {                                                                                                \
        const N moved = (start & 255) < w ? v >> (start & 255) : 0;                                  \
        return (length & 255) < w ? moved & (((N)1 << (length & 255)) - 1) : moved;                  \
    }                                                                                                \
    LIFT_FUNCTION N _bzhi_u##w(N v, unsigned int n) { return (n & 255) < w ? v & (((N)1 << (n & 255)) - 1) : v; }
BITS(u32, unsigned int, 32, )
BITS(u64, unsigned long long, 64, ll)
#undef BITS
LIFT_FUNCTION int _bit_scan_forward(int v) { return __builtin_ctz((unsigned int)v); }
LIFT_FUNCTION int _bit_scan_reverse(int v) { return 31 - __builtin_clz((unsigned int)v); }
LIFT_FUNCTION int _bswap(int v) { return (int)__builtin_bswap32((unsigned int)v); }
LIFT_FUNCTION long long _bswap64(long long v) { return (long long)__builtin_bswap64((unsigned long long)v); }

/* Bits of a number where a mask has ones, side by side, and back. Each step moves those by a power of
   two that the zeros below them say: how far is the parity of these, bit by bit. */
LIFT_FUNCTION unsigned long long __below(unsigned long long v)
{
    v ^= v << 1;
    v ^= v << 2;
    v ^= v << 4;
    v ^= v << 8;
    v ^= v << 16;
    return v ^ v << 32;
}
LIFT_FUNCTION unsigned long long _pext_u64(unsigned long long v, unsigned long long mask)
{
    unsigned long long zeros = ~mask << 1, parity, moving, bits;
    int i;
    v &= mask;
    for (i = 0; i < 6; i++) {
        parity = __below(zeros);
        moving = parity & mask;
        mask = (mask ^ moving) | moving >> (1 << i);
        bits = v & moving;
        v = (v ^ bits) | bits >> (1 << i);
        zeros &= ~parity;
    }
    return v;
}
LIFT_FUNCTION unsigned int _pext_u32(unsigned int v, unsigned int mask) { return (unsigned int)_pext_u64(v, mask); }
LIFT_FUNCTION unsigned long long _pdep_u64(unsigned long long v, unsigned long long mask)
{
    unsigned long long zeros = ~mask << 1, parity, moves[6], left = mask;
    int i;
    for (i = 0; i < 6; i++) {
        parity = __below(zeros);
        moves[i] = parity & left;
        left = (left ^ moves[i]) | moves[i] >> (1 << i);
        zeros &= ~parity;
    }
    for (i = 5; i >= 0; i--) v = (v & ~moves[i]) | (v << (1 << i) & moves[i]);
    return v & mask;
}
LIFT_FUNCTION unsigned int _pdep_u32(unsigned int v, unsigned int mask) { return (unsigned int)_pdep_u64(v, mask); }
