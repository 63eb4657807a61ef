/* A CUDA driver whose devices are memory and code of this process, for tests of what calls it.

   What CUDA leaves open is decided against the caller: work waits in its stream until something that CUDA names
   makes it run, what a copy brings is not there before, memory holds garbage where nobody wrote it, lies between
   pages that nobody may touch, and handles that are freed, or are of another context, are found. What tests
   control it by is in emulated.h. */
#define _GNU_SOURCE
#include "emulated.h"
#include "ptx_image.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define EQUAL_RESULT(name, number, text) _Static_assert(name == number, #name);
#define EQUAL_CONSTANT(name, number) _Static_assert(name == number, #name);
RESULTS(EQUAL_RESULT)
CONSTANTS(EQUAL_CONSTANT)

enum { MOST_DEVICES = 4, MOST_ATTRIBUTES = 256, MOST_CONTEXTS = 64, TEXT = 240 };
enum { PAGE = 4096, ALIGNMENT = 256, POISON = 0xA5, REDZONE = 0xC5 };
static const size_t POISONED = (size_t)1 << 26; /* Of larger memories only so much is filled. */
static const uint64_t ALL = UINT64_MAX;

/* ---- What there is ---- */

/* What every object begins with. Those that are gone stay in the list, so that their handles are known to be old. */
struct object {
    enum kind kind;
    bool is_live;
    uint64_t handle;
    struct context *context;
    struct object *next;
};

struct device {
    char name[64];
    int attributes[MOST_ATTRIBUTES];
    size_t total, plain, pool_used, pool_kept; /* Bytes: `pool_kept` are free ones that the pool hasn't given back. */
    uint64_t threshold;
    struct context *primary;
    int retained;
};

struct context {
    struct object object;
    int device;
    bool is_primary;
    unsigned long long id;
    CUresult error; /* Of a kernel that failed: all calls repeat it. */
};

struct module {
    struct object object;
    char *image; /* As it was given. */
    char *text;  /* Without comments. */
};

struct function {
    struct object object;
    struct module *module;
    char *name;
    struct entry entry;
    int most_dynamic;
};

struct stream {
    struct object object;
    enum { LEGACY, PER_THREAD, CREATED } origin;
    bool is_blocking; /* Waits for the legacy stream, which waits for it. */
    uint64_t thread;
    struct work *first, **last;
};

struct event {
    struct object object;
    unsigned flags;
    bool is_recorded, is_done;
    struct stream *stream;
    uint64_t number;
    double time;
};

struct allocation {
    struct object object;
    unsigned char *address, *mapping, *known;
    size_t size, mapped;
    int device;
    bool is_of_pool;
    enum { COMING, THERE, GONE } state; /* As the device's work sees it, which is later than the calls. */
    unsigned long long buffer_id;
};

/* One end of a copy: memory of a device, or of the host. */
struct side {
    struct allocation *allocation;
    unsigned char *address;
    size_t pitch;
};

struct work {
    enum { COPY, FILL, LAUNCH, ALLOCATE, FREE, RECORD, WAIT } kind;
    uint64_t number;
    struct stream *stream;
    struct work *next;
    struct side to, from;
    unsigned char *staged, value;
    size_t width, height;
    struct function *function;
    unsigned grid[3], block[3], shared;
    unsigned char *parameters;
    struct allocation *allocation;
    struct event *event;
    struct stream *other;
    uint64_t until;
};

struct registered {
    char *name;
    kernel run;
    struct registered *next;
};

struct injection {
    char *name;
    long nth, times, seen;
    CUresult code;
    struct injection *next;
};

struct lines {
    char **text;
    size_t count, room;
};

static pthread_mutex_t lock;
static pid_t owner;           /* The process that called `cuInit`; 0 for none yet. */
static bool is_ready;         /* Whether `reset` has run. */
static long settings[SETTINGS];
static struct device devices[MOST_DEVICES];
static struct object *objects;
static struct lines calls, problems;
static struct registered *registered;
static struct injection *injections;
static interpreter interpret;

/* These outlive `reset`: nothing is ever taken for what was there before. */
static uint64_t next_handle = 0x7000000, next_number = 1, next_thread = 1, generation = 1;
static unsigned long long next_context_id = 1, next_buffer_id = 1;
static uint64_t old_contexts[MOST_CONTEXTS];
static int old_count;

static __thread struct {
    uint64_t generation;
    int depth;
    struct context *stack[MOST_CONTEXTS];
} current;
static __thread uint64_t own_thread;

static const uint64_t PRIMARY = 0x6000000, POOL = 0x5000000;

static void say(struct lines *lines, const char *format, ...)
{
    if (lines->count == lines->room) {
        lines->room = lines->room ? 2 * lines->room : 64;
        lines->text = realloc(lines->text, lines->room * sizeof *lines->text);
    }
    va_list arguments;
    va_start(arguments, format);
    char *made = NULL;
    if (!lines->text || vasprintf(&made, format, arguments) < 0)
        abort();
    va_end(arguments);
    lines->text[lines->count++] = made;
}

/* What a caller does wrong that CUDA wouldn't tell. */
#define problem(...) say(&problems, __VA_ARGS__)

static void forget(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->text[i]);
    lines->count = 0;
}

static void *made(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

static void *add(size_t size, enum kind kind, struct context *context)
{
    struct object *object = made(size);
    *object = (struct object){kind, true, next_handle, context, objects};
    next_handle += 16;
    return objects = object;
}

/* The object of a handle; where others had it before, the last one. NULL where it is gone. */
static void *find(enum kind kind, const void *handle)
{
    for (struct object *o = objects; o; o = o->next)
        if (o->kind == kind && o->handle == (uint64_t)(uintptr_t)handle)
            return o->is_live ? o : NULL;
    return NULL;
}

static void *handle_of(void *object) { return (void *)(uintptr_t)((struct object *)object)->handle; }

/* ---- Memory ---- */

static size_t rounded(size_t size, size_t multiple) { return (size + multiple - 1) / multiple * multiple; }

static size_t free_bytes(const struct device *d)
{
    size_t taken = d->plain + d->pool_used + d->pool_kept;
    return taken < d->total ? d->total - taken : 0;
}

static struct allocation *allocate(struct context *context, size_t size, bool is_of_pool)
{
    struct device *d = &devices[context->device];
    size_t needed = rounded(size, ALIGNMENT), kept = is_of_pool ? d->pool_kept : 0;
    if (needed < size || (needed > kept && needed - kept > free_bytes(d)))
        return NULL;
    size_t inner = rounded(size, PAGE);
    unsigned char *all = mmap(0, inner + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE, inner, PROT_READ | PROT_WRITE))
        return NULL;
    if (is_of_pool) {
        d->pool_kept -= needed < kept ? needed : kept;
        d->pool_used += needed;
    } else {
        d->plain += needed;
    }
    struct allocation *a = add(sizeof *a, ALLOCATION, is_of_pool ? NULL : context);
    a->mapping = all;
    a->mapped = inner + 2 * PAGE;
    a->address = all + PAGE + inner - needed;
    a->object.handle = (uintptr_t)a->address;
    a->size = size;
    a->device = context->device;
    a->is_of_pool = is_of_pool;
    a->known = made(size);
    a->state = is_of_pool ? COMING : THERE;
    a->buffer_id = next_buffer_id++;
    memset(all + PAGE, REDZONE, a->address - all - PAGE);
    memset(a->address, POISON, size < POISONED ? size : POISONED);
    memset(a->address + size, REDZONE, needed - size);
    return a;
}

