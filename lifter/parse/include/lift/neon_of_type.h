/* NEON's functions of vectors of one type of elements, LETTER and BITS (s and 8 for int8_t).
 *
 * Lists of functions say T for it, E for an element, V for a vector of the width in question (Q and W
 * tell it in names), D and F for one of 64 bits and a full one of 128, UV and SV for vectors of
 * unsigned and signed elements of the same size. In a formula a, b and c are arguments, n a number
 * that the code says, and i the lane of the result that the formula gives. */
#define PASTE_(a, b, c, d) a##b##c##d
#define PASTE(a, b, c, d) PASTE_(a, b, c, d)
#define PASTE5_(a, b, c, d, e) a##b##c##d##e
#define PASTE5(a, b, c, d, e) PASTE5_(a, b, c, d, e)
#define LIFT_KIND_s 1
#define LIFT_KIND_u 2
#define LIFT_KIND_p 3
#define LIFT_KIND_f 4
#define KIND PASTE(LIFT_KIND_, LETTER, , )
#define IS_SIGNED (KIND == 1)
#define IS_INTEGER (KIND <= 2)
#define IS_FLOAT (KIND == 4)

#define T PASTE(LETTER, BITS, , )
#define E PASTE(__, T, e, )
#define D PASTE(__, T, d, )
#define F PASTE(__, T, q, )
#define VECTOR(letter, bits, width) PASTE(__, letter, bits, width)
/* The nearest number of a type. */
#define NEAREST_OF(type, v) PASTE(__sat_, type, , )(v)
#define NEAREST(v) NEAREST_OF(T, v)
/* What sums and products are computed in without an overflow (WIDE), what wraps (WRAP), and what is enough
   where a result is cut to the bits of an element (MODULO). */
#if BITS == 8
#define WIDE int
#define WRAP __u32
#define MODULO int
#define LESS 7
#define TWICE 16
#elif BITS == 16
#define WIDE int
#define WRAP __u32
#define MODULO int
#define LESS 15
#define HALF_BITS 8
#define TWICE 32
#elif BITS == 32
#define WIDE __i64
#define WRAP __u32
#define MODULO __u32
#define LESS 31
#define HALF_BITS 16
#define TWICE 64
#else
#define WRAP __u64
#define MODULO __u64
#define LESS 63
#define HALF_BITS 32
#endif

/* Numbers of lanes, and the last one's. */
#if BITS == 8
#define COUNT_D 8
#define COUNT_Q 16
#define LAST_D 7
#define LAST_Q 15
#elif BITS == 16
#define COUNT_D 4
#define COUNT_Q 8
#define LAST_D 3
#define LAST_Q 7
#elif BITS == 32
#define COUNT_D 2
#define COUNT_Q 4
#define LAST_D 1
#define LAST_Q 3
#else
#define COUNT_D 1
#define COUNT_Q 2
#define LAST_D 0
#define LAST_Q 1
#endif
#define UP_TO(most) PASTE(__to_, most, , )
#define FROM_1_TO(most) PASTE(__1_to_, most, , )
/* A vector R of which lane i is what stands last. */
#define EACH(R, ...)                                                                   \
    {                                                                                  \
        R r;                                                                           \
        int i;                                                                         \
        for (i = 0; i < (int)(sizeof(R) / sizeof(r[0])); i++) r[i] = __VA_ARGS__;      \
        return r;                                                                      \
    }
#define ONE_WIDTH(name) PASTE(v##name, _, T, )

LIFT_FUNCTION D ONE_WIDTH(get_low)(F a) EACH(D, a[i])
LIFT_FUNCTION D ONE_WIDTH(get_high)(F a) EACH(D, a[i + COUNT_D])
LIFT_FUNCTION F ONE_WIDTH(combine)(D a, D b) EACH(F, i < COUNT_D ? a[i] : b[i - COUNT_D])
LIFT_FUNCTION D ONE_WIDTH(create)(uint64_t v) { return (D)v; }

#define Q
#define W d
#define COUNT COUNT_D
#define LAST LAST_D
#include <lift/neon_lists.h>
#define Q q
#define W q
#define COUNT COUNT_Q
#define LAST LAST_Q
#include <lift/neon_lists.h>
#include <lift/neon_long.h>
#include <lift/neon_narrow.h>

#undef LETTER
#undef BITS
#undef KIND
#undef IS_SIGNED
#undef IS_INTEGER
#undef IS_FLOAT
#undef T
#undef E
#undef D
#undef F
#undef VECTOR
#undef NEAREST_OF
#undef NEAREST
#undef WIDE
#undef WRAP
#undef MODULO
#undef LESS
#undef TWICE
#undef HALF_BITS
#undef COUNT_D
#undef COUNT_Q
#undef LAST_D
#undef LAST_Q
#undef UP_TO
#undef FROM_1_TO
#undef EACH
#undef ONE_WIDTH
#undef PASTE
#undef PASTE_
#undef PASTE5
#undef PASTE5_
