/* what both test programs need */
#ifndef VIDKIT_TESTUTIL_H
#define VIDKIT_TESTUTIL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libvidkit/vidkit.h"

static uint32_t lfg_state = 0x2545f491;

static inline uint32_t lfg(void)
{
	lfg_state = lfg_state * 1664525u + 1013904223u;
	return lfg_state >> 8;
}

static inline void fill_random(uint8_t *p, size_t n)
{
	while (n--)
		*p++ = (uint8_t)lfg();
}

static inline uint32_t adler(uint32_t a, const uint8_t *p, int n)
{
	uint32_t s1 = a & 0xffff, s2 = a >> 16;

	for (; n > 0; n--) {
		s1 = (s1 + *p++) % 65521;
		s2 = (s2 + s1) % 65521;
	}
	return s2 << 16 | s1;
}

#endif
