#ifndef LIFT_SHADOW_PRELUDE
#define LIFT_SHADOW_PRELUDE
/* LIFT_SHADOW=n: every n-th call of a guarded function runs the original, too, and compares.

   A compared call saves what the output's region holds, runs the lifted code, keeps its result, puts
   back what was there, runs the original, and compares. The caller always gets the original's result.
   A difference is a line on the standard error (the first, second, fourth, eighth, ... of a function),
   or a call of the handler; LIFT_SHADOW_LOG=FILE gets a line of JSON for the first 1000 of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIFT_AXES 8
#define LIFT_LOGGED 1000

/* LIFT_COLD: what runs in compared calls alone stays out of the way of all others. It is `inline`, so
   that a program that doesn't call it needs no original; GCC warns of both at once in C. */
#ifdef __cplusplus
#define LIFT_INLINE inline
#define LIFT_COLD __attribute__((noinline, cold)) static inline
extern "C" {
#else
#define LIFT_INLINE static inline
#define LIFT_COLD __attribute__((cold)) static inline
#endif

/* A call whose results differ. */
struct lift_difference {
    const char *function;
    const char *array;              /* or "the result" */
    int dimensions;
    const int64_t *at;              /* the first coordinates that differ, innermost first */
    const char *original, *lifted;  /* the values there, as text */
    int64_t differing, compared;    /* elements of this array */
    const char *arguments;          /* "rows = 3, cols = 4" */
    uint64_t number;                /* how many calls of the function have differed, this one included */
};
typedef void (*lift_difference_handler)(const struct lift_difference *difference);

/* One a program, however many files include this. */
struct lift_shadow_settings {
    int every;                      /* 0: off; below 0: the environment wasn't asked yet */
    lift_difference_handler handler;
};
__attribute__((weak)) struct lift_shadow_settings lift_shadow_settings_1 = { -1, 0 };

#ifdef __cplusplus
}  /* extern "C" */
#endif

/* Calls `handler` for each difference in place of the line; null brings the line back. It runs in the
   thread that made the call, and several threads may call it at once. */
static inline void lift_on_difference(lift_difference_handler handler)
{
    __atomic_store_n(&lift_shadow_settings_1.handler, handler, __ATOMIC_RELEASE);
}

/* What a guarded function counts. */
typedef struct { uint64_t calls, differences; } lift_counts;

/* A number that a function was called with; `kind` is 'i' or 'f'. */
typedef struct { const char *name; int64_t integer; double real; char kind; } lift_argument;

static inline lift_argument lift_integer(const char *name, int64_t value)
{
    lift_argument argument = { name, value, 0.0, 'i' };
    return argument;
}
static inline lift_argument lift_real(const char *name, double value)
{
    lift_argument argument = { name, 0, value, 'f' };
    return argument;
}

/* The elements that an output consists of. */
typedef struct {
    const char *name;
    char *place;                    /* the element at `low` */
    char kind;                      /* 'i' signed, 'u' unsigned, 'f' float */
    int size;                       /* bytes of an element */
    int dimensions;
    int64_t low[LIFT_AXES], count[LIFT_AXES], stride[LIFT_AXES];  /* stride in elements */
    int64_t elements;
    char *lifted;                   /* what the lifted code wrote there, without gaps */
} lift_region;

static inline lift_region lift_region_at(const char *name, const void *base, int64_t offset, char kind,
                                         int size)
{
    lift_region region;
    memset(&region, 0, sizeof region);
    region.name = name;
    region.place = (char *)(intptr_t)base;
    if (offset)
        region.place += offset * size;
    region.kind = kind;
    region.size = size;
    region.elements = 1;
    return region;
}
static inline void lift_region_axis(lift_region *region, int64_t stride, int64_t low, int64_t end)
{
    const int axis = region->dimensions++;
    region->low[axis] = low;
    region->count[axis] = end > low ? end - low : 0;
    region->stride[axis] = stride;
    region->elements *= region->count[axis];
    if (region->elements)
        region->place += low * stride * region->size;
}

