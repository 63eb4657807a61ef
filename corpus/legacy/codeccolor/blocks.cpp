// blocks.cpp - between rows and 8x8 blocks

#include <array>
#include <cstring>

#include "kx.h"

namespace {

constexpr int kSide = 8;
constexpr int kArea = kSide * kSide;

const std::array<unsigned char, kArea> kZigzag = {{
	 0,  1,  8, 16,  9,  2,  3, 10, 17, 24, 32, 25, 18, 11,  4,  5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13,  6,  7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}};

inline KSAMP clampSample(int v)
{
	// one test for both ends
	if (static_cast<unsigned>(v) > 255u)
		v = (~v) >> 31 & 255;
	return static_cast<KSAMP>(v);
}

} // namespace

extern "C" void kx_put_block(const int16_t *coef, KROWS out, KDIM row, KDIM col, int level)
{
	for (int i = 0; i < kSide; ++i) {
		KROW o = out[row + i] + col;

		// all zero is frequent enough
		uint64_t both[2];
		std::memcpy(both, coef, sizeof(both));
		if ((both[0] | both[1]) == 0) {
			std::memset(o, clampSample(level), kSide);
			coef += kSide;
			continue;
		}
		o[0] = clampSample(coef[0] + level);
		o[1] = clampSample(coef[1] + level);
		o[2] = clampSample(coef[2] + level);
		o[3] = clampSample(coef[3] + level);
		o[4] = clampSample(coef[4] + level);
		o[5] = clampSample(coef[5] + level);
		o[6] = clampSample(coef[6] + level);
		o[7] = clampSample(coef[7] + level);
		coef += kSide;
	}
}

// the residual of a predicted block
extern "C" void kx_add_block(const int16_t *coef, KROW dst, ptrdiff_t pitch)
{
	for (int y = 0; y < kSide; ++y, dst += pitch)
		for (int x = 0; x < kSide; ++x)
			dst[x] = clampSample(dst[x] + ((coef[y * kSide + x] + 4) >> 3));
}

// w and h: what there is of the picture, the rest repeats the edge
extern "C" void kx_get_block(int16_t *coef, const KSAMP *src, ptrdiff_t pitch, int w, int h)
{
	int16_t *p = coef;
	int x, y;

	if (w <= 0 || h <= 0) {
		std::memset(coef, 0, kArea * sizeof(*coef));
		return;
	}
	w = w > kSide ? kSide : w;
	h = h > kSide ? kSide : h;
	for (y = 0; y < h; y++, src += pitch) {
		for (x = 0; x < w; x++)
			*p++ = static_cast<int16_t>(src[x] - KX_CENTER);
		for (; x < kSide; x++, p++)
			*p = p[-1];
	}
	for (; y < kSide; y++) {
		std::memcpy(p, p - kSide, kSide * sizeof(*p));
		p += kSide;
	}
}

// in zigzag order in coef, in natural order on return; counts the non-zeros
extern "C" long kx_dequant(int16_t *coef, const uint16_t *quant, int nblocks)
{
	long nonzero = 0;

	for (int b = 0; b < nblocks; b++, coef += kArea) {
		int16_t tmp[kArea];

		for (int k = 0; k < kArea; k++) {
			int v = coef[k] * quant[k];
			if (v < -32768)
				v = -32768;
			else if (v > 32767)
				v = 32767;
			nonzero += v != 0;
			tmp[kZigzag[k]] = static_cast<int16_t>(v);
		}
		std::memcpy(coef, tmp, sizeof(tmp));
	}
	return nonzero;
}
