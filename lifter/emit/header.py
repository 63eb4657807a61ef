"""`<function>.h`: the lifted entry point, and the guarded one that falls back to the original."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .admits import Admits
from .guarded import SHADOW_PRELUDE, guarded
from .in_copies import COPIES_PRELUDE, in_copies
from .interface import Interface
from .parameter_lists import comment, flat_arguments, parameters, row_address

_PRELUDE = Path(__file__).with_name("guard_prelude.h")


ON_DEVICE = """\
#ifdef __cplusplus
extern "C" {
#endif
/* Nothing runs on a GPU before that is asked for: by lift_cuda_use(1), or by LIFT_CUDA=1 in the
   environment. Then calls of FUNCTION_lifted run there whose pointers lead to the device's memory,
   and calls whose images have so many bytes together (lift_cuda_set_threshold or LIFT_CUDA_BYTES;
   never, where neither says) that copying them there and back pays. With LIFT_CUDA_BYTES=measured
   each function's first calls of a size find that out. Calls with pointers to the
   device's memory return before the device is done: its stream says when (lift_cuda_set_stream, a
   CUstream, for the thread; the legacy default stream otherwise). Once a GPU was asked for,
   FUNCTION_guarded takes pointers to the device, too, where the proof doesn't hold or no kernel
   serves: it copies the allocations around them to the host, runs there, and copies back what has
   changed.

   lift_cuda_use gives 0, or a code where no device can be used: the error handler, or the standard
   error, has heard why, and all runs on the processor. lift_cuda_set_device comes before it. */
int32_t lift_cuda_use(int32_t how);
void lift_cuda_set_threshold(int64_t bytes);
void lift_cuda_measure_threshold(void);
int32_t lift_cuda_set_stream(void *stream);
int32_t lift_cuda_set_device(int32_t device);
int64_t lift_cuda_launches(void);  /* how many kernels the program has started */

/* What guarded entries call. */
struct lift_cuda_brought;
int32_t lift_cuda_is_used(void);
int32_t lift_cuda_is_on_device(const void *address);
int32_t lift_cuda_wants(int64_t bytes, const void *const *addresses, int32_t count);
void *lift_cuda_copy_of(const void *address, int64_t bytes);
struct lift_cuda_brought *lift_cuda_bring(const char *function, void **pointers, int32_t count);
int32_t lift_cuda_bring_again(struct lift_cuda_brought *brought, int32_t status);
void lift_cuda_return(struct lift_cuda_brought **brought);
void lift_cuda_refuse(const char *function, const char *why);
void lift_cuda_refuse_others(const char *function, const void *object, int64_t bytes);
void lift_cuda_put_back(void *object, const void *now, const void *before, int64_t bytes);
#ifdef __cplusplus
}  /* extern "C" */
#endif"""


def header_text(interface: Interface, on_device: bool = False) -> str:
    """The header: C where the parameters allow it, the guarded entry for C++ alone.

    `NAME_lifted` takes exactly the original's parameters, a pointer for a reference; with vectors
    it is a C++ wrapper of `NAME_lifted_flat`. `NAME_admits` says whether all preconditions hold for
    the arguments; `NAME_guarded` calls the lifted code when they do and the original otherwise.
    One of a library that knows devices says how those are asked for, and its guarded entry takes
    pointers to them (`on_device`).
    """
    macro = f"LIFT_{interface.name.upper()}_H"
    lines = [
        f"/* {interface.name}, lifted from {comment(interface.file)}:{interface.line}. */",
        f"#ifndef {macro}",
        f"#define {macro}",
        "",
        *preamble([interface]),
        "",
        *([ON_DEVICE, ""] if on_device else []),
        *body(interface, on_device),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def preamble(interfaces: Sequence[Interface], shadow: bool = True, flat: bool = False) -> list[str]:
    """What stands before the bodies of these functions: includes, what guards compute with, and
    with `shadow` what compares with originals; with `flat` for no C++ wrappers."""
    copies = any(i.copied for i in interfaces)
    lines = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
    if not flat and any(i.has_vectors for i in interfaces):
        lines += ["#ifdef __cplusplus", "#include <vector>", "#endif"]
    return [
        *lines,
        "",
        _PRELUDE.read_text("utf-8").rstrip(),
        *(["", COPIES_PRELUDE.read_text("utf-8").rstrip()] if copies else []),
        *(["", SHADOW_PRELUDE.read_text("utf-8").rstrip()] if shadow else []),
    ]


def body(interface: Interface, on_device: bool = False) -> list[str]:
    """The declarations of one function, after the preamble."""
    entries = entry_and_admits(interface, on_device=on_device)
    return [*entries, *guarded(interface, on_device)]


def entry_and_admits(
    interface: Interface, kept: int = 0, flat: bool = False, on_device: bool = False
) -> list[str]:
    """The declarations of one function but for the guarded entry; with `flat` no C++ wrappers.

    With `kept`, `NAME_admits` takes the addresses and the sizes in bytes of so many variables, too,
    and tests that they lie apart from what is written; what it looks at may lie on a device where
    there are any (`on_device`).
    """
    name = interface.name
    vectors = interface.has_vectors
    entry, tried = (f"{name}_{what}{'_flat' if vectors else ''}" for what in ("lifted", "try"))
    lines = [
        *("#ifdef __cplusplus", 'extern "C" {', "#endif"),
        f"void {entry}({parameters(interface, flat=True)});",
        "/* The same, but not 0 where there is no memory for it: nothing has been stored then. */",
        f"int {tried}({parameters(interface, flat=True)});",
        *("#ifdef __cplusplus", '}  /* extern "C" */', "#endif", ""),
    ]
    if vectors and not flat:
        lines += [
            "#ifdef __cplusplus",
            f"inline void {name}_lifted({parameters(interface, flat=False)})",
            "{",
            f"    {entry}({flat_arguments(interface)});",
            "}",
            f"inline int {name}_try({parameters(interface, flat=False)})",
            "{",
            f"    return {tried}({flat_arguments(interface)});",
            "}",
            "#endif",
            "",
        ]
    return [*lines, *_admits(interface, kept, on_device), ""]


def _row_addresses(interface: Interface) -> list[str]:
    lines = []
    for parameter in interface.params:
        if parameter.kind == "rows" and parameter.name in interface.accesses:
            const = "const " if parameter.const else ""
            lines += [
                f"static inline intptr_t {row_address(interface, parameter.name)}"
                "(const void *rows, int64_t row)",
                "{",
                f"    return (intptr_t)(({const}{parameter.element} *const *)rows)[row];",
                "}",
                "",
            ]
    return lines


def _admits(interface: Interface, kept: int, on_device: bool) -> list[str]:
    tests = Admits(interface, kept, on_device).text()
    return [*_row_addresses(interface), *tests, *in_copies(interface, kept)]
