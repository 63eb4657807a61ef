/* Vectors as the numbers in their lanes.
 *
 * What an intrinsic means stands in one line, for any width of vectors that has it:
 *
 *     EACH2(adds_epu8, u8, SAT(u8, a[i] + b[i]))
 *
 * is a function of two vectors, seen as numbers a[0], a[1], ... of 8 bits each, that gives a vector
 * of which lane i is what stands last. The headers for x86 say the width before they include a list
 * of such lines (x86_width.h): V is the type of vectors of integers, VF and VD those of floats
 * and doubles, OP(name) the function's whole name, BYTES the size. These are words of the lists alone
 * (words_begin.h), so that each header says them anew.
 */

/* `OF(u8, 16)`: 16 bytes as numbers of 8 bits. */
#define OF(T, bytes) LIFT_OF(T, bytes)
#define LIFT_OF(T, bytes) __##T##_of_##bytes

/* The nearest number of a type. */
#define SAT(T, v) __sat_##T(v)

#define COUNT(T) (BYTES / (int)sizeof(__##T))
/* The first lane of the 128 bits that lane i lies in. */
#define HALF(T, i) ((i) / (16 / (int)sizeof(__##T)) * (16 / (int)sizeof(__##T)))

/* Bytes that are moved to where others have been, in each 128 bits. */
#define MOVED_UP (i % 16 < (n & 255) ? 0 : a[i - (n & 255)])
#define MOVED_DOWN (i % 16 + (n & 255) > 15 ? 0 : a[i + (n & 255)])

#define LIFT_RESULT(R, W, ...)                                            \
    {                                                                     \
        OF(R, BYTES) r;                                                   \
        int i;                                                            \
        for (i = 0; i < COUNT(R); i++) r[i] = __VA_ARGS__;                \
        return (W)r;                                                      \
    }
/* A vector x_ as numbers x[0], x[1], ... */
#define SEE(T, x) SEE_OF(T, BYTES, x)
#define SEE_OF(T, bytes, x) const OF(T, bytes) x = (OF(T, bytes))x##_;

/* Of one, two and three vectors; R and T are what the result and the arguments are made of. */
#define LANES1(op, R, T, ...)                                             \
    LIFT_FUNCTION V OP(op)(V a_) { SEE(T, a) LIFT_RESULT(R, V, __VA_ARGS__) }
#define LANES2(op, R, T, ...)                                             \
    LIFT_FUNCTION V OP(op)(V a_, V b_) { SEE(T, a) SEE(T, b) LIFT_RESULT(R, V, __VA_ARGS__) }
#define EACH1(op, T, ...) LANES1(op, T, T, __VA_ARGS__)
#define EACH2(op, T, ...) LANES2(op, T, T, __VA_ARGS__)
/* Of three, the third one as numbers of its own type. */
#define EACH3(op, T, C, ...)                                              \
    LIFT_FUNCTION V OP(op)(V a_, V b_, V c_)                              \
    { SEE(T, a) SEE(T, b) SEE(C, c) LIFT_RESULT(T, V, __VA_ARGS__) }
/* Of vectors and any number n. */
#define EACH1N(op, T, ...)                                                \
    LIFT_FUNCTION V OP(op)(V a_, int n) { SEE(T, a) LIFT_RESULT(T, V, __VA_ARGS__) }
/* Of vectors and a number n that the code says, from 0 to `most`. */
#define LIMITED(most) LIFT_LIMITED(most)
#define LIFT_LIMITED(most) __to_##most
#define EACH1I(op, most, T, ...)                                          \
    LIFT_FUNCTION V OP(op)(V a_, LIMITED(most) n)                         \
    { SEE(T, a) LIFT_RESULT(T, V, __VA_ARGS__) }
#define LANES2I(op, most, R, T, ...)                                      \
    LIFT_FUNCTION V OP(op)(V a_, V b_, LIMITED(most) n)                   \
    { SEE(T, a) SEE(T, b) LIFT_RESULT(R, V, __VA_ARGS__) }
#define EACH2I(op, most, T, ...) LANES2I(op, most, T, T, __VA_ARGS__)
/* Of a vector and how far it is shifted, in the lowest 64 bits of another one of 128. */
#define EACH1BY(op, T, ...)                                               \
    LIFT_FUNCTION V OP(op)(V a_, __m128i n_)                              \
    { const __u64 n = ((OF(u64, 16))n_)[0]; SEE(T, a) LIFT_RESULT(T, V, __VA_ARGS__) }
/* A number in each lane. */
#define SET1(op, T, C) LIFT_FUNCTION V OP(op)(C v) LIFT_RESULT(T, V, v)
/* Of one vector of another type X, which has so many bytes and numbers T; the result is W, made of R. */
#define FROM1(op, R, W, T, X, bytes, ...)                                 \
    LIFT_FUNCTION W OP(op)(X a_) { SEE_OF(T, bytes, a) LIFT_RESULT(R, W, __VA_ARGS__) }

/* Of a vector of T as one of fewer bits, with zeros where there is nothing. */
#define NARROWED(op, R, W, bytes, T, ...)                                 \
    LIFT_FUNCTION W OP(op)(V a_)                                          \
    {                                                                     \
        SEE(T, a)                                                         \
        OF(R, bytes) r = {0};                                             \
        int i;                                                            \
        for (i = 0; i < COUNT(T); i++) r[i] = __VA_ARGS__;                \
        return (W)r;                                                      \
    }

/* The same of floats (F is f32 or f64, W is VF or VD), and of both kinds of them at once. */
#define FLOAT1(op, F, W, ...) LIFT_FUNCTION W OP(op)(W a) LIFT_RESULT(F, W, __VA_ARGS__)
#define FLOAT2(op, F, W, ...) LIFT_FUNCTION W OP(op)(W a, W b) LIFT_RESULT(F, W, __VA_ARGS__)
#define FLOAT3(op, F, W, ...) LIFT_FUNCTION W OP(op)(W a, W b, W c) LIFT_RESULT(F, W, __VA_ARGS__)
#define FLOAT1I(op, most, F, W, ...)                                      \
    LIFT_FUNCTION W OP(op)(W a, LIMITED(most) n) { LIFT_RESULT(F, W, __VA_ARGS__) }
#define FLOAT2I(op, most, F, W, ...)                                      \
    LIFT_FUNCTION W OP(op)(W a, W b, LIMITED(most) n) { LIFT_RESULT(F, W, __VA_ARGS__) }
#define FLOATS1(op, ...) FLOAT1(op##_ps, f32, VF, __VA_ARGS__) FLOAT1(op##_pd, f64, VD, __VA_ARGS__)
#define FLOATS2(op, ...) FLOAT2(op##_ps, f32, VF, __VA_ARGS__) FLOAT2(op##_pd, f64, VD, __VA_ARGS__)
/* Bits of floats (I is as wide as one) that are combined. */
#define LIFT_BITS2(op, I, W, ...)                                         \
    LIFT_FUNCTION W OP(op)(W a_, W b_) { const V a = (V)a_, b = (V)b_; return (W)(__VA_ARGS__); }
/* All ones where something holds (I is as wide as a lane), else zero. */
#define MASK2(op, I, W, ...) LIFT_FUNCTION W OP(op)(W a, W b) LIFT_RESULT(I, W, (__VA_ARGS__) ? -1 : 0)
#define MASKS2(op, ...) MASK2(op##_ps, i32, VF, __VA_ARGS__) MASK2(op##_pd, i64, VD, __VA_ARGS__)
