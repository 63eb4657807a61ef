/* Minimal <byteswap.h>: the other order of bytes. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
static __inline unsigned short lift_swapped16(unsigned short v) { return (unsigned short)(v << 8 | v >> 8); }
static __inline unsigned int lift_swapped32(unsigned int v)
{
    return v << 24 | (v & 0xff00U) << 8 | (v >> 8 & 0xff00U) | v >> 24;
}
static __inline unsigned long lift_swapped64(unsigned long v)
{
    return (unsigned long)lift_swapped32((unsigned int)v) << 32 | lift_swapped32((unsigned int)(v >> 32));
}
#define bswap_16(v) lift_swapped16(v)
#define bswap_32(v) lift_swapped32(v)
#define bswap_64(v) lift_swapped64(v)
#ifdef __cplusplus
}
#endif
