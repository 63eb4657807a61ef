/* What lists of functions of x86's vectors say, up to x86_end.h. */
#include <lift/words_begin.h>
#include <lift/lanes.h>
/* `MASK_OF(u8, 64)`: a bit for each lane of 64 bytes of u8. */
#define MASK_OF(T, bytes) LIFT_MASK_OF(T, bytes)
#define LIFT_MASK_OF(T, bytes) __mask_of_##T##_##bytes

/* How n says that a float is made whole; 4 and more is as the machine is set: half to even. */
#define WHOLE_NUMBER(f, v)                                                                            \
    (n & 4 || !(n & 3) ? __builtin_rint##f(v) : (n & 3) == 1 ? __builtin_floor##f(v)                  \
                       : (n & 3) == 2 ? __builtin_ceil##f(v) : __builtin_trunc##f(v))

/* What a comparison by number n says of two floats: the upper half of the numbers says the same. */
#define COMPARED(n, x, y)                                                                            \
    (((n) & 15) == 0 ? (x) == (y) : ((n) & 15) == 1 ? (x) < (y) : ((n) & 15) == 2 ? (x) <= (y) :     \
     ((n) & 15) == 3 ? (x) != (x) || (y) != (y) : ((n) & 15) == 4 ? (x) != (y) :                     \
     ((n) & 15) == 5 ? !((x) < (y)) : ((n) & 15) == 6 ? !((x) <= (y)) :                              \
     ((n) & 15) == 7 ? (x) == (x) && (y) == (y) : ((n) & 15) == 8 ? !((x) < (y) || (x) > (y)) :      \
     ((n) & 15) == 9 ? !((x) >= (y)) : ((n) & 15) == 10 ? !((x) > (y)) : ((n) & 15) == 11 ? 0 :      \
     ((n) & 15) == 12 ? (x) < (y) || (x) > (y) : ((n) & 15) == 13 ? (x) >= (y) :                     \
     ((n) & 15) == 14 ? (x) > (y) : 1)

/* The float of 16 bits that n says. */
#define HALF_OF(n, v) __half_rounded(n, v)

/* Why there are no bodies. */
#define ESTIMATE LIFT_REFUSED("it is an estimate, and processors differ in its last bits")
#define STATE LIFT_REFUSED("floats are read as rounded to the nearest, half to even, throughout")
