"""`lifted.h`: all functions of a library in one header, for C and C++."""

from __future__ import annotations

from collections.abc import Sequence

from .header import ON_DEVICE, body, preamble
from .interface import Interface
from .parameter_lists import comment

_HEAD = """\
/* The functions of liblifted, lifted by `lift` and compiled by `lift build`.

   FUNCTION_lifted   the lifted code, with the original's parameters, pointers for references
   FUNCTION_admits   1 where all preconditions of its proof hold for these arguments
   FUNCTION_guarded  the lifted code where they hold, the original elsewhere, which must be linked

   Guarded functions are for C++, and for C where the original has C linkage. Link liblifted.a or
   liblifted.so, with -lpthread -lm. Environment: LIFT_NUM_THREADS, LIFT_POOL_BYTES, LIFT_CPU,
   LIFT_SHADOW, LIFT_SHADOW_LOG."""
_RUNTIME = """\
#ifdef __cplusplus
extern "C" {
#endif
/* Called with the message where lifted code fails (out of memory), before the program is ended. */
void lift_set_error_handler(void (*handler)(const char *message));
int32_t lift_num_threads(void);
void lift_set_num_threads(int32_t threads);
void lift_release_memory(void);
#ifdef __cplusplus
}  /* extern "C" */
#endif"""


def library_header(
    interfaces: Sequence[Interface],
    missing: Sequence[tuple[str, str]],
    on_device: bool = False,
) -> str:
    """The header of a library with these functions, in their order, that knows devices or doesn't.

    `missing` has the functions that couldn't be built, each with the reason.
    """
    lines = _HEAD.split("\n")
    if missing:
        lines += ["", "   Not in this library, because they couldn't be built:"]
        lines += [f"     {comment(name)}: {comment(reason)}" for name, reason in missing]
    lines[-1] += " */"
    lines += ["#ifndef LIFT_LIBRARY_H", "#define LIFT_LIBRARY_H", "", *preamble(interfaces), ""]
    lines += [_RUNTIME, "", *([ON_DEVICE, ""] if on_device else [])]
    for interface in interfaces:
        whence = f"lifted from {comment(interface.file)}:{interface.line}"
        lines += [
            f"/* {comment(interface.qualified_name)}, {whence}. */",
            *body(interface, on_device),
            "",
        ]
    return "\n".join([*lines, "#endif", ""])