/* Steps to the next run of elements along axis 0; 0 at the end. */
static inline int lift_next_row(const lift_region *region, int64_t *at)
{
    int axis;
    for (axis = 1; axis < region->dimensions; axis++) {
        if (++at[axis] < region->count[axis])
            return 1;
        at[axis] = 0;
    }
    return 0;
}
static inline char *lift_row_place(const lift_region *region, const int64_t *at)
{
    char *place = region->place;
    int axis;
    for (axis = 1; axis < region->dimensions; axis++)
        place += at[axis] * region->stride[axis] * region->size;
    return place;
}

/* Copies the region to `buffer`, or back; nothing between its elements is touched. */
static inline void lift_move(const lift_region *region, char *buffer, int back)
{
    int64_t at[LIFT_AXES] = { 0 };
    const int64_t count = region->dimensions ? region->count[0] : 1;
    const int64_t step = (region->dimensions ? region->stride[0] : 1) * region->size;
    const size_t size = (size_t)region->size;
    if (!region->elements)
        return;
    do {
        char *place = lift_row_place(region, at);
        int64_t i;
        if (step == region->size) {
            memcpy(back ? place : buffer, back ? buffer : place, (size_t)count * size);
            buffer += (size_t)count * size;
            continue;
        }
        for (i = 0; i < count; i++, buffer += size)
            memcpy(back ? place + i * step : buffer, back ? buffer : place + i * step, size);
    } while (lift_next_row(region, at));
}

/* Whether two elements are the same number: all that are none count as one. Looks at their bits: a
   program may be compiled as if there were no such numbers. */
static inline int lift_same(const lift_region *region, const char *a, const char *b)
{
    if (!memcmp(a, b, (size_t)region->size))
        return 1;
    if (region->kind == 'f' && region->size == 4) {
        uint32_t x, y;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        return (x << 1) > UINT32_C(0xff000000) && (y << 1) > UINT32_C(0xff000000);
    }
    if (region->kind == 'f' && region->size == 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        return (x << 1) > (UINT64_C(0x7ff) << 53) && (y << 1) > (UINT64_C(0x7ff) << 53);
    }
    return 0;
}

static inline void lift_element_text(const lift_region *region, const char *at, char text[40])
{
    if (region->kind == 'f') {
        double real;
        if (region->size == 4) {
            float single;
            memcpy(&single, at, 4);
            real = single;
        } else {
            memcpy(&real, at, 8);
        }
        snprintf(text, 40, region->size == 4 ? "%.9g" : "%.17g", real);
    } else {
        /* Of little-endian bytes, as all targets have them. */
        uint64_t word = 0;
        const int unused = 64 - 8 * region->size;
        memcpy(&word, at, (size_t)region->size);
        if (region->kind == 'u')
            snprintf(text, 40, "%llu", (unsigned long long)word);
        else
            snprintf(text, 40, "%lld", (long long)((int64_t)(word << unused) >> unused));
    }
}

/* Appends to a text that ends where there is no more room. */
static inline void lift_append(char *text, size_t room, const char *more)
{
    const size_t used = strlen(text);
    if (used + strlen(more) < room)
        memcpy(text + used, more, strlen(more) + 1);
}

/* A number as JSON has it: what is none is a string. */
static inline void lift_append_json(char *line, size_t room, const char *number)
{
    const int is_number = strspn(number, "+-.0123456789e") == strlen(number);
    lift_append(line, room, is_number ? "" : "\"");
    lift_append(line, room, number);
    lift_append(line, room, is_number ? "" : "\"");
}

