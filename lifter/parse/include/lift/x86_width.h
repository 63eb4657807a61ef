/* How wide the vectors are in a list of functions (lanes.h): LIFT_WIDTH bits. WHOLE is for names that
   end in the width, V_u and the like are for vectors at any address, V2 is a vector of half the width,
   or of 128 bits where there is none, FLOATS_AT is what pointers lead to (AVX-512 takes any), MOST_PS
   and MOST_PD are the greatest numbers of a bit for each lane, as far as they fit in 8. */
#define FLOATS_AT(T) T
#if LIFT_WIDTH == 128
#define BYTES 16
#define MOST_PS 15
#define MOST_PD 3
#define V __m128i
#define VF __m128
#define VD __m128d
#define V_u __m128i_u
#define VF_u __m128_u
#define VD_u __m128d_u
#define OP(name) _mm_##name
#define WHOLE(name) _mm_##name##_si128
#define V2 __m128i
#define V2F __m128
#define BYTES2 16
#elif LIFT_WIDTH == 256
#define BYTES 32
#define MOST_PS 255
#define MOST_PD 15
#define V __m256i
#define VF __m256
#define VD __m256d
#define V_u __m256i_u
#define VF_u __m256_u
#define VD_u __m256d_u
#define OP(name) _mm256_##name
#define WHOLE(name) _mm256_##name##_si256
#define V2 __m128i
#define V2F __m128
#define BYTES2 16
#elif LIFT_WIDTH == 512
#undef FLOATS_AT
#define FLOATS_AT(T) void
#define BYTES 64
#define MOST_PS 255
#define MOST_PD 255
#define V __m512i
#define VF __m512
#define VD __m512d
#define V_u __m512i_u
#define VF_u __m512_u
#define VD_u __m512d_u
#define OP(name) _mm512_##name
#define WHOLE(name) _mm512_##name##_si512
#define V2 __m256i
#define V2F __m256
#define BYTES2 32
#endif