/* Tells of the first byte beside a memory that somebody wrote, once. */
static void check_redzones(const struct allocation *a)
{
    unsigned char *begin = a->mapping + PAGE, *end = a->mapping + a->mapped - PAGE, *written = NULL;
    if (a->state == GONE)
        return;
    for (unsigned char *byte = begin; byte < end; byte++) {
        if (byte == a->address)
            byte += a->size;
        if (byte < end && *byte != REDZONE) {
            written = written ? written : byte;
            *byte = REDZONE;
        }
    }
    if (written)
        problem("something wrote to byte %ld of a memory of %zu bytes", (long)(written - a->address), a->size);
}

/* Nobody may touch it any more; its addresses stay taken. */
static void take_back(struct allocation *a)
{
    if (a->state == GONE)
        return;
    check_redzones(a);
    struct device *d = &devices[a->device];
    size_t needed = rounded(a->size, ALIGNMENT);
    if (a->is_of_pool) {
        d->pool_used -= needed;
        d->pool_kept += needed;
    } else {
        d->plain -= needed;
    }
    a->state = GONE;
    a->object.is_live = false;
    mmap(a->mapping, a->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* The live memory that has this byte. */
static struct allocation *memory_at(CUdeviceptr pointer)
{
    for (struct object *o = objects; o; o = o->next) {
        struct allocation *a = (struct allocation *)o;
        if (o->kind == ALLOCATION && o->is_live && pointer - o->handle < a->size)
            return a;
    }
    return NULL;
}

static bool is_seen_by(const struct allocation *a, const struct context *context)
{
    return a->is_of_pool ? a->device == context->device : a->object.context == context;
}

/* ---- Work ---- */

static void fail(struct context *context, CUresult code)
{
    if (!context->error)
        context->error = code;
}

static bool may_touch(struct work *work, const struct side *side)
{
    struct allocation *a = side->allocation;
    if (!a || a->state == THERE)
        return true;
    problem("work of a stream touches a memory of %zu bytes that %s", a->size,
            a->state == GONE ? "is freed" : "another stream hasn't allocated yet");
    fail(work->stream->object.context, CUDA_ERROR_ILLEGAL_ADDRESS);
    return false;
}

static unsigned char *known_at(const struct side *side, size_t row)
{
    struct allocation *a = side->allocation;
    return a ? a->known + (side->address - a->address) + row * side->pitch : NULL;
}

static void copy_rows(struct work *work)
{
    if (!may_touch(work, &work->to) || !may_touch(work, &work->from))
        return;
    for (size_t row = 0; row < work->height; row++) {
        unsigned char *from = work->from.address + row * work->from.pitch;
        memmove(work->to.address + row * work->to.pitch, from, work->width);
        unsigned char *known = known_at(&work->to, row), *other = known_at(&work->from, row);
        if (known && other)
            memmove(known, other, work->width);
        else if (known)
            memset(known, 1, work->width);
    }
}

static __thread sigjmp_buf escape;
static __thread volatile sig_atomic_t may_escape;

static void on_fault(int number)
{
    if (may_escape)
        siglongjmp(escape, 1);
    signal(number, SIG_DFL);
}

/* Runs a kernel that is C; false where it touches what nobody may touch. */
static bool run_native(kernel run, void **parameters, const struct work *work)
{
    struct sigaction handler = {.sa_handler = on_fault}, segment, bus;
    sigaction(SIGSEGV, &handler, &segment);
    sigaction(SIGBUS, &handler, &bus);
    bool is_whole = false;
    if (!sigsetjmp(escape, 1)) {
        may_escape = 1;
        run(parameters, work->grid, work->block, work->shared);
        is_whole = true;
    }
    may_escape = 0;
    sigaction(SIGSEGV, &segment, NULL);
    sigaction(SIGBUS, &bus, NULL);
    return is_whole;
}

static void launch(struct work *work)
{
    struct function *f = work->function;
    struct context *context = work->stream->object.context;
    void *parameters[MOST_PARAMETERS];
    unsigned char *next = work->parameters;
    for (unsigned i = 0; i < f->entry.count; next += rounded(f->entry.sizes[i++], 16))
        parameters[i] = next;
    if (!f->object.is_live) {
        problem("the module of %s was unloaded while its kernel waited", f->name);
        fail(context, CUDA_ERROR_ILLEGAL_ADDRESS);
        return;
    }
    struct registered *r = registered;
    while (r && strcmp(r->name, f->name))
        r = r->next;
    if (!r && !interpret) {
        problem("nothing is registered that runs %s", f->name);
        fail(context, CUDA_ERROR_LAUNCH_FAILED);
    } else if (r) {
        if (!run_native(r->run, parameters, work)) {
            problem("%s touches what is no memory of the device", f->name);
            fail(context, CUDA_ERROR_ILLEGAL_ADDRESS);
        }
        for (struct object *o = objects; o; o = o->next) {
            struct allocation *a = (struct allocation *)o;
            if (o->kind == ALLOCATION && a->state == THERE && is_seen_by(a, context))
                memset(a->known, 1, a->size);
        }
    } else {
        struct emulated_launch given = {f->module->image, f->name,  {0},        {0},
                                        work->shared,     f->entry.count, f->entry.sizes,   parameters,
                                        context->object.handle};
        memcpy(given.grid, work->grid, sizeof given.grid);
        memcpy(given.block, work->block, sizeof given.block);
        fail(context, (CUresult)interpret(&given));
    }
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static void execute(struct work *work)
{
    struct event *event = work->event;
    if (work->kind == RECORD) {
        if (event->number == work->number) {
            event->is_done = true;
            event->time = milliseconds();
        }
    } else if (work->kind == FREE) {
        if (work->allocation->state == COMING)
            problem("a memory of %zu bytes is freed before another stream has allocated it", work->allocation->size);
        take_back(work->allocation);
    } else if (!work->stream->object.context->error) {
        switch (work->kind) {
        case COPY: copy_rows(work); break;
        case LAUNCH: launch(work); break;
        case FILL:
            if (may_touch(work, &work->to)) {
                memset(work->to.address, work->value, work->width);
                memset(known_at(&work->to, 0), 1, work->width);
            }
            break;
        case ALLOCATE:
            if (work->allocation->state == COMING)
                work->allocation->state = THERE;
            break;
        default: break;
        }
    }
}

static void drop(struct work *work)
{
    free(work->staged);
    free(work->parameters);
    free(work);
}

/* Runs the stream's work up to that number, and before each piece what it must wait for. */
static void run_until(struct stream *stream, uint64_t last)
{
    while (stream->first && stream->first->number <= last) {
        struct work *work = stream->first;
        for (struct object *o = objects; o && stream->is_blocking; o = o->next) {
            struct stream *other = (struct stream *)o;
            if (o->kind == STREAM && o->context == stream->object.context && other != stream && other->is_blocking &&
                (stream->origin == LEGACY || other->origin == LEGACY))
                run_until(other, work->number - 1);
        }
        if (work->kind == WAIT)
            run_until(work->other, work->until);
        stream->first = work->next;
        if (!stream->first)
            stream->last = &stream->first;
        execute(work);
        drop(work);
    }
}

static void run_context(struct context *context)
{
    for (struct object *o = objects; o; o = o->next)
        if (o->kind == STREAM && o->context == context)
            run_until((struct stream *)o, ALL);
}

/* What is kept above the threshold goes back where somebody waits for the device. */
static void trim(struct context *context)
{
    struct device *d = &devices[context->device];
    if (d->pool_used + d->pool_kept > d->threshold)
        d->pool_kept = d->threshold > d->pool_used ? d->threshold - d->pool_used : 0;
}

static uint64_t random_number(void)
{
    uint64_t x = (uint64_t)settings[SEED] ? (uint64_t)settings[SEED] : 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    settings[SEED] = (long)x;
    return x >> 11;
}

static struct work *enqueue(struct stream *stream, int kind)
{
    struct work *work = made(sizeof *work);
    work->kind = kind;
    work->stream = stream;
    work->number = next_number++;
    *stream->last = work;
    stream->last = &work->next;
    return work;
}

/* What a call that has queued work ends with. */
static void let_run(struct stream *stream)
{
    if (settings[RUNS] == RUNS_AT_ONCE)
        run_until(stream, ALL);
    else if (settings[RUNS] == RUNS_SOMETIMES)
        for (struct object *o = objects; o; o = o->next)
            if (o->kind == STREAM && random_number() % 4 == 0)
                run_until((struct stream *)o, next_number - random_number() % 4);
}

static struct stream *new_stream(struct context *context, int origin, bool is_blocking)
{
    struct stream *stream = add(sizeof *stream, STREAM, context);
    stream->origin = origin;
    stream->is_blocking = is_blocking;
    stream->last = &stream->first;
    stream->thread = own_thread;
    return stream;
}

/* The stream that a handle names where the context is current; NULL where it isn't one of the context. */
static struct stream *stream_of(struct context *context, CUstream handle)
{
    if (!own_thread)
        own_thread = next_thread++;
    if (handle == NULL || handle == CU_LEGACY || handle == CU_PER_THREAD) {
        int origin = handle == CU_PER_THREAD ? PER_THREAD : LEGACY;
        for (struct object *o = objects; o; o = o->next) {
            struct stream *s = (struct stream *)o;
            if (o->kind == STREAM && o->is_live && o->context == context && s->origin == (unsigned)origin &&
                (origin == LEGACY || s->thread == own_thread))
                return s;
        }
        return new_stream(context, origin, true);
    }
    struct stream *stream = find(STREAM, handle);
    return stream && stream->origin == CREATED && stream->object.context == context ? stream : NULL;
}

/* ---- Contexts ---- */

static struct context *new_context(int device, bool is_primary)
{
    struct context *context = add(sizeof *context, CONTEXT, NULL);
    context->object.context = context;
    context->device = device;
    context->is_primary = is_primary;
    context->id = next_context_id++;
    /* Handles of contexts come again, as addresses do. */
    if (is_primary)
        context->object.handle = PRIMARY + 16 * (uint64_t)device;
    else if (old_count)
        context->object.handle = old_contexts[--old_count];
    return context;
}

/* All that is the context's goes with it; its work is lost. */
static void destroy(struct context *context)
{
    for (struct object *o = objects; o; o = o->next) {
        if (o->context != context)
            continue;
        o->is_live = false;
        if (o->kind == ALLOCATION)
            take_back((struct allocation *)o);
        if (o->kind == STREAM) {
            struct stream *stream = (struct stream *)o;
            for (struct work *work = stream->first, *next; work; work = next) {
                next = work->next;
                if (work->kind == FREE)
                    take_back(work->allocation);
                if (work->kind == ALLOCATE && work->allocation->state == COMING)
                    work->allocation->state = THERE; /* A pool's memory outlives the context. */
                drop(work);
            }
            stream->first = NULL;
            stream->last = &stream->first;
        }
    }
    if (!context->is_primary && old_count < MOST_CONTEXTS)
        old_contexts[old_count++] = context->object.handle;
}

static void check_thread(void)
{
    if (current.generation != generation) {
        current.generation = generation;
        current.depth = 0;
    }
}

static struct context *current_context(void)
{
    check_thread();
    return current.depth ? current.stack[current.depth - 1] : NULL;
}

/* ---- Calls ---- */

enum need { NOTHING, INITIALISED, A_CONTEXT };

struct call {
    const char *name;
    bool is_open;
    CUresult result;
    struct context *context;
    char text[TEXT];
};

static const char *name_of(CUresult result)
{
#define AS_NAME(name, number, text) case number: return #name;
    switch ((int)result) {
        RESULTS(AS_NAME)
    }
    return NULL;
}

static const char *text_of(CUresult result)
{
#define AS_TEXT(name, number, text) case number: return text;
    switch ((int)result) {
        RESULTS(AS_TEXT)
    }
    return NULL;
}

/* Whether nothing can be done in a context any more that has met this. */
static bool is_sticky(CUresult code)
{
    switch ((int)code) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED: return true;
    default: return false;
    }
}

static void reset(void);

static struct call begin(const char *name, enum need need, const char *format, ...)
{
    struct call call = {.name = name};
    if (owner && owner != getpid()) {
        call.result = CUDA_ERROR_NOT_INITIALIZED;
        return call;
    }
    pthread_mutex_lock(&lock);
    if (!is_ready)
        reset();
    call.is_open = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call.text, sizeof call.text, format, arguments);
    va_end(arguments);
    call.context = current_context();
    for (struct injection *i = injections; i; i = i->next)
        if (!strcmp(i->name, name)) {
            long seen = ++i->seen;
            if (seen >= i->nth && (i->times < 0 || seen < i->nth + i->times)) {
                call.result = i->code;
                if (is_sticky(i->code) && call.context)
                    fail(call.context, i->code);
                return call;
            }
        }
    if (need >= INITIALISED && !owner)
        call.result = CUDA_ERROR_NOT_INITIALIZED;
    else if (need == A_CONTEXT && !call.context)
        call.result = CUDA_ERROR_INVALID_CONTEXT;
    else if (need == A_CONTEXT && !call.context->object.is_live)
        call.result = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    else if (need == A_CONTEXT)
        call.result = call.context->error;
    return call;
}

static CUresult end(const struct call *call, CUresult result)
{
    if (call->is_open) {
        say(&calls, "%s\t%s\t%d", call->name, call->text, (int)result);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

/* How each call begins: with what it needs, and what is logged of its arguments. */
#define BEGIN(need, ...) \
    struct call call = begin(__func__, need, __VA_ARGS__); \
    if (call.result) \
    return end(&call, call.result)
#define END(result) return end(&call, result)
/* An argument that isn't right. */
#define ASK(condition, error) \
    if (!(condition)) \
    END(error)
#define PLACE(pointer) ASK(pointer, CUDA_ERROR_INVALID_VALUE)

CUresult CUDAAPI cuGetErrorName(CUresult error, const char **name)
{
    *name = name_of(error);
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuGetErrorString(CUresult error, const char **text)
{
    *text = text_of(error);
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuInit(unsigned flags)
{
    BEGIN(NOTHING, "%u", flags);
    ASK(!flags, CUDA_ERROR_INVALID_VALUE);
    ASK(settings[DEVICES], CUDA_ERROR_NO_DEVICE);
    owner = getpid();
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDriverGetVersion(int *version)
{
    BEGIN(NOTHING, "");
    PLACE(version);
    *version = (int)settings[DRIVER_VERSION];
    END(CUDA_SUCCESS);
}

/* ---- Devices ---- */

static bool is_device(CUdevice device) { return device >= 0 && device < settings[DEVICES]; }

CUresult CUDAAPI cuDeviceGetCount(int *count)
{
    BEGIN(INITIALISED, "");
    PLACE(count);
    *count = (int)settings[DEVICES];
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal)
{
    BEGIN(INITIALISED, "%d", ordinal);
    PLACE(device);
    ASK(is_device(ordinal), CUDA_ERROR_INVALID_DEVICE);
    *device = ordinal;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDeviceGetName(char *name, int size, CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    ASK(name && size > 0, CUDA_ERROR_INVALID_VALUE);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    snprintf(name, (size_t)size, "%s", devices[device].name);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    BEGIN(INITIALISED, "%d, device %d", (int)attribute, device);
    PLACE(value);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    ASK((unsigned)attribute < MOST_ATTRIBUTES && attribute, CUDA_ERROR_INVALID_VALUE);
    *value = devices[device].attributes[attribute];
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    PLACE(bytes);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    *bytes = devices[device].total;
    END(CUDA_SUCCESS);
}

/* ---- Contexts ---- */

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    PLACE(context);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    struct device *d = &devices[device];
    if (!d->retained++)
        d->primary = new_context(device, true);
    *context = handle_of(d->primary);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    ASK(devices[device].retained, CUDA_ERROR_INVALID_CONTEXT);
    if (!--devices[device].retained)
        destroy(devices[device].primary);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    struct device *d = &devices[device];
    if (d->retained) {
        destroy(d->primary);
        /* Who has retained it goes on with a new one, which has the same handle. */
        d->primary = new_context(device, true);
    }
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    BEGIN(INITIALISED, "device %d", device);
    ASK(flags && active, CUDA_ERROR_INVALID_VALUE);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    *flags = 0;
    *active = devices[device].retained > 0;
    END(CUDA_SUCCESS);
}

static bool push(struct context *context)
{
    check_thread();
    if (current.depth == MOST_CONTEXTS)
        return false;
    current.stack[current.depth++] = context;
    return true;
}

static CUresult create(CUcontext *context, unsigned flags, CUdevice device)
{
    if (!context || flags > 0x1F)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *made = new_context(device, false);
    *context = handle_of(made);
    return push(made) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    END(create(context, flags, device));
}

CUresult CUDAAPI cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    ASK(!parameters, CUDA_ERROR_NOT_SUPPORTED);
    END(create(context, flags, device));
}

CUresult CUDAAPI cuCtxDestroy_v2(CUcontext handle)
{
    BEGIN(INITIALISED, "%p", (void *)handle);
    struct context *context = find(CONTEXT, handle);
    ASK(context && !context->is_primary, CUDA_ERROR_INVALID_CONTEXT);
    if (current_context() == context)
        current.depth--;
    destroy(context);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext handle)
{
    BEGIN(INITIALISED, "%p", (void *)handle);
    struct context *context = find(CONTEXT, handle);
    ASK(context, CUDA_ERROR_INVALID_CONTEXT);
    END(push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext *handle)
{
    BEGIN(INITIALISED, "");
    ASK(call.context, CUDA_ERROR_INVALID_CONTEXT);
    current.depth--;
    if (handle)
        *handle = handle_of(call.context);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext handle)
{
    BEGIN(INITIALISED, "%p", (void *)handle);
    struct context *context = find(CONTEXT, handle);
    ASK(context || !handle, CUDA_ERROR_INVALID_CONTEXT);
    if (current.depth)
        current.depth--;
    if (context)
        push(context);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext *handle)
{
    BEGIN(INITIALISED, "");
    PLACE(handle);
    *handle = call.context ? handle_of(call.context) : NULL;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice *device)
{
    BEGIN(INITIALISED, "");
    PLACE(device);
    ASK(call.context, CUDA_ERROR_INVALID_CONTEXT);
    ASK(call.context->object.is_live, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    *device = call.context->device;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxGetId(CUcontext handle, unsigned long long *id)
{
    BEGIN(INITIALISED, "%p", (void *)handle);
    PLACE(id);
    struct context *context = handle ? find(CONTEXT, handle) : call.context;
    ASK(context, CUDA_ERROR_INVALID_CONTEXT);
    ASK(context->object.is_live, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    *id = context->id;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxSynchronize(void)
{
    BEGIN(A_CONTEXT, "");
    run_context(call.context);
    trim(call.context);
    END(call.context->error);
}

/* ---- Modules ---- */

static int capability(const struct context *context)
{
    const int *have = devices[context->device].attributes;
    return 10 * have[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] + have[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
}

/* Puts the log into the buffers that the options have, and says how long it is. */
static void fill_log(const char *log, unsigned count, const CUjit_option *options, void **values, int buffer, int size)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count && (int)options[i] == buffer; j++)
            if ((int)options[j] == size) {
                size_t room = (unsigned)(uintptr_t)values[j];
                if (room)
                    snprintf(values[i], room, "%s", log);
                values[j] = (void *)(uintptr_t)(room ? strlen(values[i]) : 0);
            }
}

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                    void **values)
{
    BEGIN(A_CONTEXT, "%zu bytes", image ? strlen(image) : 0);
    ASK(module && image && (!count || (options && values)), CUDA_ERROR_INVALID_VALUE);
    char log[2 * TEXT] = "";
    char *text = without_comments(image);
    CUresult result =
        check_image(text, capability(call.context), (int)settings[PTX_VERSION], log, sizeof log);
    fill_log(log, count, options, values, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
    fill_log("", count, options, values, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
    if (result) {
        free(text);
        END(result);
    }
    struct module *m = add(sizeof *m, MODULE, call.context);
    m->image = strdup(image);
    m->text = text;
    *module = handle_of(m);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuModuleUnload(CUmodule handle)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    struct module *module = find(MODULE, handle);
    ASK(module && module->object.context == call.context, CUDA_ERROR_INVALID_HANDLE);
    module->object.is_live = false;
    for (struct object *o = objects; o; o = o->next)
        if (o->kind == FUNCTION && ((struct function *)o)->module == module)
            o->is_live = false;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
    BEGIN(A_CONTEXT, "%s", name ? name : "");
    ASK(function && name, CUDA_ERROR_INVALID_VALUE);
    struct module *module = find(MODULE, handle);
    ASK(module && module->object.context == call.context, CUDA_ERROR_INVALID_HANDLE);
    const char *entry = entry_of(module->text, name);
    ASK(entry, CUDA_ERROR_NOT_FOUND);
    for (struct object *o = objects; o; o = o->next) {
        struct function *known = (struct function *)o;
        if (o->kind == FUNCTION && known->module == module && !strcmp(known->name, name)) {
            *function = handle_of(known);
            END(CUDA_SUCCESS);
        }
    }
    struct function *f = add(sizeof *f, FUNCTION, call.context);
    f->module = module;
    f->name = strdup(name);
    read_entry(module->text, entry, &f->entry);
    f->most_dynamic = STATIC_SHARED - f->entry.shared;
    *function = handle_of(f);
    END(CUDA_SUCCESS);
}

/* ---- Functions ---- */

CUresult CUDAAPI cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value)
{
    BEGIN(A_CONTEXT, "%d = %d", (int)attribute, value);
    struct function *f = find(FUNCTION, handle);
    ASK(f && f->object.context == call.context, CUDA_ERROR_INVALID_HANDLE);
    int most = devices[call.context->device].attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN];
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        END(value >= -1 && value <= 100 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
    ASK(attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CUDA_ERROR_INVALID_VALUE);
    ASK(value >= 0 && value <= most - f->entry.shared, CUDA_ERROR_INVALID_VALUE);
    f->most_dynamic = value;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle)
{
    BEGIN(A_CONTEXT, "%d", (int)attribute);
    PLACE(value);
    struct function *f = find(FUNCTION, handle);
    ASK(f && f->object.context == call.context, CUDA_ERROR_INVALID_HANDLE);
    int version = capability(call.context);
    int values[] = {f->entry.most_threads, f->entry.shared, 0, 0, 32, version, version, 0, f->most_dynamic, -1};
    ASK((unsigned)attribute < sizeof values / sizeof *values, CUDA_ERROR_INVALID_VALUE);
    *value = values[attribute];
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                unsigned block_y, unsigned block_z, unsigned shared, CUstream hstream,
                                void **parameters, void **extra)
{
    BEGIN(A_CONTEXT, "%p, grid %u %u %u, block %u %u %u, shared %u, stream %p", (void *)handle, grid_x, grid_y, grid_z,
          block_x, block_y, block_z, shared, (void *)hstream);
    struct function *f = find(FUNCTION, handle);
    if (f)
        snprintf(call.text, sizeof call.text, "%s, grid %u %u %u, block %u %u %u, shared %u, stream %p", f->name, grid_x,
                 grid_y, grid_z, block_x, block_y, block_z, shared, (void *)hstream);
    struct stream *stream = stream_of(call.context, hstream);
    ASK(f && f->object.context == call.context && stream, CUDA_ERROR_INVALID_HANDLE);
    unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
    const int *have = devices[call.context->device].attributes;
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        ASK(grid[i] && grid[i] <= (unsigned)have[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i], CUDA_ERROR_INVALID_VALUE);
        ASK(block[i] && block[i] <= (unsigned)have[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i], CUDA_ERROR_INVALID_VALUE);
        threads *= block[i];
    }
    ASK(threads <= (unsigned)have[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK], CUDA_ERROR_INVALID_VALUE);
    ASK(threads <= (unsigned)f->entry.most_threads, CUDA_ERROR_INVALID_VALUE);
    ASK(shared <= (unsigned)f->most_dynamic, CUDA_ERROR_INVALID_VALUE);
    ASK(!extra, CUDA_ERROR_NOT_SUPPORTED);
    ASK(parameters || !f->entry.count, CUDA_ERROR_INVALID_VALUE);
    size_t size = 0;
    for (unsigned i = 0; i < f->entry.count; i++)
        size += rounded(f->entry.sizes[i], 16);
    unsigned char *values = made(size), *next = values;
    for (unsigned i = 0; i < f->entry.count; next += rounded(f->entry.sizes[i++], 16))
        memcpy(next, parameters[i], f->entry.sizes[i]);
    struct work *work = enqueue(stream, LAUNCH);
    work->function = f;
    memcpy(work->grid, grid, sizeof grid);
    memcpy(work->block, block, sizeof block);
    work->shared = shared;
    work->parameters = values;
    let_run(stream);
    END(CUDA_SUCCESS);
}

/* ---- Memory ---- */

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr *pointer, size_t size)
{
    BEGIN(A_CONTEXT, "%zu bytes", size);
    ASK(pointer && size, CUDA_ERROR_INVALID_VALUE);
    struct allocation *a = allocate(call.context, size, false);
    ASK(a, CUDA_ERROR_OUT_OF_MEMORY);
    *pointer = a->object.handle;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr pointer)
{
    BEGIN(A_CONTEXT, "%#llx", pointer);
    struct allocation *a = find(ALLOCATION, (void *)(uintptr_t)pointer);
    ASK(a, CUDA_ERROR_INVALID_VALUE);
    if (settings[FREE_WAITS] && !a->is_of_pool)
        run_context(a->object.context);
    take_back(a);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *pointer, size_t size, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%zu bytes, stream %p", size, (void *)hstream);
    ASK(pointer && size, CUDA_ERROR_INVALID_VALUE);
    struct stream *stream = stream_of(call.context, hstream);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    ASK(devices[call.context->device].attributes[CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED], CUDA_ERROR_NOT_SUPPORTED);
    struct allocation *a = allocate(call.context, size, true);
    if (!a) {
        /* What waits to be freed in this stream may be had at once. */
        run_until(stream, ALL);
        a = allocate(call.context, size, true);
    }
    ASK(a, CUDA_ERROR_OUT_OF_MEMORY);
    enqueue(stream, ALLOCATE)->allocation = a;
    *pointer = a->object.handle;
    let_run(stream);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr pointer, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%#llx, stream %p", pointer, (void *)hstream);
    struct stream *stream = stream_of(call.context, hstream);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    struct allocation *a = find(ALLOCATION, (void *)(uintptr_t)pointer);
    ASK(a && a->is_of_pool, CUDA_ERROR_INVALID_VALUE);
    a->object.is_live = false;
    enqueue(stream, FREE)->allocation = a;
    let_run(stream);
    END(CUDA_SUCCESS);
}

static struct device *device_of_pool(CUmemoryPool pool)
{
    uint64_t number = ((uint64_t)(uintptr_t)pool - POOL) / 16;
    return number < (uint64_t)settings[DEVICES] ? &devices[number] : NULL;
}

CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    BEGIN(INITIALISED, "device %d", device);
    PLACE(pool);
    ASK(is_device(device), CUDA_ERROR_INVALID_DEVICE);
    ASK(devices[device].attributes[CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED], CUDA_ERROR_NOT_SUPPORTED);
    *pool = (CUmemoryPool)(uintptr_t)(POOL + 16 * (uint64_t)device);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    BEGIN(INITIALISED, "%d", (int)attribute);
    PLACE(value);
    struct device *device = device_of_pool(pool);
    ASK(device && attribute >= 1 && (int)attribute <= CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, CUDA_ERROR_INVALID_VALUE);
    if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        device->threshold = *(uint64_t *)value;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool pool, size_t kept)
{
    BEGIN(INITIALISED, "%zu bytes", kept);
    struct device *device = device_of_pool(pool);
    ASK(device, CUDA_ERROR_INVALID_VALUE);
    if (device->pool_used + device->pool_kept > kept)
        device->pool_kept = kept > device->pool_used ? kept - device->pool_used : 0;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuMemGetInfo_v2(size_t *free, size_t *total)
{
    BEGIN(A_CONTEXT, "");
    ASK(free && total, CUDA_ERROR_INVALID_VALUE);
    *free = free_bytes(&devices[call.context->device]);
    *total = devices[call.context->device].total;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    BEGIN(INITIALISED, "%d of %#llx", (int)attribute, pointer);
    PLACE(data);
    struct allocation *a = memory_at(pointer);
    ASK(a, CUDA_ERROR_INVALID_VALUE);
    switch ((int)attribute) {
    /* What a pool gives is no context's. */
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)data = a->is_of_pool ? NULL : handle_of(a->object.context); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned *)data = CU_MEMORYTYPE_DEVICE; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)data = pointer; break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)data = a->buffer_id; break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)data = 0; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = a->device; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)data = a->object.handle; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)data = a->size; break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)data = 1; break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(CUmemoryPool *)data = a->is_of_pool ? (CUmemoryPool)(uintptr_t)(POOL + 16 * (uint64_t)a->device) : NULL;
        break;
    default: END(CUDA_ERROR_INVALID_VALUE);
    }
    END(CUDA_SUCCESS);
}

