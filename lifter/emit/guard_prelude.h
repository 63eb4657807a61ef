#ifndef LIFT_GUARD_PRELUDE
#define LIFT_GUARD_PRELUDE
/* What the guards of lifted functions compute with: 64-bit integers and address ranges. */

/* A linker's name as the assembler has it. */
#define LIFT_TEXT_OF(text) #text
#define LIFT_TEXT(text) LIFT_TEXT_OF(text)
#define LIFT_SYMBOL(name) LIFT_TEXT(__USER_LABEL_PREFIX__) name

/* Whether floats are computed here as C programs begin to, rounding and tiny numbers included. */
#ifdef __cplusplus
extern "C"
#endif
int lift_default_float_modes(void);

static inline int64_t lift_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t lift_max(int64_t a, int64_t b) { return a < b ? b : a; }

/* Division whose remainder is never negative; x / 0 and x % 0 are 0. */
static inline int64_t lift_mod(int64_t a, int64_t b)
{
    int64_t r = b == 0 || b == -1 ? 0 : a % b;
    return r < 0 ? r + (b < 0 ? -b : b) : r;
}
static inline int64_t lift_div(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? -a : (a - lift_mod(a, b)) / b;
}

/* C's own, by any number. */
static inline int64_t lift_quotient(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? -a : a / b;
}
static inline int64_t lift_rest(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

static inline int lift_fits_int32(int64_t a) { return a >= INT32_MIN && a <= INT32_MAX; }

/* Element numbers, relative to a pointer, of all elements in a box; `count` 0 when it is empty.
   None lies beyond LIFT_FAR, so that sizes no memory has can't overflow on the way to addresses. */
typedef struct { int64_t low, high; int count; } lift_box;
#define LIFT_FAR (INT64_C(1) << 56)

static inline int64_t lift_near(int64_t a) { return lift_max(-LIFT_FAR, lift_min(a, LIFT_FAR)); }
static inline int64_t lift_product(int64_t a, int64_t b)
{
    double p = (double)a * (double)b;
    return p > (double)LIFT_FAR ? LIFT_FAR : p < -(double)LIFT_FAR ? -LIFT_FAR : a * b;
}
static inline lift_box lift_box_at(int64_t offset)
{
    lift_box box;
    box.low = box.high = lift_near(offset);
    box.count = 1;
    return box;
}
static inline lift_box lift_box_axis(lift_box box, int64_t stride, int64_t low, int64_t high)
{
    if (low > high) {
        box.count = 0;
    } else {
        int64_t a = lift_product(stride, low), b = lift_product(stride, high);
        box.low = lift_near(box.low + lift_min(a, b));
        box.high = lift_near(box.high + lift_max(a, b));
    }
    return box;
}

/* Whether two boxes share no byte. */
static inline int lift_apart(const void *p, int64_t p_size, lift_box a,
                             const void *q, int64_t q_size, lift_box b)
{
    if (!a.count || !b.count)
        return 1;
    int64_t p_low = (int64_t)(intptr_t)p + a.low * p_size;
    int64_t p_end = (int64_t)(intptr_t)p + (a.high + 1) * p_size;
    int64_t q_low = (int64_t)(intptr_t)q + b.low * q_size;
    int64_t q_end = (int64_t)(intptr_t)q + (b.high + 1) * q_size;
    return p_end <= q_low || q_end <= p_low;
}

/* A box that holds two. */
static inline lift_box lift_box_around(lift_box a, lift_box b)
{
    if (!a.count || !b.count)
        return a.count ? a : b;
    a.low = lift_min(a.low, b.low);
    a.high = lift_max(a.high, b.high);
    return a;
}

/* Whether the elements of one row lie apart from those of the next one. */
static inline int lift_row_fits(lift_box row, int64_t stride)
{
    return !row.count || row.high - row.low < lift_max(stride, -stride);
}

/* The distance in elements between rows low, low + 1, ..., high of a table of row pointers, given
   as addresses; 0 in *even when they are not evenly spaced. */
typedef intptr_t (*lift_row_address)(const void *rows, int64_t row);
static inline int64_t lift_row_stride(const void *rows, lift_row_address address, int64_t size,
                                      int64_t low, int64_t high, int *even)
{
    int64_t step, row;
    if (low >= high)
        return 0;
    step = (int64_t)address(rows, low + 1) - (int64_t)address(rows, low);
    if (step % size != 0)
        *even = 0;
    for (row = low + 1; row < high; row++)
        if ((int64_t)address(rows, row + 1) - (int64_t)address(rows, row) != step)
            *even = 0;
    return step / size;
}
#endif
