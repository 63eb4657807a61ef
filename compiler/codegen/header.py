"""C headers: of a flat entry, and of a pipeline with `halide_buffer_t` arguments."""

from __future__ import annotations

import re

from ..ir import Type
from ..ir.stmts import LoweredFunction
from .entry import Entry

_INCLUDES = ("#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>")

_BUFFERS = """\
/* Halide's types, from its own header where there is one. */
#if !defined(HALIDE_HALIDERUNTIME_H) && defined(__has_include)
#if __has_include("HalideRuntime.h")
#include "HalideRuntime.h"
#endif
#endif
#if !defined(HALIDE_HALIDERUNTIME_H) && !defined(LIFT_HALIDE_TYPES)
#define LIFT_HALIDE_TYPES
/* code: 0 int, 1 uint, 2 float, 4 bfloat */
struct halide_type_t { uint8_t code, bits; uint16_t lanes; };
/* stride counts elements */
struct halide_dimension_t { int32_t min, extent, stride; uint32_t flags; };
struct halide_device_interface_t;
struct halide_buffer_t {
    uint64_t device;
    const struct halide_device_interface_t *device_interface;
    uint8_t *host;                  /* the element at the mins */
    uint64_t flags;                 /* 1: changed on the host; 2: changed on the device */
    struct halide_type_t type;
    int32_t dimensions;
    struct halide_dimension_t *dim; /* `dimensions` of them, dimension 0 first */
    void *padding;
};
/* What programs do to memory on the device; the first argument is null. 0, or an error code. */
struct halide_device_interface_t {
    int (*device_malloc)(void *, struct halide_buffer_t *,
                         const struct halide_device_interface_t *);
    int (*device_free)(void *, struct halide_buffer_t *);
    int (*device_sync)(void *, struct halide_buffer_t *);
    void (*device_release)(void *, const struct halide_device_interface_t *);
    int (*copy_to_host)(void *, struct halide_buffer_t *);
    int (*copy_to_device)(void *, struct halide_buffer_t *,
                          const struct halide_device_interface_t *);
    int (*device_and_host_malloc)(void *, struct halide_buffer_t *,
                                  const struct halide_device_interface_t *);
    int (*device_and_host_free)(void *, struct halide_buffer_t *);
    int (*buffer_copy)(void *, struct halide_buffer_t *,
                       const struct halide_device_interface_t *, struct halide_buffer_t *);
    int (*device_crop)(void *, const struct halide_buffer_t *, struct halide_buffer_t *);
    int (*device_slice)(void *, const struct halide_buffer_t *, int dim, int position,
                        struct halide_buffer_t *);
    int (*device_release_crop)(void *, struct halide_buffer_t *);
    int (*wrap_native)(void *, struct halide_buffer_t *, uint64_t address,
                       const struct halide_device_interface_t *);
    int (*detach_native)(void *, struct halide_buffer_t *);
    int (*compute_capability)(void *, int *major, int *minor);
    const void *impl;
};
union halide_scalar_value_t;
struct halide_filter_argument_t {
    const char *name;
    int32_t kind;                   /* 0 number, 1 input buffer, 2 output buffer */
    int32_t dimensions;
    struct halide_type_t type;
    const union halide_scalar_value_t *scalar_def, *scalar_min, *scalar_max, *scalar_estimate;
    const int64_t *const *buffer_estimates;
};
struct halide_filter_metadata_t {
    int32_t version, num_arguments;
    const struct halide_filter_argument_t *arguments;
    const char *target, *name;
};
#endif
"""
_RUNTIME = """\
/* The runtime: one a program, however many such libraries it links. */

/* Called with the message where a pipeline fails, in the thread that called the pipeline; null
   brings the default back, a line on the standard error. */
void lift_set_error_handler(void (*handler)(const char *message));
/* How many threads work on a parallel loop: LIFT_NUM_THREADS in the environment, or all cores. */
int32_t lift_num_threads(void);
void lift_set_num_threads(int32_t threads);
/* Intermediates come from a pool, which keeps at most LIFT_POOL_BYTES bytes that nobody uses (a
   quarter of the machine's memory where that is not set). */
int64_t lift_memory_held(void);
int64_t lift_memory_limit(void);
void lift_set_memory_limit(int64_t bytes);
void lift_release_memory(void);
"""
_DEVICE = """
/* Kernels run on NVIDIA's GPUs, and return before the device is done: what they made is on the
   device alone (flag 2) until lift_cuda_device_interface()->copy_to_host(0, buffer). Memory that a
   pipeline allocates there for a buffer is the caller's to give back (device_free). */
const struct halide_device_interface_t *lift_cuda_device_interface(void);
/* Where this thread's work goes, a CUstream; the legacy default stream where nobody says. */
int32_t lift_cuda_set_stream(void *stream);
/* The device for threads without a context: LIFT_CUDA_DEVICE in the environment, or 0. */
int32_t lift_cuda_set_device(int32_t device);
"""


def c_type(type: Type) -> str:
    """The C name of a number format."""
    if type.is_bool:
        return "bool"
    if type.is_float:
        return {16: "_Float16", 32: "float", 64: "double"}[type.bits]
    return f"{'u' if type.is_uint else ''}int{type.bits}_t"


def header_text(entry: Entry) -> str:
    """The header of a flat entry: its prototype with the original's spellings, for C and C++."""
    parameters = ", ".join(param.declaration for param in entry.params) or "void"
    result = "void" if entry.return_type is None else c_type(entry.return_type)
    return _guarded(entry.name, [f"{result} {entry.name}({parameters});"])


def pipeline_header_text(fn: LoweredFunction) -> str:
    """The header of a pipeline's C entries, of the buffers that they take, and of the runtime."""
    parameters = ", ".join(
        f"struct halide_buffer_t *_{_identifier(argument.name)}_buffer"
        if argument.is_buffer
        else f"{c_type(argument.type)} _{_identifier(argument.name)}"
        for argument in fn.parameters
    )
    lines = [
        _RUNTIME + (_DEVICE if fn.kernels else ""),
        "/* 0, or one of Halide's error codes (halide_error_code_t), all of which are below 0.",
        "   A buffer without host and device memory is a question: it gets the region that the",
        "   pipeline needs of it, nothing is computed, and 0 is returned. */",
        f"int {fn.name}({parameters or 'void'});",
        "/* The same; args[i] points to argument i, be it a buffer or a number. */",
        f"int {fn.name}_argv(void **args);",
        f"const struct halide_filter_metadata_t *{fn.name}_metadata(void);",
    ]
    return _guarded(fn.name, lines, _BUFFERS)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _guarded(name: str, lines: list[str], types: str = "") -> str:
    macro = f"LIFT_{_identifier(name).upper()}_H"
    opening = ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    closing = ["", "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {macro} */", ""]
    head = [f"#ifndef {macro}", f"#define {macro}", "", *_INCLUDES, "", *([types] if types else [])]
    return "\n".join([*head, *opening, *lines, *closing])