/* Of memory that was mapped, of which there is none. */
CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
    BEGIN(INITIALISED, "%p", address);
    PLACE(handle);
    END(CUDA_ERROR_INVALID_VALUE);
}

CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle)
{
    BEGIN(INITIALISED, "%llu", handle);
    END(CUDA_ERROR_INVALID_VALUE);
}

/* ---- Copies ---- */

/* Whether so many bytes from the pointer on are one memory that the context has. */
static bool on_device(const struct context *context, CUdeviceptr pointer, size_t span, struct side *side)
{
    struct allocation *a = memory_at(pointer);
    if (!a || !is_seen_by(a, context) || span > a->size - (pointer - a->object.handle))
        return false;
    side->allocation = a;
    side->address = (unsigned char *)(uintptr_t)pointer;
    return true;
}

static CUresult copy(struct stream *stream, struct side to, struct side from, size_t width, size_t height)
{
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    struct work *work = enqueue(stream, COPY);
    work->to = to;
    work->from = from;
    work->width = width;
    work->height = height;
    bool is_between_hosts = !to.allocation && !from.allocation;
    if (!from.allocation && !settings[READS_HOST_LATE] && !is_between_hosts) {
        /* What lies in pages of the host is read when the call is made. */
        work->staged = made(width * height);
        for (size_t row = 0; row < height; row++)
            memcpy(work->staged + row * width, from.address + row * from.pitch, width);
        work->from = (struct side){NULL, work->staged, width};
    }
    if (!to.allocation && !is_between_hosts)
        for (size_t row = 0; row < height; row++)
            memset(to.address + row * to.pitch, POISON, width); /* Nobody may read it yet. */
    if (is_between_hosts)
        run_until(stream, ALL);
    else
        let_run(stream);
    return CUDA_SUCCESS;
}