LIFT_COLD void lift_log_difference(const struct lift_difference *d, const char *arguments)
{
    const char *path = getenv("LIFT_SHADOW_LOG");
    char line[2048] = "{\"function\": \"", part[64];
    FILE *file;
    int axis;
    if (!path || !*path || d->number > LIFT_LOGGED)
        return;
    lift_append(line, sizeof line, d->function);
    lift_append(line, sizeof line, "\", \"array\": \"");
    lift_append(line, sizeof line, d->array);
    lift_append(line, sizeof line, "\", \"at\": [");
    for (axis = 0; axis < d->dimensions; axis++) {
        snprintf(part, sizeof part, "%s%lld", axis ? ", " : "", (long long)d->at[axis]);
        lift_append(line, sizeof line, part);
    }
    lift_append(line, sizeof line, "], \"original\": ");
    lift_append_json(line, sizeof line, d->original);
    lift_append(line, sizeof line, ", \"lifted\": ");
    lift_append_json(line, sizeof line, d->lifted);
    snprintf(part, sizeof part, ", \"differing\": %lld, ", (long long)d->differing);
    lift_append(line, sizeof line, part);
    snprintf(part, sizeof part, "\"compared\": %lld, \"arguments\": {", (long long)d->compared);
    lift_append(line, sizeof line, part);
    lift_append(line, sizeof line - 4, arguments);
    lift_append(line, sizeof line, "}}\n");
    file = fopen(path, "a");
    if (!file) {
        static int said;
        if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
            fprintf(stderr, "lift: LIFT_SHADOW_LOG=%s can't be written\n", path);
        return;
    }
    fputs(line, file);
    fclose(file);
}

/* Tells whoever wants to know about a difference. */
LIFT_COLD void lift_report_difference(struct lift_difference *d, const lift_argument *arguments,
                                          int count)
{
    char text[700] = "", json[900] = "", where[LIFT_AXES * 24] = "", number[40], part[200];
    lift_difference_handler handler =
        __atomic_load_n(&lift_shadow_settings_1.handler, __ATOMIC_ACQUIRE);
    int i;
    for (i = 0; i < count; i++) {
        if (arguments[i].kind == 'f')
            snprintf(number, sizeof number, "%.17g", arguments[i].real);
        else
            snprintf(number, sizeof number, "%lld", (long long)arguments[i].integer);
        lift_append(text, sizeof text, i ? ", " : "");
        lift_append(text, sizeof text, arguments[i].name);
        lift_append(text, sizeof text, " = ");
        lift_append(text, sizeof text, number);
        /* As a whole or not at all, so that it stays JSON. */
        if (strlen(arguments[i].name) < 100) {
            snprintf(part, sizeof part, "%s\"%s\": ", *json ? ", " : "", arguments[i].name);
            lift_append_json(part, sizeof part, number);
            lift_append(json, sizeof json, part);
        }
    }
    d->arguments = text;
    lift_log_difference(d, json);
    if (handler) {
        handler(d);
        return;
    }
    if (d->number & (d->number - 1))
        return;
    for (i = 0; i < d->dimensions; i++) {
        snprintf(number, sizeof number, "%s%lld", i ? ", " : "(", (long long)d->at[i]);
        lift_append(where, sizeof where, number);
    }
    lift_append(where, sizeof where, d->dimensions ? ")" : "");
    fprintf(stderr,
            "lift: %s: %s%s is %s in the original, %s in the lifted code; %lld of %lld elements "
            "differ%s%s; difference %llu of this function; the original's result is used\n",
            d->function, d->array, where, d->original, d->lifted, (long long)d->differing,
            (long long)d->compared, count ? "; " : "", text, (unsigned long long)d->number);
}

/* Compares what the lifted code wrote with what is there now; gives the number of differences. */
LIFT_COLD int64_t lift_compare(const lift_region *region, struct lift_difference *d, int64_t *first,
                                   char original[40], char lifted[40])
{
    int64_t at[LIFT_AXES] = { 0 }, differing = 0;
    const int64_t count = region->dimensions ? region->count[0] : 1;
    const int64_t step = (region->dimensions ? region->stride[0] : 1) * region->size;
    const char *buffer = region->lifted;
    if (!region->elements)
        return 0;
    do {
        const char *place = lift_row_place(region, at);
        int64_t i;
        if (step == region->size && !memcmp(place, buffer, (size_t)(count * step))) {
            buffer += count * step;
            continue;
        }
        for (i = 0; i < count; i++, buffer += region->size) {
            if (lift_same(region, place + i * step, buffer))
                continue;
            if (!differing++) {
                int axis;
                at[0] = i;
                for (axis = 0; axis < region->dimensions; axis++)
                    first[axis] = region->low[axis] + at[axis];
                at[0] = 0;
                lift_element_text(region, place + i * step, original);
                lift_element_text(region, buffer, lifted);
                d->array = region->name;
                d->dimensions = region->dimensions;
            }
        }
    } while (lift_next_row(region, at));
    return differing;
}

