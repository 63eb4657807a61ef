/* What the functions mean that compilers bring along by themselves: `__builtin_NAME` is NAME. */
#pragma once

__inline unsigned short bswap16(unsigned short v) { return v >> 8 | v << 8; }
__inline unsigned int bswap32(unsigned int v) {
    return v >> 24 | (v >> 8 & 0xff00u) | (v << 8 & 0xff0000u) | v << 24;
}
__inline unsigned long bswap64(unsigned long v) {
    return (unsigned long)bswap32((unsigned int)v) << 32 | bswap32((unsigned int)(v >> 32));
}

/* Bits are counted in pairs, nibbles, bytes. */
__inline int popcountl(unsigned long v) {
    v = v - (v >> 1 & 0x5555555555555555ul);
    v = (v & 0x3333333333333333ul) + (v >> 2 & 0x3333333333333333ul);
    v = v + (v >> 4) & 0x0f0f0f0f0f0f0f0ful;
    return (int)(v * 0x0101010101010101ul >> 56);
}
__inline int popcount(unsigned int v) {
    v = v - (v >> 1 & 0x55555555u);
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = v + (v >> 4) & 0x0f0f0f0fu;
    return (int)(v * 0x01010101u >> 24);
}
__inline int popcountll(unsigned long long v) { return popcountl(v); }
__inline int parity(unsigned int v) { return popcount(v) & 1; }
__inline int parityl(unsigned long v) { return popcountl(v) & 1; }
__inline int parityll(unsigned long long v) { return popcountl(v) & 1; }

/* Of 0 the next three say nothing that is defined. */
__inline int ctz(unsigned int v) { return popcount(~v & v - 1u); }
__inline int ctzl(unsigned long v) { return popcountl(~v & v - 1ul); }
__inline int ctzll(unsigned long long v) { return popcountl(~v & v - 1ul); }
__inline int clz(unsigned int v) {
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return popcount(~v);
}
__inline int clzl(unsigned long v) {
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    v |= v >> 32;
    return popcountl(~v);
}
__inline int clzll(unsigned long long v) { return clzl(v); }
__inline int ffs(int v) { return v == 0 ? 0 : ctz((unsigned int)v) + 1; }
__inline int ffsl(long v) { return v == 0 ? 0 : ctzl((unsigned long)v) + 1; }
__inline int ffsll(long long v) { return v == 0 ? 0 : ctzl((unsigned long)v) + 1; }
__inline int clrsb(int v) { return clz((unsigned int)(v ^ v >> 31) << 1 | 1u); }