static CUresult copy_in(struct context *context, CUdeviceptr to, const void *from, size_t size, CUstream hstream)
{
    struct side target = {.pitch = size}, source = {NULL, (unsigned char *)from, size};
    struct stream *stream = stream_of(context, hstream);
    if (!size)
        return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    if (!from || !on_device(context, to, size, &target))
        return CUDA_ERROR_INVALID_VALUE;
    return copy(stream, target, source, size, 1);
}

static CUresult copy_out(struct context *context, void *to, CUdeviceptr from, size_t size, CUstream hstream)
{
    struct side target = {NULL, to, size}, source = {.pitch = size};
    struct stream *stream = stream_of(context, hstream);
    if (!size)
        return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    if (!to || !on_device(context, from, size, &source))
        return CUDA_ERROR_INVALID_VALUE;
    return copy(stream, target, source, size, 1);
}

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size)
{
    BEGIN(A_CONTEXT, "%#llx, %zu bytes", to, size);
    END(copy_in(call.context, to, from, size, NULL));
}

CUresult CUDAAPI cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size)
{
    BEGIN(A_CONTEXT, "%#llx, %zu bytes", from, size);
    CUresult result = copy_out(call.context, to, from, size, NULL);
    if (!result)
        run_until(stream_of(call.context, NULL), ALL);
    END(result ? result : call.context->error);
}

CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%#llx, %zu bytes, stream %p", to, size, (void *)hstream);
    END(copy_in(call.context, to, from, size, hstream));
}

CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%#llx, %zu bytes, stream %p", from, size, (void *)hstream);
    END(copy_out(call.context, to, from, size, hstream));
}

CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%#llx from %#llx, %zu bytes, stream %p", to, from, size, (void *)hstream);
    struct side target = {.pitch = size}, source = {.pitch = size};
    struct stream *stream = stream_of(call.context, hstream);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    ASK(size, CUDA_SUCCESS);
    ASK(on_device(call.context, to, size, &target) && on_device(call.context, from, size, &source),
        CUDA_ERROR_INVALID_VALUE);
    END(copy(stream, target, source, size, 1));
}

/* One end of a copy of rows: false where it is none, or leaves its memory. */
static bool read_side(const struct context *context, CUmemorytype type, const void *host, CUdeviceptr device,
                      size_t pitch, size_t x, size_t y, size_t width, size_t height, struct side *side)
{
    size_t most = (size_t)devices[context->device].attributes[CU_DEVICE_ATTRIBUTE_MAX_PITCH];
    if (type == CU_MEMORYTYPE_UNIFIED) {
        type = memory_at(device) ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        host = (const void *)(uintptr_t)device;
    }
    side->pitch = pitch ? pitch : x + width;
    if (x + width > side->pitch || (type == CU_MEMORYTYPE_DEVICE && pitch > most))
        return false;
    size_t first = x + y * side->pitch, span = (height - 1) * side->pitch + width;
    if (type == CU_MEMORYTYPE_DEVICE)
        return on_device(context, device + first, span, side);
    side->address = (unsigned char *)host + first;
    return type == CU_MEMORYTYPE_HOST && host;
}

