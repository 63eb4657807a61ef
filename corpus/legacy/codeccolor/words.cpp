// words.cpp
//
// Byte order and odd sample widths.  This and blocks.cpp came later than the
// rest and are C++11.

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kx.h"

namespace {

inline uint16_t bswap(uint16_t v)
{
	return static_cast<uint16_t>((v << 8) | (v >> 8));
}

inline uint32_t bswap(uint32_t v)
{
	return (v << 24) | ((v & 0xff00u) << 8) | ((v >> 8) & 0xff00u) | (v >> 24);
}

// nothing is known of the alignment, and dst may be src
template <typename T>
void swap_words(void *dst, const void *src, size_t n)
{
	static_assert(std::is_unsigned<T>::value, "words only");
	auto *d = static_cast<unsigned char *>(dst);
	auto *s = static_cast<const unsigned char *>(src);

	for (size_t i = 0; i < n; ++i) {
		T v;
		std::memcpy(&v, s + i * sizeof(T), sizeof(T));
		v = bswap(v);
		std::memcpy(d + i * sizeof(T), &v, sizeof(T));
	}
}

} // namespace

extern "C" void kx_swap16(void *dst, const void *src, size_t n)
{
	swap_words<uint16_t>(dst, src, n);
}

extern "C" void kx_swap32(void *dst, const void *src, size_t n)
{
	swap_words<uint32_t>(dst, src, n);
}

// `bits' of each word are used; they are scaled up to 16 by repetition
extern "C" void kx_load16(uint16_t *dst, const KSAMP *src, size_t n, int big, int bits)
{
	const int up = 16 - bits;
	const int hi = big ? 0 : 1;
	const unsigned mask = (1u << bits) - 1;

	for (size_t done = 0; done < n;) {
		// chunks, so that dst may overlap the end of src's buffer
		uint16_t line[32];
		const size_t m = std::min<size_t>(n - done, 32);

		for (size_t i = 0; i < m; i++)
			line[i] = static_cast<uint16_t>((src[2 * i + hi] << 8) | src[2 * i + 1 - hi]);
		if (bits < 16) {
			for (size_t i = 0; i < m; i++) {
				const unsigned v = line[i] & mask;
				line[i] = static_cast<uint16_t>((v << up) | (v >> (bits - up)));
			}
		}
		std::copy(line, line + m, dst + done);
		src += 2 * m;
		done += m;
	}
}

extern "C" void kx_store16(KSAMP *dst, const uint16_t *src, size_t n, int big)
{
	union {
		uint16_t w;
		KSAMP b[2];
	} u;
	u.w = 1;
	const bool swap = (u.b[0] == 1) == (big != 0);

	if (!swap) {
		if (n)
			std::memcpy(dst, src, n * 2);
		return;
	}
	for (const uint16_t *end = src + n; src != end; ++src) {
		const uint16_t v = bswap(*src);
		std::memcpy(dst, &v, 2);
		dst += 2;
	}
}

// 1, 2 or 4 bits per sample, high bits first
extern "C" int kx_unpack_bits(KROW dst, const KSAMP *src, KDIM n, int bits, int scale)
{
	static const unsigned char factor[5] = {0, 255, 85, 0, 17};

	if (bits != 1 && bits != 2 && bits != 4)
		return KXE_DIMS;
	const int f = scale ? factor[bits] : 1;

	if (bits == 1) {
		KDIM x = 0;
		for (; x + 8 <= n; x += 8) {
			const unsigned v = *src++;
			for (int k = 0; k < 8; k++)
				dst[x + k] = static_cast<KSAMP>(((v >> (7 - k)) & 1) * f);
		}
		for (unsigned v = x < n ? *src : 0; x < n; x++, v <<= 1)
			dst[x] = static_cast<KSAMP>(((v >> 7) & 1) * f);
	} else {
		const int per = 8 / bits;
		const unsigned mask = (1u << bits) - 1;
		for (KDIM x = 0; x < n; x++) {
			const int shift = 8 - bits - bits * static_cast<int>(x % per);
			dst[x] = static_cast<KSAMP>(((src[x / per] >> shift) & mask) * f);
		}
	}
	return KXE_NONE;
}
