/* NVIDIA GPUs for compiled pipelines: the driver, memory on the device, launches.

   The driver's library is opened when a pipeline first needs it, so that programs start where there
   is none. Its functions run in the thread's own context, if it has one, else in the primary context
   of the device, which PyTorch and CuPy use, too. Work goes to the thread's stream: the legacy
   default stream, which orders it among all threads, unless the thread sets another one.

   Every function of the program has one copy, however many pipelines it links: symbols are weak.
   This file is compiled to cuda.ll, which is what pipelines are linked with (see __init__.py). No
   function takes a variable number of arguments and nothing is passed by value but numbers and
   pointers, so that the text serves every 64-bit processor. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

/* ---- Halide's buffers ------------------------------------------------------------------------ */

struct halide_dimension_t {
    int32_t min, extent, stride;
    uint32_t flags;
};
struct halide_buffer_t {
    uint64_t device;
    const struct halide_device_interface_t *device_interface;
    uint8_t *host;
    uint64_t flags;
    uint8_t type_code, type_bits;
    uint16_t type_lanes;
    int32_t dimensions;
    struct halide_dimension_t *dim;
    void *padding;
};
typedef struct halide_buffer_t Buffer;
typedef struct halide_device_interface_t Interface;
struct halide_device_interface_t {
    int (*device_malloc)(void *, Buffer *, const Interface *);
    int (*device_free)(void *, Buffer *);
    int (*device_sync)(void *, Buffer *);
    void (*device_release)(void *, const Interface *);
    int (*copy_to_host)(void *, Buffer *);
    int (*copy_to_device)(void *, Buffer *, const Interface *);
    int (*device_and_host_malloc)(void *, Buffer *, const Interface *);
    int (*device_and_host_free)(void *, Buffer *);
    int (*buffer_copy)(void *, Buffer *, const Interface *, Buffer *);
    int (*device_crop)(void *, const Buffer *, Buffer *);
    int (*device_slice)(void *, const Buffer *, int, int, Buffer *);
    int (*device_release_crop)(void *, Buffer *);
    int (*wrap_native)(void *, Buffer *, uint64_t, const Interface *);
    int (*detach_native)(void *, Buffer *);
    int (*compute_capability)(void *, int *, int *);
    const void *impl;
};

/* A buffer that HAS_PLACE is of the memory around the address in `padding`: its first coordinate may
   be far before all that there is of it. */
enum { HOST_DIRTY = 1, DEVICE_DIRTY = 2, HAS_PLACE = 1 << 16 };
enum { /* halide_error_code_t */
    NO_MEMORY = -11,
    IS_NULL = -12,
    COPY_TO_HOST_FAILED = -14,
    COPY_TO_DEVICE_FAILED = -15,
    MALLOC_FAILED = -16,
    SYNC_FAILED = -17,
    FREE_FAILED = -18,
    NO_INTERFACE = -19,
    RUN_FAILED = -23,
    NEGATIVE_EXTENT = -28,
    DEVICE_ERROR = -29,
    WRAP_FAILED = -32,
    HOST_IS_NULL = -34,
    BOTH_DIRTY = -37,
    COPY_FAILED = -39,
    CROP_FAILED = -41,
    OTHER_INTERFACE = -42
};

/* What failed, in words; see codegen/failures.py. */
struct failure {
    int32_t taken;
    char message[1016];
    int32_t has_stored; /* Whether memory on the device may have been stored to since it was 0. */
};