CUresult CUDAAPI cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%zu rows of %zu bytes, stream %p", c ? c->Height : 0, c ? c->WidthInBytes : 0, (void *)hstream);
    PLACE(c);
    struct stream *stream = stream_of(call.context, hstream);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    size_t width = c->WidthInBytes, height = c->Height;
    ASK(width && height, CUDA_SUCCESS);
    struct side to = {0}, from = {0};
    ASK(read_side(call.context, c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch, c->dstXInBytes, c->dstY, width,
                  height, &to),
        CUDA_ERROR_INVALID_VALUE);
    ASK(read_side(call.context, c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch, c->srcXInBytes, c->srcY, width,
                  height, &from),
        CUDA_ERROR_INVALID_VALUE);
    END(copy(stream, to, from, width, height));
}

CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t size, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%#llx, %zu bytes, stream %p", to, size, (void *)hstream);
    struct side target = {.pitch = size};
    struct stream *stream = stream_of(call.context, hstream);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    ASK(size, CUDA_SUCCESS);
    ASK(on_device(call.context, to, size, &target), CUDA_ERROR_INVALID_VALUE);
    struct work *work = enqueue(stream, FILL);
    work->to = target;
    work->width = size;
    work->value = value;
    let_run(stream);
    END(CUDA_SUCCESS);
}

