"""What a pipeline says about itself: `NAME_argv` and `NAME_metadata`, as Halide's callers use them.

struct halide_filter_argument_t { const char *name; int32_t kind, dimensions;     //  0,  8, 12
    halide_type_t type;                                                           // 16
    const halide_scalar_value_t *scalar_def, *scalar_min, *scalar_max,
        *scalar_estimate; const int64_t *const *buffer_estimates; };              // 24 ... 56
struct halide_filter_metadata_t { int32_t version, num_arguments;                 //  0,  4
    const halide_filter_argument_t *arguments; const char *target, *name; };      //  8, 16, 24
"""

from __future__ import annotations

from ..ir.stmts import Argument, LoweredFunction
from .buffers import type_word
from .builder import FunctionBuilder, ModuleBuilder, Value
from .llvm_types import memory_type

VERSION = 1
_ARGUMENT = "{ ptr, i32, i32, i32, ptr, ptr, ptr, ptr, ptr }"


def add_argv_entry(module: ModuleBuilder, fn: LoweredFunction) -> None:
    """Adds `int NAME_argv(void **args)`: a pointer to each buffer and to each number."""
    f = FunctionBuilder(module, f'define i32 @"{fn.name}_argv"(ptr %args)')
    values = []
    for position, argument in enumerate(fn.parameters):
        place = f.emit("ptr", f"getelementptr ptr, ptr %args, i64 {position}")
        pointer = f.emit("ptr", f"load ptr, {place}")
        if argument.is_buffer:
            values.append(pointer)
        else:
            type = memory_type(argument.type)
            values.append(f.emit(type, f"load {type}, {pointer}"))
    f.ret(f.call("i32", f'@"{fn.name}"', values))
    f.finish()


def add_metadata(module: ModuleBuilder, fn: LoweredFunction) -> None:
    """Adds `const struct halide_filter_metadata_t *NAME_metadata(void)`."""
    arguments = ", ".join(f"{_ARGUMENT} {_described(module, a)}" for a in fn.parameters)
    count = len(fn.parameters)
    table = f'@"{fn.name}.arguments"'
    module.add_global(f"{table} = private constant [{count} x {_ARGUMENT}] [{arguments}], align 8")
    parts = [
        f"i32 {VERSION}",
        f"i32 {count}",
        f"ptr {table}",
        str(module.string(module.target.triple)),
        str(module.string(fn.name)),
    ]
    storage = f'@"{fn.name}.metadata"'
    types = "{ i32, i32, ptr, ptr, ptr }"
    module.add_global(f"{storage} = private constant {types} {{ {', '.join(parts)} }}, align 8")
    f = FunctionBuilder(module, f'define ptr @"{fn.name}_metadata"()')
    f.ret(Value("ptr", storage))
    f.finish()


def _described(module: ModuleBuilder, argument: Argument) -> str:
    kind = 0 if not argument.is_buffer else 2 if argument.is_output else 1
    parts = [
        str(module.string(argument.name)),
        f"i32 {kind}",
        f"i32 {argument.dimensions or 0}",
        f"i32 {type_word(argument.type)}",
        *["ptr null"] * 5,
    ]
    return f"{{ {', '.join(parts)} }}"
