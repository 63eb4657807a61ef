/* How wide the vectors are in a list of functions (lanes.h): LIFT_WIDTH bits. */
#if LIFT_WIDTH == 128
#define BYTES 16
#define V __m128i
#define VF __m128
#define VD __m128d
#define OP(name) _mm_##name
#define i8v __i8x16
#define u8v __u8x16
#define i16v __i16x8
#define u16v __u16x8
#define i32v __i32x4
#define u32v __u32x4
#define i64v __i64x2
#define u64v __u64x2
#define f32v __f32x4
#define f64v __f64x2
#elif LIFT_WIDTH == 256
#define BYTES 32
#define V __m256i
#define VF __m256
#define VD __m256d
#define OP(name) _mm256_##name
#define i8v __i8x32
#define u8v __u8x32
#define i16v __i16x16
#define u16v __u16x16
#define i32v __i32x8
#define u32v __u32x8
#define i64v __i64x4
#define u64v __u64x4
#define f32v __f32x8
#define f64v __f64x4
#elif LIFT_WIDTH == 512
#define BYTES 64
#define V __m512i
#define VF __m512
#define VD __m512d
#define OP(name) _mm512_##name
#define i8v __i8x64
#define u8v __u8x64
#define i16v __i16x32
#define u16v __u16x32
#define i32v __i32x16
#define u32v __u32x16
#define i64v __i64x8
#define u64v __u64x8
#define f32v __f32x16
#define f64v __f64x8
#endif