/* ---- Streams and events ---- */

CUresult CUDAAPI cuStreamCreate(CUstream *stream, unsigned flags)
{
    BEGIN(A_CONTEXT, "%u", flags);
    ASK(stream && flags <= CU_STREAM_NON_BLOCKING, CUDA_ERROR_INVALID_VALUE);
    *stream = handle_of(new_stream(call.context, CREATED, flags != CU_STREAM_NON_BLOCKING));
    END(CUDA_SUCCESS);
}

/* Its work is still done, some time. */
CUresult CUDAAPI cuStreamDestroy_v2(CUstream handle)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    struct stream *stream = find(STREAM, handle);
    ASK(stream && stream->origin == CREATED, CUDA_ERROR_INVALID_HANDLE);
    stream->object.is_live = false;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuStreamGetCtx(CUstream handle, CUcontext *context)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    PLACE(context);
    struct stream *stream = handle > CU_PER_THREAD ? find(STREAM, handle) : stream_of(call.context, handle);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    *context = handle_of(stream->object.context);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuStreamSynchronize(CUstream handle)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    struct stream *stream = stream_of(call.context, handle);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    run_until(stream, ALL);
    trim(call.context);
    END(call.context->error);
}

CUresult CUDAAPI cuStreamQuery(CUstream handle)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    struct stream *stream = stream_of(call.context, handle);
    ASK(stream, CUDA_ERROR_INVALID_HANDLE);
    bool is_done = !stream->first;
    if (!is_done)
        run_until(stream, stream->first->number); /* Who asks again and again comes to the end. */
    END(is_done ? call.context->error : CUDA_ERROR_NOT_READY);
}

CUresult CUDAAPI cuStreamWaitEvent(CUstream handle, CUevent hevent, unsigned flags)
{
    BEGIN(A_CONTEXT, "%p, %p", (void *)handle, (void *)hevent);
    struct stream *stream = stream_of(call.context, handle);
    struct event *event = find(EVENT, hevent);
    ASK(stream && event, CUDA_ERROR_INVALID_HANDLE);
    ASK(!flags, CUDA_ERROR_INVALID_VALUE);
    if (event->is_recorded) {
        struct work *work = enqueue(stream, WAIT);
        work->other = event->stream;
        work->until = event->number;
        let_run(stream);
    }
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuEventCreate(CUevent *event, unsigned flags)
{
    BEGIN(A_CONTEXT, "%u", flags);
    ASK(event && flags < 8, CUDA_ERROR_INVALID_VALUE);
    struct event *e = add(sizeof *e, EVENT, call.context);
    e->flags = flags;
    *event = handle_of(e);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuEventDestroy_v2(CUevent handle)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    struct event *event = find(EVENT, handle);
    ASK(event, CUDA_ERROR_INVALID_HANDLE);
    event->object.is_live = false;
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuEventRecord(CUevent handle, CUstream hstream)
{
    BEGIN(A_CONTEXT, "%p, stream %p", (void *)handle, (void *)hstream);
    struct event *event = find(EVENT, handle);
    struct stream *stream = stream_of(call.context, hstream);
    ASK(event && stream && event->object.context == stream->object.context, CUDA_ERROR_INVALID_HANDLE);
    struct work *work = enqueue(stream, RECORD);
    work->event = event;
    event->is_recorded = true;
    event->is_done = false;
    event->stream = stream;
    event->number = work->number;
    let_run(stream);
    END(CUDA_SUCCESS);
}

CUresult CUDAAPI cuEventQuery(CUevent handle)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    struct event *event = find(EVENT, handle);
    ASK(event, CUDA_ERROR_INVALID_HANDLE);
    bool is_done = !event->is_recorded || event->is_done;
    if (!is_done && event->stream->first)
        run_until(event->stream, event->stream->first->number);
    END(is_done ? call.context->error : CUDA_ERROR_NOT_READY);
}

CUresult CUDAAPI cuEventSynchronize(CUevent handle)
{
    BEGIN(A_CONTEXT, "%p", (void *)handle);
    struct event *event = find(EVENT, handle);
    ASK(event, CUDA_ERROR_INVALID_HANDLE);
    if (event->is_recorded)
        run_until(event->stream, event->number);
    trim(call.context);
    END(call.context->error);
}

static CUresult elapsed(float *time, CUevent first, CUevent last)
{
    struct event *from = find(EVENT, first), *to = find(EVENT, last);
    if (!time)
        return CUDA_ERROR_INVALID_VALUE;
    if (!from || !to || !from->is_recorded || !to->is_recorded || from->object.context != to->object.context ||
        (from->flags | to->flags) & CU_EVENT_DISABLE_TIMING)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!from->is_done || !to->is_done)
        return CUDA_ERROR_NOT_READY;
    *time = (float)(to->time - from->time);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventElapsedTime(float *time, CUevent first, CUevent last)
{
    BEGIN(A_CONTEXT, "%p, %p", (void *)first, (void *)last);
    END(elapsed(time, first, last));
}

CUresult CUDAAPI cuEventElapsedTime_v2(float *time, CUevent first, CUevent last)
{
    BEGIN(A_CONTEXT, "%p, %p", (void *)first, (void *)last);
    END(elapsed(time, first, last));
}

/* ---- What tests control ---- */

static void make_device(struct device *d, const char *name, int major, int minor, int optin, int shared, int processors)
{
    const int values[][2] = {
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, STATIC_SHARED},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 2147483647},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1500000},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, processors},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 50 << 20},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
        {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, major},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, minor},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, shared},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, optin},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
        {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, major >= 8 ? 1024 : 0},
        {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
    };
    memset(d, 0, sizeof *d);
    snprintf(d->name, sizeof d->name, "%s", name);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        d->attributes[values[i][0]] = values[i][1];
    d->total = (size_t)1 << 30;
}