static int32_t is_first(struct failure *failure) {
    int32_t free = 0;
    return __atomic_compare_exchange_n(&failure->taken, &free, 1, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/* Describes a failure, if it is the first one, and gives its code. */
#define FAIL(failure, code, ...)                                                      \
    (is_first(failure)                                                                \
         ? (snprintf((failure)->message, sizeof(failure)->message, __VA_ARGS__), code) \
         : code)

/* ---- The driver ------------------------------------------------------------------------------ */

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUmemPoolHandle_st *CUmemoryPool;

/* CUDA_MEMCPY2D */
struct rows {
    size_t from_x, from_y;
    int from_kind;
    const void *from_host;
    CUdeviceptr from_device;
    void *from_array;
    size_t from_pitch;
    size_t to_x, to_y;
    int to_kind;
    void *to_host;
    CUdeviceptr to_device;
    void *to_array;
    size_t to_pitch;
    size_t width, height;
};
enum { KIND_HOST = 1, KIND_DEVICE = 2 };

enum { /* CUresult */
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    NO_BINARY_FOR_GPU = 209,
    INVALID_PTX = 218,
    UNSUPPORTED_PTX_VERSION = 222,
    ILLEGAL_ADDRESS = 700,
    OUT_OF_RESOURCES = 701,
    CONTEXT_IS_DESTROYED = 709,
    HARDWARE_STACK_ERROR = 714,
    LAUNCH_FAILED = 719
};
enum { /* CUdevice_attribute */
    MAX_THREADS = 1,
    MAX_BLOCK_X = 2,
    MAX_GRID_X = 5,
    MAX_SHARED = 8,
    CAPABILITY_MAJOR = 75,
    CAPABILITY_MINOR = 76,
    MAX_SHARED_OPTIN = 97,
    HAS_POOLS = 115
};
enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6 };
enum { FUNCTION_MAX_DYNAMIC_SHARED = 8 };
enum { POOL_RELEASE_THRESHOLD = 4 };
enum {
    POINTER_CONTEXT = 1,
    POINTER_MEMORY_TYPE = 2,
    POINTER_BUFFER_ID = 7,
    POINTER_DEVICE_ORDINAL = 9,
    POINTER_RANGE_START = 11,
    POINTER_RANGE_BYTES = 12
};

#define DRIVER(F)                                                                            \
    F(cuInit, (unsigned))                                                                    \
    F(cuDriverGetVersion, (int *))                                                           \
    F(cuDeviceGetCount, (int *))                                                             \
    F(cuDeviceGet, (CUdevice *, int))                                                        \
    F(cuDeviceGetName, (char *, int, CUdevice))                                              \
    F(cuDeviceGetAttribute, (int *, int, CUdevice))                                          \
    F(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                                     \
    F(cuCtxPushCurrent_v2, (CUcontext))                                                      \
    F(cuCtxPopCurrent_v2, (CUcontext *))                                                     \
    F(cuCtxGetCurrent, (CUcontext *))                                                        \
    F(cuCtxGetDevice, (CUdevice *))                                                          \
    F(cuCtxGetId, (CUcontext, unsigned long long *))                                         \
    F(cuCtxSynchronize, (void))                                                              \
    F(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, int *, void **))              \
    F(cuModuleUnload, (CUmodule))                                                            \
    F(cuModuleGetFunction, (CUfunction *, CUmodule, const char *))                           \
    F(cuFuncSetAttribute, (CUfunction, int, int))                                            \
    F(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,         \
                       unsigned, unsigned, CUstream, void **, void **))                      \
    F(cuMemAlloc_v2, (CUdeviceptr *, size_t))                                                \
    F(cuMemFree_v2, (CUdeviceptr))                                                           \
    F(cuMemAllocAsync, (CUdeviceptr *, size_t, CUstream))                                    \
    F(cuMemFreeAsync, (CUdeviceptr, CUstream))                                               \
    F(cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice))                                 \
    F(cuMemPoolSetAttribute, (CUmemoryPool, int, void *))                                    \
    F(cuMemPoolTrimTo, (CUmemoryPool, size_t))                                               \
    F(cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void *, size_t, CUstream))                   \
    F(cuMemcpyDtoHAsync_v2, (void *, CUdeviceptr, size_t, CUstream))                         \
    F(cuMemcpyDtoDAsync_v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                    \
    F(cuMemcpy2DAsync_v2, (const struct rows *, CUstream))                                   \
    F(cuStreamSynchronize, (CUstream))                                                       \
    F(cuPointerGetAttribute, (void *, int, CUdeviceptr))                                     \
    F(cuMemRetainAllocationHandle, (unsigned long long *, void *))                           \
    F(cuMemRelease, (unsigned long long))                                                    \
    F(cuGetErrorName, (CUresult, const char **))                                             \
    F(cuGetErrorString, (CUresult, const char **))

enum { NOT_ASKED_FOR, READY };
enum { MOST_DEVICES = 64 };

enum { LOCK_COUNT = 32 };
union lock {
    pthread_mutex_t mutex;
    char room[64]; /* Some systems' locks are larger than others'. */
};

/* The one state of the program. */
struct lift_cuda {
    union lock lock;                /* Of the driver's functions and of modules. */
    union lock memories[LOCK_COUNT]; /* Of what buffers say of their memories, by their address. */
    int32_t state;
    int32_t process;
    int32_t version;
    int32_t use;       /* What lift_cuda_use says, plus 1. */
    int64_t threshold; /* Bytes; 0 where nobody has said. */
    int64_t launches;  /* Kernels that were started. */
    int32_t chosen; /* The device that lift_cuda_set_device names, plus 1. */
    CUdevice device;
    CUcontext primary;
    int32_t has_key;
    pthread_key_t stream;
#define FIELD(name, parameters) CUresult(*name) parameters;
    DRIVER(FIELD)
#undef FIELD
};
WEAK struct lift_cuda lift_cuda_1;
#define cuda lift_cuda_1

static const char *name_of(CUresult code) {
    const char *name = 0;
    if (!cuda.cuGetErrorName || cuda.cuGetErrorName(code, &name) || !name)
        return "an error that the driver has no name for";
    return name;
}

static const char *sentence_of(CUresult code) {
    const char *text = 0;
    switch (code) {
    case OUT_OF_MEMORY:
        return "the device has no memory left";
    case NOT_INITIALIZED:
        return "CUDA isn't usable here: a process that fork() made can't use what its parent opened";
    case NO_DEVICE:
        return "there is no NVIDIA device, or CUDA_VISIBLE_DEVICES hides it";
    case NO_BINARY_FOR_GPU:
        return "the device is older than the ones that this code was compiled for";
    case UNSUPPORTED_PTX_VERSION:
        return "the driver is older than this code's PTX: update it";
    case INVALID_CONTEXT:
    case CONTEXT_IS_DESTROYED:
        return "the context, and what lay in it, was destroyed";
    case OUT_OF_RESOURCES:
        return "a block needs more registers or shared memory than the device has";
    }
    if (code == ILLEGAL_ADDRESS || (code >= HARDWARE_STACK_ERROR && code <= LAUNCH_FAILED))
        return "a kernel went wrong on the device, and all that this process has there is lost: "
               "only a new process can go on";
    if (cuda.cuGetErrorString && !cuda.cuGetErrorString(code, &text) && text) return text;
    return "unknown";
}

/* Finds the driver's functions; gives the name of one that isn't there. */
static const char *bind(void *library) {
    void *found;
#define BIND(name, parameters)                    \
    if (!(found = dlsym(library, #name)))         \
        if (strcmp(#name, "cuCtxGetId")) return #name; \
    memcpy(&cuda.name, &found, sizeof found);
    DRIVER(BIND)
#undef BIND
    return 0;
}

/* -1 for what is no number. */
static int32_t device_asked_for(void) {
    const char *text = getenv("LIFT_CUDA_DEVICE");
    char *end;
    long number;
    if (cuda.chosen) return cuda.chosen - 1;
    if (!text || !*text) return 0;
    number = strtol(text, &end, 10);
    return *end || number < 0 || number > MOST_DEVICES ? -1 : (int32_t)number;
}

static int32_t open_driver(struct failure *failure) {
    const char *named = getenv("LIFT_CUDA_LIBRARY"), *missing;
    const char *asked = cuda.chosen ? 0 : getenv("LIFT_CUDA_DEVICE");
    void *library = 0;
    CUresult code;
    int count = 0;
    int32_t wanted = device_asked_for();
    if (!(named && *named)) {
        library = dlopen("libcuda.so", RTLD_NOW | RTLD_LOCAL);
        named = "libcuda.so.1";
    }
    if (!library) library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        return FAIL(failure, DEVICE_ERROR, "There is no CUDA driver here: %s", why ? why : named);
    }
    if ((missing = bind(library)))
        return FAIL(failure, DEVICE_ERROR,
                    "The CUDA driver is too old: it has no %s. CUDA 11.4 is the oldest one that "
                    "serves", missing);
    if ((code = cuda.cuInit(0)) || (code = cuda.cuDriverGetVersion(&cuda.version)) ||
        (code = cuda.cuDeviceGetCount(&count)))
        return FAIL(failure, DEVICE_ERROR, "The CUDA driver can't be used: %s (%s)",
                    sentence_of(code), name_of(code));
    if (count == 0)
        return FAIL(failure, DEVICE_ERROR, "The CUDA driver can't be used: %s",
                    sentence_of(NO_DEVICE));
    if (wanted < 0 || wanted >= count)
        return FAIL(failure, DEVICE_ERROR, "There is no CUDA device %s: there are %d, from 0 on",
                    asked ? asked : "of that number", count);
    if ((code = cuda.cuDeviceGet(&cuda.device, wanted)) ||
        (code = cuda.cuDevicePrimaryCtxRetain(&cuda.primary, cuda.device)))
        return FAIL(failure, DEVICE_ERROR, "CUDA device %d can't be used: %s (%s)", wanted,
                    sentence_of(code), name_of(code));
    return 0;
}

/* Lets the pool of a device keep what is freed there, for who allocates next. */
static void keep_freed_memory(CUdevice device) {
    CUmemoryPool pool;
    uint64_t all = UINT64_MAX;
    if (!cuda.cuDeviceGetDefaultMemPool(&pool, device))
        cuda.cuMemPoolSetAttribute(pool, POOL_RELEASE_THRESHOLD, &all);
}

static int32_t opened(struct failure *failure) {
    int32_t status = 0;
    if (__atomic_load_n(&cuda.state, __ATOMIC_ACQUIRE) != READY) {
        pthread_mutex_lock(&cuda.lock.mutex);
        if (cuda.state != READY) {
            if (!cuda.has_key) cuda.has_key = !pthread_key_create(&cuda.stream, 0);
            status = cuda.has_key ? open_driver(failure)
                                  : FAIL(failure, NO_MEMORY, "Too many keys of threads are in use");
            if (!status) {
                keep_freed_memory(cuda.device);
                cuda.process = getpid();
                __atomic_store_n(&cuda.state, READY, __ATOMIC_RELEASE);
            }
        }
        pthread_mutex_unlock(&cuda.lock.mutex);
        if (status) return status;
    }
    if (cuda.process != getpid())
        return FAIL(failure, DEVICE_ERROR, "%s", sentence_of(NOT_INITIALIZED));
    return 0;
}

/* The stream of this thread's work; null is the legacy default stream. */
static CUstream stream(void) {
    return cuda.has_key ? (CUstream)pthread_getspecific(cuda.stream) : 0;
}

/* The context in which a function works, and whether it was made current for that. */
struct place {
    CUcontext context;
    int32_t is_pushed;
};

static int32_t enter(struct failure *failure, struct place *place) {
    CUresult code;
    int32_t status = opened(failure);
    if (status) return status;
    place->context = 0;
    place->is_pushed = 0;
    code = cuda.cuCtxGetCurrent(&place->context);
    if (!code && !place->context) {
        place->context = cuda.primary;
        code = cuda.cuCtxPushCurrent_v2(cuda.primary);
        place->is_pushed = !code;
    }
    if (code)
        return FAIL(failure, DEVICE_ERROR, "CUDA's context can't be used: %s (%s)",
                    sentence_of(code), name_of(code));
    return 0;
}

static void leave(const struct place *place) {
    CUcontext was;
    if (place->is_pushed) cuda.cuCtxPopCurrent_v2(&was);
}

/* ---- Memory on the device -------------------------------------------------------------------- */

extern const Interface lift_cuda_interface;

/* What runs where the caller wants a status and hears a failure through lift_error. */
extern void lift_error(const char *message);

static int32_t told(struct failure *failure, int32_t status) {
    if (status) lift_error(failure->message);
    return status;
}

static const char *titled(const char *name) { return name ? name : "a buffer"; }

static const int64_t MOST_ELEMENTS = (int64_t)1 << 56;

static int64_t element_bytes(const Buffer *buffer) { return (buffer->type_bits + 7) / 8; }

/* The bytes from the first element to the end of the last one; below 0 where that makes no sense. */
static int64_t span(struct failure *failure, const Buffer *buffer, const char *name) {
    int64_t last = 0, is_empty = 0;
    for (int32_t d = 0; d < buffer->dimensions; d++) {
        const struct halide_dimension_t *dim = &buffer->dim[d];
        if (dim->extent < 0)
            return FAIL(failure, NEGATIVE_EXTENT, "The extent of %s in dimension %d is negative (%d)",
                        titled(name), d, dim->extent);
        if (dim->stride < 0 && dim->extent > 1)
            return FAIL(failure, MALLOC_FAILED,
                        "Memory on the device can't go backwards, as dimension %d of %s does "
                        "(stride %d)", d, titled(name), dim->stride);
        if (dim->extent == 0) is_empty = 1;
        else last += (int64_t)(dim->extent - 1) * dim->stride;
        if (last >= MOST_ELEMENTS)
            return FAIL(failure, NO_MEMORY, "%s is larger than any device's memory", titled(name));
    }
    return is_empty ? 0 : (last + 1) * element_bytes(buffer);
}

static int32_t is_of_others(struct failure *failure, const Buffer *buffer, const char *name) {
    if (!buffer->device || buffer->device_interface == &lift_cuda_interface) return 0;
    return FAIL(failure, OTHER_INTERFACE, "The device memory of %s was made by another runtime",
                titled(name));
}

/* Whether memory can be used in the current context; in another device's it can't. */
static int32_t is_elsewhere(struct failure *failure, const Buffer *buffer, const char *name,
                            CUcontext context) {
    CUcontext own = 0;
    int ordinal = -1;
    CUdevice device = -1;
    const CUdeviceptr at =
        buffer->flags & HAS_PLACE ? (CUdeviceptr)(uintptr_t)buffer->padding : buffer->device;
    CUresult code = cuda.cuPointerGetAttribute(&own, POINTER_CONTEXT, at);
    if (!code && own == context) return 0;
    /* What is of a pool, or was mapped, is the device's and no context's. */
    if (code || !own) {
        CUresult second = cuda.cuPointerGetAttribute(&ordinal, POINTER_DEVICE_ORDINAL, at);
        if (code && second)
            return FAIL(failure, RUN_FAILED, "The device memory of %s isn't there: %s (%s)",
                        titled(name), code == 1 ? "no allocation has its address" : sentence_of(code),
                        name_of(code));
        if ((code = second) || (code = cuda.cuCtxGetDevice(&device)))
            return FAIL(failure, RUN_FAILED, "Where %s lies on the device isn't known: %s (%s)",
                        titled(name), sentence_of(code), name_of(code));
        if (ordinal == device) return 0;
    }
    return FAIL(failure, RUN_FAILED, "The device memory of %s lies in another context",
                titled(name));
}

static CUresult allocate(CUdeviceptr *made, size_t bytes) {
    CUdevice device = 0;
    int has_pools = 0;
    CUresult code = cuda.cuCtxGetDevice(&device);
    if (code) return code;
    if (cuda.cuDeviceGetAttribute(&has_pools, HAS_POOLS, device)) has_pools = 0;
    if (!has_pools) return cuda.cuMemAlloc_v2(made, bytes);
    code = cuda.cuMemAllocAsync(made, bytes, stream());
    if (code == OUT_OF_MEMORY) {
        CUmemoryPool pool;
        if (!cuda.cuCtxSynchronize() && !cuda.cuDeviceGetDefaultMemPool(&pool, device))
            cuda.cuMemPoolTrimTo(pool, 0);
        code = cuda.cuMemAllocAsync(made, bytes, stream());
    }
    return code;
}

static CUresult give_back(CUdeviceptr memory) {
    CUdevice device = 0;
    int has_pools = 0;
    if (!cuda.cuCtxGetDevice(&device) &&
        !cuda.cuDeviceGetAttribute(&has_pools, HAS_POOLS, device) && has_pools &&
        !cuda.cuMemFreeAsync(memory, stream()))
        return 0;
    /* Somebody else's memory may be of no pool, and this takes both kinds. It waits for nothing. */
    cuda.cuCtxSynchronize();
    return cuda.cuMemFree_v2(memory);
}

static int32_t allocate_for(struct failure *failure, Buffer *buffer, const char *name) {
    CUresult code;
    int64_t bytes = span(failure, buffer, name);
    if (bytes < 0) return (int32_t)bytes;
    /* Atomic updates of bytes touch the word that they lie in. */
    bytes = bytes ? (bytes + 3) / 4 * 4 : 4;
    if ((code = allocate(&buffer->device, (size_t)bytes))) {
        buffer->device = 0;
        return FAIL(failure, code == OUT_OF_MEMORY ? NO_MEMORY : MALLOC_FAILED,
                    "%s can't have its %lld bytes on the device: %s (%s)", titled(name),
                    (long long)bytes, sentence_of(code), name_of(code));
    }
    buffer->device_interface = &lift_cuda_interface;
    return 0;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* One dimension of a copy, in bytes. */
struct step {
    int64_t count, from, to;
};
enum { MOST_STEPS = 64 };

struct copy {
    struct step steps[MOST_STEPS]; /* The one of the smallest stride first. */
    int32_t count;
    int64_t run; /* Bytes that lie together on both sides. */
    int32_t from_kind, to_kind;
};

static void add_step(struct copy *copy, int64_t count, int64_t from, int64_t to) {
    int32_t at = copy->count++;
    for (; at > 0 && copy->steps[at - 1].from > from; at--) copy->steps[at] = copy->steps[at - 1];
    copy->steps[at] = (struct step){count, from, to};
}

/* Steps that continue what lies together become part of it. */
static void join_steps(struct copy *copy) {
    int32_t kept = 0;
    for (int32_t i = 0; i < copy->count; i++) {
        const struct step step = copy->steps[i];
        if (!kept && step.from == copy->run && step.to == copy->run) copy->run *= step.count;
        else if (kept && step.from == copy->steps[kept - 1].from * copy->steps[kept - 1].count &&
                 step.to == copy->steps[kept - 1].to * copy->steps[kept - 1].count)
            copy->steps[kept - 1].count *= step.count;
        else copy->steps[kept++] = step;
    }
    copy->count = kept;
}

static CUresult copy_run(const struct copy *copy, uint64_t from, uint64_t to) {
    if (copy->from_kind == KIND_HOST && copy->to_kind == KIND_HOST) {
        memmove((void *)to, (const void *)from, (size_t)copy->run);
        return 0;
    }
    if (copy->from_kind == KIND_HOST)
        return cuda.cuMemcpyHtoDAsync_v2(to, (const void *)from, (size_t)copy->run, stream());
    if (copy->to_kind == KIND_HOST)
        return cuda.cuMemcpyDtoHAsync_v2((void *)to, from, (size_t)copy->run, stream());
    return cuda.cuMemcpyDtoDAsync_v2(to, from, (size_t)copy->run, stream());
}

static CUresult copy_rows(const struct copy *copy, uint64_t from, uint64_t to) {
    struct rows rows;
    memset(&rows, 0, sizeof rows);
    rows.from_kind = copy->from_kind;
    rows.to_kind = copy->to_kind;
    if (copy->from_kind == KIND_HOST) rows.from_host = (const void *)from;
    else rows.from_device = from;
    if (copy->to_kind == KIND_HOST) rows.to_host = (void *)to;
    else rows.to_device = to;
    rows.from_pitch = (size_t)copy->steps[0].from;
    rows.to_pitch = (size_t)copy->steps[0].to;
    rows.width = (size_t)copy->run;
    rows.height = (size_t)copy->steps[0].count;
    return cuda.cuMemcpy2DAsync_v2(&rows, stream());
}

/* Whether the driver copies the innermost step as rows. */
static int32_t has_rows(const struct copy *copy) {
    const struct step *step = &copy->steps[0];
    const int64_t most = 0x7fffffff;
    return copy->count > 0 && (copy->from_kind != KIND_HOST || copy->to_kind != KIND_HOST) &&
           step->from >= copy->run && step->to >= copy->run && step->from <= most &&
           step->to <= most;
}

/* Copies steps 0 to `level` - 1. */
static CUresult copy_steps(const struct copy *copy, int32_t level, uint64_t from, uint64_t to) {
    if (level == 0) return copy_run(copy, from, to);
    if (level == 1 && has_rows(copy)) return copy_rows(copy, from, to);
    const struct step *step = &copy->steps[level - 1];
    for (int64_t i = 0; i < step->count; i++) {
        CUresult code = copy_steps(copy, level - 1, from + (uint64_t)(i * step->from),
                                   to + (uint64_t)(i * step->to));
        if (code) return code;
    }
    return 0;
}

/* Copies a buffer's own elements between its two memories, and waits until that is done. */
static CUresult copy_within(const Buffer *buffer, int32_t to_host) {
    struct copy copy;
    CUresult code;
    uint64_t host = (uint64_t)(uintptr_t)buffer->host;
    copy.count = 0;
    copy.run = element_bytes(buffer);
    copy.from_kind = to_host ? KIND_DEVICE : KIND_HOST;
    copy.to_kind = to_host ? KIND_HOST : KIND_DEVICE;
    for (int32_t d = 0; d < buffer->dimensions; d++) {
        const struct halide_dimension_t *dim = &buffer->dim[d];
        int64_t stride = dim->stride * element_bytes(buffer);
        if (dim->extent == 0) return 0;
        if (dim->extent > 1 && stride) add_step(&copy, dim->extent, stride, stride);
    }
    join_steps(&copy);
    code = copy_steps(&copy, copy.count, to_host ? buffer->device : host,
                      to_host ? host : buffer->device);
    return code ? code : cuda.cuStreamSynchronize(stream());
}

static int32_t has_too_many_dimensions(struct failure *failure, const Buffer *buffer,
                                       const char *name) {
    if (buffer->dimensions <= MOST_STEPS) return 0;
    return FAIL(failure, COPY_FAILED, "%s has %d dimensions; copies have %d at most", titled(name),
                buffer->dimensions, MOST_STEPS);
}

/* The functions that compiled pipelines call. Each gives 0, or a code after it has described what
   failed; `name` is the buffer's, or null. */

/* Threads may share the buffers that they read. */
static pthread_mutex_t *lock_of(const Buffer *buffer) {
    return &cuda.memories[(uintptr_t)buffer / sizeof *buffer % LOCK_COUNT].mutex;
}

/* Gives a buffer memory on the device, with whatever it holds. */
WEAK int32_t lift_cuda_malloc(struct failure *failure, Buffer *buffer, const char *name) {
    struct place place;
    int32_t status;
    if ((status = enter(failure, &place))) return status;
    pthread_mutex_lock(lock_of(buffer));
    if (!(status = is_of_others(failure, buffer, name)))
        status = buffer->device ? is_elsewhere(failure, buffer, name, place.context)
                                : allocate_for(failure, buffer, name);
    pthread_mutex_unlock(lock_of(buffer));
    leave(&place);
    return status;
}

WEAK int32_t lift_cuda_free(struct failure *failure, Buffer *buffer, const char *name) {
    struct place place;
    CUresult code = 0;
    int32_t status = is_of_others(failure, buffer, name);
    if (status || !buffer->device) return status;
    if ((status = enter(failure, &place))) return status;
    pthread_mutex_lock(lock_of(buffer));
    if (buffer->device && (code = give_back(buffer->device)))
        status = FAIL(failure, FREE_FAILED, "The device memory of %s can't be freed: %s (%s)",
                      titled(name), sentence_of(code), name_of(code));
    buffer->device = 0;
    buffer->device_interface = 0;
    buffer->flags &= ~(uint64_t)DEVICE_DIRTY;
    pthread_mutex_unlock(lock_of(buffer));
    leave(&place);
    return status;
}

/* Frees what a pipeline has for itself on the device, on whatever way out. */
WEAK void lift_cuda_drop(Buffer *buffer) {
    struct failure failure;
    failure.taken = 1;
    /* Where there was no way in, the memory is still there. */
    if (lift_cuda_free(&failure, buffer, 0)) lift_cuda_free(&failure, buffer, 0);
}

static int32_t to_device(struct failure *failure, Buffer *buffer, const char *name,
                         CUcontext context) {
    CUresult code;
    int32_t status = is_of_others(failure, buffer, name);
    if (status) return status;
    if (buffer->device && (status = is_elsewhere(failure, buffer, name, context))) return status;
    if (buffer->device && !(buffer->flags & HOST_DIRTY)) return 0;
    if (buffer->device && (buffer->flags & DEVICE_DIRTY))
        return FAIL(failure, BOTH_DIRTY, "%s was changed on the host and on the device",
                    titled(name));
    if (buffer->flags & DEVICE_DIRTY)
        return FAIL(failure, COPY_TO_DEVICE_FAILED,
                    "%s is said to be newest on the device, where it has no memory", titled(name));
    if (buffer->device && !buffer->host)
        return FAIL(failure, HOST_IS_NULL, "%s has no memory on the host to be copied from",
                    titled(name));
    if ((status = has_too_many_dimensions(failure, buffer, name))) return status;
    if (!buffer->device) {
        if ((status = allocate_for(failure, buffer, name))) return status;
        if (!buffer->host) return 0;
        /* Should the copy fail, who comes next must not take what is there for the elements. */
        buffer->flags |= HOST_DIRTY;
    }
    else failure->has_stored = 1;
    if ((code = copy_within(buffer, 0)))
        return FAIL(failure, COPY_TO_DEVICE_FAILED, "%s can't be copied to the device: %s (%s)",
                    titled(name), sentence_of(code), name_of(code));
    buffer->flags &= ~(uint64_t)HOST_DIRTY;
    return 0;
}

/* Makes the memory on the device hold what is newest. */
WEAK int32_t lift_cuda_copy_to_device(struct failure *failure, Buffer *buffer, const char *name) {
    struct place place;
    int32_t status = enter(failure, &place);
    if (status) return status;
    pthread_mutex_lock(lock_of(buffer));
    status = to_device(failure, buffer, name, place.context);
    pthread_mutex_unlock(lock_of(buffer));
    leave(&place);
    return status;
}

static int32_t to_host(struct failure *failure, Buffer *buffer, const char *name,
                       CUcontext context) {
    CUresult code;
    int32_t status;
    if (!(buffer->flags & DEVICE_DIRTY)) return 0;
    if (buffer->flags & HOST_DIRTY)
        return FAIL(failure, BOTH_DIRTY, "%s was changed on the host and on the device",
                    titled(name));
    if (!buffer->device)
        return FAIL(failure, COPY_TO_HOST_FAILED,
                    "%s is said to be newest on the device, where it has no memory", titled(name));
    if (!buffer->host)
        return FAIL(failure, HOST_IS_NULL, "%s has no memory on the host to be copied to",
                    titled(name));
    if ((status = is_of_others(failure, buffer, name)) ||
        (status = has_too_many_dimensions(failure, buffer, name)) ||
        (status = is_elsewhere(failure, buffer, name, context)))
        return status;
    if ((code = copy_within(buffer, 1)))
        return FAIL(failure, COPY_TO_HOST_FAILED, "%s can't be copied from the device: %s (%s)",
                    titled(name), sentence_of(code), name_of(code));
    buffer->flags &= ~(uint64_t)DEVICE_DIRTY;
    return 0;
}

/* Makes the memory on the host hold what is newest. */
WEAK int32_t lift_cuda_copy_to_host(struct failure *failure, Buffer *buffer, const char *name) {
    struct place place;
    int32_t status;
    if (!(__atomic_load_n(&buffer->flags, __ATOMIC_ACQUIRE) & DEVICE_DIRTY)) return 0;
    if ((status = enter(failure, &place))) return status;
    pthread_mutex_lock(lock_of(buffer));
    status = to_host(failure, buffer, name, place.context);
    pthread_mutex_unlock(lock_of(buffer));
    leave(&place);
    return status;
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* The kernels of one pipeline, as code generation writes them into it. */
struct lift_cuda_kernel {
    const char *symbol;      /* In the image. */
    const char *name;        /* In messages. */
    const char *memories;    /* The names of the memories among the parameters, each with its 0. */
    const uint32_t *aligned; /* For each parameter what its address is a multiple of; 0: a number. */
    uint32_t parameters;
    uint32_t shared; /* Bytes that a launch asks for. */
};
struct loaded {
    struct loaded *next;
    unsigned long long id; /* Of the context. */
    CUcontext context;
    CUmodule module;
    CUfunction functions[];
};
struct lift_cuda_program {
    const char *image; /* PTX */
    const struct lift_cuda_kernel *kernels;
    struct loaded *loaded; /* By context. */
    uint32_t count;
};

/* Addresses of contexts are used again, their numbers aren't. */
static CUresult identify(CUcontext context, unsigned long long *id) {
    if (cuda.cuCtxGetId) return cuda.cuCtxGetId(context, id);
    *id = (unsigned long long)(uintptr_t)context;
    return 0;
}

static struct loaded *found(const struct lift_cuda_program *program, unsigned long long id) {
    struct loaded *loaded = __atomic_load_n(&program->loaded, __ATOMIC_ACQUIRE);
    while (loaded && loaded->id != id) loaded = loaded->next;
    return loaded;
}

static int32_t has_too_much_shared(struct failure *failure, const struct lift_cuda_kernel *kernel) {
    CUdevice device = 0;
    int most = 0;
    if (cuda.cuCtxGetDevice(&device) ||
        cuda.cuDeviceGetAttribute(&most, MAX_SHARED_OPTIN, device) || most <= 0 ||
        kernel->shared <= (uint32_t)most)
        return 0;
    return FAIL(failure, RUN_FAILED,
                "The kernel %s has %u bytes of shared memory in a block; the device has %d at most",
                kernel->name, kernel->shared, most);
}

static int32_t load(struct failure *failure, struct lift_cuda_program *program,
                    struct loaded *loaded) {
    char log[512];
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUmodule module = 0;
    CUresult code;
    log[0] = 0;
    if ((code = cuda.cuModuleLoadDataEx(&module, program->image, 2, options, values))) {
        const char *about = log[0] ? log : sentence_of(code);
        if (code == OUT_OF_MEMORY || code == NO_BINARY_FOR_GPU || code == UNSUPPORTED_PTX_VERSION)
            about = sentence_of(code);
        return FAIL(failure, RUN_FAILED, "The kernels of %s can't be loaded: %s (%s)",
                    program->kernels[0].name, about, name_of(code));
    }
    for (uint32_t i = 0; i < program->count; i++) {
        const struct lift_cuda_kernel *kernel = &program->kernels[i];
        CUfunction *function = &loaded->functions[i];
        if ((code = cuda.cuModuleGetFunction(function, module, kernel->symbol)) ||
            (kernel->shared > 48 * 1024 &&
             (code = cuda.cuFuncSetAttribute(*function, FUNCTION_MAX_DYNAMIC_SHARED,
                                             (int)kernel->shared)))) {
            int32_t status = has_too_much_shared(failure, kernel);
            cuda.cuModuleUnload(module);
            return status ? status
                          : FAIL(failure, RUN_FAILED, "The kernel %s can't be used: %s (%s)",
                                 kernel->name, sentence_of(code), name_of(code));
        }
    }
    loaded->module = module;
    return 0;
}

static int32_t load_once(struct failure *failure, struct lift_cuda_program *program,
                         CUcontext context, struct loaded **made) {
    unsigned long long id = 0;
    CUresult code = identify(context, &id);
    int32_t status = 0;
    if (code)
        return FAIL(failure, DEVICE_ERROR, "CUDA's context can't be used: %s (%s)",
                    sentence_of(code), name_of(code));
    if ((*made = found(program, id))) return 0;
    pthread_mutex_lock(&cuda.lock.mutex);
    if (!(*made = found(program, id))) {
        struct loaded *loaded =
            calloc(1, sizeof *loaded + program->count * sizeof loaded->functions[0]);
        if (!loaded)
            status = FAIL(failure, NO_MEMORY, "Out of memory (for the kernels of %s)",
                          program->kernels[0].name);
        else if ((status = load(failure, program, loaded))) free(loaded);
        else {
            loaded->id = id;
            loaded->context = context;
            loaded->next = program->loaded;
            __atomic_store_n(&program->loaded, loaded, __ATOMIC_RELEASE);
            *made = loaded;
        }
    }
    pthread_mutex_unlock(&cuda.lock.mutex);
    return status;
}

static int32_t is_too_large(struct failure *failure, const struct lift_cuda_kernel *kernel,
                            const int32_t *blocks, const int32_t *threads) {
    CUdevice device = 0;
    int most = 1024;
    int64_t count = 1;
    if (cuda.cuCtxGetDevice(&device)) return 0;
    for (int32_t d = 0; d < 3; d++) {
        int side = 0, grid = 0;
        count *= threads[d];
        if (!cuda.cuDeviceGetAttribute(&side, MAX_BLOCK_X + d, device) && threads[d] > side)
            return FAIL(failure, RUN_FAILED,
                        "The kernel %s has %d threads in dimension %d of a block; the device has "
                        "%d at most", kernel->name, threads[d], d, side);
        if (!cuda.cuDeviceGetAttribute(&grid, MAX_GRID_X + d, device) && blocks[d] > grid)
            return FAIL(failure, RUN_FAILED,
                        "The kernel %s has %d blocks in dimension %d; the device has %d at most",
                        kernel->name, blocks[d], d, grid);
    }
    if (!cuda.cuDeviceGetAttribute(&most, MAX_THREADS, device) && count > most)
        return FAIL(failure, RUN_FAILED,
                    "The kernel %s has %lld threads in a block; the device has %d at most",
                    kernel->name, (long long)count, most);
    return has_too_much_shared(failure, kernel);
}

static int32_t is_misplaced(struct failure *failure, const struct lift_cuda_kernel *kernel,
                            void *const *parameters) {
    const char *name = kernel->memories;
    for (uint32_t i = 0; i < kernel->parameters; i++) {
        uint64_t address;
        if (!kernel->aligned[i]) continue;
        memcpy(&address, parameters[i], sizeof address);
        if (address % kernel->aligned[i])
            return FAIL(failure, RUN_FAILED,
                        "The device memory of %s doesn't begin at a multiple of %u bytes, as the "
                        "kernel %s needs it", name, kernel->aligned[i], kernel->name);
        name += strlen(name) + 1;
    }
    return 0;
}

/* Starts a kernel, whose parameters lie where `parameters` point to. Nothing runs where there are no
   blocks or threads. */
WEAK int32_t lift_cuda_launch(struct failure *failure, struct lift_cuda_program *program,
                              int32_t index, const int32_t *blocks, const int32_t *threads,
                              void **parameters) {
    const struct lift_cuda_kernel *kernel = &program->kernels[index];
    struct place place;
    struct loaded *loaded;
    CUresult code;
    int32_t status;
    for (int32_t d = 0; d < 3; d++)
        if (blocks[d] <= 0 || threads[d] <= 0) return 0;
    if ((status = is_misplaced(failure, kernel, parameters))) return status;
    if ((status = enter(failure, &place))) return status;
    status = load_once(failure, program, place.context, &loaded);
    if (!status) {
        code = cuda.cuLaunchKernel(loaded->functions[index], (unsigned)blocks[0],
                                   (unsigned)blocks[1], (unsigned)blocks[2], (unsigned)threads[0],
                                   (unsigned)threads[1], (unsigned)threads[2], kernel->shared,
                                   stream(), parameters, 0);
        if (!code) {
            failure->has_stored = 1;
            __atomic_add_fetch(&cuda.launches, 1, __ATOMIC_RELAXED);
        } else if (!(status = is_too_large(failure, kernel, blocks, threads)))
            status = FAIL(failure, RUN_FAILED, "The kernel %s can't be started: %s (%s)",
                          kernel->name, sentence_of(code), name_of(code));
    }
    leave(&place);
    return status;
}

/* Unloads the kernels of a program that nobody calls any more. Modules of contexts that are gone
   have gone with them. */
WEAK void lift_cuda_unload(struct lift_cuda_program *program) {
    struct loaded *loaded = program->loaded, *next;
    int32_t is_usable = cuda.state == READY && cuda.process == getpid();
    program->loaded = 0;
    for (; loaded; loaded = next) {
        unsigned long long id = 0;
        CUcontext was;
        next = loaded->next;
        if (is_usable && !identify(loaded->context, &id) && id == loaded->id &&
            !cuda.cuCtxPushCurrent_v2(loaded->context)) {
            cuda.cuCtxSynchronize(); /* They may run still. */
            cuda.cuModuleUnload(loaded->module);
            cuda.cuCtxPopCurrent_v2(&was);
        }
        free(loaded);
    }
}

/* ---- For programs ---------------------------------------------------------------------------- */

/* The stream of what this thread starts from now on; null for the legacy default stream. Of what
   runs in streams that don't wait for one another the caller says what comes first. */
WEAK int32_t lift_cuda_use_stream(struct failure *failure, void *given) {
    int32_t status = opened(failure);
    if (!status && pthread_setspecific(cuda.stream, given))
        status = FAIL(failure, NO_MEMORY, "The thread's stream can't be set: out of memory");
    return status;
}

/* As `lift_cuda_use_stream`, for programs in C. */
WEAK int32_t lift_cuda_set_stream(void *given) {
    struct failure failure;
    failure.taken = 0;
    return told(&failure, lift_cuda_use_stream(&failure, given));
}

WEAK void *lift_cuda_stream(void) { return stream(); }

/* Where a thread works on the device. */
struct origin {
    CUcontext context;
    CUstream stream;
};

/* Where this thread works, for others that take part in its work. */
WEAK int32_t lift_cuda_origin(struct failure *failure, struct origin *origin) {
    struct place place;
    int32_t status = enter(failure, &place);
    if (status) return status;
    origin->context = place.context;
    origin->stream = stream();
    leave(&place);
    return 0;
}

/* Has this thread work where another one does; `was` is for lift_cuda_go, which ends that. */
WEAK int32_t lift_cuda_come(struct failure *failure, const struct origin *origin,
                            struct origin *was) {
    CUresult code;
    int32_t status = opened(failure);
    if (status) return status;
    was->context = 0;
    was->stream = stream();
    if ((code = cuda.cuCtxPushCurrent_v2(origin->context)))
        return FAIL(failure, DEVICE_ERROR, "CUDA's context can't be used: %s (%s)",
                    sentence_of(code), name_of(code));
    if (!(status = lift_cuda_use_stream(failure, origin->stream))) return 0;
    cuda.cuCtxPopCurrent_v2(&was->context);
    return status;
}

WEAK void lift_cuda_go(struct origin *was) {
    pthread_setspecific(cuda.stream, was->stream);
    cuda.cuCtxPopCurrent_v2(&was->context);
}

/* Waits for what all streams have of the current context. */
WEAK int32_t lift_cuda_wait_for_all(struct failure *failure) {
    struct place place;
    CUresult code;
    int32_t status = enter(failure, &place);
    if (status) return status;
    if ((code = cuda.cuCtxSynchronize()))
        status = FAIL(failure, SYNC_FAILED, "What was started on the device failed: %s (%s)",
                      sentence_of(code), name_of(code));
    leave(&place);
    return status;
}

/* The device of threads without a context of their own; counts before the first pipeline runs. */
WEAK int32_t lift_cuda_set_device(int32_t device) {
    int32_t is_late;
    pthread_mutex_lock(&cuda.lock.mutex);
    is_late = cuda.state == READY && device != cuda.device;
    if (!is_late) cuda.chosen = device + 1;
    pthread_mutex_unlock(&cuda.lock.mutex);
    return is_late ? DEVICE_ERROR : 0;
}

/* The program stays on the processor where the device that it asks for can't be used. */
static int32_t stays_here(struct failure *failure, const char *asked) {
    char message[sizeof failure->message + 100];
    int32_t status = opened(failure);
    if (!status) return 0;
    __atomic_store_n(&cuda.use, 1, __ATOMIC_RELEASE);
    snprintf(message, sizeof message, "%s asks for a GPU, and all runs on the processor: %s", asked,
             failure->message);
    lift_error(message);
    return status;
}

/* Whether functions with a choice run on the device: 0 never, 1 where images lie there or where
   those of a call have so many bytes together that copies pay. LIFT_CUDA and LIFT_CUDA_BYTES in the
   environment say the same where the program doesn't. Before it is asked for nothing opens the
   driver. Gives 0, or a code where there is no device that can be used: lift_error has said why. */
WEAK int32_t lift_cuda_use(int32_t how) {
    struct failure failure;
    int32_t status;
    failure.taken = 0;
    if (how && (status = stays_here(&failure, "lift_cuda_use"))) return status;
    __atomic_store_n(&cuda.use, (how != 0) + 1, __ATOMIC_RELEASE);
    return 0;
}

static const int64_t MEASURED = -1;

WEAK void lift_cuda_set_threshold(int64_t bytes) {
    __atomic_store_n(&cuda.threshold, bytes < 1 ? 1 : bytes, __ATOMIC_RELEASE);
}

/* Lets each function find out for itself, by its first calls of about a size. LIFT_CUDA_BYTES=measured
   says the same. */
WEAK void lift_cuda_measure_threshold(void) {
    __atomic_store_n(&cuda.threshold, MEASURED, __ATOMIC_RELEASE);
}

/* How many kernels the program has started. */
WEAK int64_t lift_cuda_launches(void) { return __atomic_load_n(&cuda.launches, __ATOMIC_RELAXED); }

static int32_t is_used(void) {
    int32_t use = __atomic_load_n(&cuda.use, __ATOMIC_ACQUIRE);
    if (!use) {
        const char *text = getenv("LIFT_CUDA");
        int32_t before = 0;
        use = (text && *text && strcmp(text, "0") ? 1 : 0) + 1;
        /* Of several threads one says that there is no device. */
        if (!__atomic_compare_exchange_n(&cuda.use, &before, use, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE))
            use = before;
        else if (use == 2) {
            struct failure failure;
            failure.taken = 0;
            if (stays_here(&failure, "LIFT_CUDA")) use = 1;
        }
    }
    return use == 2;
}

/* Whether somebody has asked for a device that can be used. */
WEAK int32_t lift_cuda_is_used(void) { return is_used(); }

/* The fewest bytes for which copies pay; without a word about that, no number of bytes. */
static int64_t threshold(void) {
    int64_t bytes = __atomic_load_n(&cuda.threshold, __ATOMIC_ACQUIRE);
    if (!bytes) {
        const char *text = getenv("LIFT_CUDA_BYTES");
        char *end = 0, message[200];
        bytes = text && *text ? strtoll(text, &end, 10) : INT64_MAX;
        if (end && !strcmp(text, "measured")) bytes = MEASURED;
        else if (end && (*end || bytes < 0)) {
            snprintf(message, sizeof message,
                     "LIFT_CUDA_BYTES=%s is ignored: it is no number of bytes, nor 'measured'", text);
            lift_error(message);
            bytes = INT64_MAX;
        } else if (bytes < 1) bytes = 1;
        __atomic_store_n(&cuda.threshold, bytes, __ATOMIC_RELEASE);
    }
    return bytes;
}

static int32_t is_of_device(const void *address) {
    unsigned kind = 0;
    return !cuda.cuPointerGetAttribute(&kind, POINTER_MEMORY_TYPE, (uint64_t)(uintptr_t)address) &&
           kind == KIND_DEVICE;
}

/* Whether an address is one of the device's; never, where nobody asked for devices. */
WEAK int32_t lift_cuda_is_on_device(const void *address) {
    struct failure failure;
    struct place place;
    int32_t found;
    failure.taken = 1;
    if (!is_used() || enter(&failure, &place)) return 0;
    found = is_of_device(address);
    leave(&place);
    return found;
}

/* Whether a call whose images have so many bytes, and lie at these addresses, is for the device. */
WEAK int32_t lift_cuda_wants(int64_t bytes, const void *const *addresses, int32_t count) {
    struct failure failure;
    failure.taken = 0;
    if (!is_used() || stays_here(&failure, "This program")) return 0;
    for (int32_t i = 0; i < count; i++)
        if (lift_cuda_is_on_device(addresses[i])) return 1;
    return threshold() != MEASURED && bytes >= threshold();
}

/* What the first calls of one function for images on the host have taken, by their bytes: each class
   has up to twice as many as the one before. */
enum { CLASSES = 64, TRIALS = 6 };
struct lift_cuda_trials {
    int64_t best[2][CLASSES]; /* Nanoseconds on the processor and on the device; 0 where none is known. */
    int32_t begun[CLASSES];
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int32_t class_of(int64_t bytes) { return 63 - __builtin_clzll((unsigned long long)bytes | 1); }

/* As `lift_cuda_wants`, for a function with its trials: where the threshold is to be measured, the
   first calls of a class take turns, and all others go where the fastest of them was. `began` is 0
   where the call is no trial. */
WEAK int32_t lift_cuda_chooses(struct lift_cuda_trials *trials, int64_t bytes,
                               const void *const *addresses, int32_t count, int64_t *began) {
    int32_t class, number;
    int64_t here, there;
    *began = 0;
    if (lift_cuda_wants(bytes, addresses, count)) return 1;
    if (bytes <= 0 || !is_used() || threshold() != MEASURED) return 0;
    class = class_of(bytes);
    number = __atomic_load_n(&trials->begun[class], __ATOMIC_RELAXED);
    if (number < TRIALS)
        number = __atomic_fetch_add(&trials->begun[class], 1, __ATOMIC_RELAXED);
    if (number < TRIALS) {
        *began = now();
        return number % 2;
    }
    here = __atomic_load_n(&trials->best[0][class], __ATOMIC_RELAXED);
    there = __atomic_load_n(&trials->best[1][class], __ATOMIC_RELAXED);
    return here && there && there < here;
}

/* The end of a trial: the shortest counts, since the first ones load code. */
WEAK void lift_cuda_took(struct lift_cuda_trials *trials, int64_t bytes, int32_t there,
                         int64_t began) {
    int64_t *best = &trials->best[there][class_of(bytes)];
    int64_t taken = now() - began, before = __atomic_load_n(best, __ATOMIC_RELAXED);
    if (taken < 1) taken = 1;
    while ((!before || taken < before) &&
           !__atomic_compare_exchange_n(best, &before, taken, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
}

/* ---- Originals, which know nothing of devices ------------------------------------------------ */

/* An allocation on the device, whose memory is on the host for the time of a call. */
struct brought {
    CUdeviceptr start;
    size_t bytes;
    uint8_t *now, *before;
};
struct lift_cuda_brought {
    const char *function;
    int32_t count;
    struct brought memories[];
};

/* Which of an allocation's bytes an original touches isn't known, so that it gets all. */
static const size_t MOST_BROUGHT = (size_t)1 << 32;

static void end_program(const char *function, const char *what, const char *why) {
    char message[1400];
    snprintf(message, sizeof message, "%s: %s: %s", function, what, why);
    lift_error(message);
    abort();
}

/* Copies the allocation around an address of the device. */
static int32_t bring(struct failure *failure, struct brought *memory, CUdeviceptr address) {
    unsigned long long mapped = 0;
    void *made[2] = {0, 0};
    CUresult code;
    if ((code = cuda.cuPointerGetAttribute(&memory->start, POINTER_RANGE_START, address)) ||
        (code = cuda.cuPointerGetAttribute(&memory->bytes, POINTER_RANGE_BYTES, address)))
        return FAIL(failure, COPY_TO_HOST_FAILED, "where it begins and ends isn't known: %s (%s)",
                    sentence_of(code), name_of(code));
    if (!cuda.cuMemRetainAllocationHandle(&mapped, (void *)(uintptr_t)address)) {
        cuda.cuMemRelease(mapped);
        return FAIL(failure, COPY_TO_HOST_FAILED,
                    "it was mapped, maybe piece by piece, and where it ends isn't known");
    }
    if (memory->bytes > MOST_BROUGHT)
        return FAIL(failure, COPY_TO_HOST_FAILED,
                    "the allocation there has %lld bytes, and which of them are used isn't known",
                    (long long)memory->bytes);
    if (posix_memalign(&made[0], 4096, memory->bytes) ||
        posix_memalign(&made[1], 4096, memory->bytes)) {
        free(made[0]);
        return FAIL(failure, NO_MEMORY, "out of memory (twice %lld bytes on the host)",
                    (long long)memory->bytes);
    }
    memory->now = made[0];
    memory->before = made[1];
    code = cuda.cuMemcpyDtoHAsync_v2(memory->now, memory->start, memory->bytes, stream());
    if (!code) code = cuda.cuStreamSynchronize(stream());
    if (code)
        return FAIL(failure, COPY_TO_HOST_FAILED, "it can't be copied to the host: %s (%s)",
                    sentence_of(code), name_of(code));
    memcpy(memory->before, memory->now, memory->bytes);
    return 0;
}

/* Puts, for each pointer to the device, one to a copy on the host of all the allocation that it leads
   into; those into one allocation lead into one copy. One to an allocation's end leads to the copy's.
   Ends the program where that can't be. */
WEAK struct lift_cuda_brought *lift_cuda_bring(const char *function, void **pointers, int32_t count) {
    struct lift_cuda_brought *brought =
        calloc(1, sizeof *brought + (size_t)count * sizeof brought->memories[0]);
    struct failure failure;
    struct place place;
    failure.taken = 0;
    if (!brought) end_program(function, "its images can't be copied to the host", "out of memory");
    if (enter(&failure, &place))
        end_program(function, "its images can't be copied to the host", failure.message);
    brought->function = function;
    for (int32_t i = 0; i < count; i++) {
        const CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointers[i];
        int32_t m = 0;
        if (!is_of_device(pointers[i])) continue;
        while (m < brought->count &&
               address - brought->memories[m].start >= brought->memories[m].bytes)
            m++;
        if (m == brought->count && bring(&failure, &brought->memories[brought->count++], address))
            end_program(function, "an image on the device can't be copied to the host",
                        failure.message);
        pointers[i] = brought->memories[m].now + (address - brought->memories[m].start);
    }
    for (int32_t i = 0; i < count; i++)
        for (int32_t m = 0; m < brought->count; m++)
            if ((CUdeviceptr)(uintptr_t)pointers[i] ==
                brought->memories[m].start + brought->memories[m].bytes)
                pointers[i] = brought->memories[m].now + brought->memories[m].bytes;
    leave(&place);
    return brought;
}

/* Copies again what a call on the device has made of the memories; gives that call's status. */
WEAK int32_t lift_cuda_bring_again(struct lift_cuda_brought *brought, int32_t status) {
    struct failure failure;
    struct place place;
    CUresult code = 0;
    failure.taken = 0;
    if (enter(&failure, &place))
        end_program(brought->function, "its results can't be copied to the host", failure.message);
    for (int32_t m = 0; m < brought->count && !code; m++) {
        struct brought *memory = &brought->memories[m];
        code = cuda.cuMemcpyDtoHAsync_v2(memory->now, memory->start, memory->bytes, stream());
        if (!code) code = cuda.cuStreamSynchronize(stream());
        memcpy(memory->before, memory->now, memory->bytes);
    }
    leave(&place);
    if (code)
        end_program(brought->function, "its results can't be copied to the host",
                    sentence_of(code));
    return status;
}

/* Writes back what differs from what it was, and no other byte: whoever works on those meanwhile
   isn't disturbed. */
static CUresult send_back(const struct brought *memory) {
    size_t i = 0, first;
    while (i < memory->bytes) {
        CUresult code;
        if (i % 64 == 0 && memory->bytes - i >= 64 &&
            !memcmp(memory->now + i, memory->before + i, 64)) {
            i += 64;
            continue;
        }
        if (memory->now[i] == memory->before[i]) {
            i++;
            continue;
        }
        for (first = i; i < memory->bytes && memory->now[i] != memory->before[i];) i++;
        code = cuda.cuMemcpyHtoDAsync_v2(memory->start + first, memory->now + first, i - first,
                                         stream());
        if (code) return code;
    }
    return 0;
}

/* The end of such a call, on whatever way out. */
WEAK void lift_cuda_return(struct lift_cuda_brought **given) {
    struct lift_cuda_brought *brought = *given;
    struct failure failure;
    struct place place;
    CUresult code = 0;
    failure.taken = 0;
    if (enter(&failure, &place))
        end_program(brought->function, "its results can't be copied to the device",
                    failure.message);
    for (int32_t m = 0; m < brought->count && !code; m++) code = send_back(&brought->memories[m]);
    if (!code) code = cuda.cuStreamSynchronize(stream());
    leave(&place);
    if (code)
        end_program(brought->function, "its results can't be copied to the device",
                    sentence_of(code));
    for (int32_t m = 0; m < brought->count; m++) {
        free(brought->memories[m].now);
        free(brought->memories[m].before);
    }
    free(brought);
}

/* Where no copies can serve. */
WEAK void lift_cuda_refuse(const char *function, const char *why) {
    end_program(function, "some of its images lie on the device, where it can't run", why);
}

/* Copies of objects, whose pointers were replaced: no other one must lead to the device. */
WEAK void lift_cuda_refuse_others(const char *function, const void *object, int64_t bytes) {
    for (int64_t i = 0; i + (int64_t)sizeof(void *) <= bytes; i += sizeof(void *)) {
        const void *word;
        memcpy(&word, (const char *)object + i, sizeof word);
        if (lift_cuda_is_on_device(word))
            lift_cuda_refuse(function, "an object has a pointer to the device that isn't understood");
    }
}

/* What has changed of such a copy. */
WEAK void lift_cuda_put_back(void *object, const void *now, const void *before, int64_t bytes) {
    const char *new = now, *old = before;
    for (int64_t i = 0; i < bytes; i++)
        if (new[i] != old[i]) ((char *)object)[i] = new[i];
}

/* A copy on the host of so many bytes at an address of the device's, to be freed; null where there
   can't be one. */
WEAK void *lift_cuda_copy_of(const void *address, int64_t bytes) {
    struct failure failure;
    struct place place;
    void *made = malloc((size_t)bytes);
    CUresult code;
    failure.taken = 1;
    if (!made || enter(&failure, &place)) {
        free(made);
        return 0;
    }
    code = cuda.cuMemcpyDtoHAsync_v2(made, (uint64_t)(uintptr_t)address, (size_t)bytes, stream());
    if (!code) code = cuda.cuStreamSynchronize(stream());
    leave(&place);
    if (!code) return made;
    free(made);
    return 0;
}

/* Opens the driver; gives its version (13000 for 13.0) and the device's name and capability. */
WEAK int32_t lift_cuda_describe(struct failure *failure, int32_t *version, int32_t *capability,
                                char *name, int32_t room) {
    int major = 0, minor = 0;
    int32_t status = opened(failure);
    if (status) return status;
    *version = cuda.version;
    cuda.cuDeviceGetAttribute(&major, CAPABILITY_MAJOR, cuda.device);
    cuda.cuDeviceGetAttribute(&minor, CAPABILITY_MINOR, cuda.device);
    *capability = major * 10 + minor;
    if (cuda.cuDeviceGetName(name, room, cuda.device)) name[0] = 0;
    return 0;
}

/* Waits for what a stream has to do. */
WEAK int32_t lift_cuda_wait_for(struct failure *failure, void *given) {
    struct place place;
    CUresult code;
    int32_t status = enter(failure, &place);
    if (status) return status;
    if ((code = cuda.cuStreamSynchronize(given)))
        status = FAIL(failure, SYNC_FAILED, "What was started on the device failed: %s (%s)",
                      sentence_of(code), name_of(code));
    leave(&place);
    return status;
}

/* Waits for what this thread has started. */
WEAK int32_t lift_cuda_wait(struct failure *failure) { return lift_cuda_wait_for(failure, stream()); }

/* What no other memory on a device has had or will have; 0 where nothing is allocated. Addresses come
   again after somebody has reset the device. */
WEAK int32_t lift_cuda_identity(struct failure *failure, const Buffer *buffer, uint64_t *id) {
    int32_t status = opened(failure);
    *id = 0;
    if (!status && cuda.cuPointerGetAttribute(id, POINTER_BUFFER_ID, buffer->device)) *id = 0;
    return status;
}

/* The number of the device that has a buffer's memory. */
WEAK int32_t lift_cuda_ordinal(struct failure *failure, const Buffer *buffer, int32_t *number) {
    CUresult code;
    int32_t status = opened(failure);
    if (!status &&
        (code = cuda.cuPointerGetAttribute(number, POINTER_DEVICE_ORDINAL, buffer->device)))
        status = FAIL(failure, DEVICE_ERROR, "The memory is on no device: %s (%s)",
                      sentence_of(code), name_of(code));
    return status;
}

static int interface_malloc(void *context, Buffer *buffer, const Interface *interface) {
    struct failure failure;
    (void)context, (void)interface;
    failure.taken = 0;
    return told(&failure, lift_cuda_malloc(&failure, buffer, 0));
}

static int interface_free(void *context, Buffer *buffer) {
    struct failure failure;
    (void)context;
    failure.taken = 0;
    return told(&failure, lift_cuda_free(&failure, buffer, 0));
}

static int interface_sync(void *context, Buffer *buffer) {
    struct failure failure;
    (void)context, (void)buffer;
    failure.taken = 0;
    return told(&failure, lift_cuda_wait(&failure));
}

/* Gives the memory that nobody uses back to the device. */
static void interface_release(void *context, const Interface *interface) {
    CUmemoryPool pool;
    CUdevice device;
    struct place place;
    struct failure failure;
    (void)context, (void)interface;
    failure.taken = 1;
    if (__atomic_load_n(&cuda.state, __ATOMIC_ACQUIRE) != READY || enter(&failure, &place)) return;
    if (!cuda.cuCtxSynchronize() && !cuda.cuCtxGetDevice(&device) &&
        !cuda.cuDeviceGetDefaultMemPool(&pool, device))
        cuda.cuMemPoolTrimTo(pool, 0);
    leave(&place);
}

static int interface_copy_to_host(void *context, Buffer *buffer) {
    struct failure failure;
    (void)context;
    failure.taken = 0;
    return told(&failure, lift_cuda_copy_to_host(&failure, buffer, 0));
}

static int interface_copy_to_device(void *context, Buffer *buffer, const Interface *interface) {
    struct failure failure;
    (void)context, (void)interface;
    failure.taken = 0;
    return told(&failure, lift_cuda_copy_to_device(&failure, buffer, 0));
}

static int interface_both_malloc(void *context, Buffer *buffer, const Interface *interface) {
    struct failure failure;
    int64_t bytes;
    void *host = 0;
    int32_t status;
    (void)context, (void)interface;
    failure.taken = 0;
    bytes = span(&failure, buffer, 0);
    if (bytes < 0) return told(&failure, (int32_t)bytes);
    if (posix_memalign(&host, 128, (size_t)(bytes ? bytes : 1)))
        return told(&failure, FAIL(&failure, NO_MEMORY, "Out of memory (%lld bytes on the host)",
                                   (long long)bytes));
    if ((status = lift_cuda_malloc(&failure, buffer, 0))) free(host);
    else buffer->host = host;
    return told(&failure, status);
}

static int interface_both_free(void *context, Buffer *buffer) {
    int status = interface_free(context, buffer);
    free(buffer->host);
    buffer->host = 0;
    buffer->flags = 0;
    return status;
}

/* Copies the elements of `to`, all of which `from` has, to the device or to the host. */
static int32_t copy_between(struct failure *failure, Buffer *from, int32_t to_device, Buffer *to) {
    struct copy copy;
    struct place place;
    CUresult code;
    int64_t offset = 0, bytes = element_bytes(from);
    int32_t is_empty = 0;
    int32_t of_device = !from->host || (from->device && (from->flags & DEVICE_DIRTY));
    int32_t status;
    if ((from->flags & HOST_DIRTY) && (from->flags & DEVICE_DIRTY))
        return FAIL(failure, BOTH_DIRTY, "What is copied was changed on the host and on the device");
    if (from->dimensions != to->dimensions || from->type_code != to->type_code ||
        from->type_bits != to->type_bits)
        return FAIL(failure, COPY_FAILED, "A copy is between buffers of one type and shape");
    if ((status = has_too_many_dimensions(failure, from, 0)) ||
        (of_device && (status = is_of_others(failure, from, 0))) ||
        (to_device && (status = is_of_others(failure, to, 0))))
        return status;
    if (of_device ? !from->device : !from->host)
        return FAIL(failure, COPY_FAILED, "A copy is from memory that isn't there");
    if (!to_device && !to->host)
        return FAIL(failure, COPY_FAILED, "A copy is to memory that isn't there");
    if (to_device && (status = lift_cuda_malloc(failure, to, 0))) return status;
    copy.count = 0;
    copy.run = bytes;
    copy.from_kind = of_device ? KIND_DEVICE : KIND_HOST;
    copy.to_kind = to_device ? KIND_DEVICE : KIND_HOST;
    for (int32_t d = 0; d < to->dimensions; d++) {
        const struct halide_dimension_t *a = &from->dim[d], *b = &to->dim[d];
        if (a->extent < 0 || b->extent < 0)
            return FAIL(failure, NEGATIVE_EXTENT, "The extent of a copy in dimension %d is negative",
                        d);
        if (b->min < a->min || (int64_t)b->min + b->extent > (int64_t)a->min + a->extent)
            return FAIL(failure, COPY_FAILED, "A copy is of elements that aren't there (dimension %d)",
                        d);
        offset += ((int64_t)b->min - a->min) * a->stride * bytes;
        is_empty |= b->extent == 0;
        if (b->extent > 1) add_step(&copy, b->extent, a->stride * bytes, b->stride * bytes);
    }
    if (is_empty) return 0;
    join_steps(&copy);
    if ((status = enter(failure, &place))) return status;
    if ((of_device && (status = is_elsewhere(failure, from, 0, place.context))) ||
        (to_device && (status = is_elsewhere(failure, to, 0, place.context)))) {
        leave(&place);
        return status;
    }
    code = copy_steps(&copy, copy.count,
                      (of_device ? from->device : (uint64_t)(uintptr_t)from->host) + (uint64_t)offset,
                      to_device ? to->device : (uint64_t)(uintptr_t)to->host);
    if (!code) code = cuda.cuStreamSynchronize(stream());
    leave(&place);
    if (code)
        return FAIL(failure, COPY_FAILED, "A copy failed: %s (%s)", sentence_of(code), name_of(code));
    if (from != to) {
        to->flags &= ~(uint64_t)(to_device ? HOST_DIRTY : DEVICE_DIRTY);
        to->flags |= to_device ? DEVICE_DIRTY : HOST_DIRTY;
    }
    return 0;
}

static int interface_buffer_copy(void *context, Buffer *from, const Interface *interface,
                                 Buffer *to) {
    struct failure failure;
    (void)context;
    failure.taken = 0;
    if (interface && interface != &lift_cuda_interface)
        return told(&failure, FAIL(&failure, OTHER_INTERFACE, "A copy is to another runtime's memory"));
    return told(&failure, copy_between(&failure, from, interface != 0, to));
}

/* Gives `to` the device memory of its part of `from`. */
static int32_t alias(struct failure *failure, const Buffer *from, Buffer *to, int64_t elements) {
    int32_t status = is_of_others(failure, from, 0);
    if (status) return status;
    if (to->device)
        return FAIL(failure, CROP_FAILED, "A crop has device memory already");
    if (!from->device) return 0;
    to->device = from->device + (uint64_t)(elements * element_bytes(from));
    to->device_interface = from->device_interface;
    to->flags = (to->flags & ~(uint64_t)DEVICE_DIRTY) | (from->flags & (HOST_DIRTY | DEVICE_DIRTY));
    return 0;
}

static int32_t is_outside(const struct halide_dimension_t *part,
                          const struct halide_dimension_t *whole) {
    return part->extent < 0 || part->min < whole->min ||
           (int64_t)part->min + part->extent > (int64_t)whole->min + whole->extent;
}

static int32_t reaches_beyond(struct failure *failure, int32_t dimension) {
    return FAIL(failure, CROP_FAILED, "A part of a buffer goes beyond the buffer in dimension %d",
                dimension);
}

static int interface_crop(void *context, const Buffer *from, Buffer *to) {
    struct failure failure;
    int64_t elements = 0;
    (void)context;
    failure.taken = 0;
    for (int32_t d = 0; d < from->dimensions; d++) {
        if (is_outside(&to->dim[d], &from->dim[d])) return told(&failure, reaches_beyond(&failure, d));
        elements += ((int64_t)to->dim[d].min - from->dim[d].min) * from->dim[d].stride;
    }
    return told(&failure, alias(&failure, from, to, elements));
}

static int interface_slice(void *context, const Buffer *from, int dimension, int position,
                           Buffer *to) {
    struct failure failure;
    const struct halide_dimension_t at = {position, 1, 0, 0};
    int64_t elements;
    (void)context;
    failure.taken = 0;
    if (dimension < 0 || dimension >= from->dimensions || to->dimensions != from->dimensions - 1 ||
        is_outside(&at, &from->dim[dimension]))
        return told(&failure, reaches_beyond(&failure, dimension));
    elements = ((int64_t)position - from->dim[dimension].min) * from->dim[dimension].stride;
    for (int32_t d = 0; d < to->dimensions; d++) {
        const struct halide_dimension_t *own = &from->dim[d < dimension ? d : d + 1];
        if (is_outside(&to->dim[d], own)) return told(&failure, reaches_beyond(&failure, d));
        elements += ((int64_t)to->dim[d].min - own->min) * own->stride;
    }
    return told(&failure, alias(&failure, from, to, elements));
}

/* Lets go of device memory that belongs to somebody else, who may still ask whether it changed. */
static int interface_let_go(void *context, Buffer *buffer) {
    (void)context;
    buffer->device = 0;
    buffer->device_interface = 0;
    return 0;
}

static int interface_wrap(void *context, Buffer *buffer, uint64_t handle,
                          const Interface *interface) {
    struct failure failure;
    (void)context, (void)interface;
    failure.taken = 0;
    if (buffer->device)
        return told(&failure, FAIL(&failure, WRAP_FAILED, "A buffer has device memory already"));
    buffer->device = handle;
    buffer->device_interface = &lift_cuda_interface;
    return 0;
}

static int interface_capability(void *context, int *major, int *minor) {
    struct failure failure;
    int32_t status;
    (void)context;
    failure.taken = 0;
    if ((status = opened(&failure))) return told(&failure, status);
    cuda.cuDeviceGetAttribute(major, CAPABILITY_MAJOR, cuda.device);
    cuda.cuDeviceGetAttribute(minor, CAPABILITY_MINOR, cuda.device);
    return 0;
}

WEAK const Interface lift_cuda_interface = {
    interface_malloc,
    interface_free,
    interface_sync,
    interface_release,
    interface_copy_to_host,
    interface_copy_to_device,
    interface_both_malloc,
    interface_both_free,
    interface_buffer_copy,
    interface_crop,
    interface_slice,
    interface_let_go,
    interface_wrap,
    interface_let_go,
    interface_capability,
    0,
};

/* What a `halide_buffer_t` says of device memory that this runtime made. */
WEAK const Interface *lift_cuda_device_interface(void) { return &lift_cuda_interface; }