/* Asks the environment, once. */
LIFT_COLD int lift_shadow_asked(void)
{
    const char *text = getenv("LIFT_SHADOW");
    char *end = 0;
    long every = 0;
    int before = -1, is_number = 0;
    if (text && *text) {
        every = strtol(text, &end, 10);
        is_number = *end == 0 && every >= 0 && every <= 2147483647L;
        if (!is_number)
            every = 0;
    }
    if (__atomic_compare_exchange_n(&lift_shadow_settings_1.every, &before, (int)every, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)
        && text && *text && !is_number)
        fprintf(stderr, "lift: LIFT_SHADOW=%s is ignored: it is no number of calls\n", text);
    return __atomic_load_n(&lift_shadow_settings_1.every, __ATOMIC_RELAXED);
}

/* Whether this call is to be compared. */
static inline int lift_shadow_due(lift_counts *counts)
{
    int every = __atomic_load_n(&lift_shadow_settings_1.every, __ATOMIC_RELAXED);
    if (__builtin_expect(every == 0, 1))
        return 0;
    if (every < 0)
        every = lift_shadow_asked();
    return every > 0
           && __atomic_add_fetch(&counts->calls, 1, __ATOMIC_RELAXED) % (uint64_t)every == 0;
}

/* A compared call: begin, the lifted code, turn, the original, end. Without memory for the copies
   begin is 0, and the call isn't compared. */
typedef struct {
    lift_region *regions;
    int count;
    char *memory;
} lift_shadow;

LIFT_COLD int lift_shadow_begin(lift_shadow *shadow, lift_region *regions, int count)
{
    double bytes = 1.0;
    char *next;
    int i;
    shadow->regions = regions;
    shadow->count = count;
    for (i = 0; i < count; i++)
        bytes += 2.0 * (double)regions[i].elements * regions[i].size;
    shadow->memory = bytes > 1e15 ? (char *)0 : (char *)malloc((size_t)bytes);
    if (!shadow->memory)
        return 0;
    next = shadow->memory;
    for (i = 0; i < count; i++) {
        lift_move(&regions[i], next, 0);
        next += regions[i].elements * regions[i].size;
    }
    for (i = 0; i < count; i++) {
        regions[i].lifted = next;
        next += regions[i].elements * regions[i].size;
    }
    return 1;
}
LIFT_COLD void lift_shadow_turn(lift_shadow *shadow)
{
    char *next = shadow->memory;
    int i;
    for (i = 0; i < shadow->count; i++)
        lift_move(&shadow->regions[i], shadow->regions[i].lifted, 0);
    for (i = 0; i < shadow->count; i++) {
        lift_move(&shadow->regions[i], next, 1);
        next += shadow->regions[i].elements * shadow->regions[i].size;
    }
}
LIFT_COLD void lift_shadow_end(lift_shadow *shadow, const char *function, lift_counts *counts,
                                   const lift_argument *arguments, int argument_count)
{
    int64_t first[LIFT_AXES] = { 0 };
    char original[40], lifted[40];
    struct lift_difference d;
    int i;
    memset(&d, 0, sizeof d);
    for (i = 0; i < shadow->count && !d.differing; i++) {
        d.differing = lift_compare(&shadow->regions[i], &d, first, original, lifted);
        d.compared = shadow->regions[i].elements;
    }
    if (d.differing) {
        d.function = function;
        d.at = first;
        d.original = original;
        d.lifted = lifted;
        d.number = __atomic_add_fetch(&counts->differences, 1, __ATOMIC_RELAXED);
        lift_report_difference(&d, arguments, argument_count);
    }
    free(shadow->memory);
}
#endif