static void reset(void)
{
    while (objects) {
        struct object *o = objects;
        objects = o->next;
        if (o->kind == STREAM)
            for (struct work *work = ((struct stream *)o)->first, *next; work; work = next) {
                next = work->next;
                drop(work);
            }
        if (o->kind == ALLOCATION) {
            munmap(((struct allocation *)o)->mapping, ((struct allocation *)o)->mapped);
            free(((struct allocation *)o)->known);
        }
        if (o->kind == MODULE) {
            free(((struct module *)o)->image);
            free(((struct module *)o)->text);
        }
        if (o->kind == FUNCTION)
            free(((struct function *)o)->name);
        free(o);
    }
    for (struct registered *next; registered; registered = next) {
        next = registered->next;
        free(registered->name);
        free(registered);
    }
    for (struct injection *next; injections; injections = next) {
        next = injections->next;
        free(injections->name);
        free(injections);
    }
    forget(&calls);
    forget(&problems);
    memset(settings, 0, sizeof settings);
    settings[DEVICES] = 2;
    settings[DRIVER_VERSION] = 13000;
    settings[PTX_VERSION] = 90;
    make_device(&devices[0], "Emulated device of 9.0", 9, 0, 227 << 10, 228 << 10, 132);
    make_device(&devices[1], "Emulated device of 7.5", 7, 5, 64 << 10, 64 << 10, 40);
    make_device(&devices[2], "Emulated device of 8.6", 8, 6, 99 << 10, 100 << 10, 28);
    make_device(&devices[3], "Emulated device of 9.0", 9, 0, 227 << 10, 228 << 10, 132);
    owner = 0;
    interpret = NULL;
    old_count = 0;
    generation++;
    is_ready = true;
}

__attribute__((constructor)) static void make_lock(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
}

void emulated_reset(int fresh)
{
    if (owner && owner != getpid()) {
        make_lock();
        fresh = true;
    }
    pthread_mutex_lock(&lock);
    pid_t before = owner;
    int retained[MOST_DEVICES];
    for (int i = 0; i < MOST_DEVICES; i++)
        retained[i] = devices[i].retained;
    reset();
    if (!fresh) {
        owner = before;
        for (int i = 0; i < MOST_DEVICES; i++)
            if ((devices[i].retained = retained[i]))
                devices[i].primary = new_context(i, true);
    }
    pthread_mutex_unlock(&lock);
}

/* The next functions do what they say between this and `leave`. */
static void enter(void)
{
    pthread_mutex_lock(&lock);
    if (!is_ready)
        reset();
}

static void leave(void) { pthread_mutex_unlock(&lock); }

void emulated_set(int setting, long value)
{
    enter();
    settings[setting] = value;
    leave();
}

void emulated_set_attribute(int device, int attribute, int value)
{
    enter();
    devices[device].attributes[attribute] = value;
    leave();
}

void emulated_set_memory(int device, size_t bytes)
{
    enter();
    devices[device].total = bytes;
    leave();
}

void emulated_register(const char *name, kernel run)
{
    enter();
    struct registered *r = made(sizeof *r);
    *r = (struct registered){strdup(name), run, registered};
    registered = r;
    leave();
}

void emulated_interpret(interpreter function)
{
    enter();
    interpret = function;
    leave();
}

void emulated_inject(const char *name, long nth, long times, int code)
{
    enter();
    struct injection *i = made(sizeof *i);
    *i = (struct injection){strdup(name), nth, times, 0, (CUresult)code, injections};
    injections = i;
    leave();
}

char *emulated_line(int of_problems, size_t number)
{
    enter();
    const struct lines *lines = of_problems ? &problems : &calls;
    char *line = number < lines->count ? strdup(lines->text[number]) : NULL;
    leave();
    return line;
}

void emulated_release(char *line) { free(line); }

void emulated_forget(int of_problems)
{
    enter();
    forget(of_problems ? &problems : &calls);
    leave();
}

void emulated_problem(const char *text)
{
    enter();
    problem("%s", text);
    leave();
}

long emulated_live(int kind)
{
    enter();
    long count = 0;
    for (struct object *o = objects; o; o = o->next)
        count += o->is_live && (int)o->kind == kind && (kind != STREAM || ((struct stream *)o)->origin == CREATED);
    leave();
    return count;
}

long emulated_waiting(void)
{
    enter();
    long count = 0;
    for (struct object *o = objects; o; o = o->next)
        if (o->kind == STREAM)
            for (struct work *work = ((struct stream *)o)->first; work; work = work->next)
                count++;
    leave();
    return count;
}

size_t emulated_memories(uint64_t context, struct emulated_memory *memories, size_t room)
{
    enter();
    struct context *c = context ? find(CONTEXT, (void *)(uintptr_t)context) : NULL;
    size_t count = 0;
    for (struct object *o = objects; o; o = o->next) {
        struct allocation *a = (struct allocation *)o;
        if (o->kind != ALLOCATION || a->state != THERE || (context && (!c || !is_seen_by(a, c))))
            continue;
        if (count < room)
            memories[count] = (struct emulated_memory){a->object.handle, a->size, a->known};
        count++;
    }
    leave();
    return count;
}

void emulated_check(void)
{
    enter();
    for (struct object *o = objects; o; o = o->next)
        if (o->kind == ALLOCATION)
            check_redzones((struct allocation *)o);
    leave();
}
