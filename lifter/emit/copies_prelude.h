#ifndef LIFT_COPIES_PRELUDE
#define LIFT_COPIES_PRELUDE
/* Rows that lie anywhere, copied to where they are evenly spaced, and back. */
#include <stdlib.h>
#include <string.h>

/* Bytes that a call touches, `written` or only read. */
typedef struct { int64_t low, end; int written; } lift_span;

static inline void lift_add_span(lift_span *spans, int64_t *count, const void *p, int64_t size,
                                 lift_box box, int written)
{
    if (box.count) {
        spans[*count].low = (int64_t)(intptr_t)p + box.low * size;
        spans[*count].end = (int64_t)(intptr_t)p + (box.high + 1) * size;
        spans[*count].written = written;
        ++*count;
    }
}
static inline int lift_span_order(const void *a, const void *b)
{
    const int64_t p = ((const lift_span *)a)->low, q = ((const lift_span *)b)->low;
    return p < q ? -1 : p > q;
}
/* Whether no byte that is written lies in another span. */
static inline int lift_spans_apart(lift_span *spans, int64_t count)
{
    int64_t number, read = INT64_MIN, written = INT64_MIN;
    qsort(spans, (size_t)count, sizeof *spans, lift_span_order);
    for (number = 0; number < count; number++) {
        if (spans[number].low < written || (spans[number].written && spans[number].low < read))
            return 0;
        if (spans[number].written)
            written = lift_max(written, spans[number].end);
        else
            read = lift_max(read, spans[number].end);
    }
    return 1;
}

/* A copied row's length in elements: an odd number of cache lines, so that columns don't fight. */
static inline int64_t lift_copied_width(lift_box row, int64_t size)
{
    const int64_t length = row.count ? lift_product(row.high - row.low + 1, size) : size;
    return ((length + 63) / 64 | 1) * 64 / size;
}
static inline int64_t lift_rounded(int64_t bytes) { return (bytes + 63) / 64 * 64; }

/* The elements of a row that have been copied, one after the other; none where high < low. */
typedef struct { int64_t low, high; } lift_run;

static inline void lift_copy_elements(void *to, const void *from, int64_t size, int64_t low,
                                      int64_t high)
{
    if (low <= high)
        memcpy((void *)((intptr_t)to + low * size), (const void *)((intptr_t)from + low * size),
               (size_t)((high - low + 1) * size));
}
/* Copies elements, but for those that have been copied right before. */
static inline void lift_copy_run(void *to, const void *from, int64_t size, int64_t low, int64_t high,
                                 lift_run *done)
{
    if (low > high)
        return;
    if (done->high < done->low || low > done->high + 1 || high < done->low - 1) {
        lift_copy_elements(to, from, size, low, high);
        done->low = low;
        done->high = high;
        return;
    }
    lift_copy_elements(to, from, size, low, done->low - 1);
    lift_copy_elements(to, from, size, done->high + 1, high);
    done->low = lift_min(done->low, low);
    done->high = lift_max(done->high, high);
}

static inline int64_t lift_room_of_rows(int64_t rows, int64_t width, int64_t size)
{
    return lift_rounded(lift_product(rows, (int64_t)sizeof(void *)))
           + lift_rounded(lift_product(rows, (int64_t)sizeof(lift_run)))
           + lift_product(rows, lift_product(width, size));
}
/* Memory for all, or null. */
static inline char *lift_copies_memory(int64_t room)
{
    return room < 0 || room > INT64_C(1) << 30 ? 0 : (char *)malloc((size_t)room);
}
static inline char *lift_take(char **next, int64_t bytes)
{
    char *taken = *next;
    *next += lift_rounded(bytes);
    return taken;
}
#endif
